"""Rows between the stages and rows that come out, and the columns of their frames as Spark names their types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from tidings.core import Document, Output
from tidings.following.engines.offers import OfferReader
from tidings.following.engines.settings import EngineSettings
from tidings.following.engines.shard_host import Decisions, Order, ShardHost
from tidings.following.outputs.outputs import output_line

if TYPE_CHECKING:
    import pyarrow as pa


DOCUMENTS = (
    "id string, published_time long, source string, title string, url string, language string, text string, "
    "sentences array<string>, ordinal long"
)
"""The columns that a frame of documents may have; `id`, `published_time`, and `text` or `sentences` it must."""

OFFERS = (
    "shard int, event string, kind string, time long, ordinal long, doc string, version long, moment timestamp, "
    "content binary"
)
"""What is brought to where events are followed: `shard` is the key, below 0 for what is of no event."""

OUTPUTS = "kind string, event string, time long, place binary, content string"
"""What comes out: `content` is JSON, for an output the line of a run file; sort a batch by `place`."""


KEPT = "kind string, event string, packed binary"
"""The same for the run's store: many outputs in one row, each with its place, as `output_rows` packs them."""

FILE_COLUMNS = "path string, modificationTime timestamp, length long, content binary"
"""What Spark says of files in a folder."""

ANY_AGE = "36500d"
"""Of files that are read: Spark by itself passes over those a week older than the latest."""


class Kind:
    """What a row is."""

    OFFER = "offer"
    TALLY = "tally"
    TIME = "time"
    """Says by its `moment` how far time has come, and no more: Spark drops it where the time has come further."""
    FAULT = "fault"
    CHANGE = "change"
    END = "end"
    OUTPUT = "output"
    OUTPUTS = "outputs"
    LATE = "late"
    REFUSED = "refused"


_EACH = 1000  # outputs in a row
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
def host_for(packed: bytes) -> ShardHost:
    """The host of these settings, one for each process."""
    return ShardHost(EngineSettings.unpacked(packed))


_json = msgspec.json.encode


_ROWS = 4000
_BYTES = 8 << 20
_PASSING = 8
"""Rows that are of no event go so many ways."""
_MICRO = 1_000_000  # Spark's times are in microseconds


class Fault(Struct, frozen=True):
    """A record that could not be read: where it stands, what was found, and what was expected."""

    where: str
    found: str
    expected: str = ""


class Tally(Struct, frozen=True):
    """What a task has read; `last_time` is the latest time among its documents (None: there were none)."""

    documents: int = 0
    sentences: int = 0
    languages: dict[str, int] = {}
    last_time: int | None = None
    files: int = 0


class OfferRows:
    """Gathers rows until there are enough for a batch of Arrow's."""

    def __init__(self, reader: OfferReader) -> None:
        self._reader = reader
        self._documents = self._faults = self._files = 0
        self._sentences_before = reader.sentences
        self._languages_before = dict(reader.languages)
        self._last_time: int | None = None
        self._rows: list[tuple[Any, ...]] = []
        self._size = 0

    def add(self, document: Document, ordinal: int) -> None:
        """Take what a document offers."""
        self._documents += 1
        time = document.published_time
        if self._last_time is None or time > self._last_time:
            self._last_time = time
        for shard, offer in self._reader.offers(document, ordinal):
            self._size += len(offer.packed)
            self._rows.append((shard, "", Kind.OFFER, *astuple(offer)[:4], None, offer.packed))

    def add_fault(self, fault: Fault) -> None:
        """Take what could not be read."""
        self._faults += 1
        self._rows.append(
            (
                -1 - self._faults % _PASSING,
                "",
                Kind.FAULT,
                0,
                0,
                "",
                0,
                None,
                msgspec.json.encode(fault),
            )
        )

    def count_file(self) -> None:
        """Note that a file was read to its end."""
        self._files += 1

    def ready(self) -> Iterator[pa.RecordBatch]:
        """A batch, where there is enough for one."""
        if len(self._rows) >= _ROWS or self._size >= _BYTES:
            yield self._batch()

    def rest(self) -> Iterator[pa.RecordBatch]:
        """What is left, with the count of all that was read."""
        before = self._languages_before
        counts = self._reader.languages
        tally = Tally(
            self._documents,
            self._reader.sentences - self._sentences_before,
            {
                name: count - before.get(name, 0)
                for name, count in counts.items()
                if count > before.get(name, 0)
            },
            self._last_time,
            self._files,
        )
        self._rows.append((-1, "", Kind.TALLY, 0, 0, "", 0, None, msgspec.json.encode(tally)))
        if self._last_time is not None:
            self._rows.append((-1, "", Kind.TIME, 0, 0, "", 0, self._last_time * _MICRO, b""))
        yield self._batch()

    def _batch(self) -> pa.RecordBatch:
        import pyarrow as pa

        columns = zip(*self._rows, strict=True)
        arrays = [pa.array(column, kind) for column, kind in zip(columns, _arrow_types(), strict=True)]
        self._rows, self._size = [], 0
        return pa.RecordBatch.from_arrays(arrays, names=list(_NAMES))


_NAMES = ("shard", "event", "kind", "time", "ordinal", "doc", "version", "moment", "content")


def _arrow_types() -> list[Any]:
    import pyarrow as pa

    return [
        pa.int32(),
        pa.string(),
        pa.string(),
        pa.int64(),
        pa.int64(),
        pa.string(),
        pa.int64(),
        pa.timestamp("us", tz="UTC"),
        pa.binary(),
    ]
