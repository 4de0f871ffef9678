"""`values=yes`: any system with the tracker of values beside it, in one pass through the stream."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from tidings.protocols import Budget, BudgetedDecider, Follower, Interest, PacedDecider
from tidings.records import Event, Output, Sentence
from tidings.systems.values.tracker import TrackedValues
from tidings.systems.values.tracking import Tracking
from tidings.systems.wrapped import WrappedSystem

__all__ = ["FollowerWithValues", "WithValues"]


class WithValues(WrappedSystem, frozen=True):
    """A system beside which the values of its events are tracked."""

    tracking: Tracking = Tracking(values=True)

    @property
    def limit(self) -> Struct:
        """What is tracked."""
        return self.tracking

    @property
    def budget(self) -> Budget:
        """The budget of the system inside."""
        return self.system.budget

    def interest(self, event: Event) -> Interest | None:
        """What interests either of the two."""
        own, tracked = self.system.interest(event), TrackedValues().interest(event)
        if own is None or tracked is None or own.language != tracked.language:
            return None
        return Interest(
            stems=own.stems | tracked.stems,
            need=1,
            whole=own.whole or tracked.whole,
            language=own.language,
        )

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`."""
        tracked = TrackedValues(places=self.tracking.places)
        return FollowerWithValues(self.system.start(event), tracked.start(event))


class FollowerWithValues:
    """Gives first what the follower inside decides and then the values that have changed.

    A budget and a pace are for the follower inside, which they reach through it.
    """

    def __init__(self, inner: Follower, values: Follower) -> None:
        self._inner, self._values = inner, values
        if isinstance(inner, BudgetedDecider):
            self.allow = inner.allow
        if isinstance(inner, PacedDecider):
            self.keep_pace = inner.keep_pace

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        """What is decided, and what has changed."""
        return [*self._inner.push(sentences, now), *self._values.push(sentences, now)]

    def finish(self, now: int) -> list[Output]:
        """What the follower inside still tells."""
        return [*self._inner.finish(now), *self._values.finish(now)]

    def state(self) -> bytes:
        """The states of both."""
        return msgspec.msgpack.encode((self._inner.state(), self._values.state()))

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        inner, values = msgspec.msgpack.decode(data, type=tuple[bytes, bytes])
        self._inner.restore(inner)
        self._values.restore(values)
