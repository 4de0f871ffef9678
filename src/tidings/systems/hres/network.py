"""The trained network in numpy: BiLSTM, structured self-attention, heads, and the policy with its memory.

All formulas are those of the torch modules that train it, to 1e-5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tidings.models.arrays import check_arrays
from tidings.models.files import Model
from tidings.systems.hres.surface import DYNAMIC, SURFACE
from tidings.systems.hres.words import MARKS

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["ARRAYS", "Encoded", "Network"]

ARRAYS = {
    "words": "(rows, size)",
    "lstm_in": "(2, 4·units, size+marks)",
    "lstm_bias": "(2, 4·units)",
    "lstm_state": "(2, 4·units, units)",
    "attend_1": "(inner, 2·units+size)",
    "attend_2": "(hops, inner)",
    "join": "(sentence, hops·2·units+size)",
    "join_bias": "(sentence)",
    "surface_mean": "(surface)",
    "surface_scale": "(surface)",
    "relevance": "(2, sentence+surface)",
    "relevance_bias": "(2)",
    "likeness": "(likeness, sentence)",
    "memory_in": "(3·memory, 2·sentence+1)",
    "memory_in_bias": "(3·memory)",
    "memory_state": "(3·memory, memory)",
    "memory_state_bias": "(3·memory)",
    "decide_1": "(inner_2, sentence+surface+3+emitted+memory)",
    "decide_1_bias": "(inner_2)",
    "decide_2": "(1, inner_2)",
    "decide_2_bias": "(1)",
}
"""The arrays of a model with their shapes; `surface`, `emitted` and `marks` are fixed by what is measured."""


class Encoded(Struct, frozen=True):
    """Sentences as vectors.

    Attributes:
        attention: (sentences, hops, words); each row sums to 1, padding has 0.
        sentences: (sentences, size) what the policy reads.
        relevance: (sentences, 2) logits: matches a nugget; gain per verbosity.
        likeness: (sentences, size) unit vectors; their product says how likely two tell the same.
    """

    attention: Array
    sentences: Array
    relevance: Array
    likeness: Array


class Network:
    """Inference with the arrays of one model."""

    def __init__(self, model: Model) -> None:
        import numpy as np

        sizes = {"surface": len(SURFACE), "emitted": len(DYNAMIC), "marks": len(MARKS)}
        checked = check_arrays(model, ARRAYS, sizes)
        arrays = {name: np.ascontiguousarray(array) for name, array in checked.items()}
        self.rows, self.size = arrays["words"].shape
        units = arrays["lstm_state"].shape[2]
        # sigmoid(x) = (1 + tanh(x/2)) / 2, so one tanh serves all gates; torch's order is i, f, g, o.
        half = np.full(4 * units, 0.5, dtype=np.float32)
        half[2 * units : 3 * units] = 1.0
        self._lstm_in = np.ascontiguousarray((arrays["lstm_in"] * half[None, :, None]).transpose(0, 2, 1))
        self._lstm_bias = (arrays["lstm_bias"] * half)[:, None, None, :]
        self._lstm_state = np.ascontiguousarray(
            (arrays["lstm_state"] * half[None, :, None]).transpose(0, 2, 1)
        )
        self._units = units
        self._arrays = arrays
        self._decide_1 = np.ascontiguousarray(arrays["decide_1"].T)
        self._memory_in = np.ascontiguousarray(arrays["memory_in"].T)
        self._memory_state = np.ascontiguousarray(arrays["memory_state"].T)
        self.memory_size = arrays["memory_state"].shape[1]
        self.likeness_size = arrays["likeness"].shape[0]
        self.hops = arrays["attend_2"].shape[0]

    def query(self, ids: Array) -> Array:
        """The query's vector: the mean of its words' (zeros for none)."""
        import numpy as np

        if not len(ids):
            return np.zeros(self.size, dtype=np.float32)
        mean: Array = self._arrays["words"][ids].mean(axis=0)
        return mean

    def encode(self, ids: Sequence[Array], marks: Sequence[Array], surfaces: Array, query: Array) -> Encoded:
        """Sentences (rows of words and their marks; each at least one word long) as vectors."""
        import numpy as np

        arrays = self._arrays
        lengths = np.array([len(row) for row in ids])
        most, count, mark_size = int(lengths.max()), len(ids), marks[0].shape[1]
        rows = np.zeros((count, most), dtype=np.int64)
        x = np.zeros((count, most, self.size + mark_size), dtype=np.float32)
        for n, row in enumerate(ids):
            rows[n, : len(row)] = row
            x[n, : len(row), self.size :] = marks[n]
        x[:, :, : self.size] = arrays["words"][rows]
        steps = np.arange(most)
        turned = np.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
        everyone = np.arange(count)[:, None]
        H = self._lstm(np.stack((x, x[everyone, turned])))
        H = np.concatenate((H[0], H[1][everyone, turned]), axis=2)
        # W1 [h; q]: the query's part is the same for all words.
        wide = 2 * self._units
        inner = H @ arrays["attend_1"][:, :wide].T + arrays["attend_1"][:, wide:] @ query
        scores = np.tanh(inner) @ arrays["attend_2"].T
        scores[steps >= lengths[:, None]] = -1e9
        scores -= scores.max(axis=1, keepdims=True)
        A = np.exp(scores)
        A /= A.sum(axis=1, keepdims=True)
        A = np.ascontiguousarray(A.transpose(0, 2, 1))
        M = (A @ H).reshape(count, -1)
        sentences = np.tanh(
            np.concatenate((M, np.broadcast_to(query, (count, self.size))), axis=1) @ arrays["join"].T
            + arrays["join_bias"]
        )
        inputs = np.concatenate((sentences, self.standard(surfaces)), axis=1)
        relevance = inputs @ arrays["relevance"].T + arrays["relevance_bias"]
        likeness = sentences @ arrays["likeness"].T
        likeness /= np.sqrt((likeness * likeness).sum(axis=1, keepdims=True)) + 1e-6
        return Encoded(A, sentences, relevance, likeness)

    def standard(self, surfaces: Array) -> Array:
        """Surface numbers with mean 0 and deviation 1 over the training events, within ±4."""
        import numpy as np

        arrays = self._arrays
        scaled: Array = np.clip((surfaces - arrays["surface_mean"]) * arrays["surface_scale"], -4, 4)
        return scaled

    def _lstm(self, x: Array) -> Array:
        """(2 directions, sentences, words, inputs) → hidden states in the same order."""
        import numpy as np

        u = self._units
        _, count, most, _ = x.shape
        gates = np.ascontiguousarray((x @ self._lstm_in[:, None] + self._lstm_bias).transpose(2, 0, 1, 3))
        H = np.empty((most, 2, count, u), dtype=np.float32)
        h = np.zeros((2, count, u), dtype=np.float32)
        c = np.zeros((2, count, u), dtype=np.float32)
        for t in range(most):
            g = gates[t]
            if t:
                g += h @ self._lstm_state
            np.tanh(g, out=g)
            c *= 0.5 * (g[..., u : 2 * u] + 1)
            c += 0.5 * (g[..., :u] + 1) * g[..., 2 * u : 3 * u]
            h = H[t]
            np.tanh(c, out=h)
            h *= 0.5 * (g[..., 3 * u :] + 1)
        return H.transpose(1, 2, 0, 3)

    def decide(self, static: Array, dynamic: Array, memory: Array) -> Array:
        """Logits of telling: (rows,) from each sentence's static and dynamic inputs, and the memory."""
        import numpy as np

        arrays = self._arrays
        inner = np.concatenate((static, dynamic, memory), axis=1) @ self._decide_1
        inner += arrays["decide_1_bias"]
        np.tanh(inner, out=inner)
        logits: Array = inner @ arrays["decide_2"][0] + arrays["decide_2_bias"][0]
        return logits

    def remember(self, memory: Array, sentences: Array, emitted: Array) -> Array:
        """The memory (a GRU) after these sentences, `emitted` (0 or 1) for each row."""
        import numpy as np

        arrays, size = self._arrays, self.memory_size
        mark = emitted[:, None].astype(np.float32)
        x = np.concatenate((sentences, sentences * mark, mark), axis=1) @ self._memory_in
        x += arrays["memory_in_bias"]
        s = memory @ self._memory_state
        s += arrays["memory_state_bias"]
        gates = 0.5 * (np.tanh(0.5 * (x[:, : 2 * size] + s[:, : 2 * size])) + 1)
        fresh = np.tanh(x[:, 2 * size :] + gates[:, :size] * s[:, 2 * size :])
        kept = gates[:, size:]
        after: Array = fresh + kept * (memory - fresh)
        return after
