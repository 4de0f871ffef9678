"""Outputs as JSON: the events, the outputs of each by kind, and the schemas of these. See docs/core/formats.md."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tidings.live.hosting.feed_health import FeedHealth, inboxes_health
from tidings.live.pages.answers import CURSOR, MOST, items_answer, outputs_answer, returns
from tidings.live.pages.visits import KnownEvent, Reading, known_event, known_events, live_of
from tidings.live.store import LiveStore
from tidings.sources import event_json

__all__ = ["ENTITIES", "EVENT", "SOURCE", "SUPPORT", "UPDATE", "VALUE", "updates_router"]


_TEXT = {"type": "string"}
_WHOLE = {"type": "integer"}
_NUMBER = {"type": "number"}
_TIME = {"type": "integer", "description": "seconds UTC"}
_PLACE = {"doc": _TEXT, "sentence": _WHOLE}
_OUTLET = {
    "published_time": _TIME | {"description": "when the document was first seen (seconds UTC)"},
    "source": _TEXT | {"description": "the outlet"},
    "title": _TEXT | {"description": "the document's"},
    "url": _TEXT | {"description": "the document's, as its feed says; check it before you link to it"},
}
_EVIDENCE = {"type": "object", "properties": {**_PLACE, "text": _TEXT, **_OUTLET}}


def _item(required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required.split(), "properties": properties}


def _line(kind: str, required: str, **properties: Any) -> dict[str, Any]:
    about = {"kind": {"type": "string", "const": kind}, "event": _TEXT | {"description": "the event's id"}}
    return _item(f"kind event {required}", **about, time=_TIME, **properties)


UPDATE = _line(
    "update",
    "update doc sentence time confidence",
    update=_TEXT | {"description": "the update's id: the document's and the sentence's number"},
    **_PLACE,
    **_OUTLET,
    confidence=_NUMBER | {"type": ["number", "null"]},
    text=_TEXT,
)
VALUE = _line(
    "value",
    "time attribute value confidence",
    attribute=_TEXT | {"description": "such as deaths"},
    value={"description": "a number; of a location [latitude, longitude]"},
    confidence=_NUMBER | {"type": ["number", "null"]},
    **_PLACE,
    reported={"type": "array", "items": _NUMBER, "description": "from which to which value others say"},
    evidence={"type": "array", "items": _EVIDENCE},
    place=_TEXT,
)
ENTITIES = _line(
    "entities",
    "date entities",
    date=_TEXT | {"description": "the day (UTC), as 2013-07-24"},
    entities={"type": "array", "items": _TEXT, "description": "the most important first"},
    **{
        name: {"type": "array", "items": item, "description": f"for each of them: {said}"}
        for name, item, said in (
            ("types", _TEXT, "such as person"),
            ("scores", _NUMBER, "how important"),
            ("salience", _NUMBER, "how central to the event, 0 to 1"),
            ("informativeness", _NUMBER, "how new what is said of it, 0 to 1"),
            ("new", {"type": "boolean"}, "whether it was not named on the day with news before"),
            ("evidence", _EVIDENCE, "a sentence that names it"),
            ("ids", _WHOLE, "a number that stays from day to day"),
        )
    },
)
SUPPORT = _line(
    "support",
    "update doc sentence time evidence",
    update=_TEXT | {"description": "the id of the update that is supported"},
    **_PLACE,
    evidence=_EVIDENCE,
    same={"type": "boolean", "description": "false where the sentence is only near"},
)
EVENT = _item(
    "id title query state updated cursor",
    id=_TEXT,
    title=_TEXT,
    query=_TEXT,
    start=_TIME,
    end=_TIME,
    type=_TEXT,
    description=_TEXT,
    languages={"type": "array", "items": _TEXT},
    state={"type": "string", "enum": ["followed", "paused", "closed"]},
    updated={"type": ["integer", "null"], "description": "the time of its latest update (seconds UTC)"},
    cursor=_WHOLE | {"description": "of the last that was told of it"},
)
SOURCE = _item(
    "inbox url title state error failures answered_time next_time asked items last_time delay_s dropped",
    inbox=_TEXT | {"description": "what it comes into"},
    url=_TEXT | {"description": "of a feed; without what may be a secret"},
    title=_TEXT,
    state={"type": "string", "enum": ["answers", "fails", "gone", "not asked yet", "replayed"]},
    error=_TEXT | {"description": "what was wrong at the last time; empty for nothing"},
    failures=_WHOLE | {"description": "in a row"},
    answered_time=_TIME | {"description": "of its last answer (seconds UTC; 0: none yet)"},
    next_time=_TIME | {"description": "when it is asked next (seconds UTC)"},
    asked=_WHOLE | {"description": "how often it was asked"},
    items=_WHOLE | {"description": "documents that came by it, as far as it is counted"},
    last_time=_TIME | {"description": "when its last document was first seen (seconds UTC; 0: not known)"},
    delay_s={"type": ["integer", "null"], "description": "median seconds from publication to first seen"},
    dropped={"type": "object", "description": "items that gave no document, by why"},
)


updates_router = APIRouter(prefix="/api", tags=["reading"], default_response_class=Response)

EventId = Annotated[str, Path(description="The event's id.")]
After = Annotated[int, Query(ge=0, le=MOST, description=f"{CURSOR} 0: from the beginning.")]
Limit = Annotated[int, Query(ge=1, le=500, description="At most so many items.")]


@updates_router.get(
    "/events", responses=returns("All events that are or were followed.", EVENT, cursor=False)
)
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


@updates_router.get("/events/{event_id}/updates", responses=returns("Updates, oldest first.", UPDATE))
def updates(
    request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
) -> Response:
    """The updates of an event after a cursor, oldest first; each item as a line of a run file has it."""
    return _outputs(request, event_id, "update", after, limit)


@updates_router.get("/events/{event_id}/values", responses=returns("Values, oldest first.", VALUE))
def values(
    request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
) -> Response:
    """The values of an event as they became known after a cursor, oldest first; the last of an attribute holds."""
    return _outputs(request, event_id, "value", after, limit)


@updates_router.get(
    "/events/{event_id}/entities", responses=returns("Rankings of a day's entities.", ENTITIES)
)
def entities(
    request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
) -> Response:
    """The rankings of each day's entities after a cursor, oldest first; the last of a day holds."""
    return _outputs(request, event_id, "entities", after, limit)


@updates_router.get("/events/{event_id}/supports", responses=returns("What supports updates.", SUPPORT))
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


@updates_router.get(
    "/sources", responses=returns("The sources, those that fail first.", SOURCE, cursor=False)
)
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
