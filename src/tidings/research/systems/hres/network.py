"""The trained network in numpy: BiLSTM, structured self-attention, heads, and the policy with its memory.

All formulas are those of the torch modules that train it, to 1e-5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tidings.core import Model, check_arrays
from tidings.research.systems.hres.memory import CONTEXT
from tidings.research.systems.hres.surface import DYNAMIC, SURFACE
from tidings.research.systems.hres.words import MARKS

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["ARRAYS", "Encoded", "Network"]

ARRAYS = {
    "words": "(rows, size)",
    "lstm_in": "(2, 4·units, size+marks+1)",
    "lstm_bias": "(2, 4·units)",
    "lstm_state": "(2, 4·units, units)",
    "attend_1": "(inner, 2·units+size+marks+1)",
    "attend_1_query": "(inner, size)",
    "attend_2": "(hops, inner)",
    "attend_query": "(hops, size, size)",
    "join": "(sentence, hops·2·units+hops·size+hops·marks+hops+size)",
    "join_bias": "(sentence)",
    "likeness": "(likeness, hops·2·units+hops·size+hops·marks+hops)",
    "surface_mean": "(surface)",
    "surface_scale": "(surface)",
    "relevance": "(2, sentence+surface+context)",
    "relevance_bias": "(2)",
    "memory_in": "(3·memory, 2·sentence+1)",
    "memory_in_bias": "(3·memory)",
    "memory_state": "(3·memory, memory)",
    "memory_state_bias": "(3·memory)",
    "decide_1": "(inner_2, sentence+surface+context+3+emitted+memory)",
    "decide_1_bias": "(inner_2)",
    "decide_2": "(1, inner_2)",
    "decide_2_bias": "(1)",
}
"""The arrays of a model with their shapes; `surface`, `context`, `emitted` and `marks` are what is measured."""


class Encoded(Struct, frozen=True):
    """Sentences as vectors.

    Attributes:
        attention: (sentences, hops, words); each row sums to 1, padding has 0.
        sentences: (sentences, size) what the policy reads.
        likeness: (sentences, size) unit vectors; their product says how likely two tell the same.
    """

    attention: Array
    sentences: Array
    likeness: Array


class Network:
    """Inference with the arrays of one model."""

    def __init__(self, model: Model) -> None:
        import numpy as np

        sizes = {
            "surface": len(SURFACE),
            "context": len(CONTEXT),
            "emitted": len(DYNAMIC),
            "marks": len(MARKS),
        }
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
        self._unit_words = unit(arrays["words"])
        self._decide_1 = np.ascontiguousarray(arrays["decide_1"].T)
        self._memory_in = np.ascontiguousarray(arrays["memory_in"].T)
        self._memory_state = np.ascontiguousarray(arrays["memory_state"].T)
        self.memory_size = arrays["memory_state"].shape[1]
        self.likeness_size = arrays["likeness"].shape[0]
        self.hops = arrays["attend_2"].shape[0]

    def encode(self, ids: Sequence[Array], marks: Sequence[Array], query_ids: Array) -> Encoded:
        """Sentences (rows of words and their marks; each at least one word long) as vectors."""
        import numpy as np

        arrays = self._arrays
        lengths = np.array([len(row) for row in ids])
        most, count, mark_size = int(lengths.max()), len(ids), marks[0].shape[1]
        rows = np.zeros((count, most), dtype=np.int64)
        x = np.zeros((count, most, self.size + mark_size + 1), dtype=np.float32)
        for n, row in enumerate(ids):
            rows[n, : len(row)] = row
            x[n, : len(row), self.size : -1] = marks[n]
        words = x[:, :, : self.size] = arrays["words"][rows]
        query = np.zeros(self.size, dtype=np.float32)
        if len(query_ids):
            query = arrays["words"][query_ids].mean(axis=0)
            x[:, :, -1] = (self._unit_words[rows] @ self._unit_words[query_ids].T).max(axis=2)
        steps = np.arange(most)
        turned = np.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
        everyone = np.arange(count)[:, None]
        states = self._lstm(np.stack((x, x[everyone, turned])))
        H = np.concatenate((states[0], states[1][everyone, turned], x), axis=2)
        A = self.attend(H, words, lengths, query)
        M = (A @ H).reshape(count, -1)
        wide = M.shape[1]
        # W [M; q]: the query's part is the same for all sentences.
        inner = M @ arrays["join"][:, :wide].T + (arrays["join"][:, wide:] @ query + arrays["join_bias"])
        return Encoded(A, np.tanh(inner), unit(M @ arrays["likeness"].T))

    def attend(self, H: Array, words: Array, lengths: Array, query: Array) -> Array:
        """A = softmax over the words of w·tanh(W1 h + Wq q) + e·U q / √size, for each hop: (sentences, hops, words)."""
        import numpy as np

        arrays = self._arrays
        inner = np.tanh(H @ arrays["attend_1"].T + arrays["attend_1_query"] @ query)
        scores = inner @ arrays["attend_2"].T
        scores += words @ (arrays["attend_query"] @ query).T / np.float32(self.size**0.5)
        scores[np.arange(H.shape[1]) >= lengths[:, None]] = -1e9
        scores -= scores.max(axis=1, keepdims=True)
        A = np.exp(scores)
        A /= A.sum(axis=1, keepdims=True)
        return np.ascontiguousarray(A.transpose(0, 2, 1))

    def judge(self, sentences: Array, surfaces: Array, context: Array) -> Array:
        """Logits of matching a nugget, and of its gain per verbosity: (sentences, 2)."""
        import numpy as np

        inputs = np.concatenate((sentences, surfaces, context), axis=1)
        logits: Array = inputs @ self._arrays["relevance"].T + self._arrays["relevance_bias"]
        return logits

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


def unit(vectors: Array) -> Array:
    """Each row by its length, to which 1e-6 is added."""
    import numpy as np

    scaled: Array = vectors / (np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True)) + 1e-6)
    return scaled
