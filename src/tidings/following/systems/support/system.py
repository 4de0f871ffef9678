"""Any system with support counted beside it: the same updates, and which outlets say them again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from tidings.core import Budget, Event, Follower, MarkedDecider, Output, Sentence, Update
from tidings.following.systems.support.counter import SupportCounter
from tidings.following.systems.wrapped import Unlimited, WrappedSystem

__all__ = ["FollowerWithSupport", "WithSupport"]


class WithSupport(WrappedSystem, frozen=True):
    """A system beside which support is counted: it has the spec and the interest of the system inside.

    What the system inside is not offered is not counted either.
    """

    @property
    def limit(self) -> Struct:
        """None: what is counted limits nothing."""
        return Unlimited()

    @property
    def spec(self) -> str:
        """That of the system inside: it decides the same."""
        return self.system.spec

    @property
    def budget(self) -> Budget:
        """The budget of the system inside."""
        return self.system.budget

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`."""
        return FollowerWithSupport(self.system.start(event), SupportCounter(event))


class FollowerWithSupport:
    """Gives what the follower inside decides, then what supports its updates, told now or before."""

    def __init__(self, inner: Follower, counter: SupportCounter) -> None:
        self._inner, self._counter = inner, counter
        if isinstance(inner, MarkedDecider):
            self.mark = inner.mark

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        """What is decided, and what supports it."""
        outputs = self._inner.push(sentences, now)
        return [*outputs, *self._counter.count(sentences, _updates(outputs), now)]

    def finish(self, now: int) -> list[Output]:
        """What the follower inside still tells, and what was said of it before."""
        outputs = self._inner.finish(now)
        return [*outputs, *self._counter.count((), _updates(outputs), now)]

    def state(self) -> bytes:
        """The state of the follower inside, and what the counter remembers."""
        return msgspec.msgpack.encode((self._inner.state(), self._counter.state()))

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        inner, counter = msgspec.msgpack.decode(data, type=tuple[bytes, bytes])
        self._inner.restore(inner)
        self._counter.restore(counter)


def _updates(outputs: Sequence[Output]) -> list[Update]:
    return [output for output in outputs if isinstance(output, Update)]
