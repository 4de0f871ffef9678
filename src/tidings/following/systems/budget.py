"""Budgets for any system: so many updates and so many words in any hour of event time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, Output, Sentence, Update
from tidings.following.systems.stages import UNLIMITED, Room, Stage, StageFollower, Surroundings

HOUR_S = 3600


class Budget(Stage, frozen=True, kw_only=True):
    """How much may be emitted within any 3,600 seconds of event time; 0 leaves it free."""

    stage: ClassVar[str] = "budget"
    remembers: ClassVar[str] = "what was emitted in the last hour"

    updates_per_hour: Annotated[int, Meta(ge=0)] = 0
    words_per_hour: Annotated[int, Meta(ge=0)] = 0

    def start(self, event: Event, surroundings: Surroundings) -> BudgetFollower:
        """What counts the updates of an event."""
        return BudgetFollower(surroundings.room, self.updates_per_hour, self.words_per_hour)


class BudgetFollower(StageFollower):
    """Counts what was emitted in the last hour, or another span, and says what room is left.

    A follower that heeds the room neither takes a held-back sentence for told nor wastes room; of any other the updates
    that go over the budget are dropped, the earliest in its order staying.
    """

    def __init__(self, room: Room, updates: int, words: int = 0, *, span_s: int = HOUR_S) -> None:
        self._room, self._span_s = room, span_s
        self._updates, self._words = updates or UNLIMITED, words or UNLIMITED
        self._left = self._updates, self._words
        self._emitted: deque[tuple[int, int, int]] = deque()  # (time, updates, words), one for each moment

    def receive(self, sentences: Sequence[Sentence], now: int) -> Sequence[Sentence]:
        """All of them; what is left of the budget is room from now on."""
        emitted = self._emitted
        while emitted and emitted[0][0] <= now - self._span_s:
            emitted.popleft()
        updates_left = self._updates - sum(number for _, number, _ in emitted)
        words_left = self._words - sum(words for _, _, words in emitted)
        self._left = self._room.updates, self._room.words = updates_left, words_left
        return sentences

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """What of these is within the budget."""
        updates_left, words_left = self._left
        kept: list[Output] = []
        updates = total = 0
        for output in outputs:
            if not isinstance(output, Update):
                kept.append(output)
                continue
            words = len(output.text.split())
            if updates < updates_left and total + words <= words_left:
                kept.append(output)
                updates += 1
                total += words
        if updates:
            self._emitted.append((now, updates, total))
        return kept

    def state(self) -> bytes:
        """What was emitted in the last hour."""
        return msgspec.msgpack.encode(list(self._emitted)) if self._emitted else b""

    def restore(self, data: bytes) -> None:
        """Become what gave `data`."""
        self._emitted = deque(msgspec.msgpack.decode(data, type=list[tuple[int, int, int]]) if data else ())
