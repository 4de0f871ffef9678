"""What fills an inbox while it is followed: a thread that ends with the block that began it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import Protocol, Self

__all__ = ["Filling", "FillingThread"]


class Filling(Protocol):
    """What fills an inbox."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        ...

    def wait(self, seconds: float) -> None:
        """Come back after so long, or when it is over."""
        ...

    def check(self) -> None:
        """Raise what ended it, where something did."""
        ...


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
