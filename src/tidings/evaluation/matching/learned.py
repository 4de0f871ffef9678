"""The matcher that learned from assessors: features of each pair, a line through them, and a calibrated probability."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tidings.core import Model, Nugget, PooledUpdate, PossibleMatch, UsageError, prepared, read_model
from tidings.evaluation.matching.features import NAMES, NAMES_WITH_MEANING, pair_features
from tidings.evaluation.matching.meaning import Encode
from tidings.evaluation.matching.pairs_out import possible_matches
from tidings.evaluation.matching.texts import EventTexts

SHIPPED = ("use",)
"""The encoders for which weights come with the package."""

LIMIT = 12.0
"""Figures count as at most so many spreads away from their means."""


@dataclass(frozen=True)
class MatchWeights:
    """What the matcher learned: log-odds = constant + Σ weight · (feature - mean) / spread + base_weight · base.

    Each standardised feature is cut at -12 and 12; the probability is 1 / (1 + exp(-(slope · log-odds + shift))).
    `encoder` names the encoder whose figures are among the features, last; empty where none are.
    """

    means: NDArray[np.float32]
    spreads: NDArray[np.float32]
    weights: NDArray[np.float32]
    constant: float
    base_weight: float
    slope: float
    shift: float
    encoder: str = ""

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
        settings["features"] = list(NAMES_WITH_MEANING[: len(self.weights)])
        if self.encoder:
            settings["encoder"] = self.encoder
        return {name: array.astype(np.float32) for name, array in arrays.items()}, settings


def read_weights(model: Model) -> MatchWeights:
    """The weights of a model file; a ValueError where they are of other features."""
    encoder = str(model.settings.get("encoder", ""))
    names = NAMES_WITH_MEANING if encoder else NAMES
    if model.settings["features"] != list(names):
        raise ValueError("other features")
    means, spreads, weights = (model.array(name) for name in ("means", "spreads", "weights"))
    if any(array.shape != (len(names),) for array in (means, spreads, weights)) or not (spreads > 0).all():
        raise ValueError("arrays of other shapes, or spreads that are not positive")
    constant, base_weight, slope, shift = (
        float(model.settings[name]) for name in ("constant", "base_weight", "slope", "shift")
    )
    return MatchWeights(means, spreads, weights, constant, base_weight, slope, shift, encoder)


def _weights_of(model: str | Path, encoder: str) -> MatchWeights:
    """The weights of a file, or those that come along; a UsageError where they are of another encoder."""
    if encoder and not str(model) and encoder not in SHIPPED:
        raise UsageError(
            f"encoder {encoder!r} without a model (expected --model FILE, made by `tidings train matcher --set "
            f"encoder={encoder}`): weights come along for {', '.join(SHIPPED)} and for no encoder"
        )
    read = read_model("matcher", model, "" if str(model) else encoder)
    weights = prepared(read, read_weights)
    if weights.encoder != encoder:
        learned = f"with encoder {weights.encoder!r}" if weights.encoder else "without an encoder"
        mend = f"give --encoder {weights.encoder}" if weights.encoder else "leave --encoder out"
        raise UsageError(f"{read.file}: these weights were learned {learned}; {mend}")
    return weights


class NuggetMatcher:
    """A `Matcher` that learned from TREC's assessors.

    Args:
        model: a model file; empty for the one that comes with tidings.
        least: pairs of a lower probability are none.
        language: of the texts.
        encoder: the name of the encoder whose figures count, which the weights must have been learned with; or empty.
        encode: that encoder, giving vectors of length 1.

    Raises:
        UsageError: weights and encoder do not fit each other.

    >>> nugget = Nugget("e", "N1", 1700000000, 2, "a ferry burned off the coast")
    >>> update = PooledUpdate("e", "1700000000-d", 0, "The ferry burned off the coast, police said.")
    >>> [(one.nugget_id, one.start, one.end) for one in NuggetMatcher().match([nugget], [update])]
    [('N1', 4, 30)]
    """

    def __init__(
        self,
        model: str | Path = "",
        least: float = 0.02,
        language: str = "english",
        *,
        encoder: str = "",
        encode: Encode | None = None,
    ) -> None:
        self.least, self.language = least, language
        self._weights = _weights_of(model, encoder)
        if encoder and encode is None:
            raise UsageError(
                f"encoder {encoder!r} is a name alone; give `encode`, which makes its vectors, too"
            )
        self._encode = encode if encoder else None

    def match(self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]) -> Iterator[PossibleMatch]:
        """The pairs of at least `least`, in the order of the updates."""
        if not nuggets or not updates:
            return
        event = EventTexts(nuggets, updates, self.language)
        pairs = pair_features(event, encode=self._encode)
        if len(pairs.rows):
            found = self._weights.probabilities(pairs.rows)
            yield from possible_matches(event, updates, pairs.texts, pairs.nuggets, found, self.least)
