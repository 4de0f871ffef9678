"""What was told, as JSON."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, HTTPException, Query, Request

from tidings.web.live.visits import Reading, live_of

__all__ = ["router"]

router = APIRouter(prefix="/api")


@router.get("/events")
def events(request: Request, visitor: Reading) -> dict[str, Any]:
    """All events that are or were followed."""
    live = live_of(request)
    standing = {one.event.id: one for one in live.events.all()}
    return {
        "items": [
            msgspec.to_builtins(event)
            | {"state": standing[event.id].state if event.id in standing else "followed"}
            for event in live.outputs.events()
        ]
    }


@router.get("/events/{event_id}/updates")
def updates(
    request: Request,
    visitor: Reading,
    event_id: str,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> dict[str, Any]:
    """What was told of an event after a cursor, oldest first; each item as a line of a run file has it."""
    live = live_of(request)
    if event_id not in {event.id for event in live.outputs.events()}:
        raise HTTPException(404, "no such event")
    found = live.outputs.after(after, event_id=event_id, kinds=["update"], limit=limit)
    return {
        "items": [msgspec.to_builtins(one.output) for one in found],
        "cursor": found[-1].seq if found else after,
    }
