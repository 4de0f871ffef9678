"""What the network of `hres` reads and keeps: words, features of the surface, and the memory of what was emitted."""

from __future__ import annotations

import re
from collections import Counter, deque
from functools import lru_cache
from math import log1p
from typing import Any
from zlib import crc32

import numpy as np
from msgspec import Struct

from tidings.core import DAY_S, RunningQuantile, Sentence, shared_analyzer, tokens

Array = np.ndarray[Any, Any]


WORDS = 40
"""Words that are read of one sentence."""

MARKS = (
    "in the query",
    "number",
    "capital",
    "stop word",
    "how familiar the word is",
    "how familiar it is beside the next word",
)
"""What is known of each word beside its vector; the last two are of the stream (`StreamView.familiarity`)."""

_DIGIT = re.compile(r"\d")
_KNOWN_WORDS = 100_000  # words with a number; later ones are unknown


class Reading(Struct, frozen=True):
    """One sentence as read: parallel arrays over its words, and what is new in it to ask about later.

    Attributes:
        ids: row of each word in the table of word vectors (0 is for padding).
        keys: a 32-bit hash of each word's stem; figures keep their digits here, in `ids` only their shape.
        marks: (words, 4) of 0 and 1: in the query, number, capital, stop word.
        places: which word of `text.split()` each is.
        content: the different keys of words that are neither stop words nor in the query.
        numbers: those of them that hold a digit.
    """

    ids: Array
    keys: Array
    marks: Array
    places: tuple[int, ...]
    content: tuple[int, ...]
    numbers: tuple[int, ...]


class Reader:
    """Reads sentences for one query.

    >>> reading = Reader("ferry fire", "english", 1000).read("A ferry burns; 45 saved.")
    >>> reading.marks[:, 0].tolist(), reading.marks[:, 1].tolist()
    ([0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0])
    """

    def __init__(self, query: str, language: str, rows: int) -> None:
        self._entry_of = _words(language, rows)
        self.query = self._read(query)
        self._asked = frozenset(int(key) for key, stop in self.query if not stop)

    def _read(self, text: str) -> list[tuple[int, bool]]:
        entries = (self._entry_of(word) for word in text.split()[: 4 * WORDS])
        return [(entry[1], entry[4]) for entry in entries if entry is not None]

    def query_ids(self, query: str) -> Array:
        """Rows of the query's words that are no stop words; of all its words where there are none else."""
        entries = [
            entry for word in query.split()[: 4 * WORDS] if (entry := self._entry_of(word)) is not None
        ]
        kept = [entry[0] for entry in entries if not entry[4]] or [entry[0] for entry in entries]
        return np.array(kept, dtype=np.int64)

    def read(self, text: str) -> Reading:
        """The first 40 words of `text`; words without any letter or digit are left out."""
        ids, keys, marks, places = [], [], [], []
        content: dict[int, None] = {}
        numbers: dict[int, None] = {}
        asked, entry_of = self._asked, self._entry_of
        for place, word in enumerate(text.split(maxsplit=WORDS)[:WORDS]):
            entry = entry_of(word)
            if entry is None:
                continue
            row, key, number, capital, stop = entry
            in_query = key in asked
            ids.append(row)
            keys.append(key)
            marks.append((in_query, number, capital, stop))
            places.append(place)
            if not stop and not in_query:
                content[key] = None
                if number:
                    numbers[key] = None
        return Reading(
            np.array(ids, dtype=np.int64),
            np.array(keys, dtype=np.int64),
            np.array(marks, dtype=np.float32).reshape(len(ids), 4),
            tuple(places),
            tuple(content),
            tuple(numbers),
        )


Entry = tuple[int, int, bool, bool, bool]


class _Words(dict[str, "Entry | None"]):
    """Word as written → (row, key, number, capital, stop word); None for one without letters and digits."""

    def __init__(self, language: str, rows: int) -> None:
        super().__init__()
        self._stem = shared_analyzer(language).stem
        self._rows = rows

    def __missing__(self, word: str) -> Entry | None:
        entry = self._look(word[:64])
        if len(word) <= 64:
            if len(self) >= _KNOWN_WORDS:
                self.clear()
            self[word] = entry
        return entry

    def _look(self, word: str) -> Entry | None:
        parts = tokens(word)
        if not parts:
            return None
        stems = [self._stem(part) for part in parts]
        stop = not any(stems)
        text = "".join(parts) if stop else "".join(stems)
        number = _DIGIT.search(text) is not None
        shape = _DIGIT.sub("0", text) if number else text
        row = 1 + crc32(shape.encode("utf-8", "surrogatepass")) % (self._rows - 1)
        return (
            row,
            crc32(text.encode("utf-8", "surrogatepass")),
            number,
            word.lstrip("\"'“‘(")[:1].isupper(),
            stop,
        )


@lru_cache(maxsize=8)
def _words(language: str, rows: int) -> Any:
    return _Words(language, rows).__getitem__


WINDOW = 256
"""Latest matching sentences that the view of the stream rests on."""

_COUNTS = 16_384  # slots of hashed counts, a power of two
_RAREST = 0.01  # added to a share, so that log has a bound: 1 + log(.01) / 4.6 is 0

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
"""What depends on what was emitted; the policy reads these beside the encoder's vector."""

_PERSONS = frozenset({"i", "we", "my", "our", "you", "your", "me", "us"})


class StreamView:
    """The words of the latest matching sentences of one event's stream, emitted or not."""

    def __init__(self, start_time: int) -> None:
        self._start = start_time
        self.count = 0
        self._words = np.zeros(_COUNTS, dtype=np.int32)
        self._pairs = np.zeros(_COUNTS, dtype=np.int32)
        self._latest: deque[tuple[int, bytes, bytes]] = deque()
        self.ranks = RunningQuantile(WINDOW)

    def look(self, reading: Reading, sentence: Sentence, now: int) -> Array:
        """The `SURFACE` of one sentence."""
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
        there = max(8.0, len(self._latest))
        shares = np.zeros((len(reading.keys), 2), dtype=np.float32)
        shares[:, 0] = self._words[reading.keys & (_COUNTS - 1)] / there
        shares[:-1, 1] = self._pairs[_pairs_of(reading)] / there
        familiar: Array = (1 + np.log(shares + _RAREST) / 4.6).astype(np.float32)
        return familiar

    def add(self, reading: Reading, now: int) -> None:
        """Take in one sentence after it was looked at."""
        words = np.unique(reading.keys & (_COUNTS - 1)).astype(np.uint16).tobytes()
        pairs = np.unique(_pairs_of(reading)).astype(np.uint16).tobytes()
        self._latest.append((now, words, pairs))
        self._take(words, pairs, 1)
        self.count += 1
        if len(self._latest) > WINDOW:
            _, words, pairs = self._latest.popleft()
            self._take(words, pairs, -1)

    def _take(self, words: bytes, pairs: bytes, times: int) -> None:
        self._words[np.frombuffer(words, dtype=np.uint16)] += times
        self._pairs[np.frombuffer(pairs, dtype=np.uint16)] += times

    def state(self) -> list[Any]:
        """What is remembered, as msgpack can hold it."""
        ranks = np.array(self.ranks.values(), dtype=np.float64).tobytes()
        return [self.count, [list(entry) for entry in self._latest], ranks]

    def restore(self, data: list[Any]) -> None:
        """Become the view whose `state()` gave `data`."""
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


CONTEXT = (
    "mean likeness to the latest sentences",
    "greatest likeness to a latest sentence",
    "share of the latest sentences that are alike",
)
"""How a sentence lies among those before it in its stream, emitted or not."""

_ALIKE, _STEEP = 0.5, 10.0  # the middle and the slope of the sigmoid that counts a likeness


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
        self._vectors = np.zeros((WINDOW, size), dtype=np.float32)
        self._count = 0

    def look(self, likeness: Array) -> Array:
        """The numbers of `CONTEXT`; zeros for the first sentence of a stream.

        The share counts each sentence by 1 / (1 + e^(-10 (likeness - .5))).
        """
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
        self._count, vectors = data
        size = min(self._count, WINDOW)
        self._vectors[:size] = np.frombuffer(vectors, dtype="<f4").reshape(size, self._vectors.shape[1])


class EmittedMemory:
    """The last `most` updates: their likeness vectors, their words, their times."""

    def __init__(self, most: int, likeness_size: int) -> None:
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
