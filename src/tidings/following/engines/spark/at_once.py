"""The stage behind the shuffle where all documents are there: a shard followed to its end in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from tidings.following.engines.offers import Offer
from tidings.following.engines.shard_host import Arrivals
from tidings.following.engines.shards import Shard
from tidings.following.engines.spark.columns import Kind
from tidings.following.engines.spark.output_rows import OutputRow, hosted
from tidings.following.engines.versions import VersionedEvents

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["GroupOutputs"]


class GroupOutputs:
    """The outputs of a shard, of all its offers; `last_time` is that of the last of all documents (None: no such)."""

    def __init__(self, packed: bytes, events: VersionedEvents, last_time: int | None) -> None:
        self._packed, self._events, self._last_time = packed, events, last_time

    def __call__(self, key: tuple[Any, ...], table: pa.Table) -> pa.Table:
        """Those of the shard of this key."""
        if key[0].as_py() < 0:
            kinds, contents = table.column("kind").to_pylist(), table.column("content").to_pylist()
            return _table(
                [
                    OutputRow.passed_on(kind, content)
                    for kind, content in zip(kinds, contents, strict=True)
                    if kind != Kind.TIME
                ]
            )
        names = ("time", "ordinal", "doc", "version", "content")
        rows = zip(*(table.column(name).to_pylist() for name in names), strict=True)
        came = Arrivals([Offer(*row) for row in rows], last_time=self._last_time)
        decisions = hosted(self._packed).take(Shard(), came, events=self._events, watermark=0)
        return _table(list(OutputRow.decided(decisions, 0)))


def _table(rows: list[OutputRow]) -> pa.Table:
    import pyarrow as pa

    names = list(OutputRow.__struct_fields__)
    kinds = (pa.string(), pa.string(), pa.int64(), pa.binary(), pa.string())
    columns = list(zip(*map(astuple, rows), strict=True)) or [()] * len(names)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return pa.Table.from_arrays(arrays, names=names)
