"""What a reader has missed since when, on one screen and in words; and what was on screen."""

from __future__ import annotations

import re
import secrets
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from tidings.core import Clock, EntityRanking, Event, Update, UsageError, ValueUpdate, clean, safe_url
from tidings.following import current_values, outlet_name
from tidings.live.hosting.catching_up import MissedItem, catch_up
from tidings.live.pages.navigation import service_line
from tidings.live.pages.visits import Reading, live_of, live_settings_of
from tidings.live.store.readers import BROWSER
from tidings.web import Visitor, page, token_digest

READER_COOKIE = "tidings_reader"
CHOICES = (
    ("", "your last visit"),
    ("1h", "an hour ago"),
    ("last-evening", "last evening"),
    ("7d", "a week ago"),
)

_LONGEST_TEXT = 280
_SPAN = re.compile(r"(\d{1,4})([mhd])")
_UNITS = {"m": 60, "h": 3600, "d": 86_400}
_FIRST_LOOK_S = 86_400  # what a reader's first visit shows
_EVENING = 18  # o'clock, of last-evening
_PAST_S = 7 * 86_400  # after the last output; later, the stream is an old one and its own time counts
_LARGEST = 2**53  # the largest whole number that JavaScript has exactly


class Moment(Struct, frozen=True):
    """The number of the last output that was emitted before the reader was away, and that moment in words."""

    cursor: int
    words: str


class ShownItem(Struct, frozen=True):
    """What was missed, in words."""

    seq: int
    kind: str
    event_id: str
    title: str
    text: str
    moment: str
    iso: str
    outlet: str
    url: str
    outlets: int


def reader_of(request: Request, visitor: Visitor | None) -> tuple[str, str]:
    """Who reads, and the token of a browser that nobody knows yet (else "")."""
    if visitor is not None:
        return f"account {visitor.account.id}", ""
    token = request.cookies.get(READER_COOKIE, "")
    new = ""
    if not 20 <= len(token) <= 100:
        token = new = secrets.token_urlsafe(24)
    return BROWSER + token_digest(token), new


def moment_of(request: Request, reader: str, since: str) -> Moment:
    """The moment that `since` names: "" for the last visit, `1h`, `2d`, `last-evening`, a day, or a cursor.

    Raises:
        UsageError: it names none.
    """
    live = live_of(request)
    now = _now(request)
    if not since:
        visit = live.readers.last_visit(reader)
        if visit is not None:
            return Moment(visit.cursor, "since your last visit")
        return Moment(live.outputs.cursor_before(now - _FIRST_LOOK_S), "in the last 24 hours")
    if since.isascii() and since.isdigit():
        return Moment(min(int(since[:17]), _LARGEST), f"after number {int(since[:17])}")
    time = _time_of(since, now)
    return Moment(live.outputs.cursor_before(time), f"since {Clock().moment(time)}")


def _time_of(since: str, now: int) -> int:
    span = _SPAN.fullmatch(since)
    if span is not None:
        return now - int(span[1]) * _UNITS[span[2]]
    if since == "last-evening":
        today = datetime.fromtimestamp(now, UTC).replace(hour=_EVENING, minute=0, second=0, microsecond=0)
        return int((today - timedelta(days=1)).timestamp())
    try:
        moment = datetime.fromisoformat(since)
    except ValueError:
        raise UsageError(
            f"{since[:40]!r} is not a time. Use 30m, 1h, 2d, last-evening, a day such as 2026-02-13, or a cursor."
        ) from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def _now(request: Request) -> int:
    # What time it is for who follows; of what is long past, the time of its own end.
    live = live_of(request)
    time = service_line(request).time or int(live.clock())
    last = live.outputs.last_time()
    return time if not last or last <= time < last + _PAST_S else last + 1


def shown(missed: MissedItem, event: Event | None) -> ShownItem:
    """What was missed as it is shown."""
    output = missed.output
    clock, name = Clock(), clean((event.title or event.query) if event else output.event_id)
    outlet = url = ""
    if isinstance(output, Update):
        text, outlet, url = (
            clean(output.text),
            clean(outlet_name(output.source, output.url)),
            safe_url(output.url),
        )
    elif isinstance(output, ValueUpdate):
        text = _figure(output, missed.before)
        if output.evidence:
            first = output.evidence[0]
            outlet, url = clean(outlet_name(first.source, first.url)), safe_url(first.url)
    else:
        assert isinstance(output, EntityRanking)
        text = f"New key names: {', '.join(map(clean, missed.names))}"
    if len(text) > _LONGEST_TEXT:
        text = f"{text[: _LONGEST_TEXT - 2].rsplit(' ', 1)[0]} …"
    return ShownItem(
        seq=missed.seq,
        kind={Update: "update", ValueUpdate: "value"}.get(type(output), "entities"),
        event_id=output.event_id,
        title=name,
        text=text,
        moment=clock.moment(output.time),
        iso=clock.iso(output.time),
        outlet=outlet,
        url=url,
        outlets=missed.outlets,
    )


def _figure(value: ValueUpdate, before: ValueUpdate | None) -> str:
    now = current_values([value])[0]
    then = current_values([before])[0] if before is not None else None
    beside = [f"it was {then.number}"] if then and then.number != now.number else []
    beside += [now.others] if now.others else []
    return f"{now.number} {now.label}" + (f" ({'; '.join(beside)})" if beside else "")


away_router = APIRouter()
_MOST = 4_000  # outputs that a list is made from, the latest
_EARLIER = 400  # values before, for what a figure was
_YEAR_S = 365 * 86_400


class SeenBody(BaseModel):
    """Outputs of an event, from the number of one to that of another, that were on screen."""

    model_config = ConfigDict(extra="forbid")

    event: Annotated[str, Field(min_length=1, max_length=500)]
    first: Annotated[int, Field(ge=1, le=2**53, alias="from")]
    last: Annotated[int, Field(ge=1, le=2**53, alias="to")]


@away_router.get("/away", include_in_schema=False)
def away(
    request: Request,
    visitor: Reading,
    since: Annotated[str, Query(max_length=60)] = "",
    seen: Annotated[bool, Query()] = False,
) -> Response:
    """What matters of the updates since, and was not seen."""
    live = live_of(request)
    reader, _ = reader_of(request, visitor)
    moment = moment_of(request, reader, since)
    known = {} if seen else live.readers.seen(reader)
    outputs = live.outputs.latest(after=moment.cursor, limit=_MOST)[::-1]
    before = live.outputs.latest(kinds=["value"], before=moment.cursor + 1, limit=_EARLIER)[::-1]
    events = {event.id: event for event in live.outputs.events()}
    caught_up = catch_up(
        outputs,
        events=events,
        earlier=[numbered.output for numbered in before if isinstance(numbered.output, ValueUpdate)],
        seen=lambda event_id, seq: event_id in known and seq in known[event_id],
    )
    items = [shown(missed, events.get(missed.output.event_id)) for missed in caught_up.items]
    return page(
        request,
        "away.html.j2",
        items=items,
        since=since,
        choices=CHOICES,
        several=len({item.event_id for item in items}) > 1,
        lede=_lede(len(items), caught_up.updates, moment.words),
        more=f"{caught_up.left} more updates are on the story pages." if caught_up.left else "",
        without_seen=not seen and bool(known),
    )


def _lede(items: int, updates: int, words: str) -> str:
    if not items:
        return f"No {'new ' if not updates else ''}updates {words}."
    if not updates:
        return f"No new updates {words}, but these figures or names changed."
    return f"{updates:,} update{'s' if updates != 1 else ''} you have not seen {words}."


@away_router.post("/api/seen", status_code=204, tags=["writing"])
def note_seen(request: Request, visitor: Reading, body: SeenBody) -> Response:
    """Record which updates were on screen.

    A reader without an account is recognized by a cookie that means nothing elsewhere.
    """
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
