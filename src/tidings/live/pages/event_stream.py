"""A stream of server-sent events as an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from tidings.core import TidingsError
from tidings.live.pages.tail import Reader, Tail

_HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}


class EventStream(StreamingResponse):
    """What a reader is sent until it goes, is cut, or the server ends; then its connection ends too."""

    def __init__(self, tail: Tail, reader: Reader) -> None:
        super().__init__(_nothing(), media_type="text/event-stream", headers=_HEADERS)
        self._tail, self._reader = tail, reader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        reader, now = self._reader, asyncio.get_running_loop().time
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with self._tail.reading(reader):
            listening = asyncio.create_task(_end_when_gone(receive, reader))
            try:
                # A store that fails for a moment ends the stream: who reads it comes again.
                with suppress(TidingsError):
                    async for data in self._tail.messages(reader):
                        reader.sending_since = now()
                        await send({"type": "http.response.body", "body": data, "more_body": True})
                        reader.sending_since, reader.active = None, now()
            finally:
                listening.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _end_when_gone(receive: Receive, reader: Reader) -> None:
    try:
        # A body that was announced and does not come is no reason to go on sending to nobody.
        with suppress(HTTPException):
            while (await receive())["type"] != "http.disconnect":
                pass
    finally:
        reader.end()


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""
