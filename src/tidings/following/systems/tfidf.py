"""Weights of stems by how rare they have been so far, and what was emitted as vectors of such weights."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING, Any

from tidings.core import LanguageModel, Vector, VectorIndex

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_VOCABULARY = 20_000  # stems counted, at most
_COLUMNS = 2_048  # stems compared at once, to bound memory


class RunningIdf:
    """Counts in how many of the sentences met so far each stem occurred; nothing is known in advance.

    Bounded: of more than 20,000 different stems the rarest half is forgotten, and they are new again when they come.

    >>> weights = RunningIdf()
    >>> weights.add(["ferri", "fire"]); weights.add(["ferri", "port"])
    >>> weights.idf("ferri") < weights.idf("port") < weights.idf("unheard-of")
    True
    """

    def __init__(self, *, vocabulary: int = _VOCABULARY) -> None:
        self._vocabulary = vocabulary
        self.restore((0, {}))

    def add(self, stems: Sequence[str]) -> None:
        """Count one sentence."""
        self._sentences += 1
        self._counts.add(dict.fromkeys(stems))

    def idf(self, stem: str) -> float:
        """log((N + 1) / (n + 1/2)) over N sentences of which n hold the stem; > 0."""
        return log((self._sentences + 1.0) / (self._counts.counts.get(stem, 0.0) + 0.5))

    def weights(self, stems: Iterable[str]) -> Vector:
        """tf·idf of each stem."""
        top, counts = self._sentences + 1.0, self._counts.counts
        return {stem: n * log(top / (counts.get(stem, 0.0) + 0.5)) for stem, n in Counter(stems).items()}

    def vector(self, stems: Iterable[str]) -> Vector:
        """tf·idf scaled to Euclidean length 1; empty for no stems."""
        weights = self.weights(stems)
        length = sqrt(sum(weight * weight for weight in weights.values()))
        return {stem: weight / length for stem, weight in weights.items()} if length else {}

    def state(self) -> Any:
        """What was counted, as plain values."""
        return self._sentences, self._counts.counts

    def restore(self, state: Any) -> None:
        """Become what gave `state`."""
        self._sentences, counts = state
        self._counts = LanguageModel(counts, max_terms=self._vocabulary)


class EmittedVectors:
    """The unit vectors of what was emitted, weighted as when it was emitted; the oldest are forgotten first.

    >>> emitted = EmittedVectors(most=10)
    >>> emitted.add({"fire": 1.0}, time=60)
    >>> emitted.has_like({"fire": 0.8, "port": 0.6}, 0.5), emitted.has_like({"port": 1.0}, 0.5)
    (True, False)
    """

    def __init__(self, *, most: int, memory_s: int = 0) -> None:
        self._most, self._memory_s = most, memory_s
        self.restore([])

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, vector: Vector, time: int) -> None:
        """Keep what was emitted at `time`."""
        self._index.add(vector, time)
        self._kept.append((time, vector))

    def has_like(self, vector: Vector, limit: float) -> bool:
        """Whether the cosine to anything kept is > limit; with a limit of 1 nothing is asked."""
        return limit < 1.0 and self._index.above(vector, limit) is not None

    def likeness(self, vector: Vector) -> float:
        """The highest cosine to anything kept, 0 for nothing."""
        return self._index.nearest(vector)[0]

    def evict(self, now: int) -> bool:
        """Forget what is too old at `now`; whether anything was."""
        if not (self._memory_s and self._index.evict(now - self._memory_s)):
            return False
        while self._kept[0][0] < now - self._memory_s:
            self._kept.popleft()
            if not self._kept:
                break
        return True

    def state(self) -> Any:
        """What is kept, as plain values."""
        return list(self._kept)

    def restore(self, state: Any) -> None:
        """Become what gave `state`."""
        self._index = VectorIndex(most=self._most)
        self._kept: deque[tuple[int, Vector]] = deque(maxlen=self._most)
        for time, vector in state:
            self.add(vector, time)


def cosines(vectors: Sequence[Vector]) -> NDArray[np.float64]:
    """The cosines of all pairs of unit vectors, n × n within 0..1; 1 on the diagonal, for empty vectors too.

    Only terms that two vectors share are multiplied, some thousand at a time: memory is bounded by n² whatever
    the vectors hold. Rounded to 12 digits, as `tidings.core.text.cosine` is.
    """
    import numpy as np

    n = len(vectors)
    shared = [
        stem for stem, number in Counter(stem for vector in vectors for stem in vector).items() if number > 1
    ]
    table: Any = np.zeros((n, n))
    for first in range(0, len(shared), _COLUMNS):
        column = {stem: number for number, stem in enumerate(shared[first : first + _COLUMNS])}
        part = np.zeros((n, len(column)))
        for row, vector in enumerate(vectors):
            for stem, weight in vector.items():
                at = column.get(stem)
                if at is not None:
                    part[row, at] = weight
        table += part @ part.T
    np.fill_diagonal(table, 1.0)
    rounded: NDArray[np.float64] = np.round(np.clip(table, 0.0, 1.0), 12)
    return rounded
