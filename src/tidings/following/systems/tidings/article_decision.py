"""How likely a sentence of a whole article is an update that a reader wants: a logistic sum, learned from labels."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from tidings.analysis import ArticleModel, ArticleReader
from tidings.core import Model, UsageError, check_arrays
from tidings.following.systems.tidings.article_features import ARTICLE_FEATURES

__all__ = ["ArticleDecision"]


class ArticleDecision:
    """The probability that a sentence tells of the event, tells news, states it, and stands alone.

    `reader` reads the articles that it decides on.
    """

    def __init__(self, reader: ArticleReader, weights: Sequence[float], bias: float) -> None:
        self.reader = reader
        self._weights, self._bias = [float(weight) for weight in weights], float(bias)

    @classmethod
    def of(cls, model: Model) -> ArticleDecision:
        """From a model file of articles; raises UsageError where it weighs other features."""
        if list(model.settings.get("decision", ())) != list(ARTICLE_FEATURES):
            raise UsageError(
                f"{model.file}: found a model of articles that decides by other features than this version, expected "
                f"these: {', '.join(ARTICLE_FEATURES)}"
            )
        shapes = {"decision_weights": "(features)", "decision_bias": "(one)"}
        arrays = check_arrays(model, shapes, {"features": len(ARTICLE_FEATURES), "one": 1})
        reader = ArticleReader(ArticleModel.of(model))
        return cls(reader, arrays["decision_weights"].tolist(), float(arrays["decision_bias"][0]))

    def __call__(self, row: Sequence[float]) -> float:
        """The probability for a row of ARTICLE_FEATURES."""
        total = self._bias
        for weight, value in zip(self._weights, row, strict=True):
            total += weight * value
        return 1.0 / (1.0 + exp(-total)) if total > -500 else 0.0
