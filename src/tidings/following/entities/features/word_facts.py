"""What is always the same of a token, by small lists of words too, and the event's query as terms and pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from zlib import crc32

import numpy as np

from tidings.core import LONGEST_TOKEN, data_beside, shared_analyzer, tokens
from tidings.following.entities.features.table import Array

_LISTS = data_beside(__file__)
_FEELING: dict[str, tuple[int, int]] = {
    **{word: (int(strength), 0) for strength, words in _LISTS["positive"].items() for word in words.split()},
    **{word: (0, int(strength)) for strength, words in _LISTS["negative"].items() for word in words.split()},
}


def sentiment_of(word: str) -> tuple[int, int]:
    """The strengths (0 or 2 to 5) of good and of bad feeling that a word in lower case carries.

    >>> sentiment_of("heroic"), sentiment_of("massacre"), sentiment_of("table")
    ((3, 0), (0, 5), (0, 0))
    """
    return _FEELING.get(word, (0, 0))


VERBS, PREPOSITIONS, SAYINGS = (
    frozenset(_LISTS["classes"][key].split()) for key in ("verbs", "prepositions", "sayings")
)


@lru_cache(maxsize=1)
def news_terms() -> frozenset[str]:
    """Stems that news uses far more than other text, as `scripts/write_news_terms.py` counts them."""
    place = resources.files("tidings.following.entities.features").joinpath("news_terms.txt")
    lines = place.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


FACTS = (
    "word",
    "stop",
    "syllables",
    "complex",
    "positive",
    "negative",
    "news",
    "verb",
    "preposition",
    "figure",
    "saying",
)
"""The columns of `WordTable.facts`."""

BUCKETS = 1_024
"""Stems are spread over so many numbers where topics are learned, whose arrays must not grow."""

_MOST = 60_000
"""Tokens that are remembered; then all are forgotten, which changes no result."""
_NO_LETTER = re.compile(r"[\W_]+")
_SPOKEN_ENDS = ("ted", "ded", "ses", "zes", "ches", "shes", "ges", "ces")
_VOWELS = re.compile(r"[aeiouyàáâäãåæèéêëìíîïòóôöõøùúûüý]+")


def syllables(word: str) -> int:
    """Syllables of a word by rule: runs of vowels, without a silent e at the end; at least 1.

    >>> [syllables(word) for word in ("cat", "rescue", "made", "table", "evacuated", "people")]
    [1, 2, 1, 2, 5, 2]
    """
    low = word.lower()
    count = len(_VOWELS.findall(low))
    for pair in ("ia", "io", "ua", "eo"):
        count += low.count(pair) if not low.endswith(("ion", "ions", "ple", "eous")) else 0
    if low.endswith("e"):
        count -= not low.endswith(("le", "ee", "ue", "ie"))
    elif low.endswith(("ed", "es")):
        count -= not low.endswith(_SPOKEN_ENDS)
    return max(1, count)


def stem_of_token(token: str) -> str:
    """The stem of a token, empty for stop words, marks and what is left of a name before an apostrophe.

    >>> stem_of_token("Bombings"), stem_of_token("the"), stem_of_token("U.S."), stem_of_token(",")
    ('bomb', '', '', '')
    """
    return _stem(_NO_LETTER.sub("", token[:LONGEST_TOKEN]).lower())


class WordTable:
    """Tokens by number, with their stems by number and the columns named by `FACTS`."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._stem_numbers: dict[str, int] = {"": 0}
        self.stems: list[str] = [""]
        self.facts: Array = np.zeros((2_048, len(FACTS)), np.float32)
        self.stem: Array = np.zeros(2_048, np.int32)
        self._hashes: list[int] = [0]

    def __len__(self) -> int:
        return len(self._numbers)

    def make_room(self) -> None:
        """Forget all tokens where there are too many; numbers given before mean nothing afterwards."""
        if len(self._numbers) > _MOST or len(self.stems) > _MOST:
            self._forget()

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """The numbers of tokens, in order."""
        numbers = self._numbers
        found = [numbers.get(token, -1) for token in tokens]
        if -1 in found:
            self._add([token for token in dict.fromkeys(tokens) if token not in numbers])
            found = [numbers[token] for token in tokens]
        return found

    def stem_numbers(self, stems: Iterable[str]) -> list[int]:
        """The numbers of stems, in order; 0 is the empty one."""
        numbers = self._stem_numbers
        return [numbers[stem] if stem in numbers else self._stem_number(stem) for stem in stems]

    def hashes(self, stems: Array) -> Array:
        """For stems by number the 32 bits that stand for their letters, the same on every machine."""
        return np.array([self._hashes[stem] for stem in stems.tolist()], np.uint64)

    def buckets(self, stems: Array) -> Array:
        """For stems by number the numbers below `BUCKETS` that stand for them where topics are learned."""
        return (self.hashes(stems) % np.uint64(BUCKETS)).astype(np.int64)

    def _stem_number(self, stem: str) -> int:
        number = self._stem_numbers.get(stem)
        if number is None:
            number = self._stem_numbers[stem] = len(self.stems)
            self.stems.append(stem)
            self._hashes.append(crc32(stem.encode("utf-8", "replace")))
        return number

    def _add(self, tokens: list[str]) -> None:
        first = len(self._numbers)
        while first + len(tokens) > len(self.stem):
            self.facts = np.concatenate((self.facts, np.zeros_like(self.facts)))
            self.stem = np.concatenate((self.stem, np.zeros_like(self.stem)))
        rows = []
        stems = []
        for number, token in enumerate(tokens, first):
            self._numbers[token] = number
            bare = _NO_LETTER.sub("", token[:LONGEST_TOKEN]).lower()
            stem = _stem(bare)
            stems.append(self._stem_number(stem))
            rows.append(_facts(bare, stem) if bare else (0,) * len(FACTS))
        self.facts[first : first + len(tokens)] = rows
        self.stem[first : first + len(tokens)] = stems


def _stem(bare: str) -> str:
    return shared_analyzer().stem(bare) if bare and bare != "s" else ""


def _facts(bare: str, stem: str) -> tuple[float, ...]:
    beats = syllables(bare)
    return (
        1,
        not stem,
        beats,
        beats >= 3,
        *sentiment_of(bare),
        stem in news_terms(),
        bare in VERBS or (bare.endswith("ed") and len(bare) > 4),
        bare in PREPOSITIONS,
        bare[0].isdigit(),
        bare in SAYINGS,
    )


GAP = 4
"""Words that may stand between the two of a skip-bigram."""


def neighbours(stems: Sequence[str]) -> set[tuple[str, str]]:
    """The pairs of stems that stand beside each other.

    >>> sorted(neighbours(["boston", "marathon", "bomb"]))
    [('boston', 'marathon'), ('marathon', 'bomb')]
    """
    return set(pairwise(stems))


def gapped_pairs(stems: Sequence[str], gap: int = GAP) -> set[tuple[str, str]]:
    """The pairs of stems, in their order, with at most `gap` others between them.

    >>> sorted(gapped_pairs(["boston", "marathon", "bomb"], gap=1))
    [('boston', 'bomb'), ('boston', 'marathon'), ('marathon', 'bomb')]
    """
    return {
        (stem, other)
        for at, stem in enumerate(stems)
        for other in stems[at + 1 : at + 2 + gap]
        if stem != other
    }


class QueryTerms:
    """The stems of a query in order, and the stems that it was expanded with.

    >>> QueryTerms("The Boston Marathon bombings", ["tsarnaev"]).all
    ('boston', 'marathon', 'bomb', 'tsarnaev')
    """

    def __init__(self, query: str, expansion: Iterable[str] = ()) -> None:
        own = [stem for stem in map(stem_of_token, tokens(query)) if stem]
        self.own = tuple(own)
        self.all = tuple(dict.fromkeys([*own, *(stem for stem in expansion if stem)]))
        self.pairs = neighbours(own)
        self.gapped = gapped_pairs(own)
