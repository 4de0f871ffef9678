"""`values=yes`, `entities=yes`: any system with trackers beside it, in one pass through the stream."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from tidings.core import (
    BudgetedDecider,
    Event,
    Follower,
    Interest,
    Output,
    PacedDecider,
    Sentence,
    System,
)
from tidings.following.systems.base import WrappedSystem
from tidings.following.systems.descriptions import Tracking


class TrackingSystem(WrappedSystem, frozen=True):
    """A system beside which the values of its events are tracked, or their entities ranked, or both."""

    tracking: Tracking

    @property
    def limit(self) -> Struct:
        """What is given beside the updates."""
        return self.tracking

    def interest(self, event: Event) -> Interest | None:
        """What interests any of them."""
        joined = self.system.interest(event)
        for other in self._others():
            tracked = other.interest(event)
            if joined is None or tracked is None or joined.language != tracked.language:
                return None
            joined = Interest(
                stems=joined.stems | tracked.stems,
                need=1,
                whole=joined.whole or tracked.whole,
                language=joined.language,
            )
        return joined

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`."""
        return FollowerBeside(self.system.start(event), [other.start(event) for other in self._others()])

    def _others(self) -> list[System]:
        others: list[System] = []
        if self.tracking.values or self.tracking.places:
            from tidings.following.systems.values import TrackedValues

            others.append(TrackedValues(places=self.tracking.places))
        if self.tracking.entities:
            from tidings.following.systems.entities import default_system

            others.append(default_system())
        return others


class FollowerBeside:
    """Gives first what the follower inside decides, then the values that have changed, then the entities of a day.

    A budget and a pace are for the follower inside, which they reach through it.
    """

    def __init__(self, inner: Follower, others: Sequence[Follower]) -> None:
        self._inner, self._others = inner, tuple(others)
        if isinstance(inner, BudgetedDecider):
            self.allow = inner.allow
        if isinstance(inner, PacedDecider):
            self.keep_pace = inner.keep_pace

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        """What is decided, and what has changed."""
        return [sentence for follower in self._all() for sentence in follower.push(sentences, now)]

    def finish(self, now: int) -> list[Output]:
        """What each of them still holds."""
        return [output for follower in self._all() for output in follower.finish(now)]

    def _all(self) -> tuple[Follower, ...]:
        return (self._inner, *self._others)

    def state(self) -> bytes:
        """The states of all."""
        return msgspec.msgpack.encode([follower.state() for follower in self._all()])

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        for follower, state in zip(self._all(), msgspec.msgpack.decode(data, type=list[bytes]), strict=True):
            follower.restore(state)
