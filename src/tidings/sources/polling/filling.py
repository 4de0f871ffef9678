"""What fills an inbox while it is followed, a thread that ends with its block; and the clock that it goes by."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from pathlib import Path
from typing import Any, Self


class FillingThread(ABC):
    """Fills an inbox in a thread of its own while the block runs; a child says how, and ends when `stopping` is set.

    Args:
        name: of the thread.
    """

    def __init__(self, name: str) -> None:
        self.stopping = threading.Event()
        self._over = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    @abstractmethod
    def fill(self) -> None:
        """Fill it, until all has come or it is to stop."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.stopping.set()
        self._thread.join()

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self._over.is_set()

    def wait(self, seconds: float) -> None:
        """Come back after so long, or when it is over."""
        self._over.wait(seconds)

    def check(self) -> None:
        """Raise what ended it, where something did."""
        if self._failure is not None:
            raise self._failure

    def _work(self) -> None:
        try:
            self.fill()
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that follows
            self._failure = error
        finally:
            self._over.set()


CLOCK_VARIABLE = "TIDINGS_CLOCK"
"""For tests: names a file with the time, in seconds, that all processes of a simulation share."""

_TICK_S = 0.2  # between looks for whether to stop


class Clock:
    """Says the time in seconds UTC, and waits for it: by the clock of the machine."""

    def now(self) -> int:
        """The time."""
        return int(time.time())

    async def wait(self, tasks: Collection[asyncio.Task[Any]], until: int | None) -> None:
        """Come back when one of `tasks` is done, at `until`, or after a fraction of a second."""
        left = _TICK_S if until is None else min(max(until - time.time(), 0.0), _TICK_S)
        if tasks:
            await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(left)


class FileClock(Clock):
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
    return FileClock(path) if path else Clock()
