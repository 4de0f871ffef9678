"""What a follower of `hres` remembers as vectors: the stream's latest sentences, and what it told."""

from __future__ import annotations

from collections import Counter, deque
from math import log1p
from typing import TYPE_CHECKING, Any

from tidings.research.systems.hres.surface import DYNAMIC, WINDOW
from tidings.research.systems.hres.words import Reading

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["CONTEXT", "DAY_S", "EmittedMemory", "StreamContext", "emitted_numbers", "since"]

DAY_S = 86_400

CONTEXT = (
    "mean likeness to the latest sentences",
    "greatest likeness to a latest sentence",
    "share of the latest sentences that are alike",
)
"""How a sentence lies among those before it in its stream, told or not."""

_ALIKE, _STEEP = 0.5, 10.0


def since(seconds: int) -> float:
    """Time since the last update for the policy: log(1 + minutes) / 8; a first update has 1."""
    return log1p(max(0, seconds) / 60) / 8


def emitted_numbers(
    alike: float, mean: float, count: int, past: float, fresh: float, numbers: int, today: int
) -> list[float]:
    """The numbers of `DYNAMIC` in their order, scaled to about 0..1."""
    return [alike, mean, log1p(count) / 5, past, fresh, min(4, numbers) / 4, today / 10]


class StreamContext:
    """The likeness vectors of the stream's latest `WINDOW` matching sentences: the level above the sentence."""

    def __init__(self, size: int) -> None:
        import numpy as np

        self._vectors = np.zeros((WINDOW, size), dtype=np.float32)
        self._count = 0

    def look(self, likeness: Array) -> Array:
        """The numbers of `CONTEXT`; zeros for the first sentence of a stream.

        The share counts each sentence by 1 / (1 + e^(-10 (likeness - .5))).
        """
        import numpy as np

        size = min(self._count, WINDOW)
        if not size:
            return np.zeros(len(CONTEXT), dtype=np.float32)
        products = self._vectors[:size] @ likeness
        share = (1 / (1 + np.exp(-_STEEP * (products - _ALIKE)))).mean()
        return np.array([products.mean(), products.max(), share], dtype=np.float32)

    def add(self, likeness: Array) -> None:
        """Take in one sentence after it was looked at; the oldest goes."""
        self._vectors[self._count % WINDOW] = likeness
        self._count += 1

    def state(self) -> list[Any]:
        """What is remembered, as msgpack can hold it."""
        return [self._count, self._vectors[: min(self._count, WINDOW)].astype("<f4").tobytes()]

    def restore(self, data: list[Any]) -> None:
        """Become the context whose `state()` gave `data`."""
        import numpy as np

        self._count, vectors = data
        size = min(self._count, WINDOW)
        self._vectors[:size] = np.frombuffer(vectors, dtype="<f4").reshape(size, self._vectors.shape[1])


class EmittedMemory:
    """The last `most` updates: their likeness vectors, their words, their times."""

    def __init__(self, most: int, likeness_size: int) -> None:
        import numpy as np

        self._most = most
        self._size = likeness_size
        self.count = 0
        self._day = (-1, 0)
        self._entries: deque[tuple[int, tuple[int, ...], bytes]] = deque()
        self._words: Counter[int] = Counter()
        self._likenesses = np.zeros((8, likeness_size), dtype=np.float32)

    def today(self, now: int) -> int:
        """Updates of the day (UTC) that `now` is in."""
        return self._day[1] if self._day[0] == now // DAY_S else 0

    def look(self, reading: Reading, likeness: Array, now: int) -> Array:
        """The `DYNAMIC` numbers of one sentence."""
        import numpy as np

        size = len(self._entries)
        alike = mean = 0.0
        past = 1.0
        if size:
            products = self._likenesses[:size] @ likeness
            alike, mean = float(products.max()), float(products.mean())
            past = since(now - self._entries[-1][0])
        words = self._words
        fresh = sum(key not in words for key in reading.content) / max(1, len(reading.content))
        numbers = sum(key not in words for key in reading.numbers)
        return np.array(
            emitted_numbers(alike, mean, self.count, past, fresh, numbers, self.today(now)), dtype=np.float32
        )

    def add(self, reading: Reading, likeness: Array, now: int) -> None:
        """Remember one update."""
        self._day = now // DAY_S, self.today(now) + 1
        self._keep((now, reading.content, likeness.astype("<f4").tobytes()))
        self.count += 1

    def _keep(self, entry: tuple[int, tuple[int, ...], bytes]) -> None:
        import numpy as np

        if len(self._entries) >= self._most:
            gone = self._entries.popleft()
            self._words.subtract(gone[1])
            for key in gone[1]:
                if not self._words[key]:
                    del self._words[key]
            size = len(self._entries)
            self._likenesses[:size] = self._likenesses[1 : size + 1]
        place = len(self._entries)
        if place == len(self._likenesses):
            self._likenesses = np.concatenate((self._likenesses, np.zeros_like(self._likenesses)))
        self._entries.append(entry)
        self._words.update(entry[1])
        self._likenesses[place] = np.frombuffer(entry[2], dtype="<f4")

    def state(self) -> list[Any]:
        """What is remembered, as msgpack can hold it."""
        return [self.count, list(self._day), list(self._entries)]

    def restore(self, data: list[Any]) -> None:
        """Become the memory whose `state()` gave `data`."""
        self.__init__(self._most, self._size)  # type: ignore[misc]
        self.count, day, entries = data
        self._day = day[0], day[1]
        for time, words, likeness in entries:
            self._keep((time, tuple(words), likeness))


assert len(DYNAMIC) == 7
