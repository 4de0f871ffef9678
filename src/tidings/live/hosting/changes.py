"""Standing events as people write them in forms: what is wrong is said field by field, before anything is kept."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import StandingEvent, TidingsError, UsageError, shared_analyzer
from tidings.following import (
    carried_state,
    check_text,
    event_time,
    in_languages,
    query_events,
    standing_system,
)

__all__ = ["EventWords", "changed_event", "check_takes_up", "new_event", "words_of"]

_LONGEST = 500
FREE = "free"


class EventWords(Struct, frozen=True, kw_only=True):
    """A standing event as a form has it.

    `start` and `end` are times as people write them, "" for none; `languages` codes with commas between; `about` a
    pace, such as 10/day, or `free`.
    """

    title: str = ""
    query: str = ""
    languages: str = ""
    about: str = ""
    start: str = ""
    end: str = ""


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
        languages=", ".join(event.languages),
        about=standing.about or FREE,
        start=_written(event.start_time),
        end=_written(event.end_time),
    )


def new_event(
    words: EventWords, *, taken: Collection[str], system: str, since: int | None = None
) -> StandingEvent:
    """The standing event that a form asks for; its id is made of the words of its query.

    Args:
        words: the form.
        taken: the ids of the events that there are.
        system: what decides.
        since: from when on what was fetched before is told too.

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
        raise UsageError("found a start after the end, expected it before")
    event = replace(
        standing.event, title=title or query, query=query, start_time=start, end_time=end, languages=()
    )
    if words.languages.strip():
        (event,) = in_languages([event], words.languages.replace(" ", ""))
    about = words.about.strip()
    changed = replace(standing, event=event, about="" if about == FREE else about)
    standing_system(changed).start(changed.event)
    return changed


def check_takes_up(before: StandingEvent, now: StandingEvent, state: bytes | None) -> None:
    """UsageError where what was told before would be forgotten: the follower of `now` cannot go on from `state`."""
    if state is None:
        return
    try:
        standing_system(now).start(now.event).restore(carried_state(before, now, state))
    except Exception as error:
        why = str(error) if isinstance(error, TidingsError) else f"{type(error).__name__}: {error}"
        raise UsageError(
            f"this change cannot be made while the event is followed, since what was told would be forgotten ({why}); "
            "close it, and begin another one"
        ) from error


def _check(words: EventWords) -> None:
    for name in EventWords.__struct_fields__:
        value = getattr(words, name)
        check_text(name, value)
        if len(value) > _LONGEST:
            raise UsageError(f"found {len(value):,} characters in {name}, expected {_LONGEST} at most")
        if any(not char.isprintable() for char in value):
            raise UsageError(f"found a sign in {name} that cannot be shown, expected words in one line")
    if not words.query.strip():
        raise UsageError("found no query, expected words to look for")
    if not shared_analyzer("english").stems(words.query):
        raise UsageError(
            f"found the query {words.query.strip()!r}, expected at least one word to look for; signs and `the` are none"
        )


def _time(words: str, name: str) -> int | None:
    try:
        return event_time(words.strip() or None, f"--{name}")
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None


def _written(time: int | None) -> str:
    return "" if time is None else datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S")
