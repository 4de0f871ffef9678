"""Many standing events in one process: speed and memory for 1 to 10,000, on one stream.

    python -m bench.standing_events [--data FOLDER] [--system SPEC ...] [--events N ...] [--documents N] [--write]

The stream is the extended pool of 2014, mixed: every sentence is offered to every event. The queries are real: titles
of topics, headlines of Wikinews and of feeds, what assessors called news (nuggets), and the opening lines of articles
and of timelines, each up to its eighth word, where that has two stems: one of stop words alone ("There will never be")
would ask for everything. Each row is measured in a process of its own, with a store; a sample of
the events is then followed alone and must give the same updates. `--write` puts the table into
docs/appendix/standing-events.md.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import html
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from bench.endless import resident_mib
from bench.frame import DATA, ROOT, Row, parser as command_line

PAGE = ROOT / "docs" / "appendix" / "standing-events.md"
SYSTEMS = ("cosine", "tidings")
COUNTS = (1, 10, 100, 1_000, 10_000)
SAMPLE = 4
LONGEST = 8
QUIET_FROM = 10_000

_TITLE = re.compile(rb"<title[^>]*>\s*(?:<!\[CDATA\[)?(.*?)(?:\]\]>)?\s*</title>", re.DOTALL)


def queries(data: Path) -> list[str]:
    """Different real queries, those of topics first; `data` is the folder of all shared data."""
    from tidings.core import shared_analyzer

    stems_of = shared_analyzer().stems
    cut = (" ".join(text.split()[:LONGEST]) for text in _texts(data))
    return list(dict.fromkeys(text for text in cut if len(set(stems_of(text))) > 1))


def _texts(data: Path) -> Iterator[str]:
    from tidings.sources.streams import read_events, read_judgments

    years = [data / "trec-ts" / year for year in ("2014", "2013")]
    for year in years:
        yield from (event.query for event in read_events(year))
    with gzip.open(data / "salience" / "wikinews.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from (json.loads(line)["title"] for line in lines)
    for feed in sorted((data / "feeds" / "news").glob("*.xml")):
        for title in _TITLE.findall(feed.read_bytes()):
            yield html.unescape(title.decode("utf-8", "replace")).strip()
    for year in years:
        yield from (nugget.text for nugget in read_judgments(year).nuggets)
    for timelines in sorted((data / "tls").glob("*/timelines.jsonl")):
        for line in timelines.read_text(encoding="utf-8").splitlines():
            yield from (sentence.strip() for _, sentences in json.loads(line) for sentence in sentences)
    for articles in sorted((data / "tls").glob("*/articles.jsonl.gz")):
        with gzip.open(articles, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield from (sentence.strip() for sentence in json.loads(line)["text"].split("\n")[:8])


def standing(data: Path, count: int) -> list[Any]:
    """So many events, each with a query of its own, always on."""
    from tidings.core.records import Event

    texts = queries(data)
    if len(texts) < count:
        raise SystemExit(f"{data}: {len(texts)} different queries (expected {count})")
    return [Event(id=f"q{number}", title=text, query=text) for number, text in enumerate(texts[:count])]


def measure(
    data: Path, spec: str, count: int, documents: int, quiet_of: int, *, idle: bool = False
) -> dict[str, Any]:
    """Follow the stream in this process. With `quiet_of`, only its documents that interest none of so many events.

    Where it is `idle`, no system is asked for anything: what is left is the work around the decisions.
    """
    from tidings.core import shared_analyzer
    from tidings.core.store import open_store
    from tidings.following.stream.loop import Tally, follow_stream
    from tidings.following.systems.decider import DecidingFollower
    from tidings.following.systems.registry import make
    from tidings.sources.streams import read_stream

    system = make(spec)
    if idle:
        DecidingFollower.push = lambda self, sentences, now: ()  # type: ignore[method-assign]
    stream = list(read_stream(data / "trec-ts" / "2014", pool="extended"))
    wanted = QUIET_FROM if quiet_of else documents
    if wanted:
        stream = stream[:: -(-len(stream) // wanted)]
    if quiet_of:
        stream = [one for one, met in _meetings(stream, standing(data, quiet_of), system) if not met]
    events = standing(data, count)
    meetings = sum(len(met) for _, met in _meetings(stream, events, system))
    # What was counted here must not be what is remembered below.
    shared_analyzer()._texts.clear()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    before = resident_mib()
    tally, updates = Tally(), {}
    sample = {event.id for event in random.Random(count).sample(events, min(SAMPLE, count))}
    began, first = process_time(), [0.0]

    def begin() -> Iterator[Any]:
        first[0] = process_time()
        yield from stream

    with (
        tempfile.TemporaryDirectory() as place,
        open_store(f"{place}/run.db") as store,
        store.begin("standing", {}) as run,
    ):
        # From the first document on: what 10,000 events take to be set up is told apart.
        for _, outputs in follow_stream(begin(), events, system, run, mixed=True, tally=tally):
            for output in outputs:
                if output.event_id in sample:
                    updates.setdefault(output.event_id, []).append(output)
        took_s = process_time() - first[0]
        peak = resident_mib()
    for event in events:
        if event.id in sample:
            alone = [
                one for _, outputs in follow_stream(stream, [event], system, mixed=True) for one in outputs
            ]
            if updates.get(event.id, []) != alone:
                raise SystemExit(f"{spec}: event {event.id} of {count} was told otherwise than alone")
    return {
        "documents": len(stream),
        "sentences": sum(len(document.sentences) for document in stream),
        "took_s": took_s,
        "setup_s": first[0] - began,
        "mib": peak,
        "own_mib": peak - before,
        "meetings": meetings / max(1, len(stream)),
        "updates": sum(tally.updates.values()),
        "sample": len(sample),
    }


def _meetings(stream: Sequence[Any], events: Sequence[Any], system: Any) -> Iterator[tuple[Any, Any]]:
    from tidings.following.stream.route import InterestIndex

    interests = ((number, system.interest(event)) for number, event in enumerate(events))
    asked = {number: interest.pooled or interest for number, interest in interests if interest}
    index = InterestIndex(asked)
    for document in stream:
        yield document, index.matches(sentence.text for sentence in document.sentences)


def apart(
    data: Path, spec: str, count: int, documents: int, quiet_of: int = 0, *, idle: bool = False
) -> dict[str, Any]:
    """`measure` in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "bench.standing_events",
        "--child",
        "--data",
        str(data),
        "--system",
        spec,
    ]
    command += ["--events", str(count), "--documents", str(documents), "--quiet-of", str(quiet_of)]
    command += ["--idle"] if idle else []
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, env=environment)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def table(data: Path, specs: Sequence[str], counts: Sequence[int], documents: int) -> list[tuple[str, ...]]:
    """One row for each system and number of events."""
    lines: list[tuple[str, ...]] = []
    for spec in specs:
        first: dict[str, Any] = {}
        quiet_first = 0.0
        for count in counts:
            whole = apart(data, spec, count, documents)
            quiet = apart(data, spec, count, documents, max(counts))
            idle = apart(data, spec, count, documents, idle=True)
            first = first or whole
            rate = quiet["sentences"] / quiet["took_s"]
            quiet_first = quiet_first or rate
            lines.append(
                (
                    spec,
                    f"{count:,}",
                    f"{whole['documents'] / whole['took_s']:,.0f}",
                    f"{whole['meetings']:,.1f}",
                    f"{whole['took_s'] / first['took_s']:,.1f}",
                    f"{idle['took_s'] / first['took_s']:,.1f}",
                    f"{whole['mib']:,.0f}",
                    f"{whole['updates']:,}",
                    f"{rate:,.0f}",
                    f"{rate / quiet_first:.2f}",
                )
            )
            print("\t".join(lines[-1]), file=sys.stderr, flush=True)
    return lines


HEAD = (
    "system",
    "events",
    "documents/s",
    "events that a document interests",
    "CPU, of one event",
    "where nothing is decided",
    "memory, MiB",
    "updates",
    "sentences/s that interest nobody",
    "of one event's",
)


def page(lines: Sequence[tuple[str, ...]], documents: int, command: str, load: float) -> str:
    """The page with the table."""
    from tidings.core.display.tables import Table, render

    return f"""# Standing events

    {command}

This follows about {documents:,} documents of the extended pool of 2014, evenly chosen, for many events in one
process. Every sentence is offered to every event; the run is kept in a store. The queries are real: titles of
topics, headlines, nuggets, opening lines of articles and timelines, each up to its eighth word, with two stems or
more. Many fit this stream: the fourth column shows how many events a document interests. A sample of the events is
also followed alone; the command stops if their updates differ.

<!-- no table: times -->

{render(Table(HEAD, tuple(lines)), "markdown")}

A document interests an event if one of its sentences holds enough of the query's stems (`System.interest`; for
`cosine` two of them, for `tidings` two, or one of the two rarest). The router finds those events by an index over
pairs of stems and touches no others. A follower starts, and takes memory, when a document first interests its
event. The last two columns are for documents that interest none of the events; with `tidings` their time includes
making the index of the queries. Memory is that of the whole process, with the documents.
One event takes a few hundredths of a second, so the ratios to it differ by half from run to run.
At the end the machine's load was {load:.1f} on {os.cpu_count()} processors. Above 1 for each, CPU times are less
reliable, most of all in the rows of many events.

## Goals and results

With the most events: memory under 1 GiB, at most 40 times the CPU of one event, and half of one event's sentences/s
on documents that interest none.

{chr(10).join(_reached(lines))}

`cosine` gets only the sentences that its gate can admit. `tidings` gets whole documents, and one of the two rarest
stems of its query is enough to interest it, so it is asked several times as often. Work that several events share
is done once: a sentence is read once, and compared once with each sentence that some of them remember, as long as
an event remembers 15 or fewer. By a sampling profiler, nearly half of its time goes into the 32 features of each
sentence and their worth, a twelfth into the events' memory, a twentieth each into starting followers and finding
the events, and the rest into switching between events. If this is too slow, use several processes, each with a part
of the events.

The column "where nothing is decided" is the same run with followers that do nothing: only finding, starting,
switching and keeping the events. The difference to 40 is the budget of `tidings`. Its work for each event has no
shortcut: an upper bound on a sentence's worth rejects hardly any before the comparison with the event's memory, and
few events have the same row of features.
"""


def _reached(lines: Sequence[tuple[str, ...]]) -> list[str]:
    last = {line[0]: line for line in lines}
    return [
        f"- `{system}`, {line[1]} events: {line[6]} MiB, {line[4]} times the CPU ({line[5]} where nothing "
        f"is decided), {line[9]} of the sentences/s."
        for system, line in last.items()
    ]


def rows(data: Path, specs: Sequence[str] = SYSTEMS, documents: int = 1_000) -> list[Row]:
    """For the table of all measurements: the largest number of events only."""
    count = max(COUNTS)
    return [
        (
            f"{count:,} standing events, {spec}",
            result["documents"] / result["took_s"],
            "documents/s",
            f"{result['meetings']:.0f} events a document, {result['mib']:.0f} MiB, {result['updates']:,} updates",
        )
        for spec in specs
        for result in [apart(data, spec, count, documents)]
    ]


def main() -> int:
    """Measure, print, write."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--system", action="append", default=[])
    parser.add_argument("--events", type=int, action="append", default=[])
    parser.add_argument("--documents", type=int, default=1_000, help="about so many, evenly; 0: all")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quiet-of", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--idle", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.child:
        print(
            json.dumps(
                measure(
                    wanted.data,
                    wanted.system[0],
                    wanted.events[0],
                    wanted.documents,
                    wanted.quiet_of,
                    idle=wanted.idle,
                )
            )
        )
        return 0
    lines = table(wanted.data, wanted.system or SYSTEMS, wanted.events or COUNTS, wanted.documents)
    counts = "".join(f" --events {count}" for count in wanted.events)
    command = f"python -m bench.standing_events{counts} --write"
    text = page(lines, wanted.documents, command, os.getloadavg()[0])
    if wanted.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
