"""The lines of tidings' judgments files: their shapes, what is checked in them, and records as lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from tidings.core import (
    BadRecordError,
    Cluster,
    EntityGrade,
    Int64,
    Judgments,
    Match,
    Nugget,
    PooledUpdate,
    Problems,
    ValueUpdate,
    seconds,
)

_DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", re.ASCII)


class NuggetLine(Struct):
    """A line of nuggets.jsonl."""

    event: str
    id: str
    time: int | str
    importance: Int64
    text: str
    length: Int64 = 0


class MatchLine(Struct):
    """A line of matches.jsonl."""

    event: str
    update: str
    nugget: str
    start: Int64
    end: Int64
    automatic: bool = False


class ClusterLine(Struct):
    """A line of clusters.jsonl."""

    event: str
    id: str
    updates: list[str]
    label: str = ""


class EntityLine(Struct):
    """A line of entities.jsonl."""

    event: str
    date: str
    entity: str
    grade: Int64
    type: str = ""
    aliases: list[str] = []


class ValueLine(Struct):
    """A line of values.jsonl."""

    event: str
    time: int | str
    attribute: str
    value: float | list[float]
    confidence: float = 1.0
    doc: str = ""
    sentence: Int64 = -1


class PoolLine(Struct):
    """A line of pool.jsonl; the text is that of the document's sentence unless it is given."""

    event: str
    update: str
    text: str | None = None
    duplicate_of: str = ""
    listed_length: Int64 = 0


class DuplicateLine(Struct):
    """A line of duplicates.jsonl: an update, and another with the same text."""

    update: str
    duplicate: str


class Origin(Struct, omit_defaults=True):
    """origin.json: what is peculiar to the files that a converted folder came from.

    `pool_headless` and `byte_spans` are those of `Judgments`; the lists name what judgments speak of though it
    is in no list: events without topic, nuggets and updates of matches.
    """

    pool_headless: bool = False
    byte_spans: bool = False
    events_without_topic: list[str] = []
    unlisted_nuggets: list[str] = []
    unlisted_updates: list[str] = []


class Checks:
    """Turns lines into records, and holds what they may refer to."""

    def __init__(self, problems: Problems | None) -> None:
        self.problems = problems if problems is not None else Problems()
        self.events: set[str] = set()
        self.lengths: dict[str, int] = {}
        self.nuggets: set[tuple[str, str]] = set()
        self.clusters: set[tuple[str, str]] = set()
        self.unlisted_nuggets: set[str] = set()
        self.any_length = False

    def expect(self, events: list[str], origin: Origin) -> None:
        """Take these events as known, and what the origin's own files spoke of without listing it."""
        self.events.update(events, origin.events_without_topic)
        self.unlisted_nuggets = set(origin.unlisted_nuggets)
        self.lengths.update(dict.fromkeys(origin.unlisted_updates, 1 << 60))
        self.any_length = origin.byte_spans

    def known_events(self) -> str:
        """The events there are, for messages."""
        names = sorted(self.events)
        return f"one of {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}"

    def event(self, event_id: str) -> str:
        """The id of an event that is there."""
        if event_id not in self.events:
            mend = "correct it, or add the event to events.jsonl"
            raise BadRecordError(f"event {event_id!r}", self.known_events(), mend)
        return event_id

    def update(self, update_id: str) -> int:
        """The length of the text of a pooled update."""
        length = self.lengths.get(update_id)
        if length is None:
            raise BadRecordError(f"update {update_id!r}", "a sentence of documents.jsonl, as document-number")
        return length

    def nugget(self, line: NuggetLine) -> Nugget:
        """The record of a line of its file."""
        key = (self.event(line.event), line.id)
        if not line.id.strip() or key in self.nuggets:
            fault = f"nugget {line.id!r} a second time" if line.id.strip() else "an empty id"
            raise BadRecordError(fault, "each nugget with its own id")
        if not -1 <= line.importance <= 3:
            raise BadRecordError(f"importance {line.importance}", "0 to 3 (or -1)")
        nugget = Nugget(line.event, line.id, seconds(line.time, "time"), *astuple(line)[3:])
        self.nuggets.add(key)
        return nugget

    def match(self, line: MatchLine) -> Match:
        """The record of a line of its file."""
        length = self.update(line.update)
        key = (self.event(line.event), line.nugget)
        if key not in self.nuggets and line.nugget not in self.unlisted_nuggets:
            raise BadRecordError(f"nugget {line.nugget!r}", f"a nugget of {line.event} in nuggets.jsonl")
        if not 0 <= line.start <= line.end:
            raise BadRecordError(f"a match from {line.start} to {line.end}", "0 <= start <= end")
        if line.end > length and not self.any_length:
            raise BadRecordError(
                f"a match up to {line.end}", f"at most {length}, the length of {line.update}"
            )
        return Match(*astuple(line))

    def cluster(self, line: ClusterLine) -> Cluster:
        """The record of a line of its file."""
        key = (self.event(line.event), line.id)
        if key in self.clusters:
            raise BadRecordError(f"cluster {line.id!r} a second time", "each cluster with its own id")
        for update_id in line.updates:
            self.update(update_id)
        self.clusters.add(key)
        return Cluster(line.event, line.id, tuple(line.updates), line.label)

    def entity(self, line: EntityLine) -> EntityGrade:
        """The record of a line of its file."""
        if not _DATE.fullmatch(line.date):
            raise BadRecordError(f"date {line.date!r}", "YYYY-MM-DD")
        return EntityGrade(
            self.event(line.event), line.date, line.entity, line.type, line.grade, tuple(line.aliases)
        )

    def value(self, line: ValueLine) -> ValueUpdate:
        """The record of a line of its file."""
        values = tuple(line.value) if isinstance(line.value, list) else (line.value,)
        if len(values) != (2 if line.attribute in {"location", "locations"} else 1):
            raise BadRecordError(
                f"{len(values)} numbers for {line.attribute!r}",
                "one number, or [latitude, longitude] of a location",
            )
        event_id, time = self.event(line.event), seconds(line.time, "time")
        return ValueUpdate(event_id, time, line.attribute, values, *astuple(line)[4:])


def origin_of(judgments: Judgments, sentences: set[str]) -> Origin:
    """What of judgments has no place in the lines; `sentences` are the ids of those that documents hold."""
    topics = {event.id for event in judgments.events}
    j = judgments
    records: Iterable[Any] = chain(j.nuggets, j.matches, j.pool, j.clusters, j.entities, j.values)
    spoken_of = {record.event_id for record in records}
    nuggets = {(nugget.event_id, nugget.id) for nugget in judgments.nuggets}
    matches, updates = judgments.matches, (cluster.update_ids for cluster in judgments.clusters)
    return Origin(
        judgments.pool_headless,
        judgments.byte_spans,
        sorted(spoken_of - topics),
        sorted({match.nugget_id for match in matches if (match.event_id, match.nugget_id) not in nuggets}),
        sorted({match.update_id for match in matches}.union(*updates) - sentences),
    )


def lines_of(judgments: Judgments) -> dict[str, list[dict[str, Any]]]:
    """The lines of each file but the event and the documents, by the name of the file."""
    return {
        "nuggets.jsonl": [
            {"event": n.event_id, "id": n.id, "time": n.time, "importance": n.importance, "text": n.text}
            | ({"length": n.listed_length} if n.listed_length else {})
            for n in judgments.nuggets
        ],
        "matches.jsonl": [
            dict(zip(MatchLine.__struct_fields__, astuple(match), strict=True)) for match in judgments.matches
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
        "duplicates.jsonl": [{"update": one, "duplicate": two} for one, two in judgments.duplicates.items()],
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


def pool_line(update: PooledUpdate, text: str) -> dict[str, Any]:
    """A row of the pool as a line; `text` is what the documents have for it."""
    line: dict[str, Any] = {"event": update.event_id, "update": update.id}
    if update.text != text:
        line["text"] = update.text
    if update.duplicate_of:
        line["duplicate_of"] = update.duplicate_of
    if update.listed_length:
        line["listed_length"] = update.listed_length
    return line
