"""Boosted regression trees as numbers that need no learner to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Forest", "Trees"]

_AT_ONCE = 20
"""Rows asked at once: what lies between stays small, and is not asked of the operating system again and again."""


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
        self._questions = self.features.shape[1]
        self._depth = (self._questions + 1).bit_length() - 1
        self._forest: Forest | None = None

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
        if self._forest is None:
            self._forest = Forest([self])
        total: ndarray[Any, Any] = self._forest.predict(rows)[:, 0]
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


class Forest:
    """Several sums of trees of one shape, asked about the same rows at once.

    Every question of every tree is answered for all rows; then the answers on the way from the root choose among those
    below, level by level. That is more answers than a walk down each tree needs, in fewer and simpler steps.

    >>> stump = Trees(1.0, [[0]], [[0.5]], [[10.0, 20.0]])
    >>> import numpy as np
    >>> Forest([stump, stump]).predict(np.array([[0.0], [1.0]])).tolist()
    [[11.0, 11.0], [21.0, 21.0]]
    """

    def __init__(self, sums: Sequence[Trees]) -> None:
        import numpy as np

        self._starts = np.array([trees.start for trees in sums])
        self._shape = (len(sums), len(sums[0].features))
        features = np.concatenate([trees.features for trees in sums]).astype(np.intp)
        thresholds = np.concatenate([trees.thresholds for trees in sums])
        self._depth = (features.shape[1] + 1).bit_length() - 1
        # What is asked is asked once; `_asked` says where its answer is, question by question, each for all trees.
        pairs = np.stack([features.T.ravel().astype(float), thresholds.T.ravel().astype(float)], axis=1)
        distinct, asked = np.unique(pairs, axis=0, return_inverse=True)
        self._features = distinct[:, 0].astype(np.intp)
        self._thresholds = distinct[:, 1:].astype(np.float32)
        self._asked = asked.reshape(features.T.shape)
        self._leaves = np.concatenate([trees.leaves for trees in sums]).astype(float).ravel()
        self._first_leaf = np.arange(len(features), dtype=np.intp) * (features.shape[1] + 1)

    def predict(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """f(x) of each sum for each row of features: float64 of shape [rows, sums]."""
        import numpy as np

        parts = [self._predict(rows[at : at + _AT_ONCE]) for at in range(0, max(1, len(rows)), _AT_ONCE)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _predict(self, rows: ndarray[Any, Any]) -> ndarray[Any, Any]:
        import numpy as np

        columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        rights = (columns.take(self._features, axis=0) > self._thresholds).take(self._asked, axis=0)
        way: list[Any] = []
        for level in range(self._depth):
            answers = rights[2**level - 1 : 2 ** (level + 1) - 1]
            for right in way:
                half = len(answers) // 2
                low = answers[:half]
                answers = low ^ ((low ^ answers[half:]) & right)
            way.append(answers[0])
        leaf = np.zeros(rights.shape[1:], dtype=np.uint8 if self._depth < 8 else np.intp)
        for right in way:
            leaf += leaf
            leaf += right
        values = self._leaves.take(leaf.T + self._first_leaf)
        totals: ndarray[Any, Any] = values.reshape(len(rows), *self._shape).sum(axis=2) + self._starts
        return totals
