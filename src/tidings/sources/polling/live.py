"""An inbox as a source: what is kept there, and what still comes, in the order in which it was first seen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

from tidings.core import Client, Document, Place, place_of, place_to
from tidings.sources.inbox import StoredInbox
from tidings.sources.polling.filling import FillingThread
from tidings.sources.polling.poller import Poller, PollingStatus
from tidings.sources.source import Source

_PAGE = 200  # documents read from the inbox in one step
_TICK_S = 0.1  # between looks into the inbox


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


def inbox_source(name: str, inbox: StoredInbox, polling: FillingThread | None = None) -> Source:
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


def _documents(
    inbox: StoredInbox, after: int, polling: FillingThread | None
) -> Iterator[Document | Place | None]:
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
