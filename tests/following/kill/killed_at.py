"""Runs the command line and kills its own process at a moment named by the environment.

KILLED_AT=statement:7 kills before the seventh statement sent to the database; `commit` before, `committed`
after a transaction's commit; `write`, `fsync` and `replace` before the output's n-th line, flush to disk and
renaming, `replaced` after the last. Transactions are one interval long here, so that there are many.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter

from sqlalchemy import Engine, event

kind, _, number = os.environ["KILLED_AT"].partition(":")
seen: Counter[str] = Counter()


def passed(what: str) -> None:
    seen[what] += 1
    if what == kind and seen[what] == int(number):
        os.kill(os.getpid(), signal.SIGKILL)


@event.listens_for(Engine, "before_cursor_execute")
def _statement(*args: object) -> None:
    passed("statement")


@event.listens_for(Engine, "commit")
def _commit(*args: object) -> None:
    passed("commit")


def around(module: object, name: str, before: str, after: str | None = None) -> None:
    real = getattr(module, name)

    def called(*args: object, **options: object) -> object:
        passed(before)
        result = real(*args, **options)
        if after:
            passed(after)
        return result

    setattr(module, name, called)


around(os, "fsync", "fsync")
around(os, "rename", "replace", "replaced")
around(os, "replace", "replace", "replaced")

from tidings.cli import main  # noqa: E402
from tidings.core.store import StoredRun  # noqa: E402
from tidings.following.stream import loop  # noqa: E402

loop._COMMIT_EVERY_S = 0
loop._COMMIT_SHARE = 0
around(StoredRun, "commit", "begin", "committed")

outputs = StoredRun.outputs


def counted(run: StoredRun, **options: object) -> object:
    for output in outputs(run, **options):
        passed("write")
        yield output


StoredRun.outputs = counted
main(sys.argv[1:])
