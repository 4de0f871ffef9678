"""Being asked to stop: the signals of a process, kept until the next border between two intervals, but not for long."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["Interrupt"]

_PATIENCE_S = 0.5
"""How long a border may be away: with what unwinding takes, a signal is heeded within a second."""


class Interrupt:
    """Ctrl-C and SIGTERM ask to stop at the next border; a second one stops at once.

    Where no border comes within half a second (many events are set up, or a long document is decided on), the work is
    stopped in its middle by a KeyboardInterrupt; what was committed stays. An engine that stops its own work
    is `unhurried`: it is left the time it needs.

    >>> interrupt = Interrupt()
    >>> interrupt()
    False
    """

    def __init__(self, *, unhurried: bool = False) -> None:
        self._unhurried = unhurried
        self._asked = self._heeded = False
        self._alarm_before: Any = None

    def __call__(self) -> bool:
        """Whether somebody asked to stop; who asks this then does so."""
        self._heeded = self._asked
        return self._asked

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        if not self._unhurried and hasattr(signal, "setitimer"):
            self._alarm_before = signal.signal(signal.SIGALRM, self._lose_patience)
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE_S)

    def _lose_patience(self, number: int, frame: FrameType | None) -> None:
        if not self._heeded:
            raise KeyboardInterrupt

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        """Take the signals while the block runs."""
        import threading

        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.signal(number, self._ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            if self._alarm_before is not None:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, self._alarm_before)
            for number, handler in before.items():
                signal.signal(number, handler)
