"""Kills processes of queries, and looks whether their runs are those of an undisturbed process.

`python -m tests.following.engines.spark.kills FOLDER N [SEED]` kills N times, in runs that are killed five times
each before they may end. Every second run keeps its outputs in PostgreSQL, which is restarted in the middle.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random

from tests.core.store.postgres import _program, server_of_its_own
from tests.following.engines.spark.runs import cut, in_order, surroundings
from tests.following.kill.streams import START, write_stream
from tests.sweeps import cases

FILES, DOCUMENTS = 12, 500
QUERY = ["--query", "storm damage", "--start", str(START), "--system", "cosine:similarity=0.5"]
MOMENTS = tuple(cases(__file__, "moments"))
EACH = 5
_LONGEST_S = 1500


class Example:
    """A stream that is cut into files, and the run of an undisturbed process."""

    def __init__(self, folder: Path, *, files: int = FILES, documents: int = DOCUMENTS) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        lines = write_stream(folder / "made.jsonl", documents).read_bytes().splitlines()
        self.stream = cut(lines, folder / "parts", files, seed=1)
        here = folder / "here.run"
        command = [
            sys.executable,
            "-m",
            "tidings",
            "follow",
            str(in_order(lines, folder / "all.jsonl")),
            *QUERY,
        ]
        subprocess.run([*command, "--out", str(here), "--quiet"], check=True)
        self.expected = here.read_bytes()
        assert self.expected.count(b"\n") > 20, "a run without updates shows nothing"

    def command(self, out: Path, store: str = "") -> list[str]:
        layout = ["--engine", "spark", "--master", "local[2]", "--partitions", "2", "--files-per-batch", "1"]
        kept = ["--store", store] if store else []
        module = [sys.executable, "-m", "tests.following.engines.spark.killed_at"]
        return [*module, "follow", str(self.stream), *QUERY, *layout, *kept, "--out", str(out), "--quiet"]


def run(command: list[str], killed_at: str = "", also: object = None, version: str = "") -> tuple[int, str]:
    """The exit code of a command, and what it said; `version` is that of the states that it writes."""
    environment = os.environ | surroundings() | {"KILLED_AT": killed_at, "STATE_VERSION": version}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    if callable(also):
        also(process)
    _, said = process.communicate(timeout=_LONGEST_S)
    return process.returncode, "\n".join(line for line in said.splitlines() if "JDK_JAVA" not in line)


def batches(checkpoint: Path, kind: str = "commits") -> list[int]:
    """The batches that Spark has noted."""
    folder = checkpoint / "spark" / kind
    return sorted(int(path.name) for path in folder.glob("[0-9]*")) if folder.is_dir() else []


def forget_newest(checkpoint: Path) -> None:
    """As if Spark had been killed after the sink's commit, before its own."""
    for newest in batches(checkpoint)[-1:]:
        for name in (f"{newest}", f".{newest}.crc"):
            (checkpoint / "spark" / "commits" / name).unlink(missing_ok=True)


def restart_postgres(url: str) -> None:
    """Stop a server at once, without goodbye, and start it again."""
    folder = Path(url.partition("host=")[2])
    other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    options = f"-c listen_addresses= -c fsync=off -k {folder}"
    command = [*other, _program() / "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w"]
    command += ["-l", folder / "data" / "again.log", "-o", options, "restart"]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)


def kill_once(example: Example, out: Path, kind: str, random: Random, store: str = "") -> tuple[bool, str]:
    """Go on with a run until it is killed, or ends: whether something was killed, and how it ended."""
    command, checkpoint = example.command(out, store), Path(f"{out}.checkpoint")
    number, delay = random.choice((1, 1, 2)), random.uniform(0, 2)

    killed = []

    def after_batches(process: subprocess.Popen[str]) -> None:
        least = len(batches(checkpoint, "offsets")) + number
        while process.poll() is None and len(batches(checkpoint, "offsets")) < least:
            time.sleep(0.05)
        time.sleep(delay)
        if process.poll() is not None:
            return
        killed.append(kind)
        if kind == "postgres":
            restart_postgres(store)
        else:
            process.kill()

    if kind in ("postgres", "checkpoint"):
        code, said = run(command, also=after_batches)
        if kind == "checkpoint" and killed:
            time.sleep(3)  # for what is left of it
            forget_newest(checkpoint)
    else:
        code, said = run(command, f"{kind}:{number}:{delay:.2f}")
        killed += [kind] if f"killed {kind.partition(':')[0]}" in said else []
    words = f"{kind:15} exit code {code:4}, {len(batches(checkpoint)):3} batches noted: {said[-200:]}"
    return bool(killed), words if killed else f"{words} (the run had ended before)"


def check(example: Example, out: Path, store: str = "") -> None:
    """Nothing is lost, and nothing is there twice."""
    assert out.read_bytes() == example.expected, f"{out} is another run than that of an undisturbed process"
    query = "SELECT event_id, doc_id, sentence_index FROM updates"
    if store:
        import psycopg

        with psycopg.connect(store) as connection:
            rows = connection.execute(query).fetchall()
    else:
        database = sqlite3.connect(f"{out}.db")
        rows = database.execute(query).fetchall()
        database.close()
    assert len(rows) == example.expected.count(b"\n")
    assert max(Counter(map(tuple, rows)).values()) == 1


def kill_and_finish(
    example: Example, out: Path, kinds: list[str], seed: int, store: str = "", version: str = ""
) -> int:
    """Kill a run once in each way, then let it end, by a program whose states are of another version.

    Gives how many kills there were: one that was to come after the run had ended kills nobody.
    """
    random, kills = Random(seed), 0
    for kind in kinds:
        was_killed, words = kill_once(example, out, kind, random, store)
        kills += was_killed
        print(f"  {words}", flush=True)
        if not was_killed:
            break
    code, said = run(example.command(out, store), version=version)
    assert code == 0, said
    check(example, out, store)
    return kills


def main(folder: str, count: str, seed: str = "1") -> None:
    place, random = Path(folder), Random(int(seed))
    example = Example(place / "example")
    kills = number = 0
    while kills < int(count):
        with_server = number % 2 == 1
        possible = [kind for kind in MOMENTS if with_server or kind != "postgres"]
        kinds = random.sample(possible, min(EACH, int(count) - kills))
        if with_server and "postgres" not in kinds:
            kinds[0] = "postgres"
        # A query whose workers were killed goes on by itself, to the end: that comes last.
        kinds.sort(key=lambda kind: kind.startswith("worker"))
        runs = place / f"run-{number}"
        shutil.rmtree(runs, ignore_errors=True)
        runs.mkdir(parents=True)
        with ExitStack() as stack:
            store = stack.enter_context(server_of_its_own(durable=False)) if with_server else ""
            print(f"run {number}, kept in {'PostgreSQL' if store else 'SQLite'}:", flush=True)
            made = kill_and_finish(example, runs / "out.run", kinds, int(seed) + number, store)
        kills += made
        number += 1
        print(f"  identical after {made} kills; {kills} of them in all", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
