"""The Q-network in numpy: an LSTM cell and three fully connected layers, equal to those of torch to 1e-5.

A model holds several networks that learned from other seeds; what is asked of it is the mean of what they answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.core import Model, check_arrays

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["ARRAYS", "QNetwork"]

ARRAYS = {
    "input_mean": "(inputs)",
    "input_scale": "(inputs)",
    "lstm_in": "(members, 4·hidden, inputs)",
    "lstm_state": "(members, 4·hidden, hidden)",
    "lstm_bias": "(members, 4·hidden)",
    "dense_1": "(members, first, hidden)",
    "dense_1_bias": "(members, first)",
    "dense_2": "(members, second, first)",
    "dense_2_bias": "(members, second)",
    "dense_3": "(members, 2, second)",
    "dense_3_bias": "(members, 2)",
}
"""The arrays of a model with their shapes, its networks one after the other.

Gates stand in torch's order (input, forget, cell, output).
"""


class QNetwork:
    """The trained networks, asked together.

    Row by row: nothing depends on how many sequences are asked about at once beyond the last bit.
    """

    def __init__(self, model: Model) -> None:
        import numpy as np

        checked = check_arrays(model, ARRAYS, nonzero=("input_scale",))
        arrays = {name: array.astype(np.float32) for name, array in checked.items()}
        self.members, _, self.inputs = arrays["lstm_in"].shape
        self.hidden = hidden = arrays["lstm_state"].shape[2]
        # sigmoid(x) = (1 + tanh(x/2)) / 2, so that one tanh serves all four gates and nothing overflows.
        half = np.full(4 * hidden, 0.5, dtype=np.float32)
        half[2 * hidden : 3 * hidden] = 1.0
        scaled = arrays["lstm_in"] * half[:, None] / arrays["input_scale"]
        both = np.concatenate([scaled, arrays["lstm_state"] * half[:, None]], axis=2)
        self._joined = np.ascontiguousarray(both.transpose(0, 2, 1))
        self._bias = (arrays["lstm_bias"] * half - scaled @ arrays["input_mean"])[:, None]
        self._dense = [
            (
                np.ascontiguousarray(arrays[f"dense_{number}"].transpose(0, 2, 1)),
                arrays[f"dense_{number}_bias"][:, None],
            )
            for number in (1, 2, 3)
        ]

    def fresh(self, sequences: int = 1) -> tuple[Array, Array]:
        """The state (h, c) before anything was read: zeros of shape (members, sequences, hidden)."""
        import numpy as np

        shape = (self.members, sequences, self.hidden)
        return np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)

    def step(self, inputs: Array, state: tuple[Array, Array]) -> tuple[Array, tuple[Array, Array]]:
        """Read one sentence of each sequence.

        `inputs` has shape (sequences, inputs). Returns Q of shape (sequences, 2), skip and push, the mean over the
        networks, and the new state.
        """
        import numpy as np

        h, c = state
        size = self.hidden
        read = np.broadcast_to(inputs, (self.members, *inputs.shape))
        gates = np.tanh(np.concatenate([read, h], axis=2) @ self._joined + self._bias)
        opened = gates * np.float32(0.5) + np.float32(0.5)
        c = opened[..., size : 2 * size] * c + opened[..., :size] * gates[..., 2 * size : 3 * size]
        h = opened[..., 3 * size :] * np.tanh(c)
        values = h
        for number, (weights, bias) in enumerate(self._dense):
            values = values @ weights + bias
            if number < 2:
                values = np.maximum(values, np.float32(0.0))
        return values.mean(axis=0), (h, c)
