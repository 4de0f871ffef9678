"""Records as rows, and rows as records."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Row

from tidings.core.records import Event, LateDocument, Position, RunCard
from tidings.core.store.digests import with_digest
from tidings.core.store.schema import events, follower_states, late_documents, positions

__all__ = [
    "card_from_text",
    "card_text",
    "event_from_row",
    "event_row",
    "languages_from_text",
    "late_from_row",
    "late_row",
    "position_from_row",
    "position_row",
    "state_row",
]


def event_row(run_id: int, number: int, event: Event) -> dict[str, Any]:
    """The row of the `number`-th event (from 0) of a run."""
    row = {"run_id": run_id, "number": number, "event_id": event.id, **_fields(event)}
    del row["languages"]  # stand in the run's card
    return with_digest(events, row)


def event_from_row(row: Row[Any], languages: tuple[str, ...] = ()) -> Event:
    """The event that a row holds, and the languages that the run's card says."""
    values = row._asdict() | {"id": row.event_id, "languages": languages}
    return Event(**{name: values[name] for name in Event.__struct_fields__})


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


def _fields(record: Struct) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}
