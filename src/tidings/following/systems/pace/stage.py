"""Any system at a pace: its follower offers its scores to a gate, or has what it emits gated by confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from tidings.core import Event, Interest, Output, Sentence, System, Update, UsageError
from tidings.following.systems.base import QuerySystem
from tidings.following.systems.pace.gate import PaceGate
from tidings.following.systems.pace.schedules import Pace
from tidings.following.systems.stages import BudgetFollower, Period, Stage, StageFollower, Surroundings


class AtPace(Pace, Stage, frozen=True, kw_only=True):
    """About how many updates are emitted, in a day or an hour that has news, or in all."""

    stage: ClassVar[str] = "pace"
    remembers: ClassVar[str] = "the latest scores, what is due and what was emitted"

    def interest(self, event: Event, inner: Interest | None, system: System) -> Interest | None:
        """What interests the system inside, in whole documents: where matches do not suffice it looks around them.

        One that asks for a match with the query is content then with one that takes several sentences of a document.
        """
        if inner is None or self.is_ceiling:
            return inner
        return replace(inner, whole=True, need=1 if isinstance(system, QuerySystem) else inner.need)

    def start(self, event: Event, surroundings: Surroundings) -> StageFollower:
        """What holds an event near the pace; UsageError for a pace in all of one without a known period."""
        if self.is_ceiling:
            return BudgetFollower(surroundings.room, int(self.count), span_s=self.unit_s)
        first, last = self.period_of(event, surroundings.period)
        follower = PaceFollower(self, first, last, is_heeded="gate" in surroundings.heeds)
        surroundings.gate = follower.gate
        return follower

    def period_of(self, event: Event, period: Period) -> Period:
        """From when to when an event is followed in a stream of this period, as far as that is known.

        Raises:
            UsageError: the pace needs to know more than is known.
        """
        first, last = period
        starts = [time for time in (event.start_time, first) if time is not None]
        ends = [time for time in (event.end_time, last) if time is not None]
        start, end = max(starts, default=None), min(ends, default=None)
        if self.is_total and (start is None or end is None):
            missing = "end" if start is not None else "beginning" if end is not None else "period"
            raise UsageError(
                f"a pace of {self.about} updates in all for event {event.id!r}, whose {missing} is not "
                "known (expected one): give the event a start and an end, a stream that can be read twice, "
                "or a pace such as 10/day"
            )
        return start, end


class PaceFollower(StageFollower):
    """Opens the gate at each push, and gates by its confidence whatever the follower inside does not offer to it."""

    def __init__(self, pace: Pace, start: int | None, end: int | None, *, is_heeded: bool) -> None:
        self._begun = pace, start, end
        self._is_heeded = is_heeded
        self.gate = PaceGate(pace, start, end)

    def receive(self, sentences: Sequence[Sentence], now: int) -> Sequence[Sentence]:
        """All of them."""
        self.gate.open(now)
        return sentences

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """Those that the gate admits, or has admitted."""
        if self._is_heeded:
            return outputs
        return [output for output in outputs if not isinstance(output, Update) or self._admits(output)]

    def _admits(self, update: Update) -> bool:
        if not self.gate.admits(update.confidence, update.doc_id):
            return False
        self.gate.count_update()
        return True

    def state(self) -> bytes:
        """What the gate remembers."""
        return self.gate.state()

    def restore(self, data: bytes) -> None:
        """Become what gave `data`."""
        self.gate.restore(data or PaceGate(*self._begun).state())
