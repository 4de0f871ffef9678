"""RankSVM: a linear order that puts what is worth more above what is worth less, day by day (Joachims 2002).

    min ½|w|² + C Σ_days mean over pairs a > b of the day of max(0, 1 - w·(x_a - x_b))²

The loss is squared (Chapelle and Keerthi 2010), so that it can be minimised by L-BFGS; each day counts the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tidings.core import UsageError
from tidings.following import Array

__all__ = ["MOST_BELOW", "day_pairs", "rank_svm"]

MOST_BELOW = 30
"""Entities worth less with which one that is worth more is compared, drawn at random where there are more."""


def day_pairs(rows: Array, worth: Array, rng: np.random.Generator) -> Array:
    """The differences x_a - x_b of a day's pairs with worth_a > worth_b.

    >>> day_pairs(np.array([[1.0], [5.0], [2.0]]), np.array([0, 3, 1]), np.random.default_rng(0)).ravel().tolist()
    [4.0, 3.0, 1.0]
    """
    above: list[int] = []
    below: list[int] = []
    for number in np.flatnonzero(worth > 0).tolist():
        less = np.flatnonzero(worth < worth[number])
        if len(less) > MOST_BELOW:
            less = rng.choice(less, MOST_BELOW, replace=False)
        above += [number] * len(less)
        below += less.tolist()
    differences: Array = rows[above] - rows[below]
    return differences


def rank_svm(days: Sequence[Array], trade_off: float) -> Array:
    """The weights w, from the pairs of each day; `trade_off` is C for each day.

    Raises:
        UsageError: no pair at all, or SciPy is not installed.

    >>> w = rank_svm([np.array([[1.0, 0.0], [0.5, 0.1]])], 1.0)
    >>> bool(w[0] > 0)
    True
    """
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise UsageError("found no SciPy, expected it for training; pip install 'tidings[train]'") from None
    kept = [day for day in days if len(day)]
    if not kept:
        raise UsageError("found no day with entities of different worth, expected some to learn from")
    pairs = np.concatenate(kept).astype(np.float32)
    share = np.concatenate([np.full(len(day), 1 / len(day)) for day in kept]).astype(np.float32)

    def loss(w: Array) -> tuple[float, Array]:
        short = np.maximum(0.0, 1.0 - pairs @ w.astype(np.float32))
        weighted = share * short
        slope = w - 2 * trade_off * (pairs.T @ weighted).astype(float)
        return 0.5 * float(w @ w) + trade_off * float(weighted @ short), slope

    best = minimize(
        loss, np.zeros(pairs.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 200, "ftol": 1e-7}
    )
    found: Array = best.x
    return found
