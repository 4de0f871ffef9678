"""The stage behind the shuffle where all documents are there: each event followed to its end in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from tidings.engines.event_host import Place
from tidings.engines.pairs import Pair
from tidings.engines.spark.output_rows import OutputRow, hosted, output_rows, passed_on
from tidings.engines.versions import VersionedEvents

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["GroupOutputs"]


class GroupOutputs:
    """The outputs of one event, of all its pairs; `last_time` is that of the last of all documents (None: no such)."""

    def __init__(self, packed: bytes, events: VersionedEvents, last_time: int | None) -> None:
        self._packed, self._events, self._last_time = packed, events, last_time

    def __call__(self, key: tuple[Any, ...], table: pa.Table) -> pa.Table:
        """Those of the event of this key."""
        event_id = key[1].as_py()
        if key[0].as_py() < 0:
            kinds, contents = table.column("kind").to_pylist(), table.column("content").to_pylist()
            return _table([passed_on(kind, content) for kind, content in zip(kinds, contents, strict=True)])
        names = ("time", "ordinal", "doc", "content")
        pairs = [Pair(*row) for row in zip(*(table.column(name).to_pylist() for name in names), strict=True)]
        events = self._events.of_batch(None)
        place = Place(*events.by_id[event_id])
        decision = hosted(self._packed).take(None, pairs, place=place, last_time=self._last_time)
        return _table(list(output_rows(event_id, decision, 0)))


def _table(rows: list[OutputRow]) -> pa.Table:
    import pyarrow as pa

    names = list(OutputRow.__struct_fields__)
    kinds = (pa.string(), pa.string(), pa.int64(), pa.binary(), pa.string())
    columns = list(zip(*map(astuple, rows), strict=True)) or [()] * len(names)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return pa.Table.from_arrays(arrays, names=names)
