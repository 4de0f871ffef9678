"""Being asked to stop: the signals of a process, kept until the next border between two intervals."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Interrupt"]


class Interrupt:
    """Ctrl-C and SIGTERM ask to stop at the next border; a second one stops at once.

    >>> interrupt = Interrupt()
    >>> interrupt()
    False
    """

    def __init__(self) -> None:
        self._asked = False

    def __call__(self) -> bool:
        """Whether somebody asked to stop."""
        return self._asked

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True

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
            for number, handler in before.items():
                signal.signal(number, handler)
