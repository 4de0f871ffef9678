"""The Q-network in numpy: an LSTM cell and three fully connected layers, equal to those of torch to 1e-5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.models.arrays import check_arrays
from tidings.models.files import Model

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["ARRAYS", "QNetwork"]

ARRAYS = {
    "input_mean": "(inputs)",
    "input_scale": "(inputs)",
    "lstm_in": "(4·hidden, inputs)",
    "lstm_state": "(4·hidden, hidden)",
    "lstm_bias": "(4·hidden)",
    "dense_1": "(first, hidden)",
    "dense_1_bias": "(first)",
    "dense_2": "(second, first)",
    "dense_2_bias": "(second)",
    "dense_3": "(2, second)",
    "dense_3_bias": "(2)",
}
"""The arrays of a model with their shapes; gates stand in torch's order (input, forget, cell, output)."""


class QNetwork:
    """The trained network.

    Row by row: nothing depends on how many sequences are asked about at once beyond the last bit.
    """

    def __init__(self, model: Model) -> None:
        import numpy as np

        checked = check_arrays(model, ARRAYS, nonzero=("input_scale",))
        arrays = {name: array.astype(np.float32) for name, array in checked.items()}
        inputs, hidden = arrays["lstm_in"].shape[1], arrays["lstm_state"].shape[1]
        # sigmoid(x) = (1 + tanh(x/2)) / 2, so that one tanh serves all four gates and nothing overflows.
        half = np.full(4 * hidden, 0.5, dtype=np.float32)
        half[2 * hidden : 3 * hidden] = 1.0
        scaled = arrays["lstm_in"] * half[:, None] / arrays["input_scale"]
        self._joined = np.ascontiguousarray(np.hstack([scaled, arrays["lstm_state"] * half[:, None]]).T)
        self._bias = arrays["lstm_bias"] * half - scaled @ arrays["input_mean"]
        self._dense = [
            (np.ascontiguousarray(arrays[f"dense_{number}"].T), arrays[f"dense_{number}_bias"])
            for number in (1, 2, 3)
        ]
        self.inputs, self.hidden = inputs, hidden

    def fresh(self, sequences: int = 1) -> tuple[Array, Array]:
        """The state (h, c) before anything was read: zeros of shape (sequences, hidden)."""
        import numpy as np

        return tuple(np.zeros((sequences, self.hidden), dtype=np.float32) for _ in range(2))  # type: ignore[return-value]

    def step(self, inputs: Array, state: tuple[Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        """Read one sentence of each sequence.

        `inputs` has shape (sequences, inputs). Returns Q of shape (sequences, 2), skip and push, and the new state.
        """
        import numpy as np

        h, c = state
        size = self.hidden
        gates = np.tanh(np.hstack([inputs, h]) @ self._joined + self._bias)
        opened = gates * np.float32(0.5) + np.float32(0.5)
        c = opened[:, size : 2 * size] * c + opened[:, :size] * gates[:, 2 * size : 3 * size]
        h = opened[:, 3 * size :] * np.tanh(c)
        values = h
        for number, (weights, bias) in enumerate(self._dense):
            values = values @ weights + bias
            if number < 2:
                values = np.maximum(values, np.float32(0.0))
        return values, (h, c)
