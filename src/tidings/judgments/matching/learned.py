"""The matcher that learned from assessors: features of each pair, a line through them, and a calibrated probability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tidings.judgments.matching.features import NAMES, pair_features
from tidings.judgments.matching.pairs_out import possible_matches
from tidings.judgments.matching.texts import EventTexts
from tidings.models.files import Model, prepared, read_model
from tidings.records import Nugget, PooledUpdate, PossibleMatch

__all__ = ["LIMIT", "MatchWeights", "NuggetMatcher", "read_weights"]

LIMIT = 12.0
"""Figures count as at most so many spreads away from their means."""


@dataclass(frozen=True)
class MatchWeights:
    """What the matcher learned: log-odds = constant + Σ weight · (feature - mean) / spread + base_weight · base.

    Each standardised feature is cut at -12 and 12; the probability is 1 / (1 + exp(-(slope · log-odds + shift))).
    """

    means: NDArray[np.float32]
    spreads: NDArray[np.float32]
    weights: NDArray[np.float32]
    constant: float
    base_weight: float
    slope: float
    shift: float

    def log_odds(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Of each row of features the log-odds before calibration."""
        standard = np.clip((rows - self.means) / self.spreads, -LIMIT, LIMIT)
        base = rows[:, NAMES.index("base")].astype(np.float64)
        return np.asarray(standard @ self.weights + self.constant + self.base_weight * base, dtype=np.float64)

    def probabilities(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Of each row of features how likely it is a match."""
        return np.asarray(1 / (1 + np.exp(-(self.slope * self.log_odds(rows) + self.shift))))

    def export(self) -> tuple[dict[str, NDArray[np.float32]], dict[str, object]]:
        """(arrays, settings) of a model file."""
        arrays = {"means": self.means, "spreads": self.spreads, "weights": self.weights}
        names = ("constant", "base_weight", "slope", "shift")
        settings: dict[str, object] = {name: round(float(getattr(self, name)), 6) for name in names}
        return {name: array.astype(np.float32) for name, array in arrays.items()}, settings | {
            "features": list(NAMES)
        }


def read_weights(model: Model) -> MatchWeights:
    """The weights of a model file; a ValueError where they are of other features."""
    if model.settings["features"] != list(NAMES):
        raise ValueError("other features")
    arrays = [model.array(name) for name in ("means", "spreads", "weights")]
    if any(array.shape != (len(NAMES),) for array in arrays) or not (arrays[1] > 0).all():
        raise ValueError("arrays of other shapes, or spreads that are not positive")
    numbers = [float(model.settings[name]) for name in ("constant", "base_weight", "slope", "shift")]
    return MatchWeights(arrays[0], arrays[1], arrays[2], *numbers)


class NuggetMatcher:
    """A `Matcher` that learned from TREC's assessors.

    Args:
        model: a model file; empty for the one that comes with tidings.
        least: pairs of a lower probability are none.
        language: of the texts.

    >>> nugget = Nugget("e", "N1", 1700000000, 2, "a ferry burned off the coast")
    >>> update = PooledUpdate("e", "1700000000-d", 0, "The ferry burned off the coast, police said.")
    >>> [(one.nugget_id, one.start, one.end) for one in NuggetMatcher().match([nugget], [update])]
    [('N1', 4, 30)]
    """

    def __init__(self, model: str | Path = "", least: float = 0.02, language: str = "english") -> None:
        self.least, self.language = least, language
        self._weights = prepared(read_model("matcher", model), read_weights)

    def match(self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]) -> Iterator[PossibleMatch]:
        """The pairs of at least `least`, in the order of the updates."""
        if not nuggets or not updates:
            return
        event = EventTexts(nuggets, updates, self.language)
        pairs = pair_features(event)
        if len(pairs.rows):
            found = self._weights.probabilities(pairs.rows)
            yield from possible_matches(event, updates, pairs.texts, pairs.nuggets, found, self.least)
