"""What the follower costs on Spark, beside the same on one machine: for `make test-spark`'s Python, with Java.

    python -m bench.spark_speed [--data FOLDER] [--events N] [--documents N] [--cores N ...] [--write]

The stream is the extended pool of 2014, evenly thinned, every sentence offered to every event. The queries are real:
those of `bench.standing_events`, and parts of eight words of more news sentences. Measured apart, each in a process of
its own: the follow loop in one process; the offers made by the router alone, also for documents that interest nobody;
and Spark on so many cores, from files in a folder, once with these events and once with one that nothing interests
(the floor: reading, sentences, router of one event, shuffle of nothing, states of nothing). Of Spark the first files
are not counted: workers load models and make the router then; that is told apart as the beginning.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.endless import resident_mib
from bench.frame import DATA, ROOT, apart, parser as command_line
from bench.standing_events import LONGEST, queries

RESULTS = ROOT / "bench" / "results" / "spark.md"
WARM = 40
FILES = 8
PARTITIONS = 4
NOBODY = "zyzzyva quixotry"


def events_of(data: Path, count: int) -> list[Any]:
    """So many events, each with a query of its own."""
    from tidings.core.records import Event

    texts = dict.fromkeys(queries(data))
    for text in _more(data):
        if len(texts) >= count:
            break
        texts[text] = None
    if len(texts) < count:
        raise SystemExit(f"{data}: {len(texts)} different queries (expected {count})")
    return [Event(id=f"q{number}", title=text, query=text) for number, text in enumerate(list(texts)[:count])]


def _more(data: Path) -> Iterator[str]:
    """Parts of the sentences of dated articles and of the pools, each as long as a query."""
    from tidings.core import shared_analyzer
    from tidings.core.text.sentences import cut
    from tidings.sources import open_reading
    from tidings.sources.streams import read_stream

    stems_of = shared_analyzer().stems
    sources: list[Any] = [open_reading([str(folder)]) for folder in sorted((data / "tls").glob("*_bbc"))]
    sources += [
        read_stream(data / "trec-ts" / "2013"),
        read_stream(data / "trec-ts" / "2014", pool="extended"),
    ]
    sentences = []
    for source in sources:
        for document in source:
            whole = document if document.sentences else cut(document)
            sentences += [one.text.split() for one in whole.sentences]
    # Parts that follow each other first; where those are too few, others that begin in the middle of them.
    for begin in range(LONGEST):
        for words in sentences:
            for at in range(begin, len(words), LONGEST):
                part = " ".join(words[at : at + LONGEST])
                if len(set(stems_of(part))) > 2:
                    yield part


def stream_of(data: Path, documents: int) -> list[Any]:
    """The stream, thinned to about so many documents."""
    from tidings.sources.streams import read_stream

    whole = list(read_stream(data / "trec-ts" / "2014", pool="extended"))
    return whole[:: max(1, len(whole) // documents)]


def loop(data: Path, spec: str, events: int, documents: int) -> dict[str, Any]:
    """The follow loop in this process, kept in a store as runs on Spark are."""
    from tidings.core.store import open_store
    from tidings.following.stream.loop import follow_stream
    from tidings.following.systems.registry import make

    stream, made = stream_of(data, documents), events_of(data, events)
    began = perf_counter()
    marks: list[float] = []

    def timed() -> Iterator[Any]:
        yield from stream[:WARM]
        marks.append(perf_counter())
        yield from stream[WARM:]

    with (
        tempfile.TemporaryDirectory() as place,
        open_store(f"{place}/run.db") as store,
        store.begin("b", {}) as run,
    ):
        updates = sum(
            len(outputs) for _, outputs in follow_stream(timed(), made, make(spec), run, mixed=True)
        )
        took = perf_counter() - marks[0]
    sentences = sum(len(one.sentences) for one in stream[WARM:])
    return {
        "begin_s": marks[0] - began,
        "took_s": took,
        "sentences": sentences,
        "updates": updates,
        "mib": resident_mib(),
    }


def router(data: Path, spec: str, events: int, documents: int) -> dict[str, Any]:
    """Offers alone: how many events get some, how large, and how quick where nobody is interested."""
    from tidings.following.engines.offers import OfferReader, shard_of
    from tidings.following.engines.settings import SHARDS_EACH
    from tidings.following.systems.registry import make

    stream, made = stream_of(data, documents), events_of(data, events)
    before = resident_mib()
    began = process_time()
    reader = OfferReader(
        made, make(spec), mixed=True, home=partial(shard_of, shards=PARTITIONS * SHARDS_EACH)
    )
    reader.offers(stream[0])
    begin_s = process_time() - began
    grown = resident_mib() - before
    began = process_time()
    pairs, size, quiet = 0, 0, []
    for document in stream[WARM:]:
        own = reader.offers(document)
        pairs += sum(len(offer.events) for _, offer in own)
        size += sum(len(offer.packed) for _, offer in own)
        if not own:
            quiet.append(document)
    took = process_time() - began
    began = process_time()
    for document in quiet:
        reader.offers(document)
    quiet_s = process_time() - began
    count = sum(len(one.sentences) for one in stream[WARM:])
    return {
        "begin_s": begin_s,
        "mib": grown,
        "took_s": took,
        "sentences": count,
        "pairs": pairs,
        "pair_bytes": size / max(1, pairs),
        "quiet": sum(len(one.sentences) for one in quiet) / max(quiet_s, 1e-9),
    }


def spark(data: Path, spec: str, events: int, documents: int, cores: int) -> dict[str, Any]:
    """The same through files in a folder."""
    from tidings.core.records import Event
    from tidings.core.store import open_store
    from tidings.following.engines.settings import SHARDS_EACH, EngineSettings
    from tidings.following.engines.spark.host import begin_session
    from tidings.following.engines.spark.query import SparkQuery, SparkQuerySettings
    from tidings.sources.own.documents import write_documents

    stream = stream_of(data, documents)
    made = events_of(data, events) if events else [Event(id="none", title=NOBODY, query=NOBODY)]
    with tempfile.TemporaryDirectory() as place, open_store(f"{place}/run.db") as store:
        session = begin_session(f"local[{cores}]", log=f"{place}/spark.log")
        folder = Path(place) / "stream"
        folder.mkdir()
        for at in range(cores):  # as many as there are workers, so that each is warm
            write_documents(folder / f"0{at}.jsonl", stream[at:WARM:cores])
        settings = SparkQuerySettings(
            checkpoint=f"{place}/checkpoint", folder=str(folder), partitions=2 * cores
        )
        shards = settings.partitions * SHARDS_EACH
        with store.begin("bench", {}) as run:
            query = SparkQuery(
                lambda: session,
                settings,
                EngineSettings(system=spec, mixed=True, lateness_s=600, shards=shards, partitions=2 * cores),
                run,
            )
            query.follow(made)
            began = perf_counter()
            query._run(lambda: False, at_once=True)
            begin_s = perf_counter() - began
            counted = len(query.measured)
            each = -(-(len(stream) - WARM) // FILES)
            for at in range(FILES):
                write_documents(folder / f"{at + 1}.jsonl", stream[WARM + at * each : WARM + (at + 1) * each])
            query.run_to_end()
            batches = query.measured[counted:]
            took = sum(one["durationMs"]["triggerExecution"] for one in batches) / 1000
            states = batches[-1]["stateOperators"][0] if batches else {}
            return {
                "begin_s": begin_s,
                "took_s": took,
                "batches": len(batches),
                "sentences": sum(len(one.sentences) for one in stream[WARM:]),
                "updates": run.emitted,
                "states": states.get("numRowsTotal", 0),
                "state_bytes": states.get("customMetrics", {}).get("rocksdbTotalBytesWritten", 0),
                "worker_mib": _workers_mib(),
            }


def _workers_mib() -> float:
    """The largest worker of Python below this process, in MiB."""
    most = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            words = (status.parent / "cmdline").read_bytes()
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:
            continue
        if b"pyspark" in words and b"java" not in words:
            most = max(most, int(lines.get("VmRSS", "0 kB").split()[0]))
    return most / 1024


def one(kind: str, wanted: argparse.Namespace, events: int, cores: int = 1) -> dict[str, Any]:
    """One measurement in a process of its own."""
    options = ("--data", wanted.data, "--system", wanted.system, "--documents", wanted.documents)
    return apart("spark_speed", "--one", kind, *options, "--events", events, "--cores", cores)


def main() -> int:
    """Measure, print, write."""
    from tidings.core.display.tables import Table, render

    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--system", default="cosine")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--one", choices=("loop", "router", "spark"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.one:
        parts: Sequence[Any] = (wanted.data, wanted.system, wanted.events, wanted.documents)
        result = (
            spark(*parts, wanted.cores[0])
            if wanted.one == "spark"
            else {"loop": loop, "router": router}[wanted.one](*parts)
        )
        print(json.dumps(result))
        return 0
    lines: list[tuple[str, ...]] = []

    def add(name: str, got: dict[str, Any], memory: str) -> None:
        rate = got["sentences"] / got["took_s"]
        lines.append((name, f"{got['begin_s']:.1f}", f"{rate:,.0f}", f"{got[memory]:,.0f}", _beside(got)))
        print("\t".join(lines[-1]), file=sys.stderr, flush=True)

    events = wanted.events
    add(f"follow loop, {events:,} events, 1 core", one("loop", wanted, events), "mib")
    for count in sorted({1, 1_000, 10_000, events}):
        add(f"router alone, {count:,} events", one("router", wanted, count), "mib")
    for cores in wanted.cores:
        add(f"Spark, {events:,} events, {cores} cores", one("spark", wanted, events, cores), "worker_mib")
        add(
            f"Spark, an event that nothing interests, {cores} cores",
            one("spark", wanted, 0, cores),
            "worker_mib",
        )
    head = ("what", "to begin, s", "sentences/s", "memory, MiB", "beside")
    text = render(Table(head, tuple(lines)), "markdown")
    load = os.getloadavg()[0]
    text += f"\n\nSystem `{wanted.system}`; load at the end {load:.1f} on {os.cpu_count()} processors.\n"
    print(text)
    if wanted.write:
        RESULTS.write_text(text, encoding="utf-8")
    return 0


def _beside(got: dict[str, Any]) -> str:
    if "pairs" in got:
        quiet = f"{got['quiet']:,.0f} sentences/s that interest nobody"
        return f"{got['pairs']:,} pairs of {got['pair_bytes']:,.0f} bytes; {quiet}"
    if "states" in got:
        return f"{got['updates']:,} updates, {got['batches']} batches, {got['states']:,} states"
    return f"{got['updates']:,} updates"


if __name__ == "__main__":
    sys.exit(main())
