"""The stage behind the shuffle: one shard of events at a time, with what Spark keeps of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from tidings.engines.event_host import Place
from tidings.engines.pairs import Pair
from tidings.engines.shards import Arrivals, Shard, ShardHead, take_shard
from tidings.engines.spark.columns import Kind
from tidings.engines.spark.output_rows import OutputRow, hosted, output_rows, passed_on
from tidings.engines.versions import VersionedEvents

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql.streaming.stateful_processor import ExpiredTimerInfo, TimerValues

__all__ = ["ShardProcessor"]

_RESIDENT_BYTES = 256 << 20
_ROWS = 2000

_residents: OrderedDict[tuple[bytes, int], tuple[ShardHead, Shard]] = OrderedDict()
"""The shards that this worker had last, by settings and number."""


class ShardProcessor(StatefulProcessor):
    """Hosts the followers of the events of a shard; what Spark keeps is a head and the parts of each."""

    def __init__(self, packed: bytes, events: VersionedEvents) -> None:
        self._packed, self._events = packed, events

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Called by Spark once for each task."""
        self._handle = handle
        self._head = handle.getValueState("head", "head binary")
        self._parts = handle.getListState("parts", "part binary")

    def handleInputRows(  # noqa: N802
        self,
        key: Any,
        rows: Iterator[pd.DataFrame],
        timerValues: TimerValues,
    ) -> Iterator[pd.DataFrame]:
        """What came for the events of a shard in this batch."""
        shard = int(key[0])
        if shard < 0:
            for frame in rows:
                passed = zip(frame["kind"], frame["content"], strict=True)
                yield _frame([passed_on(kind, bytes(content)) for kind, content in passed])
            return
        arrivals: dict[str, Arrivals] = {}
        last_time: int | None = None
        for frame in rows:
            names = ("event", "kind", "time", "ordinal", "doc", "version", "content")
            for event_id, kind, time, ordinal, doc_id, version, content in zip(
                *(frame[name].tolist() for name in names), strict=True
            ):
                if kind == Kind.END:
                    last_time = time
                    continue
                came = arrivals.get(event_id)
                if came is None:
                    came = arrivals[event_id] = Arrivals(pairs=[])
                if kind == Kind.PAIR:
                    came.pairs.append(Pair(time, ordinal, doc_id, bytes(content)))
                    if came.place is None:
                        came.place = self._place(event_id, version)
                else:
                    came.change = self._place(event_id, version)
                    came.is_closed = came.change is None
        for came in arrivals.values():
            came.place = came.place or came.change
        yield from self._take(shard, arrivals, timerValues, last_time)

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: TimerValues,
        expiredTimerInfo: ExpiredTimerInfo,
    ) -> Iterator[pd.DataFrame]:
        """Time has come so far that something of the shard is due, though nothing may have come."""
        yield from self._take(int(key[0]), {}, timerValues, None, has_expired=True)

    def close(self) -> None:
        """Called by Spark at the end of each task."""

    def _place(self, event_id: str, version: int) -> Place | None:
        own = self._events.of_version(version).by_id.get(event_id)
        return None if own is None else Place(*own)

    def _take(
        self,
        number: int,
        arrivals: dict[str, Arrivals],
        timers: TimerValues,
        last_time: int | None,
        *,
        has_expired: bool = False,
    ) -> Iterator[pd.DataFrame]:
        head, shard = self._taken_up(number)
        watermark = max(timers.getCurrentWatermarkInMs(), 0) // 1000
        rows: list[OutputRow] = []
        for event_id, decision in take_shard(hosted(self._packed), shard, arrivals, watermark, last_time):
            rows += output_rows(event_id, decision, watermark)
            if len(rows) >= _ROWS:
                yield _frame(rows)
                rows = []
        self._keep(number, head, shard, has_expired=has_expired)
        if rows:
            yield _frame(rows)

    def _taken_up(self, number: int) -> tuple[ShardHead, Shard]:
        kept = self._head.get()
        # What is taken up stays out of memory until it is kept: a failure may leave it in the middle of something.
        resident = _residents.pop((self._packed, number), None)
        if kept is None:
            return ShardHead(), Shard()
        head = ShardHead.unpacked(bytes(kept[0]))
        if resident is not None and resident[0].token == head.token:
            return head, resident[1]
        return head, Shard.of((bytes(part[0]) for part in self._parts.get()), head)

    def _keep(self, number: int, before: ShardHead, shard: Shard, *, has_expired: bool) -> None:
        kept = shard.keep(before)
        if kept.is_snapshot:
            self._parts.put([(part,) for part in kept.parts])
        else:
            for part in kept.parts:
                self._parts.appendValue((part,))
        if kept.head != before:
            self._head.update((kept.head.packed(),))
        if kept.head.wakes != before.wakes:
            if before.wakes is not None and not has_expired:  # Spark lets go of those itself
                self._handle.deleteTimer(_moment(before.wakes))
            if kept.head.wakes is not None:
                self._handle.registerTimer(_moment(kept.head.wakes))
        _residents[(self._packed, number)] = (kept.head, shard)
        held = sum(head.snapshot + head.changes for head, _ in _residents.values())
        while held > _RESIDENT_BYTES and len(_residents) > 1:
            _, (gone, _) = _residents.popitem(last=False)
            held -= gone.snapshot + gone.changes


def _moment(due: int) -> int:
    """In milliseconds what a watermark of whole seconds passes when it is `due`, also where equal is not enough."""
    return (due - 1) * 1000 + 1


def _frame(rows: list[OutputRow]) -> pd.DataFrame:
    import pandas as pd

    names = OutputRow.__struct_fields__
    return pd.DataFrame({name: [getattr(row, name) for row in rows] for name in names})
