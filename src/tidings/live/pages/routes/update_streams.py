"""Updates as they are emitted: server-sent events that go on after the last one that came through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Header, HTTPException, Query, Request
from starlette.exceptions import HTTPException as BrokenBody
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tidings.core import TidingsError
from tidings.live.pages.answers import CURSOR, MOST, STREAM, EventId
from tidings.live.pages.tail import Reader, Tail
from tidings.live.pages.visits import Reading, known_event, live_of, live_settings_of, tail_of
from tidings.web import neighbourhood

streams_router = APIRouter(prefix="/api", tags=["streams"])
_LATER = {"retry-after": "10"}

After = Annotated[int | None, Query(ge=0, le=MOST, description=f"{CURSOR} (default: from now on)")]
LastEventId = Annotated[
    str | None, Header(description="The id of the last message received; takes precedence over `after`.")
]


@streams_router.get("/stream", response_class=StreamingResponse, responses=STREAM)
async def stream_of_all(
    request: Request, visitor: Reading, after: After = None, last_event_id: LastEventId = None
) -> Response:
    """All outputs of all events as server-sent events, from now on or after a cursor."""
    return await _stream(request, None, after, last_event_id)


@streams_router.get("/events/{event_id}/stream", response_class=StreamingResponse, responses=STREAM)
async def stream_of_event(
    request: Request,
    visitor: Reading,
    event_id: EventId,
    after: After = None,
    last_event_id: LastEventId = None,
) -> Response:
    """All outputs of one event as server-sent events, from now on or after a cursor."""
    await asyncio.to_thread(known_event, live_of(request), event_id)
    return await _stream(request, event_id, after, last_event_id)


async def _stream(
    request: Request, event_id: str | None, after: int | None, last_event_id: str | None
) -> Response:
    tail, settings = tail_of(request), live_settings_of(request)
    address = neighbourhood(request.client.host if request.client else "")
    if tail.is_ending or tail.readers >= settings.streams:
        raise HTTPException(503, "Too many open streams. Try again later.", headers=_LATER)
    if tail.readers_of(address) >= settings.streams_of_one:
        raise HTTPException(429, "Too many open streams from your address.", headers=_LATER)
    # A browser that comes again says where it was in a header, which goes before the address that it began with.
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit():
        after = min(int(last_event_id[:20]), MOST)
    # Where only accounts may read, a stream comes again now and then, and is asked again who reads it.
    now = asyncio.get_running_loop().time()
    until = None if settings.open_reading else now + settings.asked_again_s
    abort = getattr(request.state, "abort", None)
    return EventStream(tail, await tail.reader(event_id, after, address, abort=abort, until=until))


_HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}


class EventStream(StreamingResponse):
    """What a reader is sent until it goes, is cut, or the server ends; then its connection ends too."""

    def __init__(self, tail: Tail, reader: Reader) -> None:
        super().__init__(_yield_nothing(), media_type="text/event-stream", headers=_HEADERS)
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
        with suppress(BrokenBody):
            while (await receive())["type"] != "http.disconnect":
                pass
    finally:
        reader.end()


async def _yield_nothing() -> AsyncIterator[bytes]:
    return
    yield b""
