"""Searching all updates."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from tidings.live.pages.items import shown_items
from tidings.live.pages.known_events import known_events
from tidings.live.pages.routes.events import called
from tidings.live.pages.visits import Reading, live_of
from tidings.web import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
_SHOWN = 30
_LONGEST = 300


@router.get("/search")
def search(
    request: Request,
    visitor: Reading,
    q: str = "",
    event: str = "",
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> Response:
    """Updates with these words, the newest first; whatever is typed, there is an answer."""
    live = live_of(request)
    events = {one.event.id: one.event for one in known_events(live)}
    words = q.replace("\x00", " ")[:_LONGEST]
    event_id = event if event in events else ""
    found = live.search.find(words, event_id=event_id or None, before=before, limit=_SHOWN)
    items = []
    for one in found.items:
        its_event = events.get(one.output.event_id)
        if its_event is not None:
            items.append((called(its_event), shown_items(live, its_event, [one])[0], its_event))
    older = ""
    if found.older is not None:
        fields = {"q": words, "event": event_id, "before": found.older}
        older = "?" + urlencode({name: value for name, value in fields.items() if value}, errors="replace")
    return page(
        request,
        "search.html.j2",
        words=words,
        event_id=event_id,
        events=[(one.id, called(one)) for one in events.values()],
        items=items,
        older=older,
        before=before,
        is_complete=found.is_complete,
    )
