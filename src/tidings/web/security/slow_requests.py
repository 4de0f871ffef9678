"""Requests that come too slowly, and answers that nobody takes: neither may keep a connection for ever."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from tidings.web.security.shares import Shares

__all__ = ["HEAD_WITHIN_S", "TimedProtocol"]

HEAD_WITHIN_S = 20.0
"""So long may the head of a request take."""


class TimedProtocol(H11Protocol):
    """A connection that ends when no whole head of a request comes in time.

    An application finds `abort` in the state of its request: it ends the connection, whatever is still to be sent.
    """

    def __init__(
        self,
        config: Any,
        server_state: Any,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        shares: Shares | None = None,
    ) -> None:
        super().__init__(config, server_state, {**app_state, "abort": self._abort}, _loop)
        self._shares = shares or Shares()
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless its address has too many connections already."""
        super().connection_made(transport)
        if self._shares.add(self, self.client[0] if self.client else ""):
            self._wait_for_head()
        else:
            self.end()

    def data_received(self, data: bytes) -> None:
        """Take what came; where it is no whole head, the time goes on."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._head_timer is None:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop_waiting()
        self._shares.remove(self)
        super().connection_lost(exc)

    def end(self) -> None:
        """End it: it counts no more from now on."""
        self.connections.discard(self)
        self._abort()

    def _wait_for_head(self) -> None:
        self._shares.note_waiting(self)
        self._head_timer = self.loop.call_later(HEAD_WITHIN_S, self._give_up)

    def _stop_waiting(self) -> None:
        self._shares.note_working(self)
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        if self.cycle is None or self.cycle.response_complete:
            self._abort()

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()
