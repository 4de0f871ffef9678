"""Budgets for any system: so many updates and so many words in any hour of event time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import msgspec

from tidings.core import Budget, BudgetedDecider, Event, Follower, Output, Sentence, Update
from tidings.following.systems.base import UNLIMITED, WrappedSystem

HOUR_S = 3600


class BudgetedSystem(WrappedSystem, frozen=True):
    """A system under a budget; its followers hold back what goes over it."""

    budget: Budget

    @property
    def limit(self) -> Budget:
        """The budget."""
        return self.budget

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`, under the budget."""
        return BudgetedFollower(self.system.start(event), self.budget)


class BudgetedFollower:
    """Counts what was told in the last hour, or another span, and lets the follower inside know what room is left.

    A follower with a method `allow(updates, words)` is told before each push, so that it neither takes a
    held-back sentence for told nor wastes room; of any other the updates that go over the budget are
    dropped, the earliest in its order staying.
    """

    def __init__(self, inner: Follower, budget: Budget, *, span_s: int = HOUR_S) -> None:
        self._inner = inner
        self._span_s = span_s
        self._updates = budget.updates_per_hour or UNLIMITED
        self._words = budget.words_per_hour or UNLIMITED
        self._emitted: deque[tuple[int, int, int]] = deque()  # (time, updates, words), one for each moment

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        """What the follower inside tells, within the budget."""
        return self._within(now, lambda: self._inner.push(sentences, now))

    def finish(self, now: int) -> list[Output]:
        """What the follower inside still tells at the end, within the budget."""
        return self._within(now, lambda: self._inner.finish(now))

    def _within(self, now: int, decide: Callable[[], Sequence[Output]]) -> list[Output]:
        emitted = self._emitted
        while emitted and emitted[0][0] <= now - self._span_s:
            emitted.popleft()
        updates_left = self._updates - sum(number for _, number, _ in emitted)
        words_left = self._words - sum(words for _, _, words in emitted)
        if isinstance(self._inner, BudgetedDecider):
            self._inner.allow(updates_left, words_left)
        kept: list[Output] = []
        updates = total = 0
        for output in decide():
            if not isinstance(output, Update):
                kept.append(output)
                continue
            words = len(output.text.split())
            if updates < updates_left and total + words <= words_left:
                kept.append(output)
                updates += 1
                total += words
        if updates:
            emitted.append((now, updates, total))
        return kept

    def state(self) -> bytes:
        """What was told in the last hour, and the state of the follower inside."""
        return msgspec.msgpack.encode((list(self._emitted), self._inner.state()))

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        emitted, inner = msgspec.msgpack.decode(data, type=tuple[list[tuple[int, int, int]], bytes])
        self._emitted = deque(emitted)
        self._inner.restore(inner)
