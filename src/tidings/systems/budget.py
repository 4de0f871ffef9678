"""Budgets for any system: so many updates and so many words in any hour of event time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from tidings.protocols import Follower, System
from tidings.records import Event, Sentence, Update
from tidings.systems.base import UNLIMITED

__all__ = ["Budget", "BudgetedFollower", "BudgetedSystem"]

HOUR_S = 3600


class Budget(Struct, frozen=True, kw_only=True):
    """How much may be told within any 3,600 seconds of event time; 0 leaves it free."""

    updates_per_hour: Annotated[
        int, Meta(ge=0, description="updates told in any hour of event time; 0: no limit")
    ] = 0
    words_per_hour: Annotated[
        int, Meta(ge=0, description="words told in any hour of event time; 0: no limit")
    ] = 0


class BudgetedSystem(Struct, frozen=True):
    """A system under a budget; its followers hold back what goes over it."""

    system: System
    budget: Budget

    @property
    def name(self) -> str:
        """The name of the system inside."""
        return self.system.name

    def start(self, event: Event) -> BudgetedFollower:
        """A fresh follower of `event`, under the budget."""
        return BudgetedFollower(self.system.start(event), self.budget)


class BudgetedFollower:
    """Counts what was told in the last hour and lets the follower inside know what room is left.

    A follower with a method `allow(updates, words)` is told before each push, so that it neither takes a
    held-back sentence for told nor wastes room; of any other the updates that go over the budget are
    dropped, the earliest in its order staying.
    """

    def __init__(self, inner: Follower, budget: Budget) -> None:
        self._inner = inner
        self._updates = budget.updates_per_hour or UNLIMITED
        self._words = budget.words_per_hour or UNLIMITED
        self._told: deque[tuple[int, int, int]] = deque()  # (time, updates, words), one for each moment

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """What the follower inside tells, within the budget."""
        told = self._told
        while told and told[0][0] <= now - HOUR_S:
            told.popleft()
        updates_left = self._updates - sum(number for _, number, _ in told)
        words_left = self._words - sum(words for _, _, words in told)
        allow = getattr(self._inner, "allow", None)
        if allow is not None:
            allow(updates_left, words_left)
        kept = []
        total = 0
        for update in self._inner.push(sentences, now):
            words = len(update.text.split())
            if updates_left > 0 and words <= words_left:
                kept.append(update)
                updates_left -= 1
                words_left -= words
                total += words
        if kept:
            told.append((now, len(kept), total))
        return kept

    def state(self) -> bytes:
        """What was told in the last hour, and the state of the follower inside."""
        return msgspec.msgpack.encode((list(self._told), self._inner.state()))

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        told, inner = msgspec.msgpack.decode(data, type=tuple[list[tuple[int, int, int]], bytes])
        self._told = deque(told)
        self._inner.restore(inner)
