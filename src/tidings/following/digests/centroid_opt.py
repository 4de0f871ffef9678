"""CENTROID-OPT: the sentences whose sum is nearest to the centre of all (Ghalandari 2017), chosen one by one."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from tidings.core import Vector
from tidings.following.digests.sparse import dot
from tidings.following.digests.story import StorySentence

__all__ = ["choose_central"]

SAME = 0.95
"""Cosine from which on two sentences say the same; the later one is passed over."""


def choose_central(
    candidates: Sequence[StorySentence], centre: Vector, number: int, *, same: float = SAME
) -> list[StorySentence]:
    """At most `number` sentences, in the order in which they were chosen.

    Each time the sentence s is taken that makes cos(sum of the chosen ones + s, centre) largest, the first of equals.

    Args:
        candidates: in an order that does not depend on chance.
        centre: a unit vector.
        number: how many, at least 1.
        same: the cosine from which on what is like a chosen sentence is passed over.
    """
    vectors = [one.vector for one in candidates]
    nearness = [dot(vector, centre) for vector in vectors]
    overlap = [0.0] * len(candidates)  # with the sum of the chosen ones
    left = [place for place, vector in enumerate(vectors) if vector]
    chosen: list[int] = []
    near, square = 0.0, 0.0
    while left and len(chosen) < number:
        worths = [(near + nearness[place]) / sqrt(square + 2 * overlap[place] + 1.0) for place in left]
        best = max(worths)
        place = next(place for place, worth in zip(left, worths, strict=True) if worth >= best - 1e-12)
        chosen.append(place)
        near += nearness[place]
        square += 2 * overlap[place] + 1.0
        rest = []
        for other in left:
            likeness = dot(vectors[other], vectors[place])
            overlap[other] += likeness
            if other != place and likeness < same:
                rest.append(other)
        left = rest
    return [candidates[place] for place in chosen]
