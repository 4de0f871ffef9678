"""How likely two groups of documents report the same development; one document is the smallest group.

The evidence is a sum of log odds: clues, each times a weight. The weights were learned by logistic regression
(`python scripts/story_learning.py`), from pairs of parts of one story and of parts of two.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from math import log
from operator import mul

from msgspec import Struct

from tidings.following.grouping.terms import Terms

__all__ = ["CLUES", "Traits", "clues", "evidence", "join_traits", "packed", "unpacked"]

STORY_TERMS, NAME_TERMS = 100, 40
MOST_SHINGLES = 500
_SHINGLE_BYTES = array("I").itemsize
_TRIMMED = 3  # shared stems without which a likeness should still stand
_CHIEF_NAMES = 3
_LARGE = 40  # documents: a story of more goes on for weeks, and changes its words
_MISSED = 1 / 3  # of the weight of one's chief names, from which on the other one is about somebody else

CLUES = {
    "bias": -0.7,
    "words": 10.42,  # the cosine of stems
    "trimmed": 10.39,  # … without the three largest products
    "shorter": 0.47,  # ln(1 + distinct stems), the mean over documents, of the one with fewer
    "longer": -1.53,
    "documents": -0.1,  # ln of the product of the numbers of documents
    "others": -1.18,  # each has names, and the chief ones of either are not the other's
    "slack": 2.33,  # the mean cosine over pairs across, less that within the looser group
    "month_days": -0.1,
    "weekdays": 0.54,
    "across": -13.04,  # the mean cosine over pairs across
    "single": 1.02,  # one of them is one document
    "shingles": 2.75,  # pairs of stems of the heads that are shared
    "nameless": 0.27,  # one of them has no names
    "documents × month_days": 0.52,
    "documents × across": -2.94,
    "longer × across": 2.27,
    "longer × trimmed": -2.33,
    "shorter × words": 1.69,
    "large × words": 6.0,  # large: ln(documents / 40) of a story of more; set by hand: learned, it has no bound
}
"""The weight of each clue."""

_WEIGHTS = tuple(CLUES.values())


class Traits(Struct):
    """What a group of documents is compared by.

    `stems` sums ln(1 + distinct stems) over its documents; `weekdays` are 0 (Monday) to 6, `month_days`
    100 × month + day, both sorted; `shingles` are packed checksums of pairs of stems.
    """

    words: Terms
    names: Terms
    stems: float
    documents: int = 1
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
        shingles = packed({*unpacked(shingles), *unpacked(others.shingles)})
    return Traits(
        words=traits.words.joined(others.words, STORY_TERMS),
        names=traits.names.joined(others.names, NAME_TERMS),
        stems=traits.stems + others.stems,
        documents=traits.documents + others.documents,
        weekdays=_union(traits.weekdays, others.weekdays),
        month_days=_union(traits.month_days, others.month_days),
        shingles=shingles,
    )


def evidence(traits: Traits, others: Traits) -> float:
    """The log odds that two groups report the same development; it does not matter which comes first."""
    value: float = sum(map(mul, _WEIGHTS, clues(traits, others)))
    return value


def clues(traits: Traits, others: Traits) -> tuple[float, ...]:
    """The clues of `CLUES`, in their order."""
    words, trimmed, across = _likeness(traits, others)
    within = [group.words.mean_cosine(group.documents) for group in (traits, others) if group.documents > 1]
    shorter, longer = sorted((traits.mean_stems, others.mean_stems))
    documents = log(traits.documents * others.documents)
    month_days = _agreement(traits.month_days, others.month_days)
    named = bool(traits.names.length and others.names.length)
    return (
        1.0,
        words,
        trimmed,
        shorter,
        longer,
        documents,
        float(named and _is_elsewhere(traits, others) and _is_elsewhere(others, traits)),
        across - min(within) if within else 0.0,
        month_days,
        _agreement(traits.weekdays, others.weekdays),
        across,
        float(min(traits.documents, others.documents) == 1),
        _shared_shingles(traits.shingles, others.shingles),
        float(not named),
        documents * month_days,
        documents * across,
        longer * across,
        longer * trimmed,
        shorter * words,
        log(max(1.0, traits.documents / _LARGE, others.documents / _LARGE)) * words,
    )


def _likeness(traits: Traits, others: Traits) -> tuple[float, float, float]:
    # The cosine of stems, what is left of it without the largest products, and the mean over pairs of documents.
    lengths = traits.words.length * others.words.length
    if not lengths:
        return 0.0, 0.0, 0.0
    products = traits.words.products(others.words)
    products.sort()
    total = sum(products)
    pairs = traits.documents * others.documents
    return total / lengths, round(sum(products[:-_TRIMMED]) / lengths, 12), total / pairs


def _is_elsewhere(traits: Traits, others: Traits) -> bool:
    # Whether the chief names of one are not among the names of the other.
    chief, held = traits.names.heaviest(_CHIEF_NAMES), others.names.terms
    met = sum([weight for term, weight in chief if term in held])
    return met < _MISSED * sum([weight for _, weight in chief])


def _shared_shingles(shingles: bytes, others: bytes) -> float:
    if not shingles or not others:
        return 0.0
    own, other = unpacked(shingles), unpacked(others)
    return len(set(own).intersection(other)) / min(len(own), len(other))


def unpacked(shingles: bytes) -> array[int]:
    """Checksums from how they are kept."""
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
