"""What was told, as JSON: the events, and the outputs of each by kind."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tidings.live.hosting.feed_health import FeedHealth, inboxes_health
from tidings.live.pages.answers import CURSOR, MOST, items_answer, outputs_answer, returns
from tidings.live.pages.item_schemas import ENTITIES, EVENT, SOURCE, SUPPORT, UPDATE, VALUE
from tidings.live.pages.known_events import KnownEvent, known_event, known_events
from tidings.live.pages.visits import Reading, live_of
from tidings.live.store import LiveStore
from tidings.sources import event_json

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["reading"], default_response_class=Response)

EventId = Annotated[str, Path(description="The event's id.")]
After = Annotated[int, Query(ge=0, le=MOST, description=f"{CURSOR} 0: from the beginning.")]
Limit = Annotated[int, Query(ge=1, le=500, description="At most so many items.")]


@router.get("/events", responses=returns("All events that are or were followed.", EVENT, cursor=False))
def events(request: Request, visitor: Reading) -> Response:
    """All events that are or were followed, in the order in which they were added."""
    live = live_of(request)
    return items_answer([_event(live, one) for one in known_events(live)])


def _event(live: LiveStore, known: KnownEvent) -> dict[str, Any]:
    latest = live.outputs.latest(event_id=known.event.id, limit=1)
    updates = live.outputs.latest(event_id=known.event.id, kinds=["update"], limit=1)
    return event_json(known.event) | {
        "state": "followed" if known.standing is None else known.standing.state,
        "updated": updates[0].output.time if updates else None,
        "cursor": latest[0].seq if latest else 0,
    }


@router.get("/events/{event_id}/updates", responses=returns("Updates, oldest first.", UPDATE))
def updates(
    request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
) -> Response:
    """The updates of an event after a cursor, oldest first; each item as a line of a run file has it."""
    return _outputs(request, event_id, "update", after, limit)


@router.get("/events/{event_id}/values", responses=returns("Values, oldest first.", VALUE))
def values(
    request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
) -> Response:
    """The values of an event as they became known after a cursor, oldest first; the last of an attribute holds."""
    return _outputs(request, event_id, "value", after, limit)


@router.get("/events/{event_id}/entities", responses=returns("Rankings of a day's entities.", ENTITIES))
def entities(
    request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
) -> Response:
    """The rankings of each day's entities after a cursor, oldest first; the last of a day holds."""
    return _outputs(request, event_id, "entities", after, limit)


@router.get("/events/{event_id}/supports", responses=returns("What supports updates.", SUPPORT))
def supports(
    request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
) -> Response:
    """Which outlets said what an update says, as they came after a cursor, oldest first."""
    return _outputs(request, event_id, "support", after, limit)


def _outputs(request: Request, event_id: str, kind: str, after: int, limit: int) -> Response:
    live = live_of(request)
    known_event(live, event_id)
    found = live.outputs.after(after, event_id=event_id, kinds=[kind], limit=limit)
    if not found and after > live.outputs.last_seq():
        # A cursor of a run that was begun anew, or of a store that was put back to an earlier copy.
        after, found = 0, live.outputs.after(0, event_id=event_id, kinds=[kind], limit=limit)
    return outputs_answer(found, after)


@router.get("/sources", responses=returns("The sources, those that fail first.", SOURCE, cursor=False))
def sources(request: Request, visitor: Reading) -> Response:
    """Each feed that is polled, and each outlet of files that are replayed: how it goes, what came, what was dropped.

    Of an address is left out what may be a secret: a user's name and password, and what follows `?`.
    """
    inboxes = inboxes_health(live_of(request))
    return items_answer([_source(inbox.called, feed) for inbox in inboxes for feed in inbox.feeds])


def _source(inbox: str, feed: FeedHealth) -> dict[str, Any]:
    return {
        "inbox": inbox,
        "url": feed.shown_address if feed.address else "",
        "title": feed.title,
        "state": feed.state,
        "error": feed.error,
        "failures": feed.failures,
        "answered_time": feed.answered_time,
        "next_time": feed.next_time,
        "asked": feed.asked,
        "items": feed.items,
        "last_time": feed.last_time,
        "delay_s": feed.delay_s,
        "dropped": dict(feed.dropped),
    }
