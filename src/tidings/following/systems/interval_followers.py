"""What systems share that decide interval by interval: what arrives is kept, ranked, and emitted up to a limit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct

from tidings.core import Event, Interest, Sentence, Update, Vector
from tidings.following.systems.base import GatedFollower, QuerySystem
from tidings.following.systems.changed_numbers import EmittedNumbers
from tidings.following.systems.tfidf import EmittedVectors, RunningIdf


class IntervalSystem(QuerySystem, frozen=True, kw_only=True):
    """The options of every system that decides at the end of an hour (or another length of time)."""

    minutes: Annotated[int, Meta(ge=1)] = 60
    max_held: Annotated[int, Meta(ge=1)] = 400

    def interest(self, event: Event) -> Interest | None:
        """Everything: whatever comes shows that an interval is over, and is counted."""
        return None


class WaitingSentence(Struct):
    """A sentence that waits for the end of its interval, its stems, and how often its text was offered."""

    sentence: Sentence
    stems: tuple[str, ...]
    copies: int = 1


class Batch(Struct):
    """What one interval brought.

    Attributes:
        held: the different sentences that passed the gate, in order of arrival.
        offered: sentences offered, passing or not.
        documents: runs of sentences of one document that were offered.
    """

    waiting: list[WaitingSentence]
    offered: int
    documents: int


OfIntervals = TypeVar("OfIntervals", bound=IntervalSystem)


class IntervalFollower(GatedFollower[OfIntervals]):
    """Holds what passes the gate until `now` has left its interval, then decides on all of it at once.

    Intervals are [k·N, (k+1)·N) since 1970, of publication times. The first push at or after the end of an interval
    closes it: what is emitted then carries that push's time. Pushed once per interval (`--interval 1h`), sentences are
    decided on in the push that brings them; pushed document by document, in the first one of a later interval. What
    waits when the event or the stream ends is decided on by `finish`. Several intervals that end at one push are
    decided as one.
    """

    def __init__(self, system: OfIntervals, event: Event) -> None:
        super().__init__(system, event)
        self._interval_s = system.minutes * 60
        self._begin_interval()

    def _begin_interval(self) -> None:
        self._waiting: dict[str, WaitingSentence] = {}
        self._offered = 0
        self._documents = 0
        self._since = 0

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Decide on the intervals that have ended by `now`, and hold what belongs to the one that has not."""
        boundary = now - now % self._interval_s
        updates: list[Update] = []
        late = 0
        while late < len(sentences) and sentences[late].published_time < boundary:
            late += 1
        if self._offered and self._since >= boundary:
            late = 0  # what comes late while an interval is open is decided on with it
        elif self._offered or late:
            for sentence in sentences[:late]:
                self._take(sentence)
            self._count(sentences[:late])
            updates = self._end_interval(now)
        if late < len(sentences):
            for sentence in sentences[late:]:
                self._take(sentence)
            self._count(sentences[late:])
            self._changed()
        return updates

    def finish(self, now: int) -> list[Update]:
        """Decide on the interval that is still open, if it brought anything."""
        return self._end_interval(now) if self._offered else []

    def _end_interval(self, now: int) -> list[Update]:
        batch = Batch(list(self._waiting.values()), self._offered, self._documents)
        self._begin_interval()
        self._changed()
        return self._decide(batch, now)

    @abstractmethod
    def _decide(self, batch: Batch, now: int) -> list[Update]:
        """Which sentences of a finished interval to tell."""

    def _accepts(self, text: str, stems: Sequence[str]) -> bool:
        """Whether a sentence is worth holding: the gate, unless a child asks for more."""
        return bool(stems) and self._gate.admits(text, stems)

    def _take(self, sentence: Sentence) -> None:
        text = sentence.text
        waiting = self._waiting.get(text)
        if waiting is not None:
            waiting.copies += 1
            return
        stems = self._analyzer.stems(text)
        if len(self._waiting) < self._system.max_held and self._accepts(text, stems):
            self._waiting[text] = WaitingSentence(sentence, stems)

    def _count(self, sentences: Sequence[Sentence]) -> None:
        if sentences:
            self._offered += len(sentences)
            self._documents += len({sentence.doc_id for sentence in sentences})
            self._since = max(self._since, sentences[-1].published_time)

    def _waiting_state(self) -> list[Any]:
        """What waits, as plain values for msgpack; texts as bytes, since they may hold anything."""
        waiting = [
            (
                _bytes(sentence.sentence.doc_id),
                sentence.sentence.index,
                _bytes(sentence.sentence.text),
                sentence.sentence.published_time,
                _bytes(sentence.sentence.source),
                sentence.copies,
                _bytes(sentence.sentence.title),
                _bytes(sentence.sentence.url),
                None
                if sentence.sentence.events is None
                else [_bytes(event) for event in sentence.sentence.events],
            )
            for sentence in self._waiting.values()
        ]
        return [waiting, self._offered, self._documents, self._since]

    def _restore_waiting(self, state: Sequence[Any]) -> None:
        self._begin_interval()
        waiting, self._offered, self._documents, self._since = state
        for doc_id, index, text, time, source, copies, title, url, events in waiting:
            sentence = Sentence(
                _text(doc_id),
                index,
                _text(text),
                time,
                _text(source),
                events=None if events is None else tuple(map(_text, events)),
                title=_text(title),
                url=_text(url),
            )
            self._waiting[sentence.text] = WaitingSentence(
                sentence, self._analyzer.stems(sentence.text), copies
            )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


Candidates = Generator[tuple[int, float], bool, None]
"""Yields (number of a sentence, its score > 0) from the best down, and is sent whether that was emitted."""


class RankedIntervalSystem(IntervalSystem, frozen=True, kw_only=True):
    """The options of every system that ranks an interval's sentences and tells some of them."""

    length: Annotated[int, Meta(ge=0)] = 1
    least: Annotated[int, Meta(ge=1)] = 1
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.35
    memory_hours: Annotated[float, Meta(ge=0)] = 0
    max_kept: Annotated[int, Meta(ge=1)] = 2_000


OfRanking = TypeVar("OfRanking", bound=RankedIntervalSystem)


class RankedIntervalFollower(IntervalFollower[OfRanking]):
    """Remembers how often stems occurred, and the vectors of what it emitted."""

    def __init__(self, system: OfRanking, event: Event) -> None:
        super().__init__(system, event)
        self._idf = RunningIdf()
        self._emitted = EmittedVectors(most=system.max_kept, memory_s=round(system.memory_hours * 3600))
        self._numbers = EmittedNumbers(system.max_kept)

    @abstractmethod
    def _candidates(self, waiting: Sequence[WaitingSentence], vectors: Sequence[Vector]) -> Candidates:
        """The sentences of an interval (with their tf·idf unit vectors) from the best down."""

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        if self._emitted.evict(now):
            self._changed()
        waiting = batch.waiting
        for sentence in waiting:
            self._idf.add(sentence.stems)
        if len(waiting) < self._system.least:
            return []
        vectors = [self._idf.vector(sentence.stems) for sentence in waiting]
        chosen: list[tuple[int, float]] = []
        candidates = self._candidates(waiting, vectors)
        candidate = next(candidates, None)
        while candidate is not None:
            number, _ = candidate
            vector, sentence = vectors[number], waiting[number]
            emitted = not self._emitted.has_like(vector, self._system.similarity)
            emitted = emitted or self._numbers.has_change(sentence.sentence, sentence.stems)
            emitted = emitted and self._room(sentence.sentence.text)
            if emitted:
                self._emitted.add(vector, now)
                self._numbers.add(sentence.sentence, sentence.stems)
                chosen.append(candidate)
            try:
                candidate = candidates.send(emitted)
            except StopIteration:
                break
            if emitted and len(chosen) == self._system.length:
                candidates.close()
                break
        chosen.sort()
        return [self._tell(waiting[number].sentence, now, score) for number, score in chosen]

    def _own_state(self) -> Any:
        return None

    def _restore_own(self, state: Any) -> None:
        return None

    def _encode(self) -> bytes:
        state = [self._waiting_state(), self._idf.state(), self._emitted.state(), self._own_state()]
        return msgspec.msgpack.encode([*state, self._numbers.state()])

    def _decode(self, data: bytes) -> None:
        waiting, idf, emitted, own, numbers = msgspec.msgpack.decode(data)
        self._restore_waiting(waiting)
        self._idf.restore(idf)
        self._emitted.restore(emitted)
        self._restore_own(own)
        self._numbers.restore(numbers)
