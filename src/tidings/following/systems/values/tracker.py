"""`values`: the number of dead, injured, missing and so on as it stands, from what many documents claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.analysis import Relevance
from tidings.core import Event, Interest, Sentence, ValueUpdate
from tidings.following.systems.base import SystemBase
from tidings.following.systems.values.follower import ValueFollower, ValueReader
from tidings.following.values.places import PlaceTracker
from tidings.following.values.series import Rules
from tidings.following.values.tracker import ValueTracker

__all__ = ["TrackedValues", "ValueSystem", "WithPlaces"]


class ValueSystem(SystemBase, frozen=True, kw_only=True):
    """What systems that give values share: a document must hold a word of the event to be looked at."""

    any_language: ClassVar[bool] = False

    def interest(self, event: Event) -> Interest | None:
        """Any stem of query and title."""
        stems = Relevance(event).stems
        return Interest(stems=stems) if stems else None


class TrackedValues(ValueSystem, frozen=True, kw_only=True):
    """Gives the current number of deaths, injuries, missing, displaced, arrested, and the damage in dollars.

    Each mention of a number is a claim with a weight (`tidings.analysis.values`); claims of several documents, and
    recent ones, make the current value, which is given whenever it changes, with the sentences that support it.
    """

    name: ClassVar[str] = "values"
    source: ClassVar[str] = "tidings itself; the task of TREC Temporal Summarization 2013, value tracking"

    half_life_hours: Annotated[
        float, Meta(gt=0, description="hours after which a claim counts half; longer where claims are rare")
    ] = 48.0
    keep: Annotated[float, Meta(ge=1, description="by how much the current value is favoured")] = 1.3
    rise: Annotated[float, Meta(ge=1, description="by how much a larger value is favoured")] = 1.6
    doubling: Annotated[
        float, Meta(gt=1, description="times the current value beyond which two documents must agree")
    ] = 2.0
    tripling: Annotated[
        float, Meta(gt=1, description="times the current value beyond which three documents must agree")
    ] = 3.0
    places: Annotated[
        bool, Meta(description="give the event's location too; needs the extra `places` (a gazetteer)")
    ] = False
    max_kept: Annotated[
        int, Meta(ge=8, le=4096, description="claims remembered of each attribute; the oldest go first")
    ] = 128

    def start(self, event: Event) -> ValueFollower:
        """A fresh follower of `event`."""
        rules = Rules(
            half_life_s=self.half_life_hours * 3600.0,
            keep=self.keep,
            rise=self.rise,
            doubling=self.doubling,
            tripling=self.tripling,
            max_claims=self.max_kept,
        )
        tracker = ValueTracker(event, rules)
        return ValueFollower(WithPlaces(tracker, PlaceTracker(event)) if self.places else tracker)


class WithPlaces:
    """Reads numbers and places: two readers as one."""

    def __init__(self, numbers: ValueTracker, places: PlaceTracker) -> None:
        self._readers: tuple[ValueReader, ...] = (numbers, places)
        self.has_changed = False

    def read(self, sentences: Sequence[Sentence], now: int) -> list[ValueUpdate]:
        """What the sentences change of the numbers, and of the place."""
        updates = [update for reader in self._readers for update in reader.read(sentences, now)]
        self.has_changed = any(reader.has_changed for reader in self._readers)
        for reader in self._readers:
            reader.has_changed = False
        return updates

    def state(self) -> bytes:
        """The states of both."""
        return msgspec.msgpack.encode([reader.state() for reader in self._readers])

    def restore(self, data: bytes) -> None:
        """Become the reader whose `state()` gave `data`."""
        for reader, state in zip(self._readers, msgspec.msgpack.decode(data, type=list[bytes]), strict=True):
            reader.restore(state)
