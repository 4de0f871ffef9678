"""Any system at a pace: its follower offers its scores to a gate, or has what it tells gated by confidence."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tidings.core import (
    Budget,
    BudgetedDecider,
    Event,
    Follower,
    Interest,
    Output,
    PacedDecider,
    Sentence,
    System,
    Update,
    UsageError,
)
from tidings.following.systems.base import QuerySystem, WrappedSystem, innermost
from tidings.following.systems.budget import BudgetedFollower, BudgetedSystem
from tidings.following.systems.pace.gate import PaceGate
from tidings.following.systems.pace.schedules import Pace


class PacedSystem(WrappedSystem, frozen=True):
    """A system at a pace.

    `period` are the first and the last time of the stream, for a pace in all: an event counts within it. Each may be
    None where it is not known; an event's own times do then.
    """

    pace: Pace
    period: tuple[int | None, int | None] = (None, None)

    @property
    def limit(self) -> Pace:
        """The pace."""
        return self.pace

    def interest(self, event: Event) -> Interest | None:
        """What interests the system inside, in whole documents: where matches do not suffice it looks around them.

        One that asks for a match with the query is content then with one that takes several sentences of a document.
        """
        interest = self.system.interest(event)
        if interest is None or self.pace.is_ceiling:
            return interest
        need = 1 if isinstance(innermost(self.system), QuerySystem) else interest.need
        return msgspec.structs.replace(interest, whole=True, need=need)

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`; raises UsageError for a pace in all of an event without a known period."""
        if self.pace.is_ceiling:
            budget = Budget(updates_per_hour=int(self.pace.count))
            return BudgetedFollower(self.system.start(event), budget, span_s=self.pace.unit_s)
        return PacedFollower(self.system.start(event), PaceGate(self.pace, *self.period_of(event)))

    def period_of(self, event: Event) -> tuple[int | None, int | None]:
        """From when to when the event is followed, as far as that is known.

        Raises:
            UsageError: the pace needs to know more than is known.
        """
        first, last = self.period
        starts = [time for time in (event.start_time, first) if time is not None]
        ends = [time for time in (event.end_time, last) if time is not None]
        start, end = max(starts, default=None), min(ends, default=None)
        if self.pace.is_total and (start is None or end is None):
            missing = "end" if start is not None else "beginning" if end is not None else "period"
            raise UsageError(
                f"a pace of {self.pace.about} updates in all for event {event.id!r}, whose {missing} is not "
                "known (expected one): give the event a start and an end, a stream that can be read twice, "
                "or a pace such as 10/day"
            )
        return start, end


class PacedFollower:
    """Opens the gate at each push, and gates by its confidence whatever the follower inside does not offer to it.

    A follower with a method `keep_pace(gate)` is given the gate: it offers the score of each of its candidates, and
    tells those that the gate admits. Of any other follower the gate admits some of the updates that it gives.
    """

    def __init__(self, inner: Follower, gate: PaceGate) -> None:
        self._inner = inner
        self._gate = gate
        self._offers = isinstance(inner, PacedDecider)
        if isinstance(inner, PacedDecider):
            inner.keep_pace(gate)

    def allow(self, updates: int, words: int) -> None:
        """Let the follower inside plan for the room that a budget leaves, where it can."""
        if isinstance(self._inner, BudgetedDecider):
            self._inner.allow(updates, words)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        """What the follower inside tells, at the pace."""
        self._gate.open(now)
        return self._gated(self._inner.push(sentences, now))

    def finish(self, now: int) -> list[Output]:
        """What the follower inside still tells at the end, at the pace."""
        self._gate.open(now)
        return self._gated(self._inner.finish(now))

    def _gated(self, outputs: Sequence[Output]) -> list[Output]:
        if self._offers:
            return list(outputs)
        return [output for output in outputs if not isinstance(output, Update) or self._admits(output)]

    def _admits(self, update: Update) -> bool:
        if not self._gate.admits(update.confidence, update.doc_id):
            return False
        self._gate.count_update()
        return True

    def state(self) -> bytes:
        """What the gate remembers, and the state of the follower inside."""
        return msgspec.msgpack.encode((self._gate.state(), self._inner.state()))

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        gate, inner = msgspec.msgpack.decode(data, type=tuple[bytes, bytes])
        self._gate.restore(gate)
        self._inner.restore(inner)


def with_pace(system: System, about: str) -> System:
    """The system at a pace; "" leaves it as it is.

    Raises:
        UsageError: no pace, or the system has another one already.

    >>> from tidings.following.systems import make
    >>> with_pace(make("cosine:updates_per_hour=6"), "10/day").spec
    'cosine:about=10/day,updates_per_hour=6'
    """
    pace = Pace(about=about)
    if not pace.about:
        return system
    if isinstance(system, BudgetedSystem):
        return BudgetedSystem(with_pace(system.system, about), system.budget)
    if not isinstance(system, PacedSystem):
        return PacedSystem(system, pace)
    if system.pace != pace:
        raise UsageError(
            f"a pace of {pace.about} for {system.spec}, which has one of its own (expected one of the two)"
        )
    return system


def needs_period(system: System) -> bool:
    """Whether the system is at a pace in all, so that the period of what it follows must be known."""
    if isinstance(system, BudgetedSystem):
        return needs_period(system.system)
    return isinstance(system, PacedSystem) and system.pace.is_total


def with_period(system: System, first: int | None, last: int | None) -> System:
    """The system, told the first and the last time of the stream where it is at a pace in all."""
    if isinstance(system, BudgetedSystem):
        return BudgetedSystem(with_period(system.system, first, last), system.budget)
    if isinstance(system, PacedSystem) and system.pace.is_total:
        return PacedSystem(system.system, system.pace, (first, last))
    return system
