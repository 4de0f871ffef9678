"""How well scores order a document's entities by their grades: rank correlations, AUC and nDCG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["MEASURES", "auc", "kendall", "measured", "ndcg", "spearman"]

Array = np.ndarray[Any, Any]


def kendall(scores: Array, grades: Array) -> float | None:
    """Kendall's tau-b, from -1 to 1; 0 where all scores are equal, None where all grades are.

    >>> round(kendall(np.array([3.0, 2.0, 1.0]), np.array([1.0, 1.0, 0.0])), 3)
    0.816
    """
    above = np.triu_indices(len(grades), 1)
    ours = np.sign(scores[:, None] - scores)[above]
    theirs = np.sign(grades[:, None] - grades)[above]
    if not theirs.any():
        return None
    return float((ours * theirs).sum() / np.sqrt((ours**2).sum() * (theirs**2).sum())) if ours.any() else 0.0


def spearman(scores: Array, grades: Array) -> float | None:
    """Spearman's rho with mean ranks for ties, from -1 to 1; 0 where all scores are equal, None where all grades are.

    >>> round(spearman(np.array([3.0, 2.0, 1.0]), np.array([1.0, 1.0, 0.0])), 3)
    0.866
    """
    ours, theirs = _ranks(scores), _ranks(grades)
    if not theirs.std():
        return None
    return float(np.corrcoef(ours, theirs)[0, 1]) if ours.std() else 0.0


def auc(scores: Array, salient: Array) -> float | None:
    """The chance that a salient entity has a greater score than another; ties count half. None without either.

    >>> auc(np.array([3.0, 2.0, 2.0]), np.array([True, True, False]))
    0.75
    """
    ours, others = scores[salient], scores[~salient]
    if not len(ours) or not len(others):
        return None
    return float(((ours[:, None] > others) + 0.5 * (ours[:, None] == others)).mean())


def ndcg(scores: Array, grades: Array) -> float | None:
    """Σ (2^grade - 1) / log2(1 + rank), over that of the best order; equal scores share the mean of their ranks' gain.

    None where all grades are 0.

    >>> round(ndcg(np.array([1.0, 2.0]), np.array([1.0, 0.0])) * float(np.log2(3)), 3)
    1.0
    """
    if grades.max() <= 0:
        return None
    gains = 2.0**grades - 1
    discount = 1 / np.log2(np.arange(len(grades)) + 2)
    order = np.argsort(-scores, kind="stable")
    shared = np.zeros(len(grades))
    for score in np.unique(scores):
        ties = scores[order] == score
        shared[ties] = discount[ties].mean()
    return float((gains[order] * shared).sum() / (np.sort(gains)[::-1] * discount).sum())


def _ranks(values: Array) -> Array:
    order = np.sort(values)
    ranks: Array = (np.searchsorted(order, values) + np.searchsorted(order, values, side="right") - 1) / 2
    return ranks


MEASURES = ("tau", "rho", "AUC", "nDCG")
"""Kendall's tau-b, Spearman's rho, AUC of the salient ones, nDCG of grades."""


def measured(
    scores: Sequence[Array], grades: Sequence[Array], salient: Sequence[Array]
) -> list[list[float | None]]:
    """For each of `MEASURES` the value of each document, None where it has none."""
    pairs = list(zip(scores, grades, strict=True))
    return [
        [kendall(own, graded) for own, graded in pairs],
        [spearman(own, graded) for own, graded in pairs],
        [auc(own, which) for own, which in zip(scores, salient, strict=True)],
        [ndcg(own, graded) for own, graded in pairs],
    ]
