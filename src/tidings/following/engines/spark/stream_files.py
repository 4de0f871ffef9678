"""The stages before the shuffle: records or files read, checked, offered to the events, and dealt evenly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Struct

from tidings.core import BadRecordError, Document, FormatError, Problems, ReadingOptions, TidingsError
from tidings.following.engines.offers import OfferReader, shard_of
from tidings.following.engines.settings import EngineSettings, EventVersions, NumberedEvents, VersionedEvents
from tidings.following.engines.spark.rows import Fault, Kind, OfferRows
from tidings.sources import DocumentLine, build_document

if TYPE_CHECKING:
    import pyarrow as pa


_WORD = 0xFFFFFFFF
_SEED = 42
"""Of Spark's hash partitioning."""


def partition_of(key: int, partitions: int) -> int:
    """The partition to which Spark deals rows of a key that is an int: its Murmur3 (32 bits) modulo their number.

    >>> [partition_of(key, 4) for key in (12, 6, 2, 0)]
    [0, 1, 2, 3]
    """
    mixed = _multiply_turning(key & _WORD, 0xCC9E2D51, 15) * 0x1B873593 & _WORD
    hashed = (_rotate(_SEED ^ mixed, 13) * 5 + 0xE6546B64) & _WORD
    hashed ^= 4  # the bytes of an int
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        hashed = (hashed ^ hashed >> shift) * factor & _WORD
    hashed ^= hashed >> 16
    signed = hashed - (1 << 32) if hashed >> 31 else hashed
    return signed % partitions


def _multiply_turning(word: int, factor: int, bits: int) -> int:
    return _rotate(word * factor & _WORD, bits)


def _rotate(word: int, bits: int) -> int:
    return (word << bits | word >> (32 - bits)) & _WORD


@lru_cache(maxsize=64)
def shard_keys(shards: int, partitions: int) -> tuple[int, ...]:
    """Keys for so many shards, from 0 up, as many in each partition; 0 partitions: nobody knows how many there are.

    >>> keys = shard_keys(8, 4)
    >>> sorted(partition_of(key, 4) for key in keys)
    [0, 0, 1, 1, 2, 2, 3, 3]
    >>> shard_keys(3, 0)
    (0, 1, 2)
    """
    if not partitions:
        return tuple(range(shards))
    room = [shards // partitions + (number < shards % partitions) for number in range(partitions)]
    keys: list[int] = []
    key = 0
    while len(keys) < shards:
        partition = partition_of(key, partitions)
        if room[partition]:
            room[partition] -= 1
            keys.append(key)
        key += 1
    return tuple(keys)


def key_of(event_id: str, shards: int, partitions: int) -> int:
    """The key of the shard that an event belongs to."""
    return shard_keys(shards, partitions)[shard_of(event_id, shards)]


_SAID = re.compile(r"(\S[^\n]*?): ((?:(?! \(expected ).)*)(?: \(expected (.*?)\))?(?:[;:] .*)?", re.DOTALL)
_LONGEST_RECORD = 16 << 20
_FAULTS_KEPT = 1000
_STREAM_SHIFT = 40
"""Documents of one stream are numbered below 2^40, so that those of the first stream come first."""


class StreamFile(Struct, frozen=True, omit_defaults=True):
    """A stream that one task reads.

    `number` is the place of the stream among all, None where only the documents' ids put those of one time in order.
    Files of other people's formats stand together in `beside`: an item may be in several of them.
    """

    path: str
    beside: tuple[str, ...] = ()
    number: int | None = None
    pool: str = "sampled"
    reading: ReadingOptions = ReadingOptions()


def current_batch() -> str | None:
    """The number of the batch that this task belongs to; None outside of a streaming query."""
    from pyspark import TaskContext

    context = TaskContext.get()
    return None if context is None else context.getLocalProperty("streaming.sql.batchId")


class _Stage:
    # What a task needs to offer documents to events; made on the driver, called on workers.

    def __init__(self, packed: bytes, events: VersionedEvents) -> None:
        self._packed, self._events = packed, events

    def rows(self) -> OfferRows:
        return OfferRows(_reader(self._packed, _Key(self._events.of_batch(current_batch()))))


class _Key:
    # Events as a key of a cache: by identity, since a version's are the same object as long as they are kept.

    def __init__(self, events: NumberedEvents) -> None:
        self.events = events

    def __hash__(self) -> int:
        return id(self.events)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.events is self.events


@lru_cache(maxsize=2)
def _reader(packed: bytes, key: _Key) -> OfferReader:
    settings, events = EngineSettings.unpacked(packed), key.events
    return OfferReader(
        events.events,
        settings.decider(),
        mixed=settings.mixed,
        home=partial(key_of, shards=settings.shards, partitions=settings.partitions),
        version=events.version,
    )


class RecordOffers(_Stage):
    """Offers of records that are documents as JSON, in the column `value`; `ordinal` and `origin` may stand beside."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Those of one task."""
        rows = self.rows()
        for batch in batches:
            names = batch.schema.names
            values = batch.column("value").to_pylist()
            ordinals = batch.column("ordinal").to_pylist() if "ordinal" in names else [None] * len(values)
            origins = batch.column("origin").to_pylist() if "origin" in names else ["record"] * len(values)
            for value, ordinal, origin in zip(values, ordinals, origins, strict=True):
                document = _read_record(value, origin or "record")
                if isinstance(document, Fault):
                    rows.add_fault(document)
                else:
                    rows.add(document, ordinal or 0)
                yield from rows.ready()
        yield from rows.rest()


_decode = msgspec.json.Decoder(DocumentLine).decode


def _read_record(value: str | bytes | None, origin: str) -> Document | Fault:
    if value is None:
        return Fault(origin, "no value", "a document as JSON")
    if len(value) > _LONGEST_RECORD:
        return Fault(origin, f"a record of {len(value):,} bytes", f"{_LONGEST_RECORD:,} at most")
    try:
        return build_document(_decode(value))
    except BadRecordError as error:
        return Fault(origin, error.found, error.expected)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        return Fault(
            origin,
            f"{value[:80]!r} ({error})",
            "a document as JSON: id, published_time, and text or sentences",
        )


class FileOffers(_Stage):
    """Offers of the documents in files, whatever tidings reads; a row names one, as JSON in `value` or a `path`."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Those of one task."""
        rows = self.rows()
        for batch in batches:
            column = "path" if "path" in batch.schema.names else "value"
            for value in batch.column(column).to_pylist():
                yield from _read_file(_stream_file(value, column), rows)
        yield from rows.rest()


def _stream_file(value: str, column: str) -> StreamFile:
    if column == "value":
        return msgspec.json.decode(value, type=StreamFile)
    parts = urlsplit(value)
    return StreamFile(unquote(parts.path) if parts.scheme == "file" else value)


def _read_file(file: StreamFile, rows: OfferRows) -> Iterator[pa.RecordBatch]:
    from tidings.following.hosting.sources import read_any, refuse_url
    from tidings.sources import open_reading

    problems = Problems(lenient=True, keep=_FAULTS_KEPT)
    number = file.number
    try:
        refuse_url(file.path, "a file of documents")
        documents = read_any(file.path, file.pool, problems, file.reading)
        if file.beside:
            documents = open_reading(
                [file.path, *file.beside], file.reading, problems=problems, pool=file.pool
            )
        for at, document in enumerate(documents, start=1):
            rows.add(document, 0 if number is None else (number << _STREAM_SHIFT) + at)
            yield from rows.ready()
    except FormatError as error:
        for problem in error.problems:
            rows.add_fault(Fault(f"{problem.path}:{problem.line}", problem.found, problem.expected))
    except (TidingsError, OSError) as error:
        rows.add_fault(_end_fault(file.path, str(error)))
    for problem in problems.kept:
        rows.add_fault(Fault(f"{problem.path}:{problem.line}", problem.found, problem.expected))
    if problems.count > len(problems.kept):
        more = problems.count - len(problems.kept)
        rows.add_fault(Fault(file.path, f"{more:,} more bad lines", "as above"))
    rows.count_file()


def _end_fault(path: str, words: str) -> Fault:
    """What ended the reading of a file before its end.

    >>> _end_fault("a.jsonl", "a.jsonl:7: a line of more than 16 MiB (expected one record a line); check it").where
    'a.jsonl:7'
    """
    where, found, expected = path, words, "a file that can be read"
    said = _SAID.fullmatch(words)
    if said is not None:
        where, found, expected = said[1], said[2], said[3] or expected
    return Fault(where, f"{found}; what follows in this file was not read", expected)


class ControlRows:
    """What the driver says in between: that events have changed, or that the stream has ended; as rows of the offers.

    A row says so as JSON in `value`, or names in `path` the file of a version of the events.
    """

    def __init__(self, events: VersionedEvents, shards: int, partitions: int) -> None:
        self._events, self._shards, self._partitions = events, shards, partitions

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Those of one task."""
        import pyarrow as pa

        for batch in batches:
            is_path = "path" in batch.schema.names
            for value in batch.column("path" if is_path else "value").to_pylist():
                rows = list(self._rows(self._of_version(value) if is_path else msgspec.json.decode(value)))
                if not rows:
                    continue
                keys, events, kinds, times, versions = (list(column) for column in zip(*rows, strict=True))
                none = [0] * len(rows)
                yield pa.RecordBatch.from_arrays(
                    [
                        pa.array(keys, pa.int32()),
                        pa.array(events, pa.string()),
                        pa.array(kinds, pa.string()),
                        pa.array(times, pa.int64()),
                        pa.array(none, pa.int64()),
                        pa.array([""] * len(rows), pa.string()),
                        pa.array(versions, pa.int64()),
                        pa.array([None] * len(rows), pa.timestamp("us", tz="UTC")),
                        pa.array([b""] * len(rows), pa.binary()),
                    ],
                    names=[
                        "shard",
                        "event",
                        "kind",
                        "time",
                        "ordinal",
                        "doc",
                        "version",
                        "moment",
                        "content",
                    ],
                )

    def _of_version(self, path: str) -> dict[str, Any]:
        events, version = self._events, int(PurePosixPath(urlsplit(path).path).stem)
        changed = events.changed_in(version) if isinstance(events, EventVersions) and version else ()
        return {"changed": changed, "version": version}

    def _rows(self, said: dict[str, Any]) -> Iterator[tuple[int, str, str, int, int]]:
        if "end" in said:
            for shard in shard_keys(self._shards, self._partitions):
                yield shard, "", Kind.END, said["end"], said["version"]
        else:
            for event_id in said["changed"]:
                key = key_of(event_id, self._shards, self._partitions)
                yield key, event_id, Kind.CHANGE, 0, said["version"]
