"""Rows that come out: what the host of a shard decided, and what only passes through."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

import msgspec
from msgspec import Struct

from tidings.core import Output
from tidings.following.engines.settings import EngineSettings
from tidings.following.engines.shard_host import Decisions, Order, ShardHost
from tidings.following.engines.spark.columns import Kind
from tidings.following.outputs.outputs import output_line

__all__ = ["KeptRow", "OutputRow", "PackedOutputs", "hosted", "unpack_outputs"]

_EACH = 1000
PackedOutputs: TypeAlias = list[tuple[Order, Output]]


class OutputRow(Struct, frozen=True):
    """A row of the outputs, for others to read; see `columns.OUTPUTS`."""

    kind: str
    event: str = ""
    time: int = 0
    place: bytes = b""
    content: str = ""

    @staticmethod
    def passed_on(kind: str, content: bytes) -> OutputRow:
        """A row that passes through."""
        return OutputRow(kind, content=content.decode())

    @staticmethod
    def decided(decisions: Decisions, watermark: int) -> Iterator[OutputRow]:
        """What the host of a shard decided: each output by itself."""
        for order, output in decisions.outputs:
            place = msgspec.msgpack.encode(order)
            yield OutputRow(
                Kind.OUTPUT, output.event_id, output.time, place, _json(output_line(output)).decode()
            )
        for kind, event_id, time, content in _beside(decisions, watermark):
            yield OutputRow(kind, event_id, time, content=content.decode())


class KeptRow(Struct, frozen=True):
    """A row of the outputs, for the run's store; see `columns.KEPT`."""

    kind: str
    event: str = ""
    packed: bytes = b""

    @staticmethod
    def passed_on(kind: str, content: bytes) -> KeptRow:
        """A row that passes through."""
        return KeptRow(kind, packed=content)

    @staticmethod
    def decided(decisions: Decisions, watermark: int) -> Iterator[KeptRow]:
        """What the host of a shard decided: many outputs together."""
        outputs = decisions.outputs
        for at in range(0, len(outputs), _EACH):
            yield KeptRow(Kind.OUTPUTS, packed=msgspec.msgpack.encode(outputs[at : at + _EACH]))
        for kind, event_id, _, content in _beside(decisions, watermark):
            yield KeptRow(kind, event_id, content)


def _beside(decisions: Decisions, watermark: int) -> Iterator[tuple[str, str, int, bytes]]:
    for event_id, offer in decisions.late:
        said = {"doc": offer.doc_id, "published_time": offer.time, "bound_time": decisions.bound}
        yield Kind.LATE, event_id, offer.time, _json(said)
    for event_id, words in decisions.refused:
        yield Kind.REFUSED, event_id, watermark, _json(words)


unpack_outputs = msgspec.msgpack.Decoder(PackedOutputs).decode
"""The outputs of a `KeptRow`, each with its place."""


@lru_cache(maxsize=4)
def hosted(packed: bytes) -> ShardHost:
    """The host of these settings, one for each process."""
    return ShardHost(EngineSettings.unpacked(packed))


_json = msgspec.json.encode
