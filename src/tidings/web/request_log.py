"""Each request noted when it is answered."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tidings.web.guards import Middleware

_FAILED = 500

Note: TypeAlias = Callable[[str, str, int, float, str], None]
"""Told the method, path without query, status (0: the reader was gone first), seconds and address of who asked."""


class RequestLog(Middleware):
    """ASGI middleware that tells `note` of each request, once it is answered or its reader is gone."""

    def __init__(self, app: ASGIApp, note: Note) -> None:
        super().__init__(app)
        self._note = note

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note its answer."""
        began, status = perf_counter(), 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        except Exception:
            status = status or _FAILED  # which is answered further out
            raise
        finally:
            client = scope.get("client")
            self._note(
                scope["method"], scope["path"], status, perf_counter() - began, client[0] if client else ""
            )
