"""Pages on which events are begun, changed, paused and closed. Updates that were emitted stay.

What is wrong in a form is said field by field, before anything is kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, cast
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Form, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from tidings.core import (
    DAY_S,
    ConflictError,
    EventLogEntry,
    StandingEvent,
    StandingState,
    TidingsError,
    Update,
    UsageError,
    is_url,
    shared_analyzer,
)
from tidings.following import (
    check_text,
    event_time,
    in_languages,
    query_events,
    query_of_article,
    read_article,
    standing_system,
)
from tidings.live.hosting.previews import Preview, Previews, PreviewSettings, check_since
from tidings.live.pages.terms import changed_terms, story_terms, with_story_terms
from tidings.live.pages.visits import Editing, live_of, live_settings_of
from tidings.live.store import LiveStore
from tidings.live.store.events import REFUSED, follower_state, stream_of
from tidings.sources import open_inbox
from tidings.web import page, root_of

_LONGEST = 500
UNLIMITED = "unlimited"
_PACELESS = frozenset({"", UNLIMITED, "free"})


class EventWords(Struct, frozen=True, kw_only=True):
    """A standing event as a form has it.

    `start` and `end` are times as people write them, "" for none; `languages` codes with commas between; `about` a
    pace, such as 10/day, or `unlimited`; `story_terms` words of the story, those struck with a minus. `preview` names
    the preview that the form comes from; `description` is no field of it, but what an article as the query gives.
    """

    title: str = ""
    query: str = ""
    story_terms: str = ""
    languages: str = ""
    about: str = ""
    start: str = ""
    end: str = ""
    preview: str = ""
    description: str = ""


def words_of(standing: StandingEvent) -> EventWords:
    """A standing event as its form has it.

    >>> from tidings.core.records import Event
    >>> storm = Event(id="storm", title="Storm", query="storm north", end_time=1714521600, languages=("de", "fr"))
    >>> words_of(StandingEvent(event=storm, about="10/day")).end
    '2024-05-01 00:00:00'
    """
    event = standing.event
    return EventWords(
        title=event.title,
        query=event.query,
        story_terms=story_terms(standing),
        languages=", ".join(event.languages),
        about=standing.about or UNLIMITED,
        start=_write_line(event.start_time),
        end=_write_line(event.end_time),
    )


def new_event(
    words: EventWords, *, taken: Collection[str], system: str, since: int | None = None
) -> StandingEvent:
    """The standing event that a form asks for; its id is made of the words of its query.

    Args:
        words: the form.
        taken: the ids of the events that there are.
        system: what decides.
        since: from when on updates of what was fetched before are emitted too.

    Raises:
        UsageError: something in the form cannot be understood, or does not fit.

    >>> new_event(EventWords(query="Ferry fire"), taken=["ferry-fire"], system="cosine").event.id[:11]
    'ferry-fire-'
    """
    _check(words)
    (event,) = query_events([words.query.strip()], taken=["query", *taken])
    event_id, number = event.id, 2
    while event_id in taken:
        event_id, number = f"{event.id}-{number}", number + 1
    made = StandingEvent(event=replace(event, id=event_id), system=system, since=since)
    return changed_event(made, words)


def changed_event(standing: StandingEvent, words: EventWords) -> StandingEvent:
    """A standing event with what a form says in the place of what it had; UsageError where that does not fit.

    >>> from tidings.core.records import Event
    >>> storm = StandingEvent(event=Event(id="storm", title="Storm", query="storm"), system="cosine")
    >>> changed_event(storm, EventWords(query="storm north", about="10/day")).event.query
    'storm north'
    """
    _check(words)
    query, title = words.query.strip(), words.title.strip()
    start, end = _time(words.start, "start"), _time(words.end, "end")
    if start is not None and end is not None and start > end:
        raise UsageError("The start is after the end.")
    now = standing.event
    description = words.description or ("" if now.article and query != now.query else now.description)
    event = replace(
        now,
        title=title or query,
        query=query,
        start_time=start,
        end_time=end,
        languages=(),
        description=description,
    )
    if words.languages.strip():
        (event,) = in_languages([event], words.languages.replace(" ", ""))
    about = words.about.strip()
    changed = replace(standing, event=event, about="" if about.lower() in _PACELESS else about)
    changed = with_story_terms(changed, words.story_terms)
    standing_system(changed).start(changed.event)
    return changed


def check_takes_up(now: StandingEvent, state: bytes | None) -> None:
    """UsageError where earlier updates would be forgotten: the follower of `now` cannot go on from `state`."""
    if state is None:
        return
    try:
        standing_system(now).start(now.event).restore(state)
    except Exception as error:
        why = str(error) if isinstance(error, TidingsError) else f"{type(error).__name__}: {error}"
        raise UsageError(
            f"This change would discard earlier updates of this story ({why}). "
            "Close the story and follow a new one instead."
        ) from error


def _check(words: EventWords) -> None:
    for name in FIELDS:
        value = getattr(words, name)
        check_text(name, value)
        if len(value) > _LONGEST:
            raise UsageError(f"The {name} has {len(value):,} characters. Use at most {_LONGEST}.")
        if any(not char.isprintable() for char in value):
            raise UsageError(
                f"The {name} contains a character that cannot be displayed. Use plain words on one line."
            )
    if not words.query.strip():
        raise UsageError("Enter a query: the words to look for.")
    if not shared_analyzer("english").stems(words.query):
        raise UsageError(
            f"The query {words.query.strip()!r} contains only punctuation or common words. Add a more specific word."
        )


def _time(words: str, name: str) -> int | None:
    try:
        return event_time(words.strip() or None, f"--{name}")
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None


def _write_line(time: int | None) -> str:
    return "" if time is None else datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S")


FIELDS = {
    "title": "title",
    "query": "query",
    "story_terms": "terms",
    "languages": "languages",
    "about": "how often",
    "start": "start",
    "end": "end",
}
"""What people can change, and how it is called."""

_KINDS = {
    "added": "followed the story",
    "changed": "edited it",
    "paused": "paused it",
    "resumed": "resumed it",
    "closed": "closed it",
    "reopened": "reopened it",
}


class Change(Struct, frozen=True):
    """A field that has another value."""

    field: str
    before: str
    now: str


class Step(Struct, frozen=True):
    """An entry of the log: who did what and when (seconds UTC), and what came of it."""

    time: int
    who: str
    what: str
    changes: tuple[Change, ...]
    effect: str
    is_refused: bool


def changes_between(before: StandingEvent, now: StandingEvent) -> tuple[Change, ...]:
    """The fields in which two versions of a standing event differ."""
    old, new = words_of(before), words_of(now)
    return tuple(
        Change(name, getattr(old, field), getattr(new, field))
        for field, name in FIELDS.items()
        if getattr(old, field) != getattr(new, field)
    )


def history(entries: Sequence[EventLogEntry]) -> list[Step]:
    """What the log of one event says (its entries oldest first, marks left out), newest first."""
    steps: list[Step] = []
    before: StandingEvent | None = None
    for entry in entries:
        if entry.event is None:
            continue
        changes = () if before is None else changes_between(before, entry.event)
        steps.append(
            Step(
                entry.recorded_ms // 1000,
                entry.who,
                _KINDS.get(entry.kind, entry.kind),
                changes,
                _effect(entry),
                entry.applied == REFUSED,
            )
        )
        before = entry.event
    return steps[::-1]


def _effect(entry: EventLogEntry) -> str:
    if entry.applied is None:
        return "pending"
    if entry.applied == REFUSED:
        return "not applied: the service could not apply it"
    if not entry.applied:
        return "applied from the start"
    return f"applied after {entry.applied:,} article{'' if entry.applied == 1 else 's'}"


editing_router = APIRouter(prefix="/edit", include_in_schema=False)

PACES = ("up to 40/day", "up to 10/day", "10/day", "3/day", "2/hour", UNLIMITED)
"""Those that a form suggests."""

_MOST_DAYS = 30
_STATES: Mapping[str, StandingState] = {
    "pause": "paused",
    "resume": "followed",
    "close": "closed",
    "reopen": "followed",
}
_UNPROCESSABLE, _CONFLICT = 422, 409

Words = Annotated[str, Form(max_length=2000)]


def event_words(
    request: Request,
    query: Words = "",
    title: Words = "",
    story_terms: Words = "",
    languages: Words = "",
    about: Words = "",
    start: Words = "",
    end: Words = "",
    preview: Words = "",
) -> EventWords:
    """An event as the form that was sent has it; with what an article gave its preview while the query is the same."""
    shown = _previews(request).find(preview)
    event = shown[0].standing.event if shown is not None else None
    return EventWords(
        title=title,
        query=query,
        story_terms=story_terms,
        languages=languages,
        about=about,
        start=start,
        end=end,
        preview=preview,
        description=event.description if event is not None and event.query == query.strip() else "",
    )


Sent = Annotated[EventWords, Depends(event_words)]
Asked = Annotated[str, Query(max_length=_LONGEST)]


@editing_router.get("")
def all_events(request: Request, visitor: Editing) -> Response:
    """Every event that is or was followed, and where each is changed."""
    return page(request, "edit.html.j2", standing=live_of(request).events.all())


@editing_router.get("/new")
def begin(
    request: Request,
    visitor: Editing,
    query: Asked = "",
    title: Asked = "",
    story_terms: Asked = "",
    languages: Asked = "",
    about: Asked = "",
    start: Asked = "",
    end: Asked = "",
    preview: Asked = "",
) -> Response:
    """The form in which an event is begun, with what is known of it."""
    words = EventWords(
        title=title,
        query=query,
        story_terms=story_terms,
        languages=languages,
        about=about or live_settings_of(request).about,
        start=start,
        end=end,
        preview=preview,
    )
    return _new_page(request, words, days=3)


@editing_router.post("/preview")
def preview(
    request: Request,
    visitor: Editing,
    words: Sent,
    days: Annotated[int, Form(ge=1, le=_MOST_DAYS)] = 3,
) -> Response:
    """Begin to find out which updates the event would have had in the last days."""
    live = live_of(request)
    try:
        standing = _make(request, words)
        stream = stream_of(live.store, live.run)
        if stream is None:
            raise UsageError(
                "No articles have been fetched yet. Follow the story without a preview, or come back later."
            )
        settings = PreviewSettings(
            store=live.store.url.render_as_string(hide_password=False),
            inbox=stream[0],
            standing=standing,
            since=stream[1] - days * DAY_S,
        )
        name = _previews(request).begin(settings)
    except UsageError as error:
        return _new_page(request, words, days, str(error), _UNPROCESSABLE)
    return RedirectResponse(f"{root_of(request)}/edit/previews/{name}", status_code=303)


@editing_router.get("/previews/{name}")
def show_preview(request: Request, visitor: Editing, name: str) -> Response:
    """How far a preview is, and what it found."""
    settings, found = _preview(request, name)
    updates = [output for output in found.outputs if isinstance(output, Update)]
    return page(
        request,
        "edit_preview.html.j2",
        name=name,
        preview=found,
        updates=updates,
        others=len(found.outputs) - len(updates),
        standing=settings.standing,
        words=words_of(settings.standing),
        since=settings.since,
        by_day=_by_day(updates),
    )


@editing_router.get("/previews/{name}/state")
def preview_state(request: Request, visitor: Editing, name: str) -> dict[str, Any]:
    """How far it is, for the page's script."""
    _, found = _preview(request, name)
    return {"state": found.state, "read": found.read, "documents": found.documents}


@editing_router.post("/new")
def add(
    request: Request,
    visitor: Editing,
    words: Sent,
    since: Annotated[int | None, Form(ge=0, le=2**40)] = None,
    tell: Annotated[bool, Form()] = False,
) -> Response:
    """Follow the event from now on; with `tell` updates of what came since then are emitted too."""
    live = live_of(request)
    try:
        standing = _make(request, words, since if tell else None)
        if standing.since is not None:
            check_past(live, standing.since)
        made = live.events.add(standing, visitor.account.name)
    except UsageError as error:
        return _new_page(request, words, 3, str(error), _UNPROCESSABLE)
    return _to_event(request, made.event.id, "added")


@editing_router.get("/events/{event_id:path}")
def show(
    request: Request, visitor: Editing, event_id: str, done: Annotated[str, Query(max_length=20)] = ""
) -> Response:
    """The form in which an event is changed, and what was changed of it."""
    standing = _find(request, event_id)
    return _edit_page(request, standing, words_of(standing), done=done)


@editing_router.post("/events/{event_id:path}")
def change(
    request: Request,
    visitor: Editing,
    event_id: str,
    version: Annotated[int, Form(ge=0, le=2**53)],
    sent: Sent,
    do: Annotated[str, Form(max_length=20)] = "save",
    add: Words = "",
    strike: Words = "",
) -> Response:
    """Change, pause, close or reopen it; where someone else was quicker, both versions are shown, none is lost.

    With `add` or `strike` words are added to the terms of the story, or struck from them, and the rest stays.
    """
    live, before = live_of(request), _find(request, event_id)
    words = words_of(before) if do in _STATES else sent
    if add or strike:
        do, words = "save", words_of(before)
        words = replace(words, story_terms=changed_terms(words.story_terms, add, strike))
    try:
        if do in _STATES:
            now = replace(before, state=_STATES[do])
        else:
            words = words_of_article(words)
            now = changed_event(before, words)
            check_takes_up(now, follower_state(live.store, live.run, now.event.id))
        live.events.change(replace(now, version=version), visitor.account.name)
    except UsageError as error:
        return _edit_page(request, before, words, str(error), _UNPROCESSABLE)
    except ConflictError as error:
        current = cast("StandingEvent", error.current)
        theirs = changes_between(_as_written(current, words), current) if do not in _STATES else ()
        problem = "Someone else edited this story in the meantime. Your changes are still in the form."
        if do in _STATES:
            problem = "Someone else edited this story in the meantime. Check their changes, then try again."
        return _edit_page(request, current, words, problem, _CONFLICT, theirs=theirs)
    return _to_event(request, event_id, do)


def _to_event(request: Request, event_id: str, done: str) -> Response:
    query = urlencode({"done": done})
    return RedirectResponse(
        f"{root_of(request)}/edit/events/{quote(event_id, safe='')}?{query}", status_code=303
    )


def _as_written(standing: StandingEvent, words: EventWords) -> StandingEvent:
    try:
        return changed_event(standing, words)
    except UsageError:
        return standing


def _make(request: Request, words: EventWords, since: int | None = None) -> StandingEvent:
    live = live_of(request)
    taken = {standing.event.id for standing in live.events.all()} | {
        event.id for event in live.outputs.events()
    }
    words = words_of_article(words)
    return new_event(words, taken=taken, system=live_settings_of(request).system, since=since)


_EXPECTED = re.compile(r"\)? \(expected |; --")
"""Where the reason of a message ends, and what would help on a command line begins."""


def words_of_article(words: EventWords) -> EventWords:
    """The form with the words of an article in the place of its address, where the query is one.

    Raises:
        UsageError: no article that can be read stands there, or the address is not on the public internet.
    """
    place = words.query.strip()
    if not is_url(place):
        return words
    try:
        asked = query_of_article(read_article(place), place)
    except TidingsError as error:
        reason = _EXPECTED.split(str(error).removeprefix(f"{place}: ").removeprefix("nothing ("))[0]
        raise UsageError(
            f"No article could be read at {place}: {reason}. Check the address, or enter words."
        ) from error
    title = words.title or asked.title[:_LONGEST]
    return replace(words, query=asked.query[:_LONGEST], title=title, description=asked.description)


def check_past(live: LiveStore, since: int) -> None:
    """UsageError where more came since a time than can be followed at once."""
    stream = stream_of(live.store, live.run)
    if stream is not None:
        with open_inbox(live.store, stream[0], fetching=False) as inbox:
            check_since(inbox, since)


def _find(request: Request, event_id: str) -> StandingEvent:
    found = live_of(request).events.find(event_id)
    if found is None:
        raise HTTPException(404, "There is no such story.")
    return found


def _previews(request: Request) -> Previews:
    previews: Previews = request.app.state.previews
    return previews


def _preview(request: Request, name: str) -> tuple[PreviewSettings, Preview]:
    found = _previews(request).find(name)
    if found is None:
        raise HTTPException(404, "This preview has expired. Start it again.")
    return found


def _by_day(updates: list[Update]) -> dict[int, list[Update]]:
    days: dict[int, list[Update]] = {}
    for update in updates:
        days.setdefault(update.time // DAY_S * DAY_S, []).append(update)
    return days


def _new_page(
    request: Request, words: EventWords, days: int, problem: str = "", status: int = 200
) -> Response:
    return page(
        request,
        "edit_new.html.j2",
        status,
        words=to_builtins(words),
        days=days,
        paces=PACES,
        problem=problem,
    )


def _edit_page(
    request: Request,
    standing: StandingEvent,
    words: EventWords,
    problem: str = "",
    status: int = 200,
    *,
    theirs: tuple[Any, ...] = (),
    done: str = "",
) -> Response:
    log = live_of(request).events.log(event_id=standing.event.id)
    return page(
        request,
        "edit_event.html.j2",
        status,
        standing=standing,
        words=to_builtins(words),
        paces=PACES,
        steps=history(log),
        marks=sum(entry.mark is not None for entry in log),
        problem=problem,
        theirs=theirs,
        done=done,
    )
