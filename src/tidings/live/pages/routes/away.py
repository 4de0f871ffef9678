"""What a reader has not seen, on one screen; and what was on screen."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from tidings.core import ValueUpdate
from tidings.live.hosting.catching_up import catch_up
from tidings.live.pages.away import CHOICES, READER_COOKIE, moment_of, reader_of, shown
from tidings.live.pages.visits import Reading, live_of, live_settings_of
from tidings.web import page

__all__ = ["router"]

router = APIRouter()
_MOST = 4_000
_EARLIER = 400
_YEAR_S = 365 * 86_400


class SeenBody(BaseModel):
    """Outputs of an event, from the number of one to that of another, that were on screen."""

    model_config = ConfigDict(extra="forbid")

    event: Annotated[str, Field(min_length=1, max_length=500)]
    first: Annotated[int, Field(ge=1, le=2**53, alias="from")]
    last: Annotated[int, Field(ge=1, le=2**53, alias="to")]


@router.get("/away", include_in_schema=False)
def away(
    request: Request,
    visitor: Reading,
    since: Annotated[str, Query(max_length=60)] = "",
    seen: Annotated[bool, Query()] = False,
) -> Response:
    """What matters of what was told since, and was not seen."""
    live = live_of(request)
    reader, _ = reader_of(request, visitor)
    moment = moment_of(request, reader, since)
    known = {} if seen else live.readers.seen(reader)
    told = live.outputs.latest(after=moment.cursor, limit=_MOST)[::-1]
    before = live.outputs.latest(kinds=["value"], before=moment.cursor + 1, limit=_EARLIER)[::-1]
    caught_up = catch_up(
        told,
        earlier=[one.output for one in before if isinstance(one.output, ValueUpdate)],
        seen=lambda event_id, seq: event_id in known and seq in known[event_id],
    )
    events = {event.id: event for event in live.outputs.events()}
    items = [shown(one, events.get(one.output.event_id)) for one in caught_up.items]
    return page(
        request,
        "away.html.j2",
        items=items,
        since=since,
        choices=CHOICES,
        several=len({one.event_id for one in items}) > 1,
        lede=_lede(len(items), caught_up.updates, moment.words),
        more=f"{caught_up.left} more updates are in the events." if caught_up.left else "",
        without_seen=not seen and bool(known),
    )


def _lede(items: int, updates: int, words: str) -> str:
    if not items:
        return f"Nothing {'that you have not seen ' if not updates else ''}was told {words}."
    if not updates:
        return f"No update was told {words}, but this changed."
    return f"{updates:,} update{'s' if updates != 1 else ''} that you have not seen {words}."


@router.post("/api/seen", status_code=204)
def note_seen(request: Request, visitor: Reading, body: SeenBody) -> Response:
    """Note that updates were on screen; who has no account is known by a cookie, which means nothing elsewhere."""
    live = live_of(request)
    reader, token = reader_of(request, visitor)
    answer = Response(status_code=204)
    if not any(event.id == body.event for event in live.outputs.events()):
        return answer
    live.readers.note_seen(reader, body.event, body.first, body.last, live.outputs.last_seq())
    if token:
        answer.set_cookie(
            READER_COOKIE,
            token,
            max_age=_YEAR_S,
            path="/",
            secure=live_settings_of(request).https,
            httponly=True,
            samesite="lax",
        )
    return answer
