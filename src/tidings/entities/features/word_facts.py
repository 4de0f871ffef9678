"""What is always the same of a token: its stem, whether it is a stop word, its syllables, its sentiment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from zlib import crc32

import numpy as np

from tidings.entities.features.lexicons import PREPOSITIONS, VERBS, news_terms, sentiment_of
from tidings.entities.features.table import Array
from tidings.text.stopwords import ENGLISH
from tidings.text.tokens import LONGEST_TOKEN, shared_analyzer

__all__ = ["FACTS", "WordTable", "stem_of_token", "syllables"]

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
    bare = _NO_LETTER.sub("", token[:LONGEST_TOKEN]).lower()
    return shared_analyzer().stem(bare) if bare and bare != "s" else ""


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
        self._buckets: list[int] = [0]

    def make_room(self) -> None:
        """Forget all tokens where there are too many; numbers given before mean nothing afterwards."""
        if len(self._numbers) > _MOST or len(self.stems) > _MOST:
            self._forget()

    def numbers(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of tokens, in order."""
        numbers = self._numbers
        return [numbers[token] if token in numbers else self._add(token) for token in tokens]

    def stem_numbers(self, stems: Iterable[str]) -> list[int]:
        """The numbers of stems, in order; 0 is the empty one."""
        return [self._stem_number(stem) for stem in stems]

    def buckets(self, stems: Array) -> Array:
        """For stems by number the numbers below `BUCKETS` that stand for them where topics are learned."""
        return np.array(self._buckets, np.int64)[stems] if len(stems) else np.zeros(0, np.int64)

    def _stem_number(self, stem: str) -> int:
        number = self._stem_numbers.get(stem)
        if number is None:
            number = self._stem_numbers[stem] = len(self.stems)
            self.stems.append(stem)
            self._buckets.append(crc32(stem.encode("utf-8", "replace")) % BUCKETS)
        return number

    def _add(self, token: str) -> int:
        number = self._numbers[token] = len(self._numbers)
        if number >= len(self.stem):
            self.facts = np.concatenate((self.facts, np.zeros_like(self.facts)))
            self.stem = np.concatenate((self.stem, np.zeros_like(self.stem)))
        bare = _NO_LETTER.sub("", token[:LONGEST_TOKEN]).lower()
        if not bare:
            return number
        stem = stem_of_token(token)
        stop = not stem or bare in ENGLISH
        beats = syllables(bare)
        positive, negative = sentiment_of(bare)
        self.stem[number] = self._stem_number(stem)
        self.facts[number] = (
            1,
            stop,
            beats,
            beats >= 3,
            positive,
            negative,
            stem in news_terms(),
            bare in VERBS or (bare.endswith("ed") and len(bare) > 4),
            bare in PREPOSITIONS,
            bare[0].isdigit(),
        )
        return number
