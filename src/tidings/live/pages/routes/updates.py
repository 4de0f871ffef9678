"""Outputs as JSON: the events, the outputs of each by kind, and the schemas of these. See docs/core/formats.md."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from tidings.core import schema_of
from tidings.following import RunOptions
from tidings.live.hosting.feed_health import FeedHealth, inboxes_health
from tidings.live.pages.answers import (
    CURSOR,
    ITEMS,
    MOST,
    OUTPUTS,
    EventId,
    items_answer,
    outputs_answer,
    returns,
)
from tidings.live.pages.visits import KnownEvent, Reading, known_event, known_events, live_of
from tidings.live.store import LiveStore
from tidings.sources import event_json

updates_router = APIRouter(prefix="/api", tags=["reading"], default_response_class=Response)

After = Annotated[int, Query(ge=0, le=MOST, description=f"{CURSOR} 0 means from the beginning.")]
Limit = Annotated[int, Query(ge=1, le=500, description="The largest number of items.")]


@updates_router.get(
    "/events", responses=returns("All events that are or were followed.", ITEMS["event"], cursor=False)
)
def events(request: Request, visitor: Reading) -> Response:
    """All events that are or were followed, in the order in which they were added."""
    live = live_of(request)
    return items_answer([_event(live, known) for known in known_events(live)])


def _event(live: LiveStore, known: KnownEvent) -> dict[str, Any]:
    latest = live.outputs.latest(event_id=known.event.id, limit=1)
    updates = live.outputs.latest(event_id=known.event.id, kinds=["update"], limit=1)
    return event_json(known.event) | {
        "state": "followed" if known.standing is None else known.standing.state,
        "updated": updates[0].output.time if updates else None,
        "cursor": latest[0].seq if latest else 0,
    }


_OPTIONS = json.dumps(schema_of(RunOptions, "api"), ensure_ascii=False, indent=2)


@updates_router.get(
    "/options",
    responses={
        200: {
            "description": "A JSON Schema of the options of an event.",
            "content": {"application/schema+json": {"example": _OPTIONS}},
        }
    },
)
def options(visitor: Reading) -> Response:
    """The options of a new event, each with its meaning and default."""
    return Response(_OPTIONS, media_type="application/schema+json")


def _outputs_of(kind: str) -> Callable[..., Response]:
    def outputs(
        request: Request, visitor: Reading, event_id: EventId, after: After = 0, limit: Limit = 100
    ) -> Response:
        return _outputs(live_of(request), event_id, kind, after, limit)

    return outputs


for _output in OUTPUTS:
    updates_router.add_api_route(
        f"/events/{{event_id}}/{_output['name']}",
        _outputs_of(_output["kind"]),
        name=_output["name"],
        description=_output["description"],
        responses=returns(_output["answer"], ITEMS[_output["kind"]]),
    )


def _outputs(live: LiveStore, event_id: str, kind: str, after: int, limit: int) -> Response:
    known_event(live, event_id)
    found = live.outputs.after(after, event_id=event_id, kinds=[kind], limit=limit)
    if not found and after > live.outputs.last_seq():
        # A cursor of a run that was started over, or of a store that was put back to an earlier copy.
        after, found = 0, live.outputs.after(0, event_id=event_id, kinds=[kind], limit=limit)
    return outputs_answer(found, after)


@updates_router.get(
    "/sources", responses=returns("The sources, those that fail first.", ITEMS["source"], cursor=False)
)
def sources(request: Request, visitor: Reading) -> Response:
    """Each polled feed, and each outlet of replayed files: its state, its items and what was dropped.

    Parts of an address that may be secret are removed: user name, password, and whatever follows `?`.
    """
    inboxes = inboxes_health(live_of(request))
    return items_answer([_source(inbox.called, feed) for inbox in inboxes for feed in inbox.feeds])


def _source(inbox: str, feed: FeedHealth) -> dict[str, Any]:
    own = {name: getattr(feed, name) for name in ITEMS["source"]["properties"] if hasattr(feed, name)}
    return {"inbox": inbox, "url": feed.shown_address if feed.address else ""} | own
