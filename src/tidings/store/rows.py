"""Records as rows, and rows as records."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Row

from tidings.records import EntityRanking, Event, LateDocument, Output, Position, RunCard, Update, ValueUpdate
from tidings.store.digests import with_digest
from tidings.store.schema import events, follower_states, late_documents, outputs, positions

__all__ = [
    "card_from_text",
    "card_text",
    "event_from_row",
    "event_row",
    "kind_of",
    "late_from_row",
    "late_row",
    "output_from_row",
    "output_row",
    "position_from_row",
    "position_row",
    "state_row",
]

_KINDS: dict[str, type[Output]] = {
    str(kind.__struct_config__.tag): kind for kind in (Update, ValueUpdate, EntityRanking)
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
_CONFIDENCE = outputs.c.keys().index("confidence")


def kind_of(output: Output) -> str:
    """How an output's kind is written.

    >>> kind_of(ValueUpdate("storm", 60, "deaths", (3.0,)))
    'value'
    """
    return str(type(output).__struct_config__.tag)


def output_row(run_id: int, seq: int, output: Output) -> dict[str, Any]:
    """The row of the `seq`-th output of a run."""
    row: dict[str, Any] = {"run_id": run_id, "seq": seq, "kind": kind_of(output), **_NOTHING}
    if type(output) is Update:
        for name in _UPDATE_FIELDS:
            row[name] = getattr(output, name)
    else:
        fields: Mapping[str, Any] = msgspec.to_builtins(output)
        row.update({name: value for name, value in fields.items() if name in _COLUMNS and name != "kind"})
        row["fields"] = json.dumps({name: value for name, value in fields.items() if name not in _COLUMNS})
    return with_digest(outputs, row)


def output_from_row(row: Row[Any]) -> Output:
    """The output that a row, already checked, holds."""
    kind = row[_KIND]
    if kind == "update":
        if row[_CONFIDENCE] is not None:
            return Update(*row[_FIRST:_LAST])
        values: list[Any] = list(row[_FIRST:_LAST])
        values[_CONFIDENCE - _FIRST] = math.nan
        return Update(*values)
    made = _KINDS[kind]
    columns = {name: getattr(row, name) for name in made.__struct_fields__ if name in _COLUMNS}
    if columns.get("confidence", 0) is None:
        columns["confidence"] = math.nan
    return msgspec.convert({"kind": kind, **columns, **json.loads(row.fields)}, made)


def event_row(run_id: int, number: int, event: Event) -> dict[str, Any]:
    """The row of the `number`-th event (from 0) of a run."""
    row = {"run_id": run_id, "number": number, "event_id": event.id, **_fields(event)}
    return with_digest(events, row)


def event_from_row(row: Row[Any]) -> Event:
    """The event that a row holds."""
    values = row._asdict()
    return Event(id=row.event_id, **{name: values[name] for name in Event.__struct_fields__ if name != "id"})


def position_row(run_id: int, number: int, position: Position) -> dict[str, Any]:
    """The row of the position in the `number`-th source (from 0) of a run."""
    fields = _fields(position)
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
    return with_digest(late_documents, {"run_id": run_id, **_fields(late)})


def late_from_row(row: Row[Any]) -> LateDocument:
    """The document that a row tells of."""
    values = row._asdict()
    return LateDocument(**{name: values[name] for name in LateDocument.__struct_fields__})


def card_text(card: RunCard) -> str:
    """A run's card as JSON, without its events: they have a table."""
    return json.dumps(msgspec.to_builtins(msgspec.structs.replace(card, events=())))


def card_from_text(text: str, followed: tuple[Event, ...]) -> RunCard:
    """The card that `card_text` wrote, with its events."""
    return msgspec.structs.replace(msgspec.convert(json.loads(text), RunCard), events=followed)


def _fields(record: Struct) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}
