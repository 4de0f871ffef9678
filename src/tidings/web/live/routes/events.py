"""Pages of all events, and of one."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response

from tidings.web.live.visits import Reading, live_of
from tidings.web.pages import page

__all__ = ["router"]

router = APIRouter()
_SHOWN = 50


@router.get("/", include_in_schema=False)
def events(request: Request, visitor: Reading) -> Response:
    """All events, each with its latest update."""
    live = live_of(request)
    latest = {
        event.id: live.outputs.latest(event_id=event.id, kinds=["update"], limit=1)
        for event in live.outputs.events()
    }
    return page(
        request,
        "events.html.j2",
        events=live.outputs.events(),
        standing={one.event.id: one for one in live.events.all()},
        latest=latest,
    )


@router.get("/events/{event_id}", include_in_schema=False)
def event(request: Request, visitor: Reading, event_id: str) -> Response:
    """The story of one event."""
    live = live_of(request)
    found = next((one for one in live.outputs.events() if one.id == event_id), None)
    if found is None:
        raise HTTPException(404, "no such event")
    updates = live.outputs.latest(event_id=event_id, kinds=["update"], limit=_SHOWN)
    return page(request, "event.html.j2", event=found, updates=updates, cursor=live.outputs.last_seq())
