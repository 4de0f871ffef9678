"""Sparse vectors of stems, weighted by how rare the stems are, and the sums that selection is made of.

Terms are always visited in one order, that in which a vector's stems first occur, so that sums are the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt

from tidings.core import Vector

__all__ = ["Rarity", "add", "dot", "mean_of", "unit"]


def unit(vector: Mapping[str, float]) -> Vector:
    """The vector at Euclidean length 1; empty where all its weights are 0."""
    length = sqrt(sum(weight * weight for weight in vector.values()))
    return {stem: weight / length for stem, weight in vector.items()} if length else {}


def dot(one: Vector, other: Vector) -> float:
    """The sum of products, the cosine of unit vectors; the shorter vector is walked through.

    >>> dot({"a": 0.6, "b": 0.8}, {"b": 1.0})
    0.8
    """
    if len(one) > len(other):
        one, other = other, one
    get = other.get
    total = 0.0
    for stem, weight in one.items():
        other_weight = get(stem)
        if other_weight is not None:
            total += weight * other_weight
    return total


def add(total: Vector, vector: Vector, factor: float = 1.0) -> None:
    """Add `factor` times a vector to a running total."""
    get = total.get
    for stem, weight in vector.items():
        total[stem] = get(stem, 0.0) + factor * weight


def mean_of(vectors: Iterable[Vector], factors: Iterable[float] | None = None) -> Vector:
    """The direction of the weighted sum, at length 1; empty for no vectors.

    >>> mean_of([{"a": 1.0}, {"b": 1.0}, {"b": 1.0}], [1.0, 0.5, 0.5])["a"] == mean_of([{"a": 1.0}, {"b": 1.0}])["b"]
    True
    """
    total: Vector = {}
    if factors is None:
        for vector in vectors:
            add(total, vector)
    else:
        for vector, factor in zip(vectors, factors, strict=True):
            add(total, vector, factor)
    return unit(total)


class Rarity:
    """How rare stems are among texts: idf = ln((1 + N) / (1 + n)) + 1, for a stem that n of N texts hold.

    >>> rarity = Rarity([("oil", "leak"), ("oil", "rig")])
    >>> rarity.of("oil") < rarity.of("rig") < rarity.of("seal")
    True
    >>> sorted(rarity.vector(("oil", "rig", "rig")))
    ['oil', 'rig']
    """

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        counts: Counter[str] = Counter()
        number = 0
        for stems in texts:
            counts.update(dict.fromkeys(stems, 1))
            number += 1
        self._idf = {stem: log((1 + number) / (1 + count)) + 1 for stem, count in counts.items()}
        self._unseen = log(1 + number) + 1

    def of(self, stem: str) -> float:
        """The idf of a stem; of one that no text holds, the largest there is."""
        return self._idf.get(stem, self._unseen)

    def vector(self, stems: Iterable[str]) -> Vector:
        """tf · idf of a text's stems, at Euclidean length 1."""
        get, unseen = self._idf.get, self._unseen
        return unit({stem: count * get(stem, unseen) for stem, count in Counter(stems).items()})
