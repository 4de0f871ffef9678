"""What telling a sentence is worth: a sum of one curve for each feature, learned from judged events.

    worth = b + Σ_f a_f z_f + c_f z_f² + d_f |z_f|,   z_f = (feature f, kept within its usual range - mean) / deviation

The sum estimates how much the H of the event would rise by telling the sentence now (in units of the deviation of
that rise): see `tidings.training.tidings`. A sentence is told where its worth exceeds the level that served best in
training.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.errors import UsageError
from tidings.models.arrays import check_arrays
from tidings.systems.tidings.feature_names import FEATURES

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.models.files import Model

__all__ = ["FORMER_NAMES", "AdditiveModel", "stem_weights"]

FORMER_NAMES = {
    "told": "emitted",
    "told_nearest": "emitted_nearest",
    "told_top_3": "emitted_top_3",
    "told_contains": "emitted_contains",
    "toll_rises": "casualties_rise",
    "toll_known": "casualties_known",
}
"""What models name some features that were trained by earlier versions, which kept them under `figures`."""


class AdditiveModel:
    """The learned curves, ready to be asked."""

    def __init__(self, low: Any, high: Any, mean: Any, deviation: Any, curves: Any, bias: float) -> None:
        self.low, self.high, self.mean, self.deviation = low, high, mean, deviation
        self.curves, self.bias = curves, float(bias)
        self._scale = 1.0 / deviation

    @classmethod
    def of(cls, model: Model) -> AdditiveModel:
        """The curves of a model file."""
        import numpy as np

        if _features_of(model) != list(FEATURES):
            raise UsageError(
                "found a model of system 'tidings' that weighs other features than this version, expected these: "
                f"{', '.join(FEATURES)}; train it anew with `tidings train tidings`"
            )
        shapes = dict.fromkeys(("low", "high", "mean", "deviation"), "(features)")
        shapes |= {"curves": "(3, features)", "bias": "(1)"}
        checked = check_arrays(model, shapes, {"features": len(FEATURES)}, nonzero=("deviation",))
        parts = {
            name: checked[name].astype(np.float64) for name in ("low", "high", "mean", "deviation", "curves")
        }
        return cls(**parts, bias=float(model.array("bias")[0]))

    def __call__(self, features: ndarray[Any, Any]) -> float:
        """The worth of one sentence by its features, an array of shape [28]."""
        z = (features.clip(self.low, self.high) - self.mean) * self._scale
        linear, square, fold = self.curves
        return float(z @ linear + (z * z) @ square + abs(z) @ fold) + self.bias


def _features_of(model: Model) -> Any:
    """The names of what the model weighs, also where it was trained when some were called otherwise."""
    names = model.settings.get("features", model.settings.get("figures"))
    return [FORMER_NAMES.get(name, name) for name in names] if isinstance(names, list) else None


def stem_weights(model: Model) -> dict[str, float]:
    """The weight of each stem that the training events used, from the model's table."""
    stems = bytes(model.arrays["stems"]).decode("utf-8").split("\n")
    return dict(zip(stems, (float(weight) for weight in model.array("stem_weights")), strict=True))
