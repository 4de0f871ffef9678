"""How good a matcher is: average precision, precision and recall at a threshold, and whether its probabilities hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Bin",
    "JudgedPairs",
    "average_precision",
    "best_threshold",
    "calibration",
    "mean_average_precision",
    "precision_recall",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class JudgedPairs:
    """The pairs of one event that a matcher gave, and how many matches there are in all.

    Attributes:
        scores: of each pair, higher for likelier.
        right: whether an assessor matched it.
        total: matches of the event, those that the matcher did not give included.
    """

    scores: Floats
    right: NDArray[np.bool_]
    total: int


@dataclass(frozen=True)
class Bin:
    """Pairs of like probability: how many, their mean probability, and the share of them that are matches."""

    count: int
    said: float
    seen: float


def average_precision(pairs: JudgedPairs) -> float:
    """Σ over the matches of the precision at their rank / all matches; of equal scores the mean over their orders.

    >>> average_precision(JudgedPairs(np.array([0.9, 0.5, 0.1]), np.array([True, False, True]), 2))
    0.8333333333333333
    """
    if not pairs.total:
        return 0.0
    order = np.argsort(-pairs.scores, kind="stable")
    scores, right = pairs.scores[order], pairs.right[order].astype(float)
    ends = np.append(np.nonzero(np.diff(scores))[0], len(scores) - 1) if len(scores) else np.zeros(0, int)
    total, start, before = 0.0, 0, 0.0
    for end in ends.tolist():
        count, hits = end - start + 1, float(right[start : end + 1].sum())
        if hits:  # expected precision at the ranks of hits that lie anywhere among equals
            places = np.arange(1, count + 1)
            others = (hits - 1) * (places - 1) / max(count - 1, 1)
            total += float((hits / count * (before + 1 + others) / (start + places)).sum())
        before += hits
        start = end + 1
    return total / pairs.total


def precision_recall(events: Sequence[JudgedPairs], threshold: float) -> tuple[float, float, float]:
    """(precision, recall, F1) of the pairs of at least that score, all events together."""
    given = sum(int((one.scores >= threshold).sum()) for one in events)
    hits = sum(int(one.right[one.scores >= threshold].sum()) for one in events)
    total = sum(one.total for one in events)
    precision, recall = hits / max(given, 1), hits / max(total, 1)
    return precision, recall, 2 * hits / max(given + total, 1)


def best_threshold(events: Sequence[JudgedPairs]) -> float:
    """The score from which on F1 over all events is highest; 0 where there is no match.

    >>> best_threshold([JudgedPairs(np.array([0.9, 0.5, 0.1]), np.array([True, True, False]), 2)])
    0.5
    """
    scores = np.concatenate([one.scores for one in events])
    right = np.concatenate([one.right for one in events])
    total = sum(one.total for one in events)
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(right[order])
    if not total or not len(scores):
        return 0.0
    f = 2 * hits / (np.arange(1, len(hits) + 1) + total)
    f[:-1][np.diff(scores[order]) == 0] = 0  # a threshold does not part equal scores
    return float(scores[order][int(np.argmax(f))])


def calibration(events: Sequence[JudgedPairs], bins: int = 10) -> tuple[Bin, ...]:
    """Pairs by tenths of their probability: what was said and what was seen; empty bins are left out.

    >>> pairs = JudgedPairs(np.array([0.1, 0.1, 0.9]), np.array([False, False, True]), 1)
    >>> [(one.count, one.said, one.seen) for one in calibration([pairs])]
    [(2, 0.1, 0.0), (1, 0.9, 1.0)]
    """
    scores = np.concatenate([one.scores for one in events])
    right = np.concatenate([one.right for one in events])
    places = np.minimum((scores * bins).astype(int), bins - 1)
    return tuple(
        Bin(int(own.sum()), float(scores[own].mean()), float(right[own].mean()))
        for number in range(bins)
        if (own := places == number).any()
    )


def mean_average_precision(events: Mapping[str, JudgedPairs]) -> float:
    """The mean over events that have matches."""
    each = [average_precision(one) for one in events.values() if one.total]
    return float(np.mean(each)) if each else 0.0
