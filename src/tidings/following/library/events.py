"""Events as a caller has them: words to look for, records, dicts, or the path of a file of events."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from tidings.core import BadRecordError, Event
from tidings.following.library.documents import as_id, convert_line
from tidings.following.library.faults import ArgumentTypeError, ArgumentValueError, kind_of
from tidings.following.library.frames import rows_of
from tidings.following.library.times import Time, as_time, is_missing
from tidings.sources import EventLine, build_event

__all__ = ["Events", "as_events"]

Events: TypeAlias = (
    "Event | Mapping[str, Any] | str | os.PathLike[str] | Iterable[Event | Mapping[str, Any]] | Any"
)
"""Events: one or several `Event` records or dicts, a table of them, or the path of a file or folder that holds them."""

_FIELDS = (
    "id",
    "title",
    "query",
    "type",
    "description",
    "languages",
    "start",
    "end",
    "start_time",
    "end_time",
)
_EXPECTED = "an Event, a dict with id and query, several of them, or the path of a file of events"


def as_events(
    query: str | Sequence[str] | None,
    events: Events | None,
    title: str | Sequence[str] | None = None,
    start: Time | None = None,
    end: Time | None = None,
) -> list[Event]:
    """The events that are asked for: those of `events`, then one for each query.

    Raises:
        ArgumentTypeError, ArgumentValueError: neither is given, or what is given describes no event.

    >>> as_events("ferry fire", None, start="2024-05-01T00:00:00Z")[0].start_time
    1714521600
    >>> as_events(None, {"id": "storm", "query": "storm coast"})[0].title
    'storm coast'
    >>> as_events(None, None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.faults.ArgumentTypeError: found neither query nor events, expected one: ...
    """
    queries = _texts(query, "query")
    if events is None and not queries:
        if query is not None:
            raise ArgumentValueError("query: found no words, expected at least one query")
        raise ArgumentTypeError('found neither query nor events, expected one: query="words to look for"')
    if not queries:
        for name, value in (("title", title), ("start", start), ("end", end)):
            if value is not None:
                raise ArgumentTypeError(
                    f"found {name} without query, expected the events themselves to have it"
                )
    chosen = [] if events is None else _given(events)
    if queries:
        chosen += _asked(queries, _texts(title, "title"), start, end, [event.id for event in chosen])
    ids = [event.id for event in chosen]
    if not chosen:
        raise ArgumentValueError("events: found none, expected at least one to follow")
    twice = next((event_id for event_id, count in Counter(ids).items() if count > 1), None)
    if twice is not None:
        raise ArgumentValueError(f"found two events called {twice!r}, expected different ids")
    return chosen


def _texts(value: str | Sequence[str] | None, name: str) -> list[str]:
    if value is None:
        return []
    texts = [value] if isinstance(value, str) else value
    if isinstance(texts, Mapping) or not isinstance(texts, Iterable):
        raise ArgumentTypeError(f"{name}: found {kind_of(value)}, expected text, or a list of texts")
    texts = list(texts)
    for text in texts:
        if not isinstance(text, str):
            raise ArgumentTypeError(f"{name}: found {kind_of(text)}, expected text, or a list of texts")
        if not text.strip():
            raise ArgumentValueError(f"{name}: found {text!r}, expected words")
    return texts


def _asked(
    queries: list[str], titles: list[str], start: Time | None, end: Time | None, taken: list[str]
) -> list[Event]:
    from tidings.following.hosting import query_events

    first = None if start is None else as_time(start, "start")
    last = None if end is None else as_time(end, "end")
    if first is not None and last is not None and first > last:
        raise ArgumentValueError(f"found start {first} after end {last}, expected it before")
    if titles and len(titles) != len(queries):
        raise ArgumentValueError(
            f"title: found {len(titles)} for {len(queries)} queries, expected one for each, in the same order"
        )
    return query_events(queries, titles, first, last, taken=taken)


def _given(events: Events) -> list[Event]:
    if isinstance(events, str | os.PathLike):
        from tidings.sources import read_events

        place = os.fspath(events)
        if place != "-" and not Path(place).exists():
            raise ArgumentValueError(
                f"events: found no file or folder {place}, expected one; words to look for are query=..."
            )
        return read_events(place)
    if isinstance(events, Event | Mapping):
        return [_event(events, "events")]
    rows = rows_of(events, "events")
    items: Any = events if rows is None else rows
    if isinstance(items, bytes) or not isinstance(items, Iterable):
        raise ArgumentTypeError(f"events: found {kind_of(events)}, expected {_EXPECTED}")
    return [_event(item, f"events: item {number}") for number, item in enumerate(items, 1)]


def _event(item: object, place: str) -> Event:
    if isinstance(item, Event):
        times = {
            key: as_time(getattr(item, key), f"{place}: {key}")
            for key in ("start_time", "end_time")
            if getattr(item, key) is not None
        }
        event = msgspec.structs.replace(item, id=as_id(item.id, f"{place}: id"), **times)
        if event.start_time is not None and event.end_time is not None and event.start_time > event.end_time:
            raise ArgumentValueError(
                f"{place}: found start_time {event.start_time} after end_time {event.end_time}, expected it before"
            )
        return event
    if not isinstance(item, Mapping):
        raise ArgumentTypeError(f"{place}: found {kind_of(item)}, expected {_EXPECTED}")
    fields = {key: item[key] for key in _FIELDS if key in item and not is_missing(item[key])}
    for key in ("id", "query"):
        if key not in fields:
            raise ArgumentValueError(f"{place}: found no {key!r}, expected it in every event")
    fields["id"] = as_id(fields["id"], f"{place}: id")
    for key in ("start", "end"):
        value = fields.pop(f"{key}_time", fields.get(key))
        if value is not None:
            fields[key] = as_time(value, f"{place}: {key}")
    try:
        return build_event(convert_line(fields, EventLine, place))
    except BadRecordError as error:
        mend = f"; {error.mend}" if error.mend else ""
        raise ArgumentValueError(f"{place}: found {error.found}, expected {error.expected}{mend}") from None
