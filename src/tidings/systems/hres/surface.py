"""What can be said of a sentence without understanding it, and what the latest sentences of the stream say of it."""

from __future__ import annotations

from collections import deque
from math import log1p
from typing import TYPE_CHECKING, Any

from tidings.records import Sentence
from tidings.systems.hres.words import WORDS, Reading
from tidings.text.quantiles import RunningQuantile

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["DYNAMIC", "SLOTS", "SURFACE", "WINDOW", "StreamView", "spread"]

WINDOW = 256
"""Latest matching sentences that the view of the stream rests on."""

SLOTS = 512
"""Length of the hashed vectors of content words by which sentences are compared."""

_COUNTS = 16_384

SURFACE = (
    "words",
    "content words",
    "numbers",
    "capitals",
    "share of the query's words",
    "first person or question",
    "signs that are no letters",
    "sentence of its document",
    "hours since the event's start",
    "matching sentences so far",
    "matching sentences of the last hour",
    "mean share of latest sentences with its words",
    "highest share of latest sentences with one of its words",
    "greatest cosine to a latest sentence",
    "mean cosine to the latest sentences",
    "latest sentences with a cosine over .5",
)
"""What is measured of a sentence before anything is decided."""

DYNAMIC = (
    "greatest cosine to what was told",
    "mean cosine to what was told",
    "greatest learned likeness to what was told",
    "updates so far",
    "time since the last update",
    "share of its content words that were never told",
    "numbers that were never told",
    "updates of this day",
)
"""What depends on what was told; the policy reads these beside the encoder's vector."""

_PERSONS = frozenset({"i", "we", "my", "our", "you", "your", "me", "us"})


def spread(content: tuple[int, ...]) -> ndarray[Any, Any]:
    """A unit vector of SLOTS numbers: each key adds ±1 to one slot; zeros where there is no content."""
    import numpy as np

    vector = np.zeros(SLOTS, dtype=np.float32)
    if content:
        keys = np.array(content, dtype=np.int64)
        np.add.at(vector, (keys >> 14) & (SLOTS - 1), np.where(keys & 0x80000000, 1.0, -1.0))
        length = float(np.sqrt(vector @ vector))
        if length:
            vector /= length
    return vector


class StreamView:
    """The latest matching sentences of one event's stream, told or not."""

    def __init__(self, start_time: int, asked: int) -> None:
        import numpy as np

        self._start = start_time
        self._asked = max(1, asked)
        self.count = 0
        self._counts = np.zeros(_COUNTS, dtype=np.int32)
        self._latest: deque[tuple[int, bytes]] = deque()
        self._vectors = np.zeros((WINDOW, SLOTS), dtype=np.float32)
        self.ranks = RunningQuantile(WINDOW)

    def look(
        self, reading: Reading, vector: ndarray[Any, Any], sentence: Sentence, now: int
    ) -> ndarray[Any, Any]:
        """The `SURFACE` of one sentence against all that came before."""
        import numpy as np

        words = max(1, len(reading.ids))
        size = min(self.count, WINDOW)
        shares = self.shares(reading)
        content = shares[(reading.marks[:, 3] == 0) & (reading.marks[:, 0] == 0)]
        alike = self._vectors[:size] @ vector if size else np.zeros(1, dtype=np.float32)
        letters = sum(map(str.isalpha, sentence.text[:400]))
        said = sentence.text[:400]
        lower = said.lower().split()
        recent = sum(1 for time, _ in self._latest if time > now - 3600)
        asked = reading.marks[:, 0] > 0
        return np.array(
            [
                words / WORDS,
                len(reading.content) / 20,
                min(4, len(reading.numbers)) / 4,
                float(reading.marks[:, 2].sum()) / words,
                len(set(reading.keys[asked].tolist())) / self._asked,
                float("?" in said or not _PERSONS.isdisjoint(lower)),
                1 - letters / max(1, len(said.replace(" ", ""))),
                min(1.0, log1p(max(0, sentence.index)) / 4),
                log1p(max(0, now - self._start) / 3600) / 6,
                log1p(self.count) / 7,
                log1p(recent) / 5,
                float(content.mean()) if len(content) else 0.0,
                float(content.max()) if len(content) else 0.0,
                float(alike.max()),
                float(alike.mean()),
                log1p(int((alike > 0.5).sum())) / 4,
            ],
            dtype=np.float32,
        )

    def shares(self, reading: Reading) -> ndarray[Any, Any]:
        """For each word the share of the latest sentences that hold it (by the words' hashes)."""
        import numpy as np

        counts = self._counts[reading.keys & (_COUNTS - 1)]
        shares: ndarray[Any, Any] = (counts / max(8.0, len(self._latest))).astype(np.float32)
        return shares

    def add(self, reading: Reading, vector: ndarray[Any, Any], now: int) -> None:
        """Take in one sentence after it was looked at."""
        import numpy as np

        kept = np.unique(reading.keys & (_COUNTS - 1)).astype(np.uint16)
        self._counts[kept] += 1
        self._latest.append((now, kept.tobytes()))
        self._vectors[self.count % WINDOW] = vector
        self.count += 1
        if len(self._latest) > WINDOW:
            self._counts[np.frombuffer(self._latest.popleft()[1], dtype=np.uint16)] -= 1

    def state(self) -> list[Any]:
        """What is remembered, as msgpack can hold it."""
        import numpy as np

        size = min(self.count, WINDOW)
        rows, slots = np.nonzero(self._vectors[:size])
        values = self._vectors[rows, slots]
        sparse = [part.tobytes() for part in (rows.astype(np.uint16), slots.astype(np.uint16), values)]
        ranks = np.array(self.ranks.values(), dtype=np.float64).tobytes()
        return [self.count, [[time, words] for time, words in self._latest], sparse, ranks]

    def restore(self, data: list[Any]) -> None:
        """Become the view whose `state()` gave `data`."""
        import numpy as np

        self.count, latest, (rows, slots, values), ranks = data
        self._latest = deque((time, words) for time, words in latest)
        self._counts[:] = 0
        for _, words in self._latest:
            self._counts[np.frombuffer(words, dtype=np.uint16)] += 1
        self._vectors[:] = 0
        where = np.frombuffer(rows, dtype=np.uint16), np.frombuffer(slots, dtype=np.uint16)
        self._vectors[where] = np.frombuffer(values, dtype=np.float32)
        self.ranks = RunningQuantile(WINDOW, np.frombuffer(ranks, dtype=np.float64).tolist())
