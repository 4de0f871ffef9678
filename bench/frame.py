"""What the benchmarks share: their command line, places, processes of their own, and the pages of results."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "results"
DATA = Path(os.environ.get("TIDINGS_DATA", ROOT.parent / "shared" / "data"))
TREC = DATA / "trec-ts" / "2014"
Row = tuple[str, float, str, str]
"""What, how much, of which unit, and a note."""


def parser(about: str | None) -> argparse.ArgumentParser:
    """A parser of a command line, with the module's docstring for its help."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def best(work: Callable[[], object], times: int = 3) -> float:
    """CPU seconds of the quickest of a few runs."""
    took = []
    for _ in range(times):
        began = process_time()
        work()
        took.append(process_time() - began)
    return min(took)


def speed(
    what: str, count: float, work: Callable[[], object], unit: str, note: str = "", times: int = 3
) -> Row:
    """A row of so many units in the time of the quickest run."""
    return what, count / best(work, times), unit, note


_LAUNCH = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
"""A small process in between: what a process starts counts the memory of its parent as its own until it has begun."""


def apart(module: str, *arguments: object) -> dict[str, Any]:
    """What a module of this folder prints as JSON in its last line, in a process of its own with one thread."""
    done = subprocess.run(
        (sys.executable, "-S", "-c", _LAUNCH, sys.executable, "-m", f"bench.{module}", *map(str, arguments)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def stores_of(kinds: str) -> Iterator[tuple[str, str]]:
    """The name and the place of a new store of each kind; one that cannot be had is left out, and said so."""
    from tests.core.store.postgres import NoServerError, server_of_its_own

    for kind in kinds.split(","):
        if kind == "postgres":
            try:
                with server_of_its_own(durable=True) as url:
                    yield "PostgreSQL", url
            except NoServerError as error:
                print(f"PostgreSQL is left out: {error}", file=sys.stderr)
        else:
            with tempfile.TemporaryDirectory() as folder:
                yield "SQLite", f"{folder}/store.db"


def write_results(name: str, title: str, head: str, text: str) -> None:
    """A page of results of today, under a title that is given the day; `name` tells it from others of that day."""
    today = datetime.date.today().isoformat()
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{today}{name}.md").write_text(f"# {title}{today}\n\n{head}\n\n{text.rstrip()}\n")
