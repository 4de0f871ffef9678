"""Each event as a feed, for readers of feeds: Atom and JSON Feed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Header, Path, Request
from starlette.responses import Response

from tidings.live.pages.answers import ERRORS
from tidings.live.pages.feed_formats import ATOM, JSON_FEED, FeedHead, atom, json_feed
from tidings.live.pages.feed_items import FeedItem, feed_id, feed_items, readable
from tidings.live.pages.known_events import known_event
from tidings.live.pages.visits import Reading, live_of, live_settings_of

__all__ = ["router"]

router = APIRouter(prefix="/events/{event_id}", tags=["feeds"], default_response_class=Response)
_SHOWN = 50

EventId = Annotated[str, Path(description="The event's id.")]
IfNoneMatch = Annotated[str | None, Header(description="The ETag of the answer that you have.")]


def _described(kind: str) -> dict[int | str, dict[str, object]]:
    schema = {"type": "string"} if kind == ATOM else {"type": "object"}
    return ERRORS | {
        200: {"description": "The latest updates, newest first.", "content": {kind: {"schema": schema}}},
        304: {"description": "It is as you have it."},
    }


@router.get("/atom.xml", responses=_described(ATOM))
def as_atom(
    request: Request, visitor: Reading, event_id: EventId, if_none_match: IfNoneMatch = None
) -> Response:
    """The latest updates of an event as an Atom feed."""
    return _feed(request, event_id, "atom.xml", ATOM, atom, if_none_match)


@router.get("/feed.json", responses=_described(JSON_FEED))
def as_json_feed(
    request: Request, visitor: Reading, event_id: EventId, if_none_match: IfNoneMatch = None
) -> Response:
    """The latest updates of an event as a JSON Feed."""
    return _feed(request, event_id, "feed.json", JSON_FEED, json_feed, if_none_match)


def _feed(
    request: Request,
    event_id: str,
    name: str,
    kind: str,
    write: Callable[[FeedHead, Sequence[FeedItem]], bytes],
    if_none_match: str | None,
) -> Response:
    live, event = live_of(request), known_event(live_of(request), event_id).event
    updates = live.outputs.latest(event_id=event.id, kinds=["update"], limit=_SHOWN)
    page = f"/events/{quote(event.id, safe='')}"
    settings = live_settings_of(request)
    public = settings.public_url and settings.public_url + settings.root_path
    site = public or str(request.base_url).rstrip("/")
    items = feed_items(live.run, site, page, updates)
    head = FeedHead(
        id=feed_id(live.run, event),
        title=readable(event.title or event.query).strip() or event.id,
        page=site + page,
        address=f"{site}{page}/{name}",
        time=items[0].time if items else event.start_time or 0,
    )
    body = write(head, items)
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if if_none_match is not None and _names(if_none_match, tag):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers=headers)


def _names(said: str, tag: str) -> bool:
    """Whether If-None-Match names a tag; a proxy that packs answers calls it weak.

    >>> _names('W/"b", "a"', '"a"'), _names("*", '"a"'), _names('"ab"', '"a"')
    (True, True, False)
    """
    return said.strip() == "*" or tag in [one.strip().removeprefix("W/") for one in said.split(",")]
