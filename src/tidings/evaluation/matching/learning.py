"""Learning what the matcher weighs: logistic regression whose weights may only have the sign that makes sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tidings.evaluation.matching.evaluation import (
    JudgedPairs,
    best_threshold,
    mean_average_precision,
    precision_recall,
)
from tidings.evaluation.matching.features import NAMES_WITH_MEANING, RISING, pair_features
from tidings.evaluation.matching.judged import JudgedEventTexts
from tidings.evaluation.matching.learned import LIMIT, MatchWeights
from tidings.evaluation.matching.meaning import RISING_MEANING, Encode

__all__ = ["JudgedRows", "figures", "judged_rows", "learn_matcher", "out_of_fold"]

Floats = NDArray[np.float64]

_BASE_WEIGHT = 2.0
"""What the base likeness adds to the log-odds: learned weights serve the many pairs, ranking asks for the best ones."""
_L2 = 1e-3
_STEPS = 300
_FOLDS = 3
_SIGNS = RISING | RISING_MEANING


@dataclass(frozen=True)
class JudgedRows:
    """The features of an event's pairs that may be a match, which of them are, and how many matches it has."""

    event_id: str
    rows: NDArray[np.float32]
    right: NDArray[np.bool_]
    total: int


def judged_rows(event: JudgedEventTexts, encode: Encode | None = None) -> JudgedRows:
    """Of a judged event, with an encoder's figures where one is given; copies of a text count once."""
    pairs = pair_features(event.texts, encode=encode)
    right = event.matched[pairs.texts, pairs.nuggets]
    return JudgedRows(event.event_id, pairs.rows, right, int(event.matched.sum()))


def learn_matcher(events: Sequence[JudgedRows], *, steps: int = _STEPS) -> MatchWeights:
    """Weights from some events, each of which counts alike, calibrated on events left out.

    The log-loss and .001 times the squares of the weights are least among weights of the signs of `RISING`, by 300
    steps of projected gradients with momentum. A line through the log-odds of each third of the events by the others
    makes them probabilities (Platt).
    """
    made = _fit(events, steps)
    if len(events) < 2:
        return made
    odds = out_of_fold(events, steps=steps)
    x = np.concatenate(odds)
    y = np.concatenate([one.right for one in events]).astype(float)
    weights = np.concatenate([np.full(len(one.right), 1 / max(len(one.right), 1)) for one in events])
    slope, shift = _platt(x, y, weights / weights.sum())
    return replace(made, slope=slope, shift=shift)


def out_of_fold(events: Sequence[JudgedRows], *, steps: int = _STEPS) -> list[Floats]:
    """Of each event the log-odds of its pairs by what was learned without it (in thirds of the events)."""
    folds = min(_FOLDS, len(events))
    made = [
        _fit([one for place, one in enumerate(events) if place % folds != fold], steps)
        for fold in range(folds)
    ]
    return [made[place % folds].log_odds(one.rows) for place, one in enumerate(events)]


def figures(events: Sequence[JudgedRows], *, steps: int = _STEPS) -> dict[str, float]:
    """Mean average precision and the best F1 of events left out, as `out_of_fold` has them."""
    left_out = [
        JudgedPairs(odds, one.right, one.total)
        for odds, one in zip(out_of_fold(events, steps=steps), events, strict=True)
    ]
    return {
        "average precision": mean_average_precision(
            {one.event_id: pairs for one, pairs in zip(events, left_out, strict=True)}
        ),
        "F1": precision_recall(left_out, best_threshold(left_out))[2],
    }


def _fit(events: Sequence[JudgedRows], steps: int) -> MatchWeights:
    rows = np.concatenate([one.rows for one in events]).astype(np.float32)
    right = np.concatenate([one.right for one in events]).astype(np.float32)
    weights = np.concatenate([np.full(len(one.right), 1 / max(len(one.right), 1)) for one in events])
    weights = (weights / weights.sum()).astype(np.float32)
    means = weights @ rows
    spreads = np.sqrt(weights @ (rows - means) ** 2) + np.float32(1e-6)
    standard = np.clip((rows - means) / spreads, -LIMIT, LIMIT)
    signs = np.array([_SIGNS[name] for name in NAMES_WITH_MEANING[: rows.shape[1]]])
    low, high = np.where(signs > 0, 0.0, -np.inf), np.where(signs < 0, 0.0, np.inf)
    largest = float(np.linalg.eigvalsh((standard * weights[:, None]).T @ standard)[-1])
    step = 1.0 / ((largest + 1.0) / 4 + 2 * _L2)
    share = float(np.clip(weights @ right, 1e-4, 1 - 1e-4))
    point, constant = np.zeros(len(signs)), float(np.log(share / (1 - share)))
    ahead, ahead_constant, momentum = point, constant, 1.0
    for _ in range(steps):
        odds = standard @ ahead.astype(np.float32) + np.float32(ahead_constant)
        errors = (1 / (1 + np.exp(-odds)) - right) * weights
        moved = np.clip(ahead - step * (errors @ standard + 2 * _L2 * ahead), low, high)
        moved_constant = ahead_constant - step * float(errors.sum())
        later = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = moved + (momentum - 1) / later * (moved - point)
        ahead_constant = moved_constant + (momentum - 1) / later * (moved_constant - constant)
        point, constant, momentum = moved, moved_constant, later
    weights32 = point.astype(np.float32)
    return MatchWeights(means, spreads, weights32, constant, _BASE_WEIGHT, 1.0, 0.0)


def _platt(odds: Floats, right: Floats, weights: Floats) -> tuple[float, float]:
    """Slope and shift of the log-odds with the least log-loss, by Newton's method."""
    centre = float(weights @ odds)
    table = np.stack([odds - centre, np.ones(len(odds))], axis=1)
    share = float(np.clip(weights @ right, 1e-4, 1 - 1e-4))
    line = np.array([1.0, np.log(share / (1 - share))])
    for _ in range(30):
        said = 1 / (1 + np.exp(-(table @ line)))
        slope = table.T @ (weights * (said - right))
        bend = (table * (weights * said * (1 - said))[:, None]).T @ table + 1e-9 * np.eye(2)
        line = line - np.clip(np.linalg.solve(bend, slope), -1.0, 1.0)
    return float(max(line[0], 1e-3)), float(line[1] - max(line[0], 1e-3) * centre)
