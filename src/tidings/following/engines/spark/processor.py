"""The stage behind the shuffle: one shard of events at a time, with what Spark keeps of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from tidings.following.engines.offers import Offer
from tidings.following.engines.settings import VersionedEvents
from tidings.following.engines.shard_host import Arrivals, ShardHost
from tidings.following.engines.shards import Shard, ShardHead, pack_head, unpack_head
from tidings.following.engines.spark.rows import KeptRow, Kind, OutputRow, host_for

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql.streaming.stateful_processor import ExpiredTimerInfo, TimerValues


_RESIDENT_BYTES = 256 << 20  # of shards that stay in memory between batches
_ROWS = 2000  # in one frame handed to Spark
_COLUMNS = ("event", "kind", "time", "ordinal", "doc", "version", "content")

_residents: OrderedDict[tuple[bytes, int], tuple[ShardHead, Shard]] = OrderedDict()
"""The shards that this worker had last, by settings and number."""


class ShardProcessor(StatefulProcessor):
    """Hosts the followers of the events of a shard; what Spark keeps is a head and the parts of each.

    `row` says how outputs leave: one by one, or packed for the store.
    """

    def __init__(
        self, packed: bytes, events: VersionedEvents, row: type[OutputRow | KeptRow] = OutputRow
    ) -> None:
        self._packed, self._events, self._row = packed, events, row

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
                yield self._frame(
                    [
                        self._row.passed_on(kind, bytes(content))
                        for kind, content in passed
                        if kind != Kind.TIME
                    ]
                )
            return
        came = Arrivals()
        for frame in rows:
            for event_id, kind, time, ordinal, doc_id, version, content in zip(
                *(frame[name].tolist() for name in _COLUMNS), strict=True
            ):
                if kind == Kind.OFFER:
                    came.offers.append(Offer(time, ordinal, doc_id, version, bytes(content)))
                elif kind == Kind.CHANGE:
                    came.changes[event_id] = max(version, came.changes.get(event_id, version))
                else:
                    came.last_time = time
        yield from self._take(shard, came, timerValues)

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: TimerValues,
        expiredTimerInfo: ExpiredTimerInfo,
    ) -> Iterator[pd.DataFrame]:
        """Time has come so far that something of the shard is due, though nothing may have come."""
        yield from self._take(int(key[0]), Arrivals(), timerValues, has_expired=True)

    def close(self) -> None:
        """Called by Spark at the end of each task."""

    def _take(
        self, number: int, came: Arrivals, timers: TimerValues, *, has_expired: bool = False
    ) -> Iterator[pd.DataFrame]:
        host = host_for(self._packed)
        head, shard = self._taken_up(number, host.identity)
        # Times are whole seconds: in the middle of one all that is of it, too, has come.
        watermark = -(-max(timers.getCurrentWatermarkInMs(), 0) // 1000)
        decisions = host.take(shard, came, events=self._events, watermark=watermark)
        rows: list[OutputRow | KeptRow] = []
        for row in self._row.decided(decisions, watermark):
            rows.append(row)
            if len(rows) >= _ROWS:
                yield self._frame(rows)
                rows = []
        self._keep(number, head, shard, host, has_expired=has_expired)
        if rows:
            yield self._frame(rows)

    def _taken_up(self, number: int, identity: bytes) -> tuple[ShardHead, Shard]:
        kept = self._head.get()
        # What is taken up stays out of memory until it is kept: a failure may leave it in the middle of something.
        resident = _residents.pop((self._packed, number), None)
        if kept is None:
            return ShardHead(), Shard()
        head, version = unpack_head(bytes(kept[0]), identity)
        if resident is not None and resident[0].token == head.token:
            # What changes nothing but this has no token of its own.
            resident[1].decided = head.decided
            return head, resident[1]
        return head, Shard.of((bytes(part[0]) for part in self._parts.get()), head, version)

    def _keep(
        self, number: int, before: ShardHead, shard: Shard, host: ShardHost, *, has_expired: bool
    ) -> None:
        kept = shard.keep(before, host.due)
        if kept.is_snapshot:
            self._parts.put([(part,) for part in kept.parts])
        else:
            for part in kept.parts:
                self._parts.appendValue((part,))
        if kept.head != before:
            self._head.update((pack_head(kept.head, host.identity),))
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

    def _frame(self, rows: Sequence[OutputRow | KeptRow]) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(
            {name: [getattr(row, name) for row in rows] for name in self._row.__struct_fields__}
        )


def _moment(due: int) -> int:
    """In milliseconds what a watermark of whole seconds passes when it is `due`, also where equal is not enough."""
    return (due - 1) * 1000 + 1
