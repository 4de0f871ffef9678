"""An inbox as a source: what is kept there, and what still comes, in the order in which it was first seen."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Protocol, Self

from tidings.core import Document, Inbox, Place, place_of, place_to
from tidings.sources.polling.client import Client
from tidings.sources.polling.poller import Poller, PollingStatus
from tidings.sources.source import Source

__all__ = ["Filling", "FillingThread", "Polling", "inbox_source"]


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


_PAGE = 200
_TICK_S = 0.1


class Polling(FillingThread):
    """Polls in a thread of its own while the block runs.

    Args:
        make_client: gives the client, within that thread.
        make_poller: gives the poller that asks through it.
        until: when to end by itself; None for never.
    """

    def __init__(
        self,
        make_client: Callable[[], Client],
        make_poller: Callable[[Client], Poller],
        until: int | None = None,
    ) -> None:
        super().__init__("tidings-polling")
        self._make_client, self._make_poller, self._until = make_client, make_poller, until
        self.status = PollingStatus()

    def fill(self) -> None:
        """Poll."""
        asyncio.run(self._poll())

    async def _poll(self) -> None:
        async with self._make_client() as client:
            poller = self._make_poller(client)
            self.status = poller.status
            await poller.run(self.stopping.is_set, self._until)


def inbox_source(name: str, inbox: Inbox, polling: Filling | None = None) -> Source:
    """The documents of an inbox, from its first; while it is polled, those that still come too.

    Args:
        name: of the source, by which a run remembers it.
        inbox: where the documents are.
        polling: what fills it; None where nothing does: then the source ends with what is there.
    """

    def open_at(cursor: bytes) -> Iterator[Document | Place | None] | None:
        seq = place_to(cursor)
        return None if seq is None else _documents(inbox, seq, polling)

    return Source(name, lambda: _documents(inbox, 0, polling), open_at=open_at)


def _documents(inbox: Inbox, after: int, polling: Filling | None) -> Iterator[Document | Place | None]:
    while True:
        is_over = polling is None or polling.is_over  # asked first: what came before that is read below
        page = inbox.documents(after, _PAGE)
        for seq, document in page:
            yield document
            after = seq
        if page:
            yield Place(partial(place_of, after))
        elif is_over:
            if polling is not None:
                polling.check()
            return
        else:
            yield None
            assert polling is not None
            polling.wait(_TICK_S)
