"""What the summarizers share that rank the sentences of an interval: how many are told, and nothing twice."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from tidings.core import Event, Update, Vector
from tidings.following.systems.changed_numbers import EmittedNumbers
from tidings.following.systems.interval_followers import (
    Batch,
    IntervalFollower,
    IntervalSystem,
    WaitingSentence,
)
from tidings.following.systems.tfidf import EmittedVectors, RunningIdf

__all__ = ["Candidates", "RankedIntervalFollower", "RankedIntervalSystem"]

Candidates = Generator[tuple[int, float], bool, None]
"""Yields (number of a sentence, its score > 0) from the best down, and is sent whether that was told."""


class RankedIntervalSystem(IntervalSystem, frozen=True, kw_only=True):
    """The options of every system that ranks an interval's sentences and tells some of them."""

    length: Annotated[int, Meta(ge=0, description="most sentences told of one interval; 0: any number")] = 1
    least: Annotated[
        int, Meta(ge=1, description="different matching sentences that an interval must have to be told of")
    ] = 1
    similarity: Annotated[
        float, Meta(ge=0, le=1, description="highest cosine (tf·idf) to any earlier update; 1: any")
    ] = 0.35
    memory_hours: Annotated[
        float, Meta(ge=0, description="hours of event time for which an update is remembered; 0: for ever")
    ] = 0
    max_kept: Annotated[int, Meta(ge=1, description="updates remembered; the oldest go first")] = 2_000


class RankedIntervalFollower(IntervalFollower):
    """Remembers how often stems occurred, and the vectors of what it told."""

    def __init__(self, system: RankedIntervalSystem, event: Event) -> None:
        super().__init__(system, event)
        self._options = system
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
        for one in waiting:
            self._idf.add(one.stems)
        if len(waiting) < self._options.least:
            return []
        vectors = [self._idf.vector(one.stems) for one in waiting]
        chosen: list[tuple[int, float]] = []
        candidates = self._candidates(waiting, vectors)
        candidate = next(candidates, None)
        while candidate is not None:
            number, _ = candidate
            vector, one = vectors[number], waiting[number]
            emitted = not self._emitted.has_like(vector, self._options.similarity)
            emitted = emitted or self._numbers.has_change(one.sentence, one.stems)
            emitted = emitted and self._room(one.sentence.text)
            if emitted:
                self._emitted.add(vector, now)
                self._numbers.add(one.sentence, one.stems)
                chosen.append(candidate)
            try:
                candidate = candidates.send(emitted)
            except StopIteration:
                break
            if emitted and len(chosen) == self._options.length:
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
