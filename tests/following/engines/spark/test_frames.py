"""Following frames in the caller's own session: those of a stream, and those that are all there at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from tests.following.engines.spark.runs import BUNDLED
from tests.following.engines.streams import EVENTS, documents, locally
from tidings.core.records import Event, Output
from tidings.following.engines.settings import EngineSettings, EventVersions
from tidings.following.engines.shard_host import Order
from tidings.following.engines.spark.frames import follow_frame
from tidings.following.engines.spark.rows import DOCUMENTS, Kind
from tidings.following.outputs.outputs import output_line
from tidings.sources.streams import read_events, read_stream

pytestmark = pytest.mark.spark

FERRY = Event(id="ferry", title="Ferry", query="ferry")
STORM = Event(id="storm", title="Storm", query="storm")


def lines_of(rows: list[Any]) -> list[dict[str, Any]]:
    told = [row for row in rows if row.kind == Kind.OUTPUT]
    told.sort(key=lambda row: Order(*msgspec.msgpack.decode(bytes(row.place))))
    return [json.loads(row.content) for row in told]


def as_lines(outputs: list[Output]) -> list[dict[str, Any]]:
    return json.loads(msgspec.json.encode([output_line(output) for output in outputs]))


def test_documents_that_are_all_there(session: Any) -> None:
    """A back-fill, in columns."""
    stream = documents(60, seed=3)
    rows = [
        (one.id, one.published_time, one.sentences[0].source, [said.text for said in one.sentences])
        for one in stream
    ]
    frame = session.createDataFrame(
        rows, "id string, published_time long, source string, sentences array<string>"
    )
    expected = locally(stream, EngineSettings(system="cosine:overlap=1"))
    assert expected
    found = follow_frame(frame.repartition(3), EVENTS, system="cosine:overlap=1").collect()
    assert lines_of(found) == as_lines(expected)


def test_records_of_a_queue(session: Any) -> None:
    """By the columns that Kafka's frames have; what cannot be read is named by its place there."""
    lines = (BUNDLED / "documents.jsonl").read_bytes().splitlines()
    rows = [(bytearray(line), "news", at % 2, at) for at, line in enumerate([*lines, b"nonsense"])]
    frame = session.createDataFrame(rows, "value binary, topic string, partition int, offset long")
    found = follow_frame(frame, read_events(BUNDLED), system="cosine").collect()
    stream = sorted(read_stream(BUNDLED), key=lambda one: (one.published_time, one.id))
    expected = locally(stream, EngineSettings(system="cosine"), read_events(BUNDLED))
    assert lines_of(found) == as_lines(expected)
    [fault] = [json.loads(row.content) for row in found if row.kind == Kind.FAULT]
    assert fault["where"] == f"news:{len(lines) % 2}:{len(lines)}"


def test_events_that_are_added_and_closed_while_a_stream_is_followed(session: Any, tmp_path: Path) -> None:
    folder, versions = tmp_path / "in", EventVersions(tmp_path / "events")
    folder.mkdir()
    kept: list[Any] = []

    def give(number: int, time: int) -> None:
        texts = ("The ferry sails.", "The storm comes.", "Nothing happens.")
        lines = [
            {"id": f"d{number}-{at}", "published_time": time + 200 * at, "sentences": [text]}
            for at, text in enumerate(texts)
        ]
        (folder / f"{number}.json").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def run() -> None:
        frame = session.readStream.schema(DOCUMENTS).json(str(folder))
        outputs = follow_frame(
            frame, versions, system="made-up-for-workers:min_words=0", lateness=1000, modules=[MODULE]
        )
        query = (
            outputs.writeStream.foreachBatch(lambda batch, number: kept.extend(batch.collect()))
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    session.conf.set("spark.sql.shuffle.partitions", "2")  # 200 by itself: so many states for two events
    versions.write([FERRY])
    give(0, 10_000)
    run()
    versions.write([FERRY, STORM])
    give(1, 20_000)
    run()
    assert [(line["event"], line["doc"]) for line in lines_of(kept)] == [("ferry", "d0-0")]
    # Closed: what waits for its time is told, though nothing more has come.
    versions.write([STORM])
    run()
    assert [(line["event"], line["doc"]) for line in lines_of(kept)][1:] == [("ferry", "d1-0")]
    give(2, 30_000)
    run()
    assert [(line["event"], line["doc"]) for line in lines_of(kept)][2:] == [("storm", "d1-1")]


MODULE = "tests.following.engines.spark.made_up"


def test_a_system_that_workers_do_not_know(session: Any) -> None:
    """What is registered on the driver alone is not there on a worker; the message says what is."""
    from pyspark.errors import PySparkException

    from tidings.following.engines.spark.query import _explain
    from tidings.following.systems.first import First
    from tidings.following.systems.registry import register_system

    @register_system("known-to-the-driver-alone")
    class Known(First, frozen=True, kw_only=True):
        """Made up."""

        name: ClassVar[str] = "known-to-the-driver-alone"

    frame = session.createDataFrame(
        [("d1", 60, "The ferry sails.")], "id string, published_time long, text string"
    )
    with pytest.raises(PySparkException) as raised:
        follow_frame(frame, [FERRY], system="known-to-the-driver-alone").collect()
    said = str(_explain(raised.value))
    assert "known-to-the-driver-alone" in said
    assert "\n" not in said
    assert "modules" in said
