"""The policy of learning to search: a linear score of selecting over skipping, with every feature conjoined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tidings.core import Trees, check_arrays, trees_shapes
from tidings.following import NAMES, WordModels

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.core import Model

__all__ = ["DYNAMIC", "FACTORS", "Policy", "dynamic", "standard"]

DYNAMIC = ("told_max", "told_mean", "told_nothing", "told_unlike")
"""The features that depend on what was told: highest and mean cosine to it, nothing told, nothing alike told."""

FACTORS = ("alone", "salience", "change", "salience_change")
"""What every feature is conjoined with: one, predicted salience, change of documents per hour, both."""

_WIDEST = 3.0  # standard deviations at which a static feature is cut off


def dynamic(highest: float, summed: float, emitted: int) -> tuple[float, float, float, float]:
    """The dynamic features of a sentence, from its highest and summed cosine to the `emitted` updates.

    >>> dynamic(0.0, 0.0, 0), dynamic(0.5, 0.75, 3)
    ((0.0, 0.0, 1.0, 1.0), (0.5, 0.25, 0.0, 0.0))
    """
    mean = summed / emitted if emitted else 0.0
    return highest, mean, float(emitted == 0), float(highest <= 0.0)


class Policy:
    """score(x, s) = Σ_f Σ_k w[f,k]·x_f·c_k; a sentence is selected where the score is above a level.

    x holds the static features (standardised, cut at ±3), the dynamic ones and a one; c = `FACTORS`, with salience
    standardised likewise and the change of documents as `FeatureExtractor.change` gives it.

    Attributes:
        weights: [features, 4], the static features first, then the dynamic ones, then the one.
        level: the score above which it served best in training.
    """

    def __init__(
        self,
        words: WordModels,
        trees: Trees,
        mean: ndarray[Any, Any],
        scale: ndarray[Any, Any],
        salience: tuple[float, float],
        weights: ndarray[Any, Any],
        level: float = 0.0,
    ) -> None:
        self.words = words
        self.level = level
        self.trees = trees
        self.mean = mean.astype(float)
        self.scale = scale.astype(float)
        self.salience = salience
        self.weights = weights.astype(float)
        self._static = self.weights[: len(NAMES)]
        self._one = self.weights[-1]
        self.dynamic_weights: list[list[float]] = self.weights[len(NAMES) : -1].tolist()

    def standard(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """The static features standardised and cut off."""
        return standard(rows, self.mean, self.scale)

    def factors(self, rows: ndarray[Any, Any], change: float) -> list[list[float]]:
        """`FACTORS` of each row of raw static features."""
        mean, scale = self.salience
        predicted = self.trees.predict(rows)
        return [
            [1.0, value, change, value * change]
            for value in ((max(-_WIDEST, min(_WIDEST, (x - mean) * scale))) for x in predicted.tolist())
        ]

    def static_scores(self, rows: ndarray[Any, Any]) -> list[list[float]]:
        """Σ_f w[f,k]·x_f of the static features and the one, for each row and each k."""
        scores: list[list[float]] = (self.standard(rows) @ self._static + self._one).tolist()
        return scores

    def score(self, static: list[float], factors: list[float], dynamic_values: tuple[float, ...]) -> float:
        """The score of selecting, from what the static features gave, the factors and the dynamic features."""
        total = 0.0
        for k, factor in enumerate(factors):
            part = static[k]
            for value, weights in zip(dynamic_values, self.dynamic_weights, strict=True):
                part += value * weights[k]
            total += part * factor
        return total

    def export(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """(arrays, settings) that `read` makes the same policy of."""
        import numpy as np

        arrays = {
            "mean": self.mean.astype(np.float32),
            "scale": self.scale.astype(np.float32),
            "weights": self.weights.astype(np.float32),
        }
        settings: dict[str, Any] = {
            "features": list(NAMES),
            "salience": list(self.salience),
            "level": self.level,
        }
        for more, said in (self.words.export(), self.trees.export()):
            arrays |= more
            settings |= said
        return arrays, settings

    @classmethod
    def of(cls, model: Model) -> Policy:
        """The policy of a model file; its shapes are checked."""
        shapes = {"mean": "(features)", "scale": "(features)", "weights": "(features+dynamic+1, factors)"}
        if model.settings.get("features") == list(NAMES):
            sizes = {"features": len(NAMES), "dynamic": len(DYNAMIC), "factors": len(FACTORS)}
            check_arrays(model, shapes | trees_shapes("salience"), sizes=sizes)
        policy = cls.read(model.arrays, model.settings)
        policy.trees.checked(len(NAMES))
        return policy

    @classmethod
    def read(cls, arrays: Mapping[str, Any], settings: Mapping[str, Any]) -> Policy:
        """From what `export` gave.

        Raises:
            UsageError: the features are not those of this version.
        """
        if settings.get("features") != list(NAMES):
            from tidings.core import UsageError

            raise UsageError(
                "found a model with other features, expected those of this version; train it again"
            )
        mean, scale = settings["salience"]
        return cls(
            WordModels.read(arrays, settings),
            Trees.read(arrays, settings),
            arrays["mean"],
            arrays["scale"],
            (float(mean), float(scale)),
            arrays["weights"],
            float(settings.get("level", 0.0)),
        )


def standard(rows: ndarray[Any, Any], mean: ndarray[Any, Any], scale: ndarray[Any, Any]) -> ndarray[Any, Any]:
    """(rows - mean) · scale, cut at ±3."""
    scaled: ndarray[Any, Any] = ((rows - mean) * scale).clip(-_WIDEST, _WIDEST)
    return scaled
