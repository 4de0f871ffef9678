"""Whole processes, as a user starts them: processor seconds, speed and peak memory, on one core."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.frame import Row
from bench.pace import QUERIES

TIDINGS = (sys.executable, "-m", "tidings")


@dataclass(frozen=True)
class Cost:
    """What one run of a command took: user and system seconds, and the most memory in MiB."""

    cpu_s: float
    peak_mib: float


_LAUNCH = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
"""Started from a small process: what a process starts counts the memory of its parent as its own until it has begun."""


def run(*command: str) -> Cost:
    """One run, on the core this process is bound to, its output thrown away; failure ends all."""
    # With compiled files kept, as on any machine where the command has run before.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    launched = subprocess.run(
        (sys.executable, "-S", "-c", _LAUNCH, *command),
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    code, cpu_s, peak_kib = launched.stdout.split()
    if code != "0":
        raise SystemExit(f"{' '.join(command)}: {launched.stderr}")
    return Cost(float(cpu_s), int(peak_kib) / 1024)


def median(command: Sequence[str], times: int = 5) -> Cost:
    """The median of a few runs, after one that is not counted."""
    run(*command)
    costs = [run(*command) for _ in range(times)]
    return Cost(statistics.median(cost.cpu_s for cost in costs), max(cost.peak_mib for cost in costs))


_LOOP = """
import gzip, sys
for path in sys.argv[1:]:
    with gzip.open(path, "rt") as file:
        for line in file:
            cells = line.split()
"""
"""What no scorer in plain Python can do without: reading and splitting the run and its judgments."""


def against_a_loop(folder: Path, times: int = 7) -> list[Row]:
    """The processor time of `tidings score` over that of a plain loop, whole processes in turn: the median ratio."""
    names = ("runs/cunlp.run.gz", "nuggets.tsv.gz", "matches.tsv.gz", "updates_sampled.tsv.gz")
    paths = [str(folder / name) for name in names]
    command = (*TIDINGS, "score", paths[0], "--judgments", str(folder))
    loop = (sys.executable, "-c", _LOOP, *paths)
    run(*command)
    run(*loop)
    pairs = [(run(*command).cpu_s, run(*loop).cpu_s) for _ in range(times)]
    ratio = statistics.median(ours / plain for ours, plain in pairs)
    note = " ".join(f"{ours:.2f}/{plain:.2f}" for ours, plain in pairs)
    return [("score over a plain loop that reads and splits", ratio, "times its CPU", note)]


def scoring(folder: Path, official: Path | None = None) -> list[Row]:
    """Scoring the submitted runs of TREC 2014; with the official script (made to run on Python 3), that too."""
    rows = []
    command = (
        *TIDINGS,
        "score",
        f"{folder}/runs/cunlp.run.gz",
        "--judgments",
        str(folder),
        "--per-event",
        "-f",
        "jsonl",
    )
    cost = median(command)
    rows.append(("score 111,200 lines, whole process", cost.cpu_s, "s CPU", f"{cost.peak_mib:.0f} MiB"))
    bare = median((sys.executable, "-c", "import tidings"))
    rows += against_a_loop(folder)
    rows.append(("import tidings, whole process", bare.cpu_s, "s CPU", f"{bare.peak_mib:.0f} MiB"))
    if official is not None:
        with tempfile.TemporaryDirectory() as place:
            plain = unpacked(folder, Path(place))
            parts = (
                "-n",
                plain["nuggets.tsv"],
                "-m",
                plain["matches.tsv"],
                "-u",
                plain["updates_sampled.tsv"],
            )
            cost = median((sys.executable, str(official), *parts, plain["runs/cunlp.run"]))
        rows.append(("the same by the official script", cost.cpu_s, "s CPU", f"{cost.peak_mib:.0f} MiB"))
    return rows


def unpacked(folder: Path, place: Path) -> dict[str, str]:
    """The files of a folder as the official script wants them: not compressed."""
    import gzip

    plain = {}
    for name in ("nuggets.tsv", "matches.tsv", "updates_sampled.tsv", "runs/cunlp.run"):
        path = place / name.replace("/", "-")
        path.write_bytes(gzip.decompress((folder / f"{name}.gz").read_bytes()))
        plain[name] = str(path)
    return plain


def following(folder: Path) -> list[Row]:
    """`tidings follow` over the extended pool, all events in one pass, store and output included."""
    from tidings.sources.trec.folder import pool_path
    from tidings.sources.trec.judgments import read_pool

    pooled = len(read_pool(pool_path(folder, "extended")))
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out.run"
        command = (
            *TIDINGS,
            "follow",
            str(folder),
            "--pool",
            "extended",
            "--event",
            "all",
            "--system",
            "cosine",
        )
        cost = median((*command, "--out", str(out), "--restart"), 3)
    note = f"{pooled:,} rows in {cost.cpu_s:.2f} s CPU, {cost.peak_mib:.0f} MiB"
    return [("follow with cosine, whole process", pooled / cost.cpu_s, "rows/s", note)]


def articles(data: Path) -> list[Row]:
    """`tidings follow` over whole articles, the stories of Timeline17 by the BBC: updates alone, and everything on."""
    from tidings.sources import open_reading

    rows = []
    with tempfile.TemporaryDirectory() as place:
        for what, options in (("", ()), (" with values and key names", ("--values", "--entities"))):
            count, cpu_s, peak_mib = 0, 0.0, 0.0
            for story, query in QUERIES.items():
                count += sum(1 for _ in open_reading([str(data / story)]))
                out = ("--query", query, "--out", str(Path(place) / "out.jsonl"), "--restart")
                cost = median((*TIDINGS, "follow", str(data / story), *out, *options), 1)
                cpu_s, peak_mib = cpu_s + cost.cpu_s, max(peak_mib, cost.peak_mib)
            note = f"{count:,} articles in {cpu_s:.1f} s CPU, five processes begun, {peak_mib:.0f} MiB"
            rows.append((f"follow articles{what}, whole process", count / cpu_s, "articles/s", note))
    return rows


def memory(folder: Path, times: int = 10) -> list[Row]:
    """Peak memory over a stream of documents and over one `times` as long."""
    from tidings.sources.streams import read_stream

    documents = list(read_stream(folder, pool="extended"))
    first, last = documents[0].published_time, documents[-1].published_time
    length = last - first + 3600
    rows = []
    with tempfile.TemporaryDirectory() as place:
        for repeats in (1, times):
            stream = Path(place) / f"{repeats}.jsonl"
            with stream.open("w") as file:
                file.writelines(repeated(documents, repeats, length))
            command = (
                *TIDINGS,
                "follow",
                str(stream),
                "--query",
                "police protest storm",
                "--start",
                str(first),
            )
            options = ("--end", str(first + times * length), "--system", "cosine", "--restart")
            cost = run(*command, *options, "--out", str(Path(place) / f"{repeats}.run"))
            sentences = repeats * sum(len(document.sentences) for document in documents)
            speed = f"{sentences:,} sentences, {sentences / cost.cpu_s:,.0f}/s"
            rows.append((f"memory over a stream of {repeats} x", cost.peak_mib, "MiB peak", speed))
    return rows


def repeated(documents: Sequence, repeats: int, length: int) -> Iterator[str]:
    """The documents as JSON Lines, again and again at later times and under other ids."""
    for number in range(repeats):
        for document in documents:
            sentences = [{"id": sentence.index, "text": sentence.text} for sentence in document.sentences]
            row = {
                "id": f"{document.id}-{number}",
                "published_time": document.published_time + number * length,
                "sentences": sentences,
            }
            yield json.dumps(row) + "\n"


def machine() -> str:
    """What this was measured on, as far as it matters."""
    memory_gib = resource.getpagesize() * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory_gib:.0f} GiB, Python {sys.version.split()[0]}, one core used"
