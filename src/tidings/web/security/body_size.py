"""A request's body has a size that can be held, and comes in time: what is longer is refused before it is read."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["MOST_BYTES", "WITHIN_S", "BodyLimit"]

MOST_BYTES = 8 * 2**20
"""More than any page of the desk sends: the longest say where each of some thousand matches of a split nugget goes."""

WITHIN_S = 60.0
"""So long may all of it take."""


class BodyLimit:
    """ASGI middleware that answers 413 to a longer body, and 408 to one that takes longer.

    Bodies are read before it is known who sends them.
    """

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES, within_s: float = WITHIN_S) -> None:
        self.app = app
        self._most, self._within_s = most, within_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; the application, asking for its body, is told that it is too long."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        said = Headers(scope=scope).get("content-length", "")
        announced = int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 0
        got, is_whole = 0, False
        ends = asyncio.get_running_loop().time() + self._within_s

        async def receive_some() -> Message:
            nonlocal got, is_whole
            if is_whole:  # what comes now says that nobody listens any more, whenever that is
                return await receive()
            try:
                async with asyncio.timeout_at(ends):
                    message = {} if announced > self._most else await receive()
            except TimeoutError:
                raise HTTPException(408, "this came too slowly: send it again") from None
            is_whole = not message.get("more_body", False)
            got += len(message.get("body", b""))
            if max(announced, got) > self._most:
                raise HTTPException(
                    413, f"this is too long: at most {self._most // 2**10:,} KiB are taken at once"
                )
            return message

        await self.app(scope, receive_some, send)
