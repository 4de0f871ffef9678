"""How likely two groups of documents report the same development; one document is the smallest group.

The evidence is a sum of log odds: clues, each times a weight. The weights were learned by logistic regression
(`python scripts/story_learning.py`), from pairs of parts of one story and of parts of two.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Container, Iterable, Sequence
from math import inf, log
from operator import mul
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tidings.core import DAY_S
from tidings.following.grouping.terms import Terms

__all__ = ["CLUES", "Compared", "Traits", "clues", "evidence", "join_traits", "packed"]

STORY_TERMS, NAME_TERMS = 100, 40  # the heaviest that a story keeps
MOST_SHINGLES = 500  # of a story
_SHINGLE_BYTES = array("I").itemsize
_TRIMMED = 3  # shared stems without which a likeness should still stand
_CHIEF_NAMES = 3  # the heaviest of a document
_LARGE = 20  # documents: a story of more goes on for weeks, and changes its words
_LONG_SILENCE_DAYS = 3  # beyond which nothing was learned
_MISSED = 1 / 3  # of the weight of one's chief names, from which on the other one is about someone else

CLUES = {
    "bias": 1.51,
    "words": 8.49,  # the cosine of stems
    "trimmed": 14.45,  # … without the three largest products
    "shorter": -0.36,  # ln(1 + distinct stems), the mean over documents, of the one with fewer
    "longer": -1.3,
    "documents": -0.41,  # ln of the product of the numbers of documents
    "silence": -3.02,  # ln(1 + days between them) / (1 + documents)
    "slack": 1.12,  # the mean cosine over pairs across, less that within the looser group
    "across": -18.89,  # the mean cosine over pairs across
    "single": 0.87,  # one of them is one document
    "documents × across": -2.37,
    "longer × across": 4.25,
    "longer × trimmed": -3.73,
    "shorter × words": 2.56,
    "large × words": 14.0,  # large: ln(documents / 20) of a story of more; set by hand: learned, it has no bound
    "month_days": -0.72,
    "documents × month_days": 0.82,
    "weekdays": 0.37,
    "others": -1.74,  # each has names, and the chief ones of either are not the other's
    "nameless": -0.51,  # one of them has no names
    "shingles": 1.86,  # pairs of stems of the heads that are shared
}
"""The weight of each clue."""

_WEIGHTS = tuple(CLUES.values())
# Each of these is 0 to 1.
_MOST_OF_THE_REST = sum(max(0.0, CLUES[clue]) for clue in ("others", "nameless", "shingles"))


class Traits(Struct, gc=False):
    """What a group of documents is compared by.

    `stems` sums ln(1 + distinct stems) over its documents; they were published from `first_time` to `last_time`
    (seconds UTC); `weekdays` are 0 (Monday) to 6, `month_days` 100 × month + day, both sorted; `shingles` are packed
    checksums of pairs of stems.
    """

    words: Terms
    names: Terms
    stems: float
    documents: int = 1
    first_time: int = 0
    last_time: int = 0
    weekdays: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    shingles: bytes = b""

    @property
    def mean_stems(self) -> float:
        """The mean over its documents of ln(1 + distinct stems)."""
        return self.stems / self.documents


def join_traits(traits: Traits, others: Traits) -> Traits:
    """What two groups are compared by when they are one."""
    shingles = traits.shingles
    if len(shingles) < MOST_SHINGLES * _SHINGLE_BYTES:
        shingles = packed({*_unpack(shingles), *_unpack(others.shingles)})
    return Traits(
        words=traits.words.joined(others.words, STORY_TERMS),
        names=traits.names.joined(others.names, NAME_TERMS),
        stems=traits.stems + others.stems,
        documents=traits.documents + others.documents,
        first_time=min(traits.first_time, others.first_time),
        last_time=max(traits.last_time, others.last_time),
        weekdays=_union(traits.weekdays, others.weekdays),
        month_days=_union(traits.month_days, others.month_days),
        shingles=shingles,
    )


def evidence(traits: Traits, others: Traits) -> float:
    """The log odds that two groups report the same development; it does not matter which comes first."""
    return Compared(traits).evidence((others,))[0]


def clues(traits: Traits, others: Traits) -> tuple[float, ...]:
    """The clues of `CLUES`, in their order."""
    return Compared(traits).clues(others)


class Compared:
    """A group of documents, unpacked to be compared with several others."""

    __slots__ = ("_chief", "_names", "_shingles", "_sums", "_terms", "traits")

    def __init__(self, traits: Traits) -> None:
        self.traits = traits
        terms = np.frombuffer(traits.words.packed_terms, np.int32)
        order = np.argsort(terms)
        self._terms = terms[order]
        self._sums = np.frombuffer(traits.words.packed_sums, np.float32)[order].astype(np.float64)
        self._names = frozenset(traits.names.terms)
        self._chief = traits.names.heaviest(_CHIEF_NAMES)
        self._shingles = np.frombuffer(traits.shingles, np.uint32)

    def evidence(self, others: Sequence[Traits], least: float = -inf) -> list[float]:
        """As the function of that name, for each of several groups; -inf where it is below `least`."""
        values: list[float] = []
        for group, likeness in zip(others, self._likeness(others), strict=True):
            known = self._of_words_and_days(group, likeness)
            value = sum(map(mul, _WEIGHTS, known)) + _MOST_OF_THE_REST
            if value >= least:
                value = sum(map(mul, _WEIGHTS, (*known, *self._of_names_and_shingles(group))))
            values.append(value if value >= least else -inf)
        return values

    def clues(self, others: Traits) -> tuple[float, ...]:
        """As the function of that name."""
        likeness = self._likeness((others,))[0]
        return *self._of_words_and_days(others, likeness), *self._of_names_and_shingles(others)

    def _of_words_and_days(self, others: Traits, likeness: Sequence[float]) -> tuple[float, ...]:
        # The first clues, which take little time once the likeness of words is known.
        traits = self.traits
        words, trimmed, across = likeness
        within = [
            group.words.mean_cosine(group.documents) for group in (traits, others) if group.documents > 1
        ]
        shorter, longer = traits.mean_stems, others.mean_stems
        if shorter > longer:
            shorter, longer = longer, shorter
        documents = log(traits.documents * others.documents)
        gap_s = max(traits.first_time, others.first_time) - min(traits.last_time, others.last_time)
        month_days = _agreement(traits.month_days, others.month_days)
        return (
            1.0,
            words,
            trimmed,
            shorter,
            longer,
            documents,
            log(1 + min(max(0, gap_s) / DAY_S, _LONG_SILENCE_DAYS)) / (1 + documents),
            across - min(within) if within else 0.0,
            across,
            float(min(traits.documents, others.documents) == 1),
            documents * across,
            longer * across,
            longer * trimmed,
            shorter * words,
            log(max(1.0, traits.documents / _LARGE, others.documents / _LARGE)) * words,
            month_days,
            documents * month_days,
            _agreement(traits.weekdays, others.weekdays),
        )

    def _of_names_and_shingles(self, others: Traits) -> tuple[float, ...]:
        named = bool(self._names and others.names.length)
        return (
            float(named and self._is_elsewhere(others)),
            float(not named),
            self.shared_shingles(others.shingles),
        )

    def _likeness(self, others: Sequence[Traits]) -> list[tuple[float, float, float]]:
        # The cosine of stems, what is left of it without the largest products, and the mean over pairs of documents.
        rows, own = [group.words for group in others], self.traits.words
        if not rows or not own.length:
            return [(0.0, 0.0, 0.0)] * len(rows)
        terms = _table([words.packed_terms for words in rows], np.int32)
        sums = _table([words.packed_sums for words in rows], np.float32)
        places = np.minimum(np.searchsorted(self._terms, terms), len(self._terms) - 1)
        products = np.where(self._terms[places] == terms, self._sums[places] * sums, 0.0)
        products.sort(axis=1)
        # Summed one after the other, so that each machine has the same sums.
        totals = np.add.accumulate(products, axis=1)[:, [-1, -1 - _TRIMMED]].tolist()
        return [
            (
                total / (own.length * group.words.length),
                round(trimmed / (own.length * group.words.length), 12),
                total / (self.traits.documents * group.documents),
            )
            if group.words.length
            else (0.0, 0.0, 0.0)
            for group, (total, trimmed) in zip(others, totals, strict=True)
        ]

    def _is_elsewhere(self, others: Traits) -> bool:
        # Whether the chief names of either are not among the names of the other.
        return _is_missed(self._chief, others.names.terms) and _is_missed(
            others.names.heaviest(_CHIEF_NAMES), self._names
        )

    def shared_shingles(self, shingles: bytes) -> float:
        """The share of the fewer checksums of pairs of stems that both have."""
        fewer, more = self._shingles, np.frombuffer(shingles, np.uint32)
        if len(fewer) > len(more):
            fewer, more = more, fewer
        return _count_shared(fewer, more) / len(fewer) if len(fewer) else 0.0

    def is_copy(self, others: Traits, share: float) -> bool:
        """Whether both have so large a share of all their pairs of stems."""
        fewer, more = sorted((len(self.traits.shingles), len(others.shingles)))
        if fewer < share * more or not fewer:
            return False
        shared = _count_shared(self._shingles, np.frombuffer(others.shingles, np.uint32))
        return fewer + more >= (1 + share) * (fewer + more - shared * _SHINGLE_BYTES)


def _count_shared(numbers: NDArray[np.uint32], others: NDArray[np.uint32]) -> int:
    # How many of the first are among the others, where both are sorted and have no number twice.
    places = np.searchsorted(others, numbers)
    return int(np.count_nonzero(others[np.minimum(places, len(others) - 1)] == numbers))


def _table(packed: Sequence[bytes], kind: type[np.int32 | np.float32]) -> NDArray[Any]:
    # Packed numbers, a row for each, filled up with zeros, of which there are `_TRIMMED` + 1 at least.
    width = max(map(len, packed)) + (1 + _TRIMMED) * 4
    return np.frombuffer(b"".join([row.ljust(width, b"\0") for row in packed]), kind).reshape(len(packed), -1)


def _is_missed(chief: Collection[tuple[int, float]], held: Container[int]) -> bool:
    met = sum([weight for term, weight in chief if term in held])
    return met < _MISSED * sum([weight for _, weight in chief])


def _unpack(shingles: bytes) -> array[int]:
    return array("I", shingles)


def packed(shingles: Iterable[int]) -> bytes:
    """Checksums as they are kept: sorted, and no more than 500."""
    return array("I", sorted(shingles)[:MOST_SHINGLES]).tobytes()


def _union(numbers: Iterable[int], others: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted({*numbers, *others}))


def _agreement(days: Collection[int], others: Collection[int]) -> float:
    # 1 where days are shared, -1 where both name days and share none, 0 where one names none.
    if not days or not others:
        return 0.0
    return -1.0 if set(days).isdisjoint(others) else 1.0
