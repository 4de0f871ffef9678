"""An event as JSON: what is followed, from when to when.

{"id": "e1", "title": "A ferry burns", "query": "ferry fire", "type": "accident",
 "start": "2013-07-24T18:41:00Z", "end": 1375315199}
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import (
    LIMITS,
    BadRecordError,
    Event,
    FormatError,
    LimitError,
    Limits,
    Problems,
    UsageError,
    check_code,
    explain,
    is_jsonl,
    open_bytes,
    read_jsonl,
    seconds,
    source_name,
    write_bytes,
    write_json,
)

_WHAT = "an event: id, title, query, start, end (and type, description, languages)"
_MOST = 16 << 20  # bytes of a file of events


class EventLine(Struct):
    """The JSON form of an event; `start` and `end` are seconds UTC or ISO 8601 with a zone."""

    id: str
    query: str
    title: str = ""
    start: int | str | None = None
    end: int | str | None = None
    type: str = ""
    description: str = ""
    languages: list[str] = []


def read_event_file(
    path: str | Path, *, problems: Problems | None = None, limits: Limits = LIMITS
) -> list[Event]:
    """The events of a file: one JSON object or an array of them; in a `.jsonl` file one a line."""
    problems = problems if problems is not None else Problems()
    if is_jsonl(path):
        build = _EachOnce().build
        events = list(read_jsonl(path, EventLine, build, problems=problems, what=_WHAT, limits=limits))
    else:
        events = _from_json(path, problems, limits)
    if not events and not problems.count:
        problems.add(source_name(path), 0, "no event", _WHAT)
    problems.check()
    return events


class _EachOnce:
    # Builds events, and refuses an id that another one has.

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def build(self, line: EventLine) -> Event:
        event = build_event(line)
        if event.id in self._ids:
            raise BadRecordError(f"event {event.id!r} more than once", "each id once", "remove or rename one")
        self._ids.add(event.id)
        return event


def _from_json(path: str | Path, problems: Problems, limits: Limits) -> list[Event]:
    name = source_name(path)
    with open_bytes(path, limits=limits) as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise LimitError(f"{name}: more than {_MOST >> 20} MiB; an event is a few lines of JSON")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise FormatError.of(name, 0, "an empty file", _WHAT)
    events: list[Event] = []
    try:
        several = data.lstrip().startswith(b"[")
        lines = (
            msgspec.json.decode(data, type=list[EventLine])
            if several
            else [msgspec.json.decode(data, type=EventLine)]
        )
        build = _EachOnce().build
        events = [build(line) for line in lines]
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        problems.add(name, 0, *explain(error, data, _WHAT))
    return events


def build_event(line: EventLine) -> Event:
    """The event that a line describes."""
    if len(line.id.split()) != 1 or "\0" in line.id:
        raise BadRecordError(f"id {line.id!r}", "an id without blanks", "put - in their place")
    start = None if line.start is None else seconds(line.start, "start")
    end = None if line.end is None else seconds(line.end, "end")
    if start is not None and end is not None and start > end:
        raise BadRecordError(f"start {start} after end {end}", "a start before the end")
    return Event(
        id=line.id,
        title=line.title or line.query,
        query=line.query,
        start_time=start,
        end_time=end,
        type=line.type,
        description=line.description,
        languages=_languages(line.languages),
    )


def _languages(codes: list[str]) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(map(check_code, codes)))
    except UsageError as error:
        raise BadRecordError(
            f"languages {codes!r}", "codes of two letters (ISO 639-1), such as de, fr, ar or zh"
        ) from error


def event_json(event: Event) -> dict[str, Any]:
    """An event as a JSON object; an open end is left out."""
    data: dict[str, Any] = {"id": event.id, "title": event.title, "query": event.query}
    if event.type:
        data["type"] = event.type
    if event.description:
        data["description"] = event.description
    if event.languages:
        data["languages"] = list(event.languages)
    if event.start_time is not None:
        data["start"] = event.start_time
    if event.end_time is not None:
        data["end"] = event.end_time
    return data


def write_event(path: str | Path, event: Event | Iterable[Event]) -> None:
    """Write one event as a JSON object, or several: an array, or one a line when the name ends in `.jsonl`."""
    if isinstance(event, Event):
        data: Any = event_json(event)
        lines = [data]
    else:
        data = lines = [event_json(followed) for followed in event]
    if is_jsonl(path):
        write_bytes(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    else:
        write_json(path, data)
