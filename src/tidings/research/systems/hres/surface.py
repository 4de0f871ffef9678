"""What can be said of a sentence without reading it, and how familiar its words are from the stream."""

from __future__ import annotations

from collections import deque
from math import log1p
from typing import TYPE_CHECKING, Any

from tidings.core import RunningQuantile, Sentence
from tidings.research.systems.hres.words import WORDS, Reading

if TYPE_CHECKING:
    from numpy import ndarray

    Array = ndarray[Any, Any]

__all__ = ["DYNAMIC", "SURFACE", "WINDOW", "StreamView"]

WINDOW = 256
"""Latest matching sentences that the view of the stream rests on."""

_COUNTS = 16_384
_RAREST = 0.01

SURFACE = (
    "words",
    "content words",
    "numbers",
    "first person or question",
    "signs that are no letters",
    "sentence of its document",
    "hours since the event's start",
    "matching sentences so far",
    "matching sentences of the last hour",
)
"""What is measured of a sentence beside its words; what the words say is left to the attention."""

DYNAMIC = (
    "greatest likeness to what was told",
    "mean likeness to what was told",
    "updates so far",
    "time since the last update",
    "share of its content words that were never told",
    "numbers that were never told",
    "updates of this day",
)
"""What depends on what was told; the policy reads these beside the encoder's vector."""

_PERSONS = frozenset({"i", "we", "my", "our", "you", "your", "me", "us"})


class StreamView:
    """The words of the latest matching sentences of one event's stream, told or not."""

    def __init__(self, start_time: int) -> None:
        import numpy as np

        self._start = start_time
        self.count = 0
        self._words = np.zeros(_COUNTS, dtype=np.int32)
        self._pairs = np.zeros(_COUNTS, dtype=np.int32)
        self._latest: deque[tuple[int, bytes, bytes]] = deque()
        self.ranks = RunningQuantile(WINDOW)

    def look(self, reading: Reading, sentence: Sentence, now: int) -> Array:
        """The `SURFACE` of one sentence."""
        import numpy as np

        said = sentence.text[:400]
        letters = sum(map(str.isalpha, said))
        recent = sum(1 for entry in self._latest if entry[0] > now - 3600)
        return np.array(
            [
                len(reading.ids) / WORDS,
                len(reading.content) / 20,
                min(4, len(reading.numbers)) / 4,
                float("?" in said or not _PERSONS.isdisjoint(said.lower().split())),
                1 - letters / max(1, len(said.replace(" ", ""))),
                min(1.0, log1p(max(0, sentence.index)) / 4),
                log1p(max(0, now - self._start) / 3600) / 6,
                log1p(self.count) / 7,
                log1p(recent) / 5,
            ],
            dtype=np.float32,
        )

    def familiarity(self, reading: Reading) -> Array:
        """For each word how usual it is in the latest sentences, alone and followed by its next word: (words, 2).

        1 + ln(share + .01) / 4.6: 0 for what no sentence holds, 1 for what all hold.
        """
        import numpy as np

        there = max(8.0, len(self._latest))
        shares = np.zeros((len(reading.keys), 2), dtype=np.float32)
        shares[:, 0] = self._words[reading.keys & (_COUNTS - 1)] / there
        shares[:-1, 1] = self._pairs[_pairs_of(reading)] / there
        familiar: Array = (1 + np.log(shares + _RAREST) / 4.6).astype(np.float32)
        return familiar

    def add(self, reading: Reading, now: int) -> None:
        """Take in one sentence after it was looked at."""
        import numpy as np

        words = np.unique(reading.keys & (_COUNTS - 1)).astype(np.uint16).tobytes()
        pairs = np.unique(_pairs_of(reading)).astype(np.uint16).tobytes()
        self._latest.append((now, words, pairs))
        self._take(words, pairs, 1)
        self.count += 1
        if len(self._latest) > WINDOW:
            _, words, pairs = self._latest.popleft()
            self._take(words, pairs, -1)

    def _take(self, words: bytes, pairs: bytes, times: int) -> None:
        import numpy as np

        self._words[np.frombuffer(words, dtype=np.uint16)] += times
        self._pairs[np.frombuffer(pairs, dtype=np.uint16)] += times

    def state(self) -> list[Any]:
        """What is remembered, as msgpack can hold it."""
        import numpy as np

        ranks = np.array(self.ranks.values(), dtype=np.float64).tobytes()
        return [self.count, [list(entry) for entry in self._latest], ranks]

    def restore(self, data: list[Any]) -> None:
        """Become the view whose `state()` gave `data`."""
        import numpy as np

        self.count, latest, ranks = data
        self._latest = deque((time, words, pairs) for time, words, pairs in latest)
        self._words[:] = 0
        self._pairs[:] = 0
        for _, words, pairs in self._latest:
            self._take(words, pairs, 1)
        self.ranks = RunningQuantile(WINDOW, np.frombuffer(ranks, dtype=np.float64).tolist())


def _pairs_of(reading: Reading) -> Array:
    slots: Array = (reading.keys[:-1] * 31 + reading.keys[1:] * 17) & (_COUNTS - 1)
    return slots
