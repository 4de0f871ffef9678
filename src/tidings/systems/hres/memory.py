"""What a follower of `hres` told, as its policy looks back on it."""

from __future__ import annotations

from collections import Counter, deque
from math import log1p
from typing import TYPE_CHECKING, Any

from tidings.systems.hres.surface import DYNAMIC, SLOTS
from tidings.systems.hres.words import Reading

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["EmittedMemory", "since", "told_numbers"]

DAY_S = 86_400


def since(seconds: int) -> float:
    """Time since the last update for the policy: log(1 + minutes) / 8; a first update has 1."""
    return log1p(max(0, seconds) / 60) / 8


def told_numbers(
    alike: float, mean: float, learned: float, count: int, past: float, fresh: float, numbers: int, today: int
) -> list[float]:
    """The numbers of `DYNAMIC` in their order, scaled to about 0..1."""
    return [alike, mean, learned, log1p(count) / 5, past, fresh, min(4, numbers) / 4, log1p(today) / 3]


class EmittedMemory:
    """The last `most` updates: their vectors, their words, their times."""

    def __init__(self, most: int, likeness_size: int) -> None:
        import numpy as np

        self._most = most
        self._size = likeness_size
        self.count = 0
        self._entries: deque[tuple[int, tuple[int, ...], bytes, bytes]] = deque()
        self._words: Counter[int] = Counter()
        self._vectors = np.zeros((8, SLOTS), dtype=np.float32)
        self._likenesses = np.zeros((8, likeness_size), dtype=np.float32)

    def look(self, reading: Reading, vector: Array, likeness: Array, now: int) -> Array:
        """The `DYNAMIC` numbers of one sentence."""
        import numpy as np

        size = len(self._entries)
        alike = mean = learned = 0.0
        past = 1.0
        if size:
            cosines = self._vectors[:size] @ vector
            alike, mean = float(cosines.max()), float(cosines.mean())
            learned = float((self._likenesses[:size] @ likeness).max())
            past = since(now - self._entries[-1][0])
        words = self._words
        fresh = sum(key not in words for key in reading.content) / max(1, len(reading.content))
        numbers = sum(key not in words for key in reading.numbers)
        day = now // DAY_S
        today = 0
        for entry in reversed(self._entries):
            if entry[0] // DAY_S != day:
                break
            today += 1
        return np.array(
            told_numbers(alike, mean, learned, self.count, past, fresh, numbers, today), dtype=np.float32
        )

    def add(self, reading: Reading, vector: Array, likeness: Array, now: int) -> None:
        """Remember one update."""
        import numpy as np

        slots = np.flatnonzero(vector)
        sparse = slots.astype(np.uint16).tobytes() + vector[slots].tobytes()
        self._keep((now, reading.content, sparse, likeness.astype(np.float32).tobytes()))
        self.count += 1

    def _keep(self, entry: tuple[int, tuple[int, ...], bytes, bytes]) -> None:
        import numpy as np

        if len(self._entries) >= self._most:
            gone = self._entries.popleft()
            self._words.subtract(gone[1])
            for key in gone[1]:
                if not self._words[key]:
                    del self._words[key]
            size = len(self._entries)
            self._vectors[:size] = self._vectors[1 : size + 1]
            self._likenesses[:size] = self._likenesses[1 : size + 1]
        place = len(self._entries)
        if place == len(self._vectors):
            self._vectors = np.concatenate((self._vectors, np.zeros_like(self._vectors)))
            self._likenesses = np.concatenate((self._likenesses, np.zeros_like(self._likenesses)))
        self._entries.append(entry)
        self._words.update(entry[1])
        count = len(entry[2]) // 6
        self._vectors[place] = 0
        slots = np.frombuffer(entry[2][: 2 * count], dtype=np.uint16)
        self._vectors[place, slots] = np.frombuffer(entry[2][2 * count :], dtype=np.float32)
        self._likenesses[place] = np.frombuffer(entry[3], dtype=np.float32)

    def state(self) -> list[Any]:
        """What is remembered, as msgpack can hold it."""
        return [self.count, list(self._entries)]

    def restore(self, data: list[Any]) -> None:
        """Become the memory whose `state()` gave `data`."""
        self.__init__(self._most, self._size)  # type: ignore[misc]
        for time, words, vector, likeness in data[1]:
            self._keep((time, tuple(words), vector, likeness))
        self.count = data[0]


assert len(DYNAMIC) == 8
