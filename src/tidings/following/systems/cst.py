"""`cst`: everything relevant that is not like an earlier update; the baseline of Kedzie and others, and of HRES.

A sentence is emitted if max over earlier updates u of cos(v(s), v(u)) <= `similarity`, where v is tf·idf.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, Sentence, Update
from tidings.following.systems.base import GatedFollower, QuerySystem
from tidings.following.systems.changed_numbers import EmittedNumbers
from tidings.following.systems.tfidf import EmittedVectors, RunningIdf


class CosineStreamThreshold(QuerySystem, frozen=True, kw_only=True):
    """Emits sentences of any length that match the query and have a low tf-idf cosine with every earlier update.

    Differs from `cosine`: stems are weighted by how rare they are among the event's sentences so far, so that the
    query's own words, which all of them hold, make no two alike; and a sentence of any length may be emitted.
    Reconstructed: the papers call it a cosine threshold (COS, CST) and give neither weights nor the
    threshold; here the weights are tf·idf of stems with a running idf. Relevance was given by retrieved documents there
    and is by the query's gate here.
    """

    name: ClassVar[str] = "cst"
    source: ClassVar[str] = (
        "COS in Kedzie, McKeown and Diaz, ACL 2015, and Kedzie, Diaz and McKeown, IJCAI 2016; CST in the tables of HRES"
    )

    max_words: Annotated[int, Meta(ge=0)] = 0
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.15
    memory_hours: Annotated[float, Meta(ge=0)] = 0
    max_kept: Annotated[int, Meta(ge=1)] = 5_000

    def start(self, event: Event) -> CosineStreamThresholdFollower:
        """A fresh follower of `event`."""
        return CosineStreamThresholdFollower(self, event)


class CosineStreamThresholdFollower(GatedFollower[CosineStreamThreshold]):
    """Remembers how often stems occurred in matching sentences, and the vectors of what it emitted."""

    def __init__(self, system: CosineStreamThreshold, event: Event) -> None:
        super().__init__(system, event)
        self._idf = RunningIdf()
        self._emitted = EmittedVectors(most=system.max_kept, memory_s=round(system.memory_hours * 3600))
        self._numbers = EmittedNumbers(system.max_kept)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Emit, in order, each sentence that is relevant and unlike everything emitted so far."""
        if self._emitted.evict(now):
            self._changed()
        stems_of, admits, idf, emitted = self._analyzer.stems, self._gate.admits, self._idf, self._emitted
        updates = []
        for sentence in sentences:
            text = sentence.text
            stems = stems_of(text)
            if not stems or not admits(text, stems):
                continue
            idf.add(stems)
            self._changed()
            vector = idf.vector(stems)
            if emitted.has_like(vector, self._system.similarity) and not self._numbers.has_change(
                sentence, stems
            ):
                continue
            if not self._room(text):
                continue
            updates.append(
                self._tell(sentence, now, 1.0 - min(emitted.likeness(vector), self._system.similarity))
            )
            emitted.add(vector, now)
            self._numbers.add(sentence, stems)
        return updates

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode([self._idf.state(), self._emitted.state(), self._numbers.state()])

    def _decode(self, data: bytes) -> None:
        idf, emitted, numbers = msgspec.msgpack.decode(data)
        self._idf.restore(idf)
        self._emitted.restore(emitted)
        self._numbers.restore(numbers)
