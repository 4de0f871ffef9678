"""Pages of all events, of one, and of one update; and searching all updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from msgspec import Struct

from tidings.core import Clock, Event, Update, clean
from tidings.following import outlet_name
from tidings.live.pages.items import Filters, ShownItem, asked_filters, item_page, shown_items
from tidings.live.pages.navigation import service_line
from tidings.live.pages.overview import (
    Figure,
    OutletCount,
    SmallChart,
    activity,
    days_of,
    figures_of,
    names_of,
    outlets_of,
)
from tidings.live.pages.routes.stories import story_of
from tidings.live.pages.terms import shown_terms
from tidings.live.pages.visits import KnownEvent, Reading, known_event, known_events, live_of
from tidings.live.store import LiveStore, NumberedOutput
from tidings.live.store.outputs import EventSummary
from tidings.web import page

events_router = APIRouter(include_in_schema=False)
_MOST_SHOWN = 50
_CARDS = 30
_AROUND = 3
_HOURS = 24
_FEWEST = EventSummary(0, 0, 0)
_KIND_WORDS = (
    ("", "updates"),
    ("figures", "figures"),
    ("names", "key names"),
    ("all", "everything"),
)
_STANDING_FIRST = {"followed": 0, "paused": 1, "closed": 2, "": 3}

Before = Annotated[int | None, Query(ge=1, le=2**53)]
EventFilters = Annotated[Filters, Depends(asked_filters)]


class Card(Struct, frozen=True, kw_only=True):
    """An event on the page of all: what it is called, its state, its latest update, what happens now, its figures."""

    event: Event
    title: str
    state: str
    updates: int
    last_time: int
    latest: ShownItem | None = None
    outlet: str = ""
    outlets: int = 0
    activity: SmallChart | None = None
    figures: Sequence[Figure] = ()


def called(event: Event) -> str:
    """What readers call an event.

    >>> called(Event(id="e", title="", query="dam burst")), called(Event(id="e", title="the\\x1bdam", query=""))
    ('Dam burst', 'The\ufffddam')
    """
    name = clean(event.title or event.query or event.id)
    return name[:1].upper() + name[1:]


def _until(request: Request, last_time: int) -> int:
    # What time it is for who follows; where nobody does here, the machine's, but for what is long past its own end.
    time = service_line(request).time or int(live_of(request).clock())
    is_now = last_time <= 0 or last_time <= time < last_time + 7 * 86400
    return time if is_now else last_time


@events_router.get("/")
def events(request: Request, visitor: Reading) -> Response:
    """All events, those that are followed first, and among them those with the latest news."""
    live = live_of(request)
    end = live.outputs.end()
    summaries = live.stories.summaries()
    cards = [_bare_card(known, summaries) for known in known_events(live)]
    cards.sort(key=lambda card: (_STANDING_FIRST[card.state], -card.last_time))
    until = _until(request, max((summary.last_time for summary in summaries.values()), default=0))
    hours = live.stories.by_hour(until - _HOURS * 3600)
    full = [_full_card(live, card, until, hours.get(card.event.id, {})) for card in cards[:_CARDS]]
    return page(request, "events.html.j2", cards=full, rest=cards[_CARDS:], end=end)


def _bare_card(known: KnownEvent, summaries: Mapping[str, EventSummary]) -> Card:
    event, state = as_wanted(known)
    summary = summaries.get(event.id, _FEWEST)
    return Card(
        event=event, title=called(event), state=state, updates=summary.updates, last_time=summary.last_time
    )


def _full_card(live: LiveStore, card: Card, until: int, hours: dict[int, int]) -> Card:
    from msgspec.structs import replace

    latest = live.outputs.latest(event_id=card.event.id, kinds=["update"], limit=1)
    shown = shown_items(live, card.event, latest)
    update = shown[0].entry.update if shown and shown[0].entry else None
    named = {outlet_name(source, url) for source, url, _ in live.stories.by_outlet(card.event.id)}
    return replace(
        card,
        latest=shown[0] if shown else None,
        outlet=outlet_name(update.source, update.url) if update else "",
        outlets=len(named - {""}),
        activity=activity(hours, until, _HOURS),
        figures=figures_of(live, card.event)[:3],
    )


@events_router.get("/events/{event_id}")
def event(
    request: Request, visitor: Reading, event_id: str, filters: EventFilters, before: Before = None
) -> Response:
    """The story of one event, the newest first; later updates arrive by the stream, from the cursor on."""
    live = live_of(request)
    known = known_event(live, event_id)
    found, state = as_wanted(known)
    # First the cursor, then what came up to it: what is committed between the two comes by the stream.
    end = live.outputs.end()
    shown = item_page(live, found, filters, before=min(before or end.seq + 1, end.seq + 1), limit=_MOST_SHOWN)
    summary = live.stories.summaries(event_id=event_id).get(event_id, _FEWEST)
    until = _until(request, summary.last_time)
    hours = live.stories.by_hour(until - _HOURS * 3600, event_id=event_id).get(event_id, {})
    outlets = outlets_of(live, found)
    first = live.outputs.after(0, event_id=event_id, kinds=["update"], limit=1)
    began = shown_items(live, found, first)
    blank = shown_items(live, found, [NumberedOutput(0, Update(event_id, "", -1, 0))])
    return page(
        request,
        "event.html.j2",
        event=found,
        title=called(found),
        state=state,
        lede=_lede(summary, outlets, began),
        figures=figures_of(live, found, until),
        activity=activity(hours, until, _HOURS),
        until=until,
        names=names_of(live, found, filters.day),
        days=days_of(live, found),
        outlets=outlets,
        story=story_of(live, event_id),
        terms=shown_terms(live, known.standing),
        began=began[0] if began and summary.updates > 1 else None,
        page=shown,
        blank=blank[0],
        end=end,
        filters=filters,
        chosen=_choose(filters),
        kinds=_KIND_WORDS,
        before=before,
        left_out=live.outputs.ledger(event_id).own,
    )


@events_router.get("/events/{event_id}/updates/{seq}")
def one_update(request: Request, visitor: Reading, event_id: str, seq: int) -> Response:
    """One update with who else says so, and the updates before and after it: an address that stays."""
    live = live_of(request)
    found, _ = as_wanted(known_event(live, event_id))
    one = (
        live.outputs.after(seq - 1, event_id=event_id, kinds=["update"], limit=_AROUND + 1)
        if 0 < seq <= 2**53
        else []
    )
    if not one or one[0].seq != seq:
        raise HTTPException(404, "There is no such update.")
    earlier = live.outputs.latest(event_id=event_id, kinds=["update"], before=seq, limit=_AROUND)
    shown = shown_items(live, found, [*reversed(one), *earlier])
    this = next(item for item in shown if item.seq == seq)
    return page(request, "update.html.j2", event=found, title=called(found), one=this, around=shown)


def as_wanted(known: KnownEvent) -> tuple[Event, str]:
    """An event as people last wanted it, also before that takes effect, and its state."""
    return (known.event, "") if known.standing is None else (known.standing.event, known.standing.state)


def _lede(summary: EventSummary, outlets: Sequence[OutletCount], began: Sequence[ShownItem]) -> str:
    if not summary.updates:
        return "No updates yet."
    clock, number = Clock(), sum(1 for outlet in outlets if outlet.updates)
    by = f" from {number} outlet{'s' if number != 1 else ''}" if number else ""
    since = f" since {clock.moment(began[0].time)}" if began and summary.updates > 1 else ""
    return (
        f"{summary.updates:,} update{'s' if summary.updates != 1 else ''}{by}{since}, the last one "
        f"{clock.moment(summary.last_time)}."
    )


def _choose(filters: Filters) -> list[tuple[str, str]]:
    words = {"kind": dict(_KIND_WORDS).get(filters.kind, "")}
    if filters.period:
        words["day"] = Clock().day(filters.period[0])
    return [(name, words.get(name) or clean(value)) for name, value in filters.chosen]


search_router = APIRouter(include_in_schema=False)
_SHOWN = 30
_LONGEST = 300


@search_router.get("/search")
def search(
    request: Request,
    visitor: Reading,
    q: str = "",
    event: str = "",
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> Response:
    """Updates with these words, the newest first; whatever is typed, there is an answer."""
    live = live_of(request)
    events = {known.event.id: known.event for known in known_events(live)}
    words = q.replace("\x00", " ")[:_LONGEST]
    event_id = event if event in events else ""
    found = live.search.find(words, event_id=event_id or None, before=before, limit=_SHOWN)
    items = []
    for numbered in found.items:
        its_event = events.get(numbered.output.event_id)
        if its_event is not None:
            items.append((called(its_event), shown_items(live, its_event, [numbered])[0], its_event))
    older = ""
    if found.older is not None:
        fields = {"q": words, "event": event_id, "before": found.older}
        older = "?" + urlencode({name: value for name, value in fields.items() if value}, errors="replace")
    return page(
        request,
        "search.html.j2",
        words=words,
        event_id=event_id,
        events=[(event.id, called(event)) for event in events.values()],
        items=items,
        older=older,
        before=before,
        is_complete=found.is_complete,
    )
