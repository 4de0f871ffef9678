"""The stage behind the shuffle: one event at a time, with what Spark keeps of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict
from pyspark.sql import Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from tidings.engines.event_host import Place
from tidings.engines.pairs import Pair
from tidings.engines.spark.columns import Kind
from tidings.engines.spark.output_rows import hosted, is_own, output_rows, passed_on
from tidings.engines.versions import VersionedEvents

if TYPE_CHECKING:
    from pyspark.sql.streaming.stateful_processor import ExpiredTimerInfo, TimerValues

__all__ = ["EventProcessor"]


class EventProcessor(StatefulProcessor):
    """Hosts the followers of the events whose rows come to it; its state is one binary value for each event."""

    def __init__(self, packed: bytes, events: VersionedEvents) -> None:
        self._packed, self._events = packed, events

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Called by Spark once for each task."""
        self._handle = handle
        self._state = handle.getValueState("event", "state binary")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: TimerValues) -> Iterator[Row]:  # noqa: N802
        """What came for one event in this batch."""
        event_id = key[0]
        if is_own(event_id):
            for row in rows:
                yield Row(**asdict(passed_on(row.kind, bytes(row.content))))
            return
        pairs: list[Pair] = []
        change = last_time = version = None
        for row in rows:
            if row.kind == Kind.PAIR:
                pairs.append(Pair(row.time, row.ordinal, row.doc, bytes(row.content)))
                version = max(version or 0, row.version)
            elif row.kind == Kind.CHANGE:
                change = max(change or 0, row.version)
            else:
                last_time = row.time
        now = place = None
        if change is not None:
            now = self._place(event_id, change)
        if version is not None:
            place = self._place(event_id, version) or now
        yield from self._decide(
            event_id,
            timerValues,
            pairs,
            place=place,
            change=now,
            is_closed=change is not None and now is None,
            last_time=last_time,
        )

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: TimerValues,
        expiredTimerInfo: ExpiredTimerInfo,
    ) -> Iterator[Row]:
        """Time has come so far that something of the event is due, though nothing may have come."""
        yield from self._decide(key[0], timerValues, [], has_expired=True)

    def close(self) -> None:
        """Called by Spark at the end of each task."""

    def _place(self, event_id: str, version: int) -> Place | None:
        own = self._events.of_version(version).by_id.get(event_id)
        return None if own is None else Place(*own)

    def _decide(
        self, event_id: str, timers: TimerValues, pairs: list[Pair], *, has_expired: bool = False, **what: Any
    ) -> Iterator[Row]:
        kept = self._state.get()
        data = None if kept is None else bytes(kept[0])
        watermark = max(timers.getCurrentWatermarkInMs(), 0) // 1000
        decision = hosted(self._packed).take(data, pairs, watermark=watermark, **what)
        if decision.state is None:
            if data is not None:
                self._state.clear()
        elif decision.state != data:
            self._state.update((decision.state,))
        if decision.wakes != decision.woke:
            if decision.woke is not None and not has_expired:  # Spark lets go of those itself
                self._handle.deleteTimer(_moment(decision.woke))
            if decision.wakes is not None:
                self._handle.registerTimer(_moment(decision.wakes))
        for row in output_rows(event_id, decision, watermark):
            yield Row(**asdict(row))


def _moment(due: int) -> int:
    """In milliseconds what a watermark of whole seconds passes when it is `due`, also where equal is not enough."""
    return (due - 1) * 1000 + 1
