"""Words that are nearly the same by their letters, for those that two contexts do not share outright."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

__all__ = ["jaro_winkler", "near_pairs"]

LEAST = 0.9
"""Jaro-Winkler similarity below which two words have nothing in common."""
_BEGINNING = 4
_MOST_ALIKE = 12
"""Words of one beginning that a word is compared with."""
_MOST_COMPARED = 5_000
"""Pairs that are compared at once, after which no more are; hostile text has millions."""


@lru_cache(maxsize=1 << 16)
def jaro_winkler(one: str, other: str) -> float:
    """Jaro's similarity of two words, raised for a common beginning of up to four letters (Winkler 1990); 0 to 1.

    >>> round(jaro_winkler("martha", "marhta"), 4), round(jaro_winkler("dixon", "dicksonx"), 4)
    (0.9611, 0.8133)
    >>> jaro_winkler("same", "same"), jaro_winkler("", "other")
    (1.0, 0.0)
    """
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    window = max(0, max(len(one), len(other)) // 2 - 1)
    taken = [False] * len(other)
    matched: list[str] = []
    for at, letter in enumerate(one):
        for place in range(max(0, at - window), min(len(other), at + window + 1)):
            if not taken[place] and other[place] == letter:
                taken[place] = True
                matched.append(letter)
                break
    if not matched:
        return 0.0
    second = [letter for letter, is_taken in zip(other, taken, strict=True) if is_taken]
    swapped = sum(a != b for a, b in zip(matched, second, strict=True)) / 2
    m = len(matched)
    jaro = (m / len(one) + m / len(other) + (m - swapped) / m) / 3
    prefix = 0
    for a, b in zip(one[:4], other[:4], strict=False):
        if a != b:
            break
        prefix += 1
    return jaro + prefix * 0.1 * (1 - jaro)


def near_pairs(ours: Sequence[str], theirs: Iterable[str]) -> list[tuple[int, str, float]]:
    """(number of one of `ours`, one of `theirs`, similarity) of all that differ and are at least `LEAST` alike.

    Only words that begin alike in four letters are compared.

    >>> [(number, word) for number, word, _ in near_pairs(["tsarnaev", "boston"], ["tsarnayev", "baston"])]
    [(0, 'tsarnayev')]
    """
    beginnings: dict[str, list[str]] = defaultdict(list)
    for word in theirs:
        if len(word) > _BEGINNING:
            beginnings[word[:_BEGINNING]].append(word)
    pairs = []
    compared = 0
    for number, word in enumerate(ours):
        if len(word) <= _BEGINNING or compared >= _MOST_COMPARED:
            continue
        for other in beginnings.get(word[:_BEGINNING], ())[:_MOST_ALIKE]:
            if other != word:
                compared += 1
                similarity = jaro_winkler(word, other)
                if similarity >= LEAST:
                    pairs.append((number, other, similarity))
    return pairs
