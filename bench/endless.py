"""A stream without end: memory over an hour of simulated stream at ten times the real rate.

    python -m bench.endless [--data FOLDER] [--system SPEC ...] [--hours N] [--events N]

The real rate is that of the news articles in the KBA stream of TREC (Tran and others, CIKM 2015): 7,592,062
documents in 126 days, 2,511 an hour. Ten times that, 20 sentences to a document, are 502,120 sentences in an hour.
They are made from those of the pool of 2014, about one word in eight exchanged for one that never came before, so
that no sentence and no vocabulary repeats itself. Every sentence is offered to every event that is followed, and the
run is kept in a store. Each system has a process of its own, whose resident memory is sampled once in every
simulated minute.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from bench.frame import ROOT, TREC, Row, apart, parser as command_line

PICTURES = (ROOT / "bench" / "results" / "endless.svg", ROOT / "docs" / "images" / "endless.png")
SYSTEMS = ("cosine", "tidings", "hres")
REAL_RATE = 7_592_062 / 126 / 24
TIMES = 10
SENTENCES = 20
EVENTS = 3
START = 1_400_000_400


def documents(texts: Sequence[str], hours: float, spent: list[float] | None = None) -> Iterator[Any]:
    """The stream; `spent` is told how many processor seconds went into making it."""
    from tidings.core.records import Document, Sentence

    rng = random.Random(2014)
    total, new = round(REAL_RATE * TIMES * hours), 0
    for number in range(total):
        began = process_time()
        time = START + int(number / (REAL_RATE * TIMES) * 3600)
        name = f"{time}-{number:x}"
        sentences = []
        for index, text in enumerate(rng.choices(texts, k=SENTENCES)):
            words = text.split()
            new += 1
            for _ in range(1 + len(words) // 8):
                words[int(rng.random() * len(words))] = f"w{new}x{int(rng.random() * 999)}"
            sentences.append(Sentence(name, index, " ".join(words), time, "endless"))
        document = Document(id=name, published_time=time, sentences=tuple(sentences))
        if spent is not None:
            spent[0] += process_time() - began
        yield document


def resident_mib() -> float:
    """What this process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def measure(folder: Path, spec: str, hours: float, events: int) -> dict[str, Any]:
    """Follow the stream in this process: samples (minute, MiB), speed and what was told."""
    from tidings.core.store import open_store
    from tidings.following.stream.loop import Tally, follow_stream
    from tidings.following.systems.registry import make
    from tidings.sources.streams import read_events, read_stream

    texts = list(dict.fromkeys(one.text for document in read_stream(folder) for one in document.sentences))
    texts = [text for text in texts if len(text) < 1_000 and text.strip()]
    chosen = [_moved(event, hours) for event in read_events(folder)[:events]]
    # As `tidings follow` does: whole generations of garbage are looked for rarely.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    samples: list[tuple[int, float]] = []
    spent = [0.0]

    def watched() -> Iterator[Any]:
        for document in documents(texts, hours, spent):
            minute = (document.published_time - START) // 60
            if not samples or minute > samples[-1][0]:
                samples.append((minute, resident_mib()))
            yield document
        samples.append((round(hours * 60), resident_mib()))

    tally = Tally()
    began = process_time()
    with (
        tempfile.TemporaryDirectory() as place,
        open_store(f"{place}/run.db") as store,
        store.begin("endless", {}) as run,
    ):
        for _ in follow_stream(watched(), chosen, make(spec), run, mixed=True, tally=tally):
            pass
    took_s = process_time() - began - spent[0]
    told = sum(tally.updates.values())
    return {
        "system": spec,
        "samples": samples,
        "sentences": tally.sentences,
        "followed": tally.sentences * len(chosen),
        "took_s": took_s,
        "updates": told,
    }


def _moved(event: Any, hours: float) -> Any:
    from msgspec.structs import replace

    return replace(event, start_time=START - 1, end_time=START + round(hours * 3600) + 3600)


def rows(
    folder: Path, specs: Sequence[str] = (), hours: float = 1.0, events: int = EVENTS, draw: bool = True
) -> list[Row]:
    """One row for each system that there is, and the picture of all."""
    from tidings.following.systems.registry import available

    chosen = list(specs) or [name for name in SYSTEMS if name in available()]
    results = [
        apart("endless", "--child", "--data", folder, "--system", spec, "--hours", hours, "--events", events)
        for spec in chosen
    ]
    found = []
    for result in results:
        samples = result["samples"]
        half = max(mib for minute, mib in samples if minute <= hours * 30)
        last = max(mib for minute, mib in samples if minute >= hours * 30)
        note = (
            f"at most {half:.0f} MiB in the first half, {last:.0f} in the second; {result['sentences']:,} sentences, "
            f"{events} events, {result['followed'] / result['took_s']:,.0f} decisions/s, {result['updates']:,} updates"
        )
        found.append((f"endless stream, {result['system']}", last, "MiB", note))
    if draw:
        picture(results, hours, events)
    return found


def picture(results: Sequence[dict[str, Any]], hours: float, events: int) -> None:
    """The curves of memory as SVG and PNG."""
    import vl_convert

    from tidings.evaluation.report.charts import WIDE, whole
    from tidings.evaluation.report.comparison import by_run

    names = [result["system"] for result in results]
    values = [
        {"run": result["system"], "minute": minute, "MiB": mib}
        for result in results
        for minute, mib in result["samples"]
    ]
    rate = f"{round(REAL_RATE * TIMES) * SENTENCES:,} sentences an hour, {events} events"
    x = {
        "field": "minute",
        "type": "quantitative",
        "axis": {"title": f"simulated minutes ({rate})", "grid": False},
        "scale": {"domain": [0, hours * 60], "nice": False},
    }
    y = {
        "field": "MiB",
        "type": "quantitative",
        "axis": {"title": "resident memory, MiB", "tickCount": 5, "minExtent": 34},
        "scale": {"zero": True, "nice": True},
    }
    channels = {key: value for key, value in by_run(names, True).items() if key != "shape"}
    spec = whole(
        {
            "width": WIDE,
            "height": 240,
            "data": {"values": values},
            "mark": {"type": "line", "strokeWidth": 2.25},
            "encoding": {"x": x, "y": y, **channels},
        }
    )
    spec |= {"background": "#ffffff", "padding": 10}
    for path in PICTURES:
        path.parent.mkdir(parents=True, exist_ok=True)
    PICTURES[0].write_text(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]), encoding="utf-8")
    PICTURES[1].write_bytes(vl_convert.vegalite_to_png(spec, scale=2, allowed_base_urls=[]))


def main() -> int:
    """Measure, print, draw."""
    parser = command_line(__doc__)
    parser.add_argument("--data", type=Path, default=TREC)
    parser.add_argument("--system", action="append", default=[])
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.child:
        print(json.dumps(measure(said.data, said.system[0], said.hours, said.events)))
        return 0
    for what, amount, unit, note in rows(said.data, said.system, said.hours, said.events):
        print(f"{what:30} {amount:10,.1f} {unit:8} {note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
