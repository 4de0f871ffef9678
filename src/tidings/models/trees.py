"""Boosted regression trees as numbers that need no learner to run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Trees"]


class Trees:
    """A sum of regression trees of one depth d, each a heap of 2^d - 1 questions and 2^d leaves.

    f(x) = start + Σ_t leaf_t(x); question q of tree t goes right where x[feature] > threshold.
    """

    def __init__(
        self,
        start: float,
        features: ndarray[Any, Any],
        thresholds: ndarray[Any, Any],
        leaves: ndarray[Any, Any],
    ) -> None:
        import numpy as np

        self.start = float(start)
        self.features = np.asarray(features, dtype=np.int16)
        self.thresholds = np.asarray(thresholds, dtype=np.float32)
        self.leaves = np.asarray(leaves, dtype=np.float32)
        count, questions = self.features.shape
        self._depth = (questions + 1).bit_length() - 1
        self._questions = questions
        # Flat arrays and the place where each tree begins: one `take` for all trees and sentences at once.
        self._features = self.features.astype(np.intp).ravel()
        self._thresholds = self.thresholds.ravel()
        self._leaves = self.leaves.astype(float).ravel()
        self._tree = np.arange(count, dtype=np.intp) * questions
        self._leaf = np.arange(count, dtype=np.intp) * (questions + 1) - questions

    def checked(self, width: int) -> Trees:
        """These trees, if they ask about rows of `width` features; else a ValueError that says what does not fit."""
        if self._questions != 2**self._depth - 1 or self.leaves.shape != (
            len(self.features),
            self._questions + 1,
        ):
            raise ValueError(f"trees of {self._questions} questions and leaves of shape {self.leaves.shape}")
        if self.features.size and not (self.features.min() >= 0 and self.features.max() < width):
            raise ValueError(f"trees that ask about feature {self.features.max()} of {width}")
        return self

    def predict(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """f(x) for each row of features, as float64."""
        import numpy as np

        n, width = rows.shape
        flat = np.ascontiguousarray(rows, dtype=np.float32).ravel()
        lines = (np.arange(n, dtype=np.intp) * width)[:, None]
        node = np.zeros((n, len(self._tree)), dtype=np.intp)
        for _ in range(self._depth):
            place = node + self._tree
            right = flat.take(self._features.take(place) + lines) > self._thresholds.take(place)
            node = 2 * node + 1 + right
        total: ndarray[Any, Any] = self._leaves.take(node + self._leaf).sum(axis=1) + self.start
        return total

    def export(self, name: str = "salience") -> tuple[dict[str, Any], dict[str, Any]]:
        """(arrays, settings) that `read` makes the same trees of; their keys begin with `name`."""
        return {
            f"{name}_features": self.features,
            f"{name}_thresholds": self.thresholds,
            f"{name}_leaves": self.leaves,
        }, {f"{name}_start": self.start}

    @classmethod
    def read(cls, arrays: Mapping[str, Any], settings: Mapping[str, Any], name: str = "salience") -> Trees:
        """From what `export` gave under the same name."""
        return cls(
            float(settings[f"{name}_start"]),
            arrays[f"{name}_features"],
            arrays[f"{name}_thresholds"],
            arrays[f"{name}_leaves"],
        )
