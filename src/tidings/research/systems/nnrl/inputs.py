"""What the Q-network is told of a sentence: of the sentence itself, of the stream, and of what was told before."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from functools import lru_cache
from math import log1p
from zlib import crc32

from tidings.analysis import find_casualties
from tidings.core import Event, LanguageModel, Sentence, Vector, VectorIndex, shared_analyzer, unit_vector

__all__ = ["EMITTED_INPUTS", "STREAM_INPUTS", "EmittedHistory", "StreamHistory", "spread"]

STREAM_INPUTS = (
    "share of the query's stems that it holds",
    "share of its stems that are the query's",
    "share of the title's stems that it holds",
    "words / 40",
    "numbers / 5",
    "states a toll",
    "share of words that begin with a capital",
    "1 / (1 + number in its document)",
    "log(1 + hours since the event's start) / 6",
    "log(1 + hours since the sentence before) / 3",
    "share of its stems that the stream has had",
    "mean share of the sentences so far that hold its stems",
    "log(1 + sentences so far) / 8",
)
"""What does not depend on what was told; the hashed words follow."""

EMITTED_INPUTS = (
    "greatest cosine to an update",
    "share of its stems that no update holds",
    "share of its numbers that no update holds",
    "log(1 + updates) / 5",
    "updates of this day / 10, at most 3",
    "log(1 + hours since the last update) / 3; 2 before the first",
    "the sentence before was told",
)
"""What does."""


@lru_cache(maxsize=100_000)
def _place(stem: str, size: int) -> tuple[int, float]:
    code = crc32(stem.encode("utf-8", "surrogatepass"))
    return (code >> 1) % size, 1.0 if code & 1 else -1.0


def spread(vector: Vector, size: int) -> list[float]:
    """Hashed words: each stem adds its weight, with a sign of its own, to one of `size` numbers.

    >>> spread({"fire": 1.0}, 4) != spread({"port": 1.0}, 4), spread({}, 2), spread({"fire": 1.0}, 0)
    (True, [0.0, 0.0], [])
    """
    hashed = [0.0] * size
    for stem, weight in vector.items() if size else ():
        at, sign = _place(stem, size)
        hashed[at] += sign * weight
    return hashed


class StreamHistory:
    """What has passed of one event's stream, told or not."""

    def __init__(self, event: Event, language: str = "english", most_terms: int = 4_000) -> None:
        stems_of = shared_analyzer(language).stems
        self._title = frozenset(stems_of(event.title))
        self._query = frozenset(stems_of(event.query)) or self._title
        self._start = event.start_time or 0
        self._most_terms = most_terms
        self.restart({}, 0, 0)

    def restart(self, counts: dict[str, float], number: int, latest: int) -> None:
        """Begin again after `number` sentences with these counts of stems, the last of them at `latest`."""
        self.words = LanguageModel(counts, max_terms=self._most_terms)
        self.number = number
        self.latest = latest

    def look(self, sentence: Sentence, stems: Sequence[str], now: int) -> list[float]:
        """The inputs of STREAM_INPUTS for a sentence, which is taken for seen from now on."""
        distinct, counts, number = set(stems), self.words.counts, self.number
        size = len(distinct) or 1
        words = sentence.text.split()
        digits = sum(stem.isdigit() for stem in distinct)
        inputs = [
            len(distinct & self._query) / (len(self._query) or 1),
            len(distinct & self._query) / size,
            len(distinct & self._title) / (len(self._title) or 1),
            min(len(words), 120) / 40,
            min(digits, 5) / 5,
            1.0 if find_casualties(sentence.text) else 0.0,
            sum(word[:1].isupper() for word in words) / (len(words) or 1),
            1.0 / (1 + max(0, sentence.index)),
            _hours(now - self._start) / 6,
            _hours(now - self.latest) / 3 if number else 1.0,
            sum(stem in counts for stem in distinct) / size,
            sum(sorted(counts.get(stem, 0.0) for stem in distinct)) / (size * (number or 1)),
            log1p(number) / 8,
        ]
        self.words.add(sorted(distinct))
        self.number, self.latest = number + 1, now
        return inputs


class EmittedHistory:
    """What was told of one event, at most `most` updates of it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.restart([], 0, False)

    def restart(self, kept: Sequence[tuple[int, str]], number: int, last: bool) -> None:
        """Begin again after `number` updates, the latest of them (time, stems); `last`: the last sentence was told."""
        self._index = VectorIndex(most=self._most)  # lets its oldest go when we do
        self._stems: Counter[str] = Counter()
        self.kept: deque[tuple[int, str]] = deque()
        self.number = 0
        for time, stems in kept:
            self.add(stems.split(), time)
        self.number, self.last = number, last

    def look(self, vector: Vector, now: int) -> list[float]:
        """The inputs of EMITTED_INPUTS for a sentence with the unit vector `vector`."""
        kept, stems = self.kept, self._stems
        numbers = [stem for stem in vector if stem.isdigit()]
        today = now // 86_400
        of_today = 0
        for time, _ in reversed(kept):
            if time // 86_400 != today or of_today == 30:
                break
            of_today += 1
        return [
            self._index.nearest(vector)[0],
            sum(stem not in stems for stem in vector) / (len(vector) or 1),
            sum(stem not in stems for stem in numbers) / (len(numbers) or 1),
            log1p(self.number) / 5,
            of_today / 10,
            _hours(now - kept[-1][0]) / 3 if kept else 2.0,
            1.0 if self.last else 0.0,
        ]

    def add(self, stems: Sequence[str], now: int) -> None:
        """Take a sentence for told at `now`."""
        if len(self.kept) == self._most:
            _, oldest = self.kept.popleft()
            for stem in set(oldest.split()):
                self._stems[stem] -= 1
                if not self._stems[stem]:
                    del self._stems[stem]
        self._index.add(unit_vector(stems), now)
        self._stems.update(set(stems))
        self.kept.append((now, " ".join(stems)))
        self.number += 1


def _hours(seconds: int) -> float:
    return log1p(min(max(0, seconds), 10**9) / 3600)
