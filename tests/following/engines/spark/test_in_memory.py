"""The stage behind the shuffle in Spark's tester: no query, no Java; however a stream is cut, dealt and shuffled."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from random import Random

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: `make test-spark` sets it up")

import msgspec
import pandas as pd
import pyarrow as pa
from pyspark.sql.streaming.tws_tester import TwsTester

from tests.following.engines.streams import EVENTS, documents, locally
from tidings.core.errors import StoreError
from tidings.core.records import Document, Output
from tidings.following.engines.offers import OfferReader
from tidings.following.engines.settings import EngineSettings, FixedEvents
from tidings.following.engines.spark import processor
from tidings.following.engines.spark.processor import ShardProcessor
from tidings.following.engines.spark.rows import (
    KeptRow,
    Kind,
    OfferRows,
    PackedOutputs,
    Tally,
    unpack_outputs,
)
from tidings.following.engines.spark.stream_files import key_of, shard_keys

pytestmark = pytest.mark.spark

LATENESS_S = 600
_NEVER_LATE = 1 << 62


def _moment(row: pd.DataFrame | pd.Series) -> int:
    """What Spark goes by: it drops rows whose time has passed."""
    moment = row.get("moment")
    return _NEVER_LATE if moment is None or pd.isna(moment) else moment.value // 1_000_000


class InMemory:
    """A query without Spark: batches through the processor, whose memory may be lost between two of them."""

    def __init__(self, settings: EngineSettings, random: Random) -> None:
        self.settings, self.random = settings, random
        self.events = FixedEvents.of(EVENTS)
        home = partial(key_of, shards=settings.shards, partitions=settings.partitions)
        self.reader = OfferReader(EVENTS, settings.decider(), home=home)
        host = ShardProcessor(settings.packed(), self.events, KeptRow)
        self.tester = TwsTester(host, timeMode="EventTime", eventTimeExtractor=_moment)
        self.rows: PackedOutputs = []
        self.kinds: list[str] = []
        self.documents = 0
        self.latest = 0

    def take(self, batch: list[Document]) -> None:
        rows = OfferRows(self.reader)
        for document in batch:
            rows.add(document, 0)
        frame = pa.Table.from_batches(list(rows.rest())).to_pandas()
        for shard, part in frame.groupby("shard"):
            self.give(int(shard), part.sample(frac=1, random_state=self.random.randrange(1 << 30)))
        self.latest = max([self.latest, *(document.published_time for document in batch)])
        watermark = max(0, self.latest - LATENESS_S) * 1000
        if watermark > self.tester._currentWatermarkMs:
            self.note(self.tester.setWatermark(watermark))
        if self.random.random() < 0.5:
            processor._residents.clear()  # as where another worker goes on

    def give(self, shard: int, frame: pd.DataFrame) -> None:
        self.note(self.tester.testInPandas(shard, frame))

    def note(self, given: pd.DataFrame) -> None:
        for kind, packed in zip(*(given.get(name, []) for name in ("kind", "packed")), strict=True):
            self.kinds.append(kind)
            if kind == Kind.OUTPUTS:
                self.rows += unpack_outputs(packed)
            elif kind == Kind.TALLY:
                self.documents += msgspec.json.decode(packed, type=Tally).documents

    def end(self) -> list[Output]:
        columns = ("event", "kind", "time", "ordinal", "doc", "version", "content")
        for key in shard_keys(self.settings.shards, self.settings.partitions):
            row = dict(zip(columns, ("", Kind.END, self.latest, 0, "", 0, b""), strict=True))
            self.give(key, pd.DataFrame([row]))
        return [output for _, output in sorted(self.rows, key=lambda one: one[0])]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("system", "interval_s"), [("cosine:overlap=1", 0), ("centroid:overlap=1", 0), ("sumbasic", 3600)]
)
def test_it_decides_as_the_follow_loop(system: str, interval_s: int, seed: int) -> None:
    random = Random(seed)
    settings = EngineSettings(system=system, interval_s=interval_s, lateness_s=LATENESS_S)
    stream = documents(60, seed)
    coming = sorted(
        stream, key=lambda one: (one.published_time + random.randrange(LATENESS_S), random.random())
    )
    borders = [0, *sorted(random.sample(range(61), 5)), 60]
    tester = InMemory(settings, random)
    for begin, end in pairwise(borders):
        tester.take(coming[begin:end])
    expected = locally(stream, settings)
    assert expected
    assert tester.end() == expected
    assert Kind.LATE not in tester.kinds
    assert tester.documents == len(stream)


def test_documents_that_come_too_late_are_counted() -> None:
    tester = InMemory(EngineSettings(system="first", lateness_s=LATENESS_S), Random(1))
    stream = documents(60, 1)
    tester.take(stream[30:])
    tester.take(stream[:20])
    assert Kind.LATE in tester.kinds and tester.documents == 50


def test_time_in_the_middle_of_a_second() -> None:
    """As where a frame that is followed has a watermark of its own, of parts of seconds."""
    settings = EngineSettings(system="first:min_words=0", lateness_s=0, shards=1)
    tester = InMemory(settings, Random(1))
    stream = [one for one in documents(60, 1) if one.published_time > 2000 and tester.reader.offers(one)]
    stream = [stream[0], next(one for one in stream if one.published_time > stream[0].published_time + 1)]
    for half in (0, 1):
        rows = OfferRows(tester.reader)
        rows.add(stream[half], 0)
        frame = pa.Table.from_batches(list(rows.rest())).to_pandas()
        tester.give(0, frame[frame["shard"] == 0])
        tester.note(tester.tester.setWatermark(stream[half].published_time * 1000 + 500))
    assert {output.doc_id for _, output in tester.rows} == {one.id for one in stream}


def test_a_shard_in_memory_knows_how_far_the_kept_one_was_decided() -> None:
    """Though nothing else had changed when another worker went on with it."""
    settings = EngineSettings(system="first:min_words=0", lateness_s=LATENESS_S, shards=1)
    tester = InMemory(settings, Random(1))
    stream = documents(60, 1)
    tester.take(stream[:20])
    tester.end()
    before = tester.latest
    processor._residents.clear()
    tester.end()
    mine = dict(processor._residents)
    processor._residents.clear()
    tester.latest = before + 500
    tester.end()
    processor._residents.clear()
    processor._residents.update(mine)
    tester.kinds.clear()
    rows = OfferRows(tester.reader)
    for document in stream[20:]:
        if before < document.published_time < before + 500:
            rows.add(document, 0)
    frame = pa.Table.from_batches(list(rows.rest())).to_pandas()
    tester.give(0, frame[frame["shard"] == 0])
    assert set(tester.kinds) == {Kind.LATE}


def test_a_state_of_other_settings_is_refused() -> None:
    stream = documents(60, 1)
    first = InMemory(EngineSettings(system="cosine:overlap=1", lateness_s=LATENESS_S), Random(1))
    first.take(stream[:30])
    other = EngineSettings(system="centroid:overlap=1", lateness_s=LATENESS_S)
    first.tester.processor._packed = other.packed()
    with pytest.raises(StoreError, match="of another system"):
        first.take(stream[30:])
