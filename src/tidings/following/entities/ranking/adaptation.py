"""How much a day asks for salience, and how much for news: its likeness to the days that were learned from.

A day is described by the means and variances of its entities' features, apart for each side (Bian et al. 2010 as the
paper adapts it). The centre of such descriptions over the days learned from stands for them; with one component that is
what a Gaussian mixture's centroid is. A day's adaptive score falls with its distance from it.
"""

from __future__ import annotations

from datetime import date

import numpy as np

from tidings.following.entities.ranking.base import Array

__all__ = ["adaptive_score", "day_description", "days_between", "decay"]


def day_description(rows: Array) -> Array:
    """A day's (entities, features) as one vector: the features' means, then their variances; zeros without entities.

    >>> day_description(np.array([[0.0, 1.0], [1.0, 1.0]])).tolist()
    [0.5, 1.0, 0.25, 0.0]
    """
    if not len(rows):
        return np.zeros(2 * rows.shape[1])
    described: Array = np.concatenate([rows.mean(axis=0), rows.var(axis=0)])
    return described


def adaptive_score(description: Array, centre: Array, farthest: float) -> float:
    """S = 1 - |x - centre|² / farthest, from 0 to 1; `farthest` is the greatest |x - centre|² of the days learned from.

    >>> adaptive_score(np.array([1.0, 0.0]), np.array([0.0, 0.0]), 4.0)
    0.75
    >>> adaptive_score(np.array([9.0, 0.0]), np.array([0.0, 0.0]), 4.0)
    0.0
    """
    distance = float(((description - centre) ** 2).sum())
    return max(0.0, 1.0 - distance / farthest) if farthest > 0 else float(distance == 0)


def decay(days: int, alpha: float = 0.5, rate: float = 0.5) -> float:
    """gamma = alpha^(rate · days), 1 on an event's first day (`days` is 0 there).

    >>> decay(0), decay(2, 0.5, 0.5), round(decay(1), 3)
    (1.0, 0.5, 0.707)
    """
    return float(alpha ** (rate * max(days, 0)))


def days_between(one: str, other: str) -> int:
    """Days from one date (YYYY-MM-DD) to another, never below 0; 0 where one of them is no date.

    >>> days_between("2013-04-30", "2013-05-02"), days_between("", "2013-05-02")
    (2, 0)
    """
    try:
        return max(0, (date.fromisoformat(other) - date.fromisoformat(one)).days)
    except ValueError:
        return 0
