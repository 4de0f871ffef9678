"""Where the news comes from, and how that goes."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from tidings.live.hosting.feed_health import inboxes_health
from tidings.live.pages.visits import Reading, live_of
from tidings.web import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/sources")
def sources(request: Request, visitor: Reading) -> Response:
    """Each feed's health, its last answer, its delay, its documents, and what of it was dropped and why."""
    return page(request, "sources.html.j2", inboxes=inboxes_health(live_of(request)))
