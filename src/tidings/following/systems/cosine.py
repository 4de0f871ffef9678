"""`cosine`: what matches the query and is not like anything emitted before."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, Sentence, Update, Vector, VectorIndex, unit_vector
from tidings.following.systems.base import QuerySystem
from tidings.following.systems.changed_numbers import EmittedNumbers
from tidings.following.systems.scoring_follower import REPEAT, QueryFollower
from tidings.following.systems.stages import Surroundings


class Cosine(QuerySystem, frozen=True, kw_only=True):
    """Emits sentences that match the query, unless their cosine with an earlier update is too high."""

    name: ClassVar[str] = "cosine"
    looks_around: ClassVar[bool] = False
    source: ClassVar[str] = (
        "novelty by cosine: Allan, Wade and Bolivar, SIGIR 2003; as a threshold to earlier updates: Kedzie, "
        "McKeown and Diaz, ACL 2015"
    )

    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.35
    memory_hours: Annotated[float, Meta(ge=0)] = 0
    max_kept: Annotated[int, Meta(ge=1)] = 5_000

    def start(self, event: Event) -> CosineFollower:
        """A fresh follower of `event`."""
        return CosineFollower(self, event)


@lru_cache(maxsize=4_096)
def _shared_vector(stems: tuple[str, ...]) -> Vector:
    """The vector of a sentence, one for all events that it interests; nobody changes it."""
    return unit_vector(stems)


class CosineFollower(QueryFollower):
    """Remembers the stems of what it emitted."""

    def __init__(self, system: Cosine, event: Event) -> None:
        super().__init__(system, event)
        self._system = system
        self._memory_s = round(system.memory_hours * 3600)
        self._limit = system.similarity
        self._most_alike = min(4_096, 4 * system.max_kept)
        self._forget()

    def enter(self, surroundings: Surroundings) -> None:
        """At a pace, emit what the gate admits, but for what repeats an update."""
        super().enter(surroundings)
        if self._pace is not None:
            self._limit = max(self._limit, REPEAT)

    def _forget(self) -> None:
        self._index = VectorIndex(most=self._system.max_kept)
        self._kept: deque[tuple[int, str]] = deque(maxlen=self._system.max_kept)
        self._numbers = EmittedNumbers(self._system.max_kept)
        # Text → the number of the update that it was too like: only a shortcut, never part of the state.
        self._alike: dict[str, int] = {}

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Emit, in order, each sentence that is relevant and unlike everything emitted so far."""
        if self._memory_s:
            self._evict(now - self._memory_s)
        index, alike, limit = self._index, self._alike, self._limit
        updates = []
        for sentence, stems, rank in self._candidates(sentences):
            text = sentence.text
            if not stems or (alike.get(text) in index and not self._numbers.has_change(sentence, stems)):
                continue
            vector = _shared_vector(stems)
            like = index.above(vector, limit)
            if like is not None and not self._numbers.has_change(sentence, stems):
                if len(alike) >= self._most_alike:
                    alike.clear()
                alike[text] = like
                continue
            likeness = index.nearest(vector)[0]
            if likeness > self._system.similarity and self._numbers.has_change(sentence, stems):
                likeness = self._system.similarity
            novelty = 1.0 - likeness
            if not self._chooses(sentence, novelty, own=True, rank=rank):
                continue
            updates.append(self._tell(sentence, now, novelty))
            index.add(vector, now)
            self._kept.append((now, " ".join(stems)))
            self._numbers.add(sentence, stems)
            self._changed()
        return updates

    def _evict(self, before: int) -> None:
        if self._index.evict(before):
            while self._kept and self._kept[0][0] < before:
                self._kept.popleft()
            self._changed()

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode((list(self._kept), self._numbers.state()))

    def _decode(self, data: bytes) -> None:
        self._forget()
        kept, numbers = msgspec.msgpack.decode(data, type=tuple[list[tuple[int, str]], list[Any]])
        self._numbers.restore(numbers)
        for time, stems in kept:
            self._index.add(unit_vector(stems.split()), time)
            self._kept.append((time, stems))
