"""What is told, as it is told: server-sent events that go on after the last one that came through."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, HTTPException, Query, Request
from fastapi.responses import StreamingResponse

from tidings.store.live import LiveStore
from tidings.web.live.tail import Tail, message
from tidings.web.live.visits import Reading, live_of, live_settings_of, tail_of

__all__ = ["router"]

router = APIRouter(prefix="/api")
_PING_EVERY_S = 15
_HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}


@router.get("/stream")
async def everything(
    request: Request,
    visitor: Reading,
    after: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """Everything that is told of any event, from now on or after a cursor."""
    return _stream(request, None, after, last_event_id)


@router.get("/events/{event_id}/stream")
async def of_event(
    request: Request,
    visitor: Reading,
    event_id: str,
    after: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """Everything that is told of one event, from now on or after a cursor."""
    events = await asyncio.to_thread(live_of(request).outputs.events)
    if event_id not in {event.id for event in events}:
        raise HTTPException(404, "no such event")
    return _stream(request, event_id, after, last_event_id)


def _stream(
    request: Request, event_id: str | None, after: int | None, last_event_id: str | None
) -> StreamingResponse:
    tail = tail_of(request)
    if tail.readers >= live_settings_of(request).streams:
        raise HTTPException(503, "too many streams are open", headers={"retry-after": "10"})
    # A browser that comes again says where it was in a header, which goes before the address that it began with.
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit():
        after = min(int(last_event_id[:18]), 2**53)
    messages = _messages(live_of(request), tail, event_id, after)
    return StreamingResponse(messages, media_type="text/event-stream", headers=_HEADERS)


async def _messages(
    live: LiveStore, tail: Tail, event_id: str | None, after: int | None
) -> AsyncIterator[bytes]:
    async with tail.reading(event_id) as reader:
        seq = tail.last_seq if after is None else after
        yield b"retry: 1000\n: from %d\n\n" % seq
        while seq < tail.last_seq:  # what was told before the stream was opened
            old = await asyncio.to_thread(live.outputs.after, seq, event_id=event_id)
            if not old:
                break
            yield b"".join(message(one) for one in old)
            seq = old[-1].seq
        while not reader.lost:
            try:
                new = await asyncio.wait_for(reader.queue.get(), _PING_EVERY_S)
            except TimeoutError:
                # An event, not a remark, so that a page notices where none comes any more.
                yield b"event: ping\ndata: {}\n\n"
                continue
            data = b"".join(one.data for one in new if one.seq > seq)
            if data:
                seq = new[-1].seq
                yield data
