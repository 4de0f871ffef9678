"""What `ius` learned: how to rank sentences, and how many of them an interval is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tidings.core import Model, Trees, UsageError, check_arrays, trees_shapes
from tidings.following import WordModels
from tidings.research.systems.ius.interval import INTERVAL_FEATURES, SENTENCE_FEATURES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["CutOff", "Learner", "trees_arrays"]

Learner = Literal["trees", "linear", "none"]


class CutOff:
    """The ranker and the two regressions of a model, ready to answer.

    Raises UsageError where the model was made for other features.
    """

    def __init__(self, model: Model) -> None:
        for said, expected in (
            ("sentence_features", list(SENTENCE_FEATURES)),
            ("interval_features", list(INTERVAL_FEATURES)),
        ):
            if model.settings.get(said) != expected:
                raise UsageError(
                    f"model of system {model.card.system!r}: found other {said.replace('_', ' ')} than this version "
                    "computes, expected the same; train it again with `tidings train ius`"
                )
        shapes = {"cut_linear": "(interval_features+1)", "rank_start": "(1)", "cut_start": "(1)"}
        check_arrays(
            model,
            shapes | trees_shapes("rank") | trees_shapes("cut"),
            {"interval_features": len(INTERVAL_FEATURES)},
        )
        self.words = WordModels.read(model.arrays, model.settings)
        self._ranker = _read_trees(model, "rank", len(SENTENCE_FEATURES))
        self._trees = _read_trees(model, "cut", len(INTERVAL_FEATURES))
        self._linear = model.array("cut_linear").astype(float)
        self._scales = {learner: float(model.settings["scales"][learner]) for learner in ("trees", "linear")}

    def scores(self, rows: Floats) -> Floats:
        """What each sentence is worth: predicted latency-discounted gain less the price of its words."""
        return self._ranker.predict(rows)

    def length(self, row: Floats, learner: Learner) -> float:
        """The predicted rank cut-off of an interval, as the regression gives it."""
        if learner == "linear":
            return float(row @ self._linear[:-1] + self._linear[-1])
        return float(self._trees.predict(row[None, :])[0])

    def scale(self, learner: Learner) -> float:
        """What predictions are multiplied by before they are rounded, chosen in training."""
        return self._scales[learner]


def trees_arrays(name: str, trees: Trees) -> dict[str, Any]:
    """Arrays for a model file from which `CutOff` reads the trees called `name`."""
    import numpy as np

    return {
        f"{name}_features": trees.features.astype(np.int16),
        f"{name}_thresholds": trees.thresholds,
        f"{name}_leaves": trees.leaves,
        f"{name}_start": np.array([trees.start], dtype=np.float32),
    }


def _read_trees(model: Model, name: str, width: int) -> Trees:
    start = float(model.array(f"{name}_start")[0])
    parts = (model.array(f"{name}_{part}") for part in ("features", "thresholds", "leaves"))
    return Trees(start, *parts).checked(width)
