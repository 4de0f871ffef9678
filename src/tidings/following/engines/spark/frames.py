"""Frames: from documents to outputs, in the caller's own session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple

from tidings.core import Event, UsageError, document_call, fill_defaults
from tidings.following.engines.offers import Offer
from tidings.following.engines.settings import (
    EngineSettings,
    EventVersions,
    FixedEvents,
    NumberedEvents,
    VersionedEvents,
)
from tidings.following.engines.shard_host import Arrivals
from tidings.following.engines.shards import Shard
from tidings.following.engines.spark.rows import (
    ANY_AGE,
    FILE_COLUMNS,
    KEPT,
    OFFERS,
    OUTPUTS,
    Kind,
    OutputRow,
    host_for,
)
from tidings.following.engines.spark.stream_files import ControlRows, FileOffers, RecordOffers
from tidings.following.library.arguments import as_duration, as_interval
from tidings.following.run_options import RunOptions

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import Broadcast
    from pyspark.sql import DataFrame


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
        decisions = host_for(self._packed).take(Shard(), came, events=self._events, watermark=0)
        return _table(list(OutputRow.decided(decisions, 0)))


def _table(rows: list[OutputRow]) -> pa.Table:
    import pyarrow as pa

    names = list(OutputRow.__struct_fields__)
    kinds = (pa.string(), pa.string(), pa.int64(), pa.binary(), pa.string())
    columns = list(zip(*map(astuple, rows), strict=True)) or [()] * len(names)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    return pa.Table.from_arrays(arrays, names=names)


_SHARDS, _SHARDS_AT_ONCE = 64, 4096
"""Where all documents are there, a shard's offers are in memory at once: many shards, so that they are few."""
_FIELDS = ("id", "published_time", "source", "title", "url", "language", "text", "sentences", "events")


@document_call(RunOptions, "spark")
def follow_frame(frame: DataFrame, events: Sequence[Event] | EventVersions, **options: Any) -> DataFrame:
    """Follow events through a streaming frame of documents; gives a streaming frame of outputs.

    A frame that is no stream is followed to its end at once (a back-fill).

    Args:
        frame: documents in columns (`id`, `published_time` in seconds UTC or as a timestamp, `text` or `sentences`, and
            as wanted `source`, `title`, `url`, `language`), or as JSON in a column `value`, as Kafka gives them.
            `ordinal` puts documents of the same second in order; without it their ids do.
        events: what is followed; `EventVersions` where it is to change while the query runs.
        {options}

    Returns:
        A frame of `kind`, `event`, `time` (seconds UTC), `place` and `content` (JSON): of kind `output` what was
        decided, each as a line of a run file; `late` what came too late, `fault` what could not be read, `refused` a
        change of an event without effect, and `tally` what a task has read. Sorted by `place`, a batch's outputs are in
        the order in which one process gives them.

    Raises:
        UsageError: the columns, the system or the pace do not fit.
        TypeError: an option that there is not.
    """
    if not isinstance(events, EventVersions) and not events:
        raise UsageError("no events to follow (expected at least one)")
    for old in ("interval_s", "lateness_s"):  # as they were called one version ago
        if old in options:
            options[old.removesuffix("_s")] = options.pop(old)
    given = fill_defaults(RunOptions, "spark", options, "follow_frame")
    settings = with_model(
        EngineSettings(
            system=given["system"],
            about=given["about"] or "",
            interval_s=as_interval(given["interval"]),
            lateness_s=as_duration(given["lateness"], "lateness"),
            mixed=given["mixed"],
            support=given["support"],
            modules=tuple(given["modules"]),
            shards=_SHARDS if frame.isStreaming else _SHARDS_AT_ONCE,
        )
    )
    where = events if isinstance(events, EventVersions) else _sent_once(frame, events)
    offers = offers_of_records(document_records(frame), settings, where)
    if frame.isStreaming:
        if isinstance(events, EventVersions):
            offers = offers.unionByName(control_rows(_versions(frame, events), settings, events))
        return outputs_of(offers, settings, where)
    return outputs_at_once(offers, settings, where)


def _versions(frame: DataFrame, events: EventVersions) -> DataFrame:
    """The files of the versions, as they come."""
    files = frame.sparkSession.readStream.format("binaryFile").schema(FILE_COLUMNS)
    files = files.option("pathGlobFilter", "*.events").option("maxFileAge", ANY_AGE)
    return files.load(events.folder).select("path")


def _sent_once(frame: DataFrame, events: Sequence[Event]) -> VersionedEvents:
    """The events, sent to each worker once instead of with each task."""
    fixed = FixedEvents.of(events)
    context = getattr(frame.sparkSession, "sparkContext", None)
    return fixed if context is None else SentEvents(context.broadcast(fixed.packed))


class SentEvents:
    """Events that stay as they are, in a broadcast variable."""

    def __init__(self, packed: Broadcast[bytes]) -> None:
        self._packed = packed

    def of_batch(self, batch: str | None) -> NumberedEvents:
        """The same for all."""
        return self.of_version(0)

    def of_version(self, version: int) -> NumberedEvents:
        """The same for all."""
        return FixedEvents(self._packed.value).of_version(version)


def with_model(settings: EngineSettings) -> EngineSettings:
    """The settings with the digest of the model that the system has here; UsageError where it cannot be hosted."""
    from msgspec.structs import replace

    card = settings.decider().card
    return replace(settings, model=card.digest or "") if card is not None else settings


def document_records(frame: DataFrame) -> DataFrame:
    """The frame's documents as JSON in the column `value`, and beside it their `ordinal` where they have one."""
    from pyspark.sql import functions as F  # noqa: N812
    from pyspark.sql.types import TimestampType

    names = frame.columns
    beside = [F.col("ordinal").cast("long").alias("ordinal")] if "ordinal" in names else []
    if "topic" in names and "offset" in names:  # as Kafka has them
        place = F.concat_ws(":", F.col("topic"), F.col("partition"), F.col("offset"))
        beside.append(place.alias("origin"))
    if "value" in names and "id" not in names:
        return frame.select(F.col("value"), *beside)
    missing = [name for name in ("id", "published_time") if name not in names]
    if missing or not {"text", "sentences"} & set(names):
        raise UsageError(
            f"a frame of the columns {', '.join(names)} (expected id, published_time, and text or sentences, or "
            "documents as JSON in a column value)"
        )
    time = F.col("published_time")
    if isinstance(frame.schema["published_time"].dataType, TimestampType):
        time = F.unix_seconds(time)
    fields = [
        time.alias(name) if name == "published_time" else F.col(name) for name in _FIELDS if name in names
    ]
    return frame.select(F.to_json(F.struct(*fields)).alias("value"), *beside)


def offers_of_records(records: DataFrame, settings: EngineSettings, events: VersionedEvents) -> DataFrame:
    """What the documents of a frame offer to the events."""
    return records.mapInArrow(_call(RecordOffers(settings.packed(), events)), OFFERS)


def offers_of_files(files: DataFrame, settings: EngineSettings, events: VersionedEvents) -> DataFrame:
    """What the documents of files offer to the events; a row names a file, in `path`, or as JSON in `value`."""
    return files.mapInArrow(_call(FileOffers(settings.packed(), events)), OFFERS)


def control_rows(control: DataFrame, settings: EngineSettings, events: VersionedEvents) -> DataFrame:
    """What the driver says in between, in the column `value`, as rows of the offers."""
    return control.mapInArrow(_call(ControlRows(events, settings.shards, settings.partitions)), OFFERS)


def outputs_of(
    offers: DataFrame, settings: EngineSettings, events: VersionedEvents, *, packed: bool = False
) -> DataFrame:
    """What the followers of the events give for the offers, `packed` for the store; the one shuffle is here."""
    from tidings.following.engines.spark.processor import ShardProcessor
    from tidings.following.engines.spark.rows import KeptRow, OutputRow

    marked = offers.withWatermark("moment", f"{settings.lateness_s} seconds")
    processor = ShardProcessor(settings.packed(), events, KeptRow if packed else OutputRow)
    columns = KEPT if packed else OUTPUTS
    return marked.groupBy("shard").transformWithStateInPandas(processor, columns, "append", "eventTime")


def outputs_at_once(offers: DataFrame, settings: EngineSettings, events: VersionedEvents) -> DataFrame:
    """The same for documents all of which are there: no state is kept, and followers are asked for what they hold.

    The offers are written to the workers' disks, since the time of the last document has to be known first.
    """
    from pyspark import StorageLevel
    from pyspark.sql import functions as F  # noqa: N812

    kept = offers.persist(StorageLevel.DISK_ONLY)
    last = kept.agg(F.max(F.unix_seconds("moment"))).collect()[0][0]
    host = _called_with_key(GroupOutputs(settings.packed(), events, last))
    return kept.groupBy("shard").applyInArrow(host, OUTPUTS)


def _called_with_key(stage: Any) -> Any:
    def host(key: Any, table: Any) -> Any:
        return stage(key, table)

    return host


def _call(stage: Any) -> Any:
    # Spark asks for a function.
    def read(batches: Any) -> Any:
        return stage(batches)

    return read
