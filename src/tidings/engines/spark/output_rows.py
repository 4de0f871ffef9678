"""Rows that come out: what the host of an event decided, and what only passes through."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import Struct

from tidings.engines.event_host import Decision, EventHost
from tidings.engines.settings import EngineSettings
from tidings.engines.spark.columns import Kind
from tidings.formats.own.outputs import output_line

__all__ = ["OutputRow", "hosted", "output_rows", "passed_on"]


class OutputRow(Struct, frozen=True):
    """A row of the outputs; see `columns.OUTPUTS`."""

    kind: str
    event: str = ""
    time: int = 0
    place: bytes = b""
    content: str = ""


@lru_cache(maxsize=4)
def hosted(packed: bytes) -> EventHost:
    """The host of these settings, one for each process."""
    return EventHost(EngineSettings.unpacked(packed))


def passed_on(kind: str, content: bytes) -> OutputRow:
    """A row that passes through."""
    return OutputRow(kind, content=content.decode())


def output_rows(event_id: str, decision: Decision, watermark: int) -> Iterator[OutputRow]:
    """What the host of an event decided."""
    for order, output in decision.outputs:
        place = msgspec.msgpack.encode(order)
        yield OutputRow(Kind.OUTPUT, event_id, output.time, place, _json(output_line(output)))
    for pair in decision.late:
        said = {"doc": pair.doc_id, "published_time": pair.time, "bound_time": watermark}
        yield OutputRow(Kind.LATE, event_id, pair.time, content=_json(said))
    if decision.refused:
        yield OutputRow(Kind.REFUSED, event_id, watermark, content=_json(decision.refused))


def _json(what: object) -> str:
    return msgspec.json.encode(what).decode()
