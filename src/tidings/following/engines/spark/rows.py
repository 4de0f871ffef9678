"""Rows between the stages: what the reading of documents gives for each task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from tidings.core import Document
from tidings.following.engines.offers import OfferReader
from tidings.following.engines.spark.columns import Kind

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Fault", "OfferRows", "Tally"]

_ROWS = 4000
_BYTES = 8 << 20
_PASSING = 8
"""Rows that are of no event go so many ways."""
_MICRO = 1_000_000


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
