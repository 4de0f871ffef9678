"""A request's body has a size that the desk can hold: what is longer is refused before it is read."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["MOST_BYTES", "BodyLimit"]

MOST_BYTES = 8 * 2**20
"""More than any page sends: the longest say where each of some thousand matches of a split nugget goes."""


class BodyLimit:
    """ASGI middleware that answers 413 to a longer body. Bodies are read before it is known who sends them."""

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES) -> None:
        self.app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; the application, asking for its body, is told that it is too long."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "")
        announced = int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 0
        got = 0

        async def receive_some() -> Message:
            nonlocal got
            message = {} if announced > self._most else await receive()
            got += len(message.get("body", b""))
            if max(announced, got) > self._most:
                raise HTTPException(
                    413, f"this is too long: the desk takes {self._most // 2**20} MiB at once"
                )
            return message

        await self.app(scope, receive_some, send)
