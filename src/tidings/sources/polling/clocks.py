"""The clock that polling goes by: the machine's, or one of a test, which moves on whenever there is nothing to do."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any, Protocol

__all__ = ["CLOCK_VARIABLE", "Clock", "FileClock", "MachineClock", "chosen_clock"]

CLOCK_VARIABLE = "TIDINGS_CLOCK"
"""For tests: names a file with the time, in seconds, that all processes of a simulation share."""

_TICK_S = 0.2


class Clock(Protocol):
    """Says the time in seconds UTC, and waits for it."""

    def now(self) -> int:
        """The time."""
        ...

    async def wait(self, tasks: Collection[asyncio.Task[Any]], until: int | None) -> None:
        """Come back when one of `tasks` is done, at `until`, or after a fraction of a second of the machine."""
        ...


class MachineClock:
    """The clock of the machine."""

    def now(self) -> int:
        """The time."""
        return int(time.time())

    async def wait(self, tasks: Collection[asyncio.Task[Any]], until: int | None) -> None:
        """Wait for a task, or for the time."""
        left = _TICK_S if until is None else min(max(until - time.time(), 0.0), _TICK_S)
        if tasks:
            await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(left)


class FileClock:
    """A clock that stands while anything is asked, and jumps to the next moment at which there is something to do.

    Its time stands in a file, in ten digits, so that a server sees the same, and a process that is killed finds it
    again.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._now = int(self._path.read_text(encoding="ascii"))

    def now(self) -> int:
        """The time."""
        return self._now

    async def wait(self, tasks: Collection[asyncio.Task[Any]], until: int | None) -> None:
        """Wait for a task; where there is none, it is `until` at once."""
        if tasks:
            await asyncio.wait(tasks, timeout=_TICK_S, return_when=asyncio.FIRST_COMPLETED)
        elif until is None:
            await asyncio.sleep(_TICK_S)
        elif until > self._now:
            with self._path.open("r+b") as file:
                file.write(b"%010d" % until)  # in one piece, so that nobody sees half of it
            self._now = until
            await asyncio.sleep(0)


def chosen_clock() -> Clock:
    """The clock that the environment names, else the machine's."""
    path = os.environ.get(CLOCK_VARIABLE)
    return FileClock(path) if path else MachineClock()
