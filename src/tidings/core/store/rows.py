"""Records as rows, and rows as records."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, Row, Text, insert, select, type_coerce

from tidings.core.records import (
    EntityRanking,
    Event,
    LateDocument,
    Output,
    Position,
    RunCard,
    Support,
    Update,
    ValueUpdate,
)
from tidings.core.store.schema import events, follower_states, late_documents, outputs, positions, runs
from tidings.core.store.table_rows import (
    AnyText,
    bind_row,
    check_row,
    damage_error,
    escape,
    row_words,
    unescape,
    update_row,
    with_digest,
)


def event_row(run_id: int, number: int, event: Event) -> dict[str, Any]:
    """The row of the `number`-th event (from 0) of a run."""
    row = {"run_id": run_id, "number": number, "event_id": event.id, **asdict(event)}
    del row["languages"]  # stand in the run's card
    return with_digest(events, row)


def event_from_row(row: Row[Any], languages: tuple[str, ...] = ()) -> Event:
    """The event that a row holds, and the languages that the run's card says."""
    values = row._asdict() | {"id": row.event_id, "languages": languages}
    return Event(**{name: values[name] for name in Event.__struct_fields__})


def position_row(run_id: int, number: int, position: Position) -> dict[str, Any]:
    """The row of the position in the `number`-th source (from 0) of a run."""
    fields = asdict(position)
    fields["stream_digest"] = fields.pop("digest")
    fields["ends"] = json.dumps(position.ends)
    return with_digest(positions, {"run_id": run_id, "number": number, **fields})


def position_from_row(row: Row[Any]) -> Position:
    """The position that a row holds."""
    values = row._asdict()
    values["digest"] = values["stream_digest"]
    values["ends"] = tuple((count, floor) for count, floor in json.loads(row.ends))
    return Position(**{name: values[name] for name in Position.__struct_fields__})


def state_row(run_id: int, event_id: str, state: bytes) -> dict[str, Any]:
    """The row of what an event's follower remembers."""
    return with_digest(follower_states, {"run_id": run_id, "event_id": event_id, "state": state})


def late_row(run_id: int, late: LateDocument) -> dict[str, Any]:
    """The row of a document that came too late."""
    return with_digest(late_documents, {"run_id": run_id, **asdict(late)})


def late_from_row(row: Row[Any]) -> LateDocument:
    """The document that a row tells of."""
    values = row._asdict()
    return LateDocument(**{name: values[name] for name in LateDocument.__struct_fields__})


def card_text(card: RunCard) -> str:
    """A run's card as JSON, without its events, which have a table, but with the languages of those that have some."""
    text: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(card, events=()))
    languages = {event.id: event.languages for event in card.events if event.languages}
    return json.dumps(text | {"languages": languages} if languages else text)


def languages_from_text(text: str | None) -> dict[str, tuple[str, ...]]:
    """By event, the languages that a run's card says."""
    languages = json.loads(text).get("languages", {}) if text else {}
    return msgspec.convert(languages, dict[str, tuple[str, ...]])


def card_from_text(text: str, followed: tuple[Event, ...]) -> RunCard:
    """The card that `card_text` wrote, with its events."""
    return msgspec.structs.replace(msgspec.convert(json.loads(text), RunCard), events=followed)


_UNCHANGED = frozenset({"id", "name", "created_time"})


class RunRow(Struct, frozen=True, kw_only=True):
    """What the table `runs` holds of one run; see `tidings.core.store.schema`."""

    id: int
    name: str
    settings: str
    created_time: int
    changed_time: int
    finished_time: int | None = None
    card: str | None = None
    fence: int
    events: int
    counts: str
    contents: int

    @property
    def settings_by_name(self) -> dict[str, str]:
        """What the run was begun with."""
        return dict(json.loads(self.settings))

    @property
    def counts_by_kind(self) -> dict[str, int]:
        """How many outputs of each kind were committed."""
        return dict(json.loads(self.counts))

    def card_with(self, followed: tuple[Event, ...]) -> RunCard | None:
        """The run's card with these events; None where it was begun without any of either."""
        if self.card is not None:
            return card_from_text(self.card, followed)
        return RunCard(events=followed) if followed else None


def run_row(row: Row[Any], where: str) -> RunRow:
    """A row of `runs`, checked; StoreError where it is damaged."""
    check_row(runs, row, where, f"the row of run {row.name!r}")
    values = row._asdict()
    return RunRow(**{name: values[name] for name in RunRow.__struct_fields__})


def read_run(connection: Connection, run_id: int, where: str) -> RunRow | None:
    """The run of this number, checked; None where there is none."""
    row = connection.execute(select(runs).where(runs.c.id == run_id)).one_or_none()
    return None if row is None else run_row(row, where)


def insert_run(connection: Connection, values: dict[str, Any]) -> RunRow:
    """Write a new run, and return its row with the number that the database gave it."""
    values = {"counts": "{}", "contents": 0, **values}
    query = insert(runs).values(**values, digest=0).returning(runs.c.id)
    made = RunRow(id=int(connection.execute(query).scalar_one()), **values)
    update_run(connection, made, made.fence)
    return made


def update_run(connection: Connection, row: RunRow, fence: int) -> bool:
    """Write the row of a run over the one that has this fencing number; False where none has it."""
    values = with_digest(runs, asdict(row))
    return update_row(connection, runs, values, _UNCHANGED, id=row.id, fence=fence)


def read_events(connection: Connection, run: RunRow, where: str) -> tuple[Event, ...]:
    """The events that a run follows, checked; StoreError where a row is damaged or missing."""
    query = select(events).where(events.c.run_id == run.id).order_by(events.c.number)
    rows = connection.execute(query).all()
    for number, row in enumerate(rows):
        check_row(events, row, where, f"event {number + 1} of run {run.name!r}")
        if row.number != number:
            raise damage_error(where, f"event {number + 1} of run {run.name!r}")
    if len(rows) != run.events:
        raise damage_error(where, f"the list of the events of run {run.name!r} ({len(rows)} of {run.events})")
    languages = languages_from_text(run.card)
    return tuple(event_from_row(row, languages.get(row.event_id, ())) for row in rows)


# Texts are taken as they are stored: few are escaped, and one look at the row's digest tells whether any may be.
OUTPUTS = select(
    *(
        type_coerce(column, Text()).label(column.name) if isinstance(column.type, AnyText) else column
        for column in outputs.columns
    )
)
"""All rows of `outputs`, for `output_from_values`."""

_KINDS: dict[str, type[Output]] = {
    str(kind.__struct_config__.tag): kind for kind in (Update, ValueUpdate, EntityRanking, Support)
}
_COLUMNS = frozenset(outputs.c.keys())
_NOTHING = {
    "event_id": "",
    "time": 0,
    "doc_id": "",
    "sentence_index": -1,
    "confidence": None,
    "text": "",
    "published_time": 0,
    "source": "",
    "title": "",
    "url": "",
    "fields": "",
}
_UPDATE_FIELDS = Update.__struct_fields__
# An update's fields stand side by side among the columns, in its own order.
_FIRST, _LAST = (outputs.c.keys().index(_UPDATE_FIELDS[place]) for place in (0, -1))
_LAST += 1
_KIND = outputs.c.keys().index("kind")
_SEQ = outputs.c.keys().index("seq")
_CONFIDENCE = outputs.c.keys().index("confidence")
_PLAIN = (str, str, int, int, float, str, int, str, str, str)


def kind_of(output: Output) -> str:
    """How an output's kind is written.

    >>> kind_of(ValueUpdate("storm", 60, "deaths", (3.0,)))
    'value'
    """
    return str(type(output).__struct_config__.tag)


def output_values(run_id: int, seq: int, output: Output) -> tuple[Any, ...]:
    """The row of the `seq`-th output of a run, with its digest, as a database takes it.

    >>> output_values(1, 7, Update("storm", "d1", 0, 60, 0.5))[1:6]
    (7, 'update', 'storm', 'd1', 0)
    """
    if type(output) is Update:
        fields = msgspec.structs.astuple(output)
        confidence = fields[_CONFIDENCE - _FIRST]
        if tuple(map(type, fields)) == _PLAIN and confidence and not math.isnan(confidence):
            values = (run_id, seq, "update", *fields, "")
            words = row_words("outputs", values)
            if b"\\" in words:  # beyond ASCII, or something that a database refuses
                values = tuple(escape(value) if type(value) is str else value for value in values)
            return *values, crc32(words)
    return bind_row(_with_digest(run_id, seq, output))


def _with_digest(run_id: int, seq: int, output: Output) -> dict[str, Any]:
    row: dict[str, Any] = {"run_id": run_id, "seq": seq, "kind": kind_of(output), **_NOTHING}
    if type(output) is Update:
        for name in _UPDATE_FIELDS:
            row[name] = getattr(output, name)
    else:
        fields: Mapping[str, Any] = msgspec.to_builtins(output)
        row.update({name: value for name, value in fields.items() if name in _COLUMNS and name != "kind"})
        row["fields"] = json.dumps({name: value for name, value in fields.items() if name not in _COLUMNS})
    return with_digest(outputs, row)


def output_from_values(row: Sequence[Any]) -> tuple[int, Output | None]:
    """The number and the output that a row of `OUTPUTS` holds; None for one that is not as it was written."""
    values = tuple(row[:-1])
    words = row_words("outputs", values)
    if b"\\x1b" in words:
        values = tuple(map(unescape, values))
        words = row_words("outputs", values)
    if crc32(words) != row[-1]:
        return 0, None
    kind, seq = values[_KIND], values[_SEQ]
    if values[_CONFIDENCE] is None:
        values = (*values[:_CONFIDENCE], math.nan, *values[_CONFIDENCE + 1 :])
    if kind == "update":
        return seq, Update(*values[_FIRST:_LAST])
    made = _KINDS[kind]
    columns = dict(zip(outputs.c.keys(), values, strict=False))
    fields = json.loads(columns["fields"])
    own = {name: columns[name] for name in made.__struct_fields__ if name in _COLUMNS}
    return seq, msgspec.convert({"kind": kind, **own, **fields}, made)
