"""Runs the command line, and kills a process of its query at a moment named by the environment.

KILLED_AT=WHOM:MOMENT:NUMBER:DELAY. WHOM is `driver` (this process), `jvm` or `worker` (the Python processes of tasks).
MOMENT is `mid` (DELAY seconds after the sink was given its NUMBER-th batch here), `before` or `after` (its NUMBER-th
commit of outputs here; `after` is before Spark notes that the batch is done). Without it, nothing is killed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tidings.core.store import StoredRun
from tidings.following.engines.spark.query import BatchSink

_whom, _moment, _number, _delay = [*os.environ.get("KILLED_AT", "").split(":"), "", "", "", ""][:4]
_seen: Counter[str] = Counter()


def processes(parent: int) -> list[int]:
    """The children of a process."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(status.parent.name))
    return found


def kill() -> None:
    from pyspark import SparkContext

    java = SparkContext._gateway.proc.pid
    victims = {"driver": [os.getpid()], "jvm": [java], "worker": []}[_whom]
    while not victims:
        victims = [worker for daemon in processes(java) for worker in processes(daemon)]
        time.sleep(0.02)
    print(f"killed {_whom} {_moment}: {len(victims)}", file=sys.stderr, flush=True)
    for victim in victims:
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)


def passed(moment: str) -> None:
    _seen[moment] += 1
    if (moment, str(_seen[moment])) != (_moment, _number):
        return
    if moment == "mid":
        threading.Timer(float(_delay or 0), kill).start()
    else:
        kill()


_given, _commit = BatchSink.__call__, StoredRun.commit


def given(sink: BatchSink, frame: object, batch: int) -> None:
    passed("mid")
    _given(sink, frame, batch)


def commit(run: StoredRun, *args: object, **options: object) -> None:
    passed("before")
    _commit(run, *args, **options)
    passed("after")


if __name__ == "__main__":
    from tidings.cli import main

    BatchSink.__call__ = given
    StoredRun.commit = commit
    main(sys.argv[1:])
