"""What the benchmarks share: their command line, places, processes of their own, and the pages of results."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
from collections.abc import Callable
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


def write_results(name: str, head: str, text: str) -> None:
    """A page of results of today; `name` tells it from others of the day."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / f"{datetime.date.today().isoformat()}{name}.md").write_text(f"{head}\n\n{text}\n")
