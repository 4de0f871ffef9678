"""Logistic regression on sparse terms and a few dense features, fast enough to be trained between two judgments.

Newton's method; each step is solved by conjugate gradients with the diagonal as preconditioner, so nothing of
the size terms by terms is ever made.
"""

from __future__ import annotations

import numpy as np

from tidings.evaluation.selection.terms import Floats, TermMatrix

__all__ = ["fit_logistic", "linear", "probability"]

_NEWTON_STEPS = 8
_GRADIENT_STEPS = 25


def probability(scores: Floats) -> Floats:
    """1 / (1 + e^-score), within 0..1.

    >>> probability(np.array([0.0, 800.0, -800.0])).tolist()
    [0.5, 1.0, 0.0]
    """
    with np.errstate(over="ignore"):
        return np.asarray(1.0 / (1.0 + np.exp(-scores)))


def linear(terms: TermMatrix, features: Floats, weights: Floats) -> Floats:
    """Of each row the weighted sum of its terms and features; `weights` are those of the terms, then the features'."""
    return np.asarray(terms.times(weights[: terms.width]) + features @ weights[terms.width :])


def fit_logistic(
    terms: TermMatrix,
    features: Floats,
    answers: Floats,
    importance: Floats,
    penalty: Floats,
    offset: Floats | None = None,
) -> Floats:
    """Weights w that minimise Σ importance · (ln(1 + e^s) - answer · s) + ½ Σ penalty · w².

    s is the linear score + offset.

    Args:
        terms: a row for each example.
        features: the same rows; one column of ones gives the constant.
        answers: within 0..1.
        importance: how much each example counts.
        penalty: of each weight, > 0: the terms', then the features'.
        offset: what is known of each example before.
    """
    weights = np.zeros(len(penalty))
    before = np.zeros(len(answers)) if offset is None else offset
    loss, scores = _loss(terms, features, answers, importance, penalty, before, weights)
    for _ in range(_NEWTON_STEPS):
        chances = probability(scores)
        residual = importance * (chances - answers)
        slope = np.concatenate([terms.transposed_times(residual), features.T @ residual]) + penalty * weights
        step = _newton_step(terms, features, importance * chances * (1 - chances) + 1e-9, penalty, slope)
        size = 1.0
        for _ in range(10):
            nearer, nearer_scores = _loss(
                terms, features, answers, importance, penalty, before, weights + size * step
            )
            if nearer <= loss:
                break
            size /= 2
        else:
            return weights
        done = loss - nearer <= 1e-4 * abs(loss)
        weights, loss, scores = weights + size * step, nearer, nearer_scores
        if done:
            break
    return weights


def _loss(
    terms: TermMatrix,
    features: Floats,
    answers: Floats,
    importance: Floats,
    penalty: Floats,
    before: Floats,
    weights: Floats,
) -> tuple[float, Floats]:
    scores = linear(terms, features, weights) + before
    fit = importance * (np.logaddexp(0.0, scores) - answers * scores)
    return float(fit.sum() + 0.5 * (penalty * weights * weights).sum()), scores


def _newton_step(
    terms: TermMatrix, features: Floats, curvature: Floats, penalty: Floats, slope: Floats
) -> Floats:
    """-H⁻¹ · slope, to within a hundredth, where H is the curvature of the loss."""
    diagonal = penalty + np.concatenate(
        [terms.transposed_squares_times(curvature), (features * features).T @ curvature]
    )
    step, rest = np.zeros_like(slope), -slope
    eased = rest / diagonal
    way, size = eased.copy(), float(rest @ eased)
    target = 1e-4 * size
    for _ in range(_GRADIENT_STEPS):
        if size <= target or size <= 0:
            break
        along = curvature * linear(terms, features, way)
        bent = np.concatenate([terms.transposed_times(along), features.T @ along]) + penalty * way
        length = size / float(way @ bent)
        step += length * way
        rest = rest - length * bent
        eased = rest / diagonal
        smaller = float(rest @ eased)
        way, size = eased + smaller / size * way, smaller
    return step
