"""Which of a nugget's pairs of terms, in a row or near each other, each text holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.evaluation.matching.neighbours import ranges

__all__ = ["pair_containment"]


def pair_containment(
    terms: NDArray[np.int32],
    nugget_terms: Sequence[Sequence[int]],
    rarity: NDArray[np.float32],
    reach: int,
    *,
    ordered: bool,
) -> NDArray[np.float32]:
    """(texts, nuggets): the share of a nugget's pairs of different terms, at most `reach` apart, that a text holds so.

    A pair weighs the sum of its terms' rarity; a nugget of one term has no pairs: 0.
    """
    width = len(rarity)
    keys: list[NDArray[np.int64]] = []
    for own in nugget_terms:
        row = np.array([own], dtype=np.int64).reshape(1, -1)
        keys.append(np.unique(_keys(row, width, reach, ordered=ordered)[1]))
    owners = np.repeat(np.arange(len(keys)), [len(own) for own in keys])
    made = np.zeros((len(terms), len(nugget_terms)), dtype=np.float32)
    if not len(owners):
        return made
    every = np.concatenate(keys)
    order = np.argsort(every, kind="stable")
    every, owners = every[order], owners[order]
    weights = rarity[every // width] + rarity[every % width]
    totals = np.bincount(owners, weights, len(nugget_terms))
    rows, those = _keys(terms.astype(np.int64), width, reach, ordered=ordered)
    distinct = np.unique(rows * (width * width) + those)
    rows, those = distinct // (width * width), distinct % (width * width)
    first, last = np.searchsorted(every, those), np.searchsorted(every, those, side="right")
    counts = last - first
    entries = np.repeat(first, counts) + ranges(counts)
    flat = np.repeat(rows, counts) * len(nugget_terms) + owners[entries]
    sums = np.bincount(flat, weights[entries], made.size).reshape(made.shape)
    return np.asarray(sums / np.maximum(totals, 1e-6), dtype=np.float32)


def _keys(
    terms: NDArray[np.int64], width: int, reach: int, *, ordered: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    keys: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)]
    for distance in range(1, min(reach, terms.shape[1] - 1) + 1):
        left, right = terms[:, :-distance], terms[:, distance:]
        at, place = np.nonzero((left >= 0) & (right >= 0) & (left != right))
        one, other = left[at, place], right[at, place]
        if not ordered:
            one, other = np.minimum(one, other), np.maximum(one, other)
        rows.append(at)
        keys.append(one * width + other)
    return np.concatenate(rows), np.concatenate(keys)
