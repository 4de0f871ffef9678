"""tidings' own folder of judgments: an event or several, their documents, and what people judged in them.

| file | one line is |
|---|---|
| event.json or events.jsonl | an event |
| documents.jsonl | a document; the pool is all sentences |
| nuggets.jsonl | event, id, time, importance, text |
| matches.jsonl | event, update, nugget, start, end, automatic |
| clusters.jsonl | event, id, label, updates |
| entities.jsonl | event, date, entity, type, aliases, grade |
| values.jsonl | event, time, attribute, value |

Only the event and the documents must be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct

from tidings.errors import OutputError, Problems, UsageError
from tidings.formats.documents import read_documents, write_documents, write_jsonl
from tidings.formats.events import read_event_file, write_event
from tidings.formats.jsonl import BadRecordError, read_jsonl, seconds
from tidings.formats.layout import find, need_folder
from tidings.records import (
    Cluster,
    Document,
    EntityGrade,
    Event,
    Judgments,
    Match,
    Nugget,
    PooledUpdate,
    ValueUpdate,
)

__all__ = ["read_events", "read_judgments", "write_judgments"]

T = TypeVar("T")
_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", re.ASCII)


class _Nugget(Struct):
    event: str
    id: str
    time: int | str
    importance: int
    text: str
    length: int = 0


class _Match(Struct):
    event: str
    update: str
    nugget: str
    start: int
    end: int
    automatic: bool = False


class _Cluster(Struct):
    event: str
    id: str
    updates: list[str]
    label: str = ""


class _Entity(Struct):
    event: str
    date: str
    entity: str
    grade: int
    type: str = ""
    aliases: list[str] = []


class _Value(Struct):
    event: str
    time: int | str
    attribute: str
    value: float | list[float]
    confidence: float = 1.0
    doc: str = ""
    sentence: int = -1


def read_events(folder: str | Path, *, problems: Problems | None = None) -> list[Event]:
    """The events of a folder, from event.json or events.jsonl.

    Raises:
        UsageError: neither is there.
    """
    path = find(need_folder(folder), "event.json", "events.jsonl")
    if path is None:
        raise UsageError(f"{folder}: found no event, expected event.json or events.jsonl in the folder")
    return read_event_file(path, problems=problems)


def read_judgments(folder: str | Path, *, problems: Problems | None = None) -> Judgments:
    """Everything in a folder. The pool is every sentence of its documents, for the events it names (or all of them).

    Raises:
        UsageError: the folder lacks an event or documents.
        FormatError: bad lines of a file, all together; also an event, update or nugget that is not there.
    """
    place = need_folder(folder)
    checks = _Checks(problems)
    events = read_events(place, problems=checks.problems)
    checks.events = {event.id for event in events}
    path = find(place, "documents.jsonl")
    if path is None:
        raise UsageError(f"{folder}: found no documents, expected documents.jsonl in the folder")
    documents = list(read_documents(path, problems=checks.problems))
    pool = _pool(documents, [event.id for event in events], str(path), checks)
    checks.texts = {update.id: len(update.text) for update in pool}

    def rows(name: str, shape: Any, build: Callable[[Any], T], what: str) -> tuple[T, ...]:
        file = find(place, name)
        if file is None:
            return ()
        return tuple(read_jsonl(file, shape, build, problems=checks.problems, what=what))

    return Judgments(
        name=place.resolve().name,
        events=tuple(events),
        nuggets=rows("nuggets.jsonl", _Nugget, checks.nugget, "a nugget: event, id, time, importance, text"),
        matches=rows("matches.jsonl", _Match, checks.match, "a match: event, update, nugget, start, end"),
        pool=tuple(pool),
        clusters=rows("clusters.jsonl", _Cluster, checks.cluster, "a cluster: event, id, label, updates"),
        entities=rows(
            "entities.jsonl", _Entity, checks.entity, "an entity: event, date, entity, type, grade"
        ),
        values=rows("values.jsonl", _Value, checks.value, "a value: event, time, attribute, value"),
    )


def _pool(documents: list[Document], events: list[str], path: str, checks: _Checks) -> list[PooledUpdate]:
    from tidings.text.sentences import cut

    pool = []
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            mend = "each document once; give the later one its own id"
            checks.problems.add(path, 0, f"document {document.id!r} a second time", "different ids", mend)
        seen.add(document.id)
        for sentence in cut(document).sentences:
            for event_id in events if sentence.events is None else sentence.events:
                if event_id not in checks.events:
                    checks.problems.add(
                        path, 0, f"event {event_id!r} of {sentence.id}", checks.known_events()
                    )
                    continue
                pool.append(
                    PooledUpdate(
                        event_id,
                        sentence.doc_id,
                        sentence.index,
                        sentence.text,
                        published_time=document.published_time,
                        source=document.source,
                    )
                )
    checks.problems.check()
    return pool


class _Checks:
    """Turns lines into records, and holds what they may refer to."""

    def __init__(self, problems: Problems | None) -> None:
        self.problems = problems if problems is not None else Problems()
        self.events: set[str] = set()
        self.texts: dict[str, int] = {}
        self.nuggets: set[tuple[str, str]] = set()
        self.clusters: set[tuple[str, str]] = set()

    def known_events(self) -> str:
        names = sorted(self.events)
        return f"one of {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"

    def event(self, event_id: str) -> str:
        if event_id not in self.events:
            mend = "correct it, or add the event to events.jsonl"
            raise BadRecordError(f"event {event_id!r}", self.known_events(), mend)
        return event_id

    def update(self, update_id: str) -> int:
        length = self.texts.get(update_id)
        if length is None:
            raise BadRecordError(f"update {update_id!r}", "a sentence of documents.jsonl, as document-number")
        return length

    def nugget(self, line: _Nugget) -> Nugget:
        key = (self.event(line.event), line.id)
        if not line.id.strip() or key in self.nuggets:
            found = f"nugget {line.id!r} a second time" if line.id.strip() else "an empty id"
            raise BadRecordError(found, "each nugget with its own id")
        if not -1 <= line.importance <= 3:
            raise BadRecordError(f"importance {line.importance}", "0 to 3 (or -1)")
        self.nuggets.add(key)
        return Nugget(
            line.event, line.id, seconds(line.time, "time"), line.importance, line.text, line.length
        )

    def match(self, line: _Match) -> Match:
        length = self.update(line.update)
        if (self.event(line.event), line.nugget) not in self.nuggets:
            raise BadRecordError(f"nugget {line.nugget!r}", f"a nugget of {line.event} in nuggets.jsonl")
        if not 0 <= line.start <= line.end:
            raise BadRecordError(f"a match from {line.start} to {line.end}", "0 <= start <= end")
        if line.end > length:
            raise BadRecordError(
                f"a match up to {line.end}", f"at most {length}, the length of {line.update}"
            )
        return Match(line.event, line.update, line.nugget, line.start, line.end, line.automatic)

    def cluster(self, line: _Cluster) -> Cluster:
        key = (self.event(line.event), line.id)
        if key in self.clusters:
            raise BadRecordError(f"cluster {line.id!r} a second time", "each cluster with its own id")
        for update_id in line.updates:
            self.update(update_id)
        self.clusters.add(key)
        return Cluster(line.event, line.id, tuple(line.updates), line.label)

    def entity(self, line: _Entity) -> EntityGrade:
        if not _DATE.fullmatch(line.date):
            raise BadRecordError(f"date {line.date!r}", "YYYY-MM-DD")
        return EntityGrade(
            self.event(line.event), line.date, line.entity, line.type, line.grade, tuple(line.aliases)
        )

    def value(self, line: _Value) -> ValueUpdate:
        values = tuple(line.value) if isinstance(line.value, list) else (line.value,)
        if len(values) != (2 if line.attribute in {"location", "locations"} else 1):
            raise BadRecordError(
                f"{len(values)} numbers for {line.attribute!r}",
                "one number, or [latitude, longitude] of a location",
            )
        return ValueUpdate(
            self.event(line.event),
            seconds(line.time, "time"),
            line.attribute,
            values,
            line.confidence,
            line.doc,
            line.sentence,
        )


def write_judgments(
    folder: str | Path, judgments: Judgments, documents: Iterable[Document] | None = None
) -> list[str]:
    """Write a folder of judgments, made if it is not there; returns what could not be kept, a line each.

    Without `documents` they are made of the pool, one for each document id, with the times that the pool or
    the id gives.

    Raises:
        OutputError: the folder cannot be made or written to.
    """
    from tidings.formats.streams import pool_documents

    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: the folder cannot be made ({error.strerror}); choose another") from None
    lost: list[str] = []
    events = judgments.events
    if len(events) == 1:
        write_event(place / "event.json", events[0])
    else:
        write_event(place / "events.jsonl", events)
    write_documents(
        place / "documents.jsonl", pool_documents(judgments.pool) if documents is None else documents
    )
    if judgments.pool_headless:
        lost.append("that the pool had no header line (the official scorers lose its first row)")
    for what, count in (
        ("links of pooled updates to their duplicates", sum(bool(u.duplicate_of) for u in judgments.pool)),
        ("listed lengths of pooled updates", sum(bool(u.listed_length) for u in judgments.pool)),
        ("pairs of duplicates", len(judgments.duplicates)),
    ):
        if count:
            lost.append(f"{count:,} {what}")
    for name, lines in _tables(judgments).items():
        if lines:
            write_jsonl(place / name, lines)
    return lost


def _tables(judgments: Judgments) -> dict[str, list[dict[str, Any]]]:
    return {
        "nuggets.jsonl": [
            {"event": n.event_id, "id": n.id, "time": n.time, "importance": n.importance, "text": n.text}
            | ({"length": n.listed_length} if n.listed_length else {})
            for n in judgments.nuggets
        ],
        "matches.jsonl": [
            {
                "event": m.event_id,
                "update": m.update_id,
                "nugget": m.nugget_id,
                "start": m.start,
                "end": m.end,
                "automatic": m.automatic,
            }
            for m in judgments.matches
        ],
        "clusters.jsonl": [
            {"event": c.event_id, "id": c.id, "label": c.label, "updates": c.update_ids}
            for c in judgments.clusters
        ],
        "entities.jsonl": [
            {
                "event": e.event_id,
                "date": e.date,
                "entity": e.entity,
                "type": e.type,
                "aliases": e.aliases,
                "grade": e.grade,
            }
            for e in judgments.entities
        ],
        "values.jsonl": [_value_line(value) for value in judgments.values],
    }


def _value_line(value: ValueUpdate) -> dict[str, Any]:
    numbers = [int(number) if number.is_integer() else number for number in map(float, value.value)]
    line: dict[str, Any] = {
        "event": value.event_id,
        "time": value.time,
        "attribute": value.attribute,
        "value": numbers[0] if len(numbers) == 1 else numbers,
    }
    if value.confidence != 1.0:
        line["confidence"] = value.confidence
    if value.doc_id:
        line |= {"doc": value.doc_id, "sentence": value.sentence_index}
    return line
