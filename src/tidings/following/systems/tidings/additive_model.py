"""What telling a sentence is worth: a sum of one curve for each feature, learned from judged events.

    curve_f = a_f z_f + c_f z_f² + d_f |z_f|,   z_f = (feature f, kept within its usual range - mean) / deviation
    relevance = b' + Σ_f curve'_f               over the features of the sentence and the stream
    worth = b + Σ_f curve_f                     over some of these, what was emitted, and relevance

Relevance estimates whether the sentence matches anything that is to be told, held against the others of its event;
worth by how much the H of the event would rise by telling the sentence now (in units of the deviation of that rise):
see `tidings.research.training.tidings`. A sentence is told where its worth exceeds the level, 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.core import UsageError, check_arrays
from tidings.following.systems.tidings.feature_names import TIDINGS_FEATURES

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.core import Model

__all__ = ["AdditiveModel", "stem_weights"]


class AdditiveModel:
    """The learned curves, ready to be asked.

    Args:
        low, high, mean, deviation: of each feature, and of relevance.
        curves: of worth, (3, features + 1): linear, square and fold of each feature and of relevance.
        bias: b.
        relevance_curves: (3, features); zero for what was emitted.
        relevance_bias: b'.
    """

    def __init__(
        self,
        low: Any,
        high: Any,
        mean: Any,
        deviation: Any,
        curves: Any,
        bias: float,
        relevance_curves: Any,
        relevance_bias: float,
    ) -> None:
        import numpy as np

        self.low, self.high, self.mean, self.deviation = low, high, mean, deviation
        self.curves, self.bias = curves, float(bias)
        self.relevance_curves, self.relevance_bias = relevance_curves, float(relevance_bias)
        self._low, self._high, self._mean = low[:-1], high[:-1], mean[:-1]
        self._scale = 1.0 / deviation[:-1]
        # For a row of z, z², |z|: its relevance, and its worth but for that.
        self._both = np.stack([relevance_curves.reshape(-1), curves[:, :-1].reshape(-1)], axis=1)
        self._ends = float(low[-1]), float(high[-1]), float(mean[-1]), float(1.0 / deviation[-1])

    @classmethod
    def of(cls, model: Model) -> AdditiveModel:
        """The curves of a model file."""
        import numpy as np

        if model.settings.get("features") != list(TIDINGS_FEATURES):
            raise UsageError(
                "found a model of system 'tidings' that weighs other features than this version, expected these: "
                f"{', '.join(TIDINGS_FEATURES)}; train it anew with `tidings train tidings`"
            )
        shapes = dict.fromkeys(("low", "high", "mean", "deviation"), "(all)")
        shapes |= {"curves": "(3, all)", "bias": "(1)"}
        shapes |= {"relevance_curves": "(3, features)", "relevance_bias": "(1)"}
        sizes = {"features": len(TIDINGS_FEATURES), "all": len(TIDINGS_FEATURES) + 1}
        checked = check_arrays(model, shapes, sizes, nonzero=("deviation",))
        arrays: dict[str, Any] = {
            name: checked[name].astype(np.float64) for name in shapes if not name.endswith("bias")
        }
        biases = {name: float(checked[name][0]) for name in ("bias", "relevance_bias")}
        return cls(**arrays, **biases)

    def __call__(self, features: ndarray[Any, Any]) -> float:
        """The worth of one sentence by its features, an array of one value for each."""
        return float(self.rows(features[None], 0, 1)[0])

    def rows(
        self,
        features: ndarray[Any, Any],
        begin: int,
        end: int,
        relevance: ndarray[Any, Any] | None = None,
    ) -> ndarray[Any, Any]:
        """The worth of the sentences from `begin` to `end` by their rows of features.

        Training gives their `relevance`, as those say who did not learn from them.
        """
        own, others = self._sums(features[begin:end])
        low, high, mean, scale = self._ends
        z = ((own if relevance is None else relevance[begin:end]).clip(low, high) - mean) * scale
        linear, square, fold = self.curves[:, -1]
        worth: ndarray[Any, Any] = others + linear * z + square * z * z + fold * abs(z)
        return worth

    def relevance(self, features: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """The relevance of sentences by their rows of features."""
        relevance, _ = self._sums(features)
        return relevance

    def _sums(self, features: ndarray[Any, Any]) -> tuple[ndarray[Any, Any], ndarray[Any, Any]]:
        import numpy as np

        z = (features.clip(self._low, self._high) - self._mean) * self._scale
        sums = np.concatenate((z, z * z, abs(z)), axis=1) @ self._both
        return sums[:, 0] + self.relevance_bias, sums[:, 1] + self.bias


def stem_weights(model: Model) -> dict[str, float]:
    """The weight of each stem that the training events used, from the model's table."""
    stems = bytes(model.arrays["stems"]).decode("utf-8").split("\n")
    return dict(zip(stems, (float(weight) for weight in model.array("stem_weights")), strict=True))
