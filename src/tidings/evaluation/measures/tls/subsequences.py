"""ROUGE-L for summaries, as ROUGE 1.5.5 counts it: words on a longest common subsequence with any sentence.

Each reference sentence is compared with each sentence of the summary; its words that lie on one of these longest common
subsequences count once, and never more often than the summary (or the reference) holds the word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["on_common_subsequence", "union_hits"]

Sentences = Sequence[Sequence[str]]


def union_hits(summary: Sentences, reference: Sentences) -> int:
    """How many words of a reference are hit.

    >>> union_hits([["w1", "w2", "w6", "w7", "w8"], ["w1", "w3", "w8", "w9", "w5"]], [["w1", "w2", "w3", "w4", "w5"]])
    4
    """
    left = Counter(word for sentence in summary for word in sentence)
    # Words of the reference that the summary lacks are never hit, so its own counts need no look.
    tables = [(sentence, _places(sentence)) for sentence in summary if sentence]
    hits = 0
    for sentence in reference:
        mask = 0
        if any(word in left for word in sentence):
            for other, places in tables:
                mask |= on_common_subsequence(sentence, other, places)
        for index, word in enumerate(sentence):
            if mask >> index & 1 and left[word] > 0:
                left[word] -= 1
                hits += 1
    return hits


def _places(sentence: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for index, word in enumerate(sentence):
        places[word] = places.get(word, 0) | 1 << index
    return places


def on_common_subsequence(
    sentence: Sequence[str], other: Sequence[str], places: dict[str, int] | None = None
) -> int:
    """The words of a sentence that lie on a longest common subsequence with another, as bits (bit 0 the first word).

    Of several longest ones, that which a walk back from the ends finds when it rather steps over words of `sentence`.
    One row of the table of lengths is one integer (Hyyrö, 2004): a zero bit where the length grows.

    >>> bin(on_common_subsequence("police killed the gunman".split(), "police kill the gunman".split()))
    '0b1101'
    """
    places = _places(other) if places is None else places
    if not any(word in places for word in sentence):
        return 0
    full = (1 << len(other)) - 1
    rows = [full]
    for word in sentence:
        row = rows[-1]
        met = row & places.get(word, 0)
        rows.append(((row + met) | (row - met)) & full)
    common = 0
    i, j = len(sentence), len(other)
    while i and j:
        below = (1 << j) - 1
        if sentence[i - 1] == other[j - 1]:
            common |= 1 << (i - 1)
            i, j = i - 1, j - 1
        elif (rows[i - 1] & below).bit_count() == (rows[i] & below).bit_count():
            i -= 1
        else:
            j -= 1
    return common
