"""`ips`: what is like the interest profile; a baseline of the HRES tables, known by its letters only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, Sentence, Update, cosine, unit_vector
from tidings.following.systems.base import GatedFollower, QuerySystem
from tidings.following.systems.stages import UNLIMITED


class IPS(QuerySystem, frozen=True, kw_only=True):
    """Emits sentences similar enough to the interest profile, up to a daily limit, new or not.

    What IPS stands for in the tables of HRES (and of DRES, Yang et al., AAAI 2020) could not be found. This is the
    simplest system that the letters and the task allow, interest profile similarity: the cosine of stem counts
    between the sentence and the profile (title and query of the event) reaches a level, with the track's limit of
    pushes a day and without any look at what was emitted before. The level is the one of the best H on the events of
    2013. Nothing of it is published; take it for a floor.
    """

    name: ClassVar[str] = "ips"
    source: ClassVar[str] = (
        "a reconstruction; named in the appendix of HRES and, with DRES, in Yang et al., AAAI 2020, not described there"
    )

    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.45
    per_day: Annotated[int, Meta(ge=0)] = 10

    def start(self, event: Event) -> IPSFollower:
        """A fresh follower of `event`."""
        return IPSFollower(self, event)


class IPSFollower(GatedFollower[IPS]):
    """Remembers how many updates today had."""

    def __init__(self, system: IPS, event: Event) -> None:
        super().__init__(system, event)
        self._profile = unit_vector(sorted(set(self._analyzer.stems(f"{event.title} {event.query}"))))
        self._day, self._emitted = 0, 0

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Emit, in order, each sentence that is like the profile, while the day has room."""
        limit, admits, stems_of = self._system.similarity, self._gate.admits, self._analyzer.stems
        today, most = now // 86_400, self._system.per_day or UNLIMITED
        emitted = self._emitted if self._day == today else 0
        updates = []
        for sentence in sentences:
            stems = stems_of(sentence.text)
            if emitted >= most or not stems or not admits(sentence.text, stems):
                continue
            like = cosine(unit_vector(stems), self._profile)
            if like >= limit and self._room(sentence.text):
                emitted += 1
                self._day, self._emitted = today, emitted
                self._changed()
                updates.append(self._tell(sentence, now, max(like, 1e-9)))
        return updates

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode((self._day, self._emitted))

    def _decode(self, data: bytes) -> None:
        self._day, self._emitted = msgspec.msgpack.decode(data, type=tuple[int, int])
