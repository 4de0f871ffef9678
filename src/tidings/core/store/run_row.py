"""The one row that stands for a run: read and checked, or written with its digest."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Row, insert, select

from tidings.core.records import Event, RunCard
from tidings.core.store.digests import check_row, damaged, with_digest
from tidings.core.store.rows import card_from_text, event_from_row, languages_from_text
from tidings.core.store.schema import events, runs
from tidings.core.store.writing import update_row

__all__ = ["RunRow", "insert_run", "read_events", "read_run", "run_row", "update_run"]

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
    values = with_digest(runs, {name: getattr(row, name) for name in RunRow.__struct_fields__})
    return update_row(connection, runs, values, _UNCHANGED, id=row.id, fence=fence)


def read_events(connection: Connection, run: RunRow, where: str) -> tuple[Event, ...]:
    """The events that a run follows, checked; StoreError where a row is damaged or missing."""
    query = select(events).where(events.c.run_id == run.id).order_by(events.c.number)
    rows = connection.execute(query).all()
    for number, row in enumerate(rows):
        check_row(events, row, where, f"event {number + 1} of run {run.name!r}")
        if row.number != number:
            raise damaged(where, f"event {number + 1} of run {run.name!r}")
    if len(rows) != run.events:
        raise damaged(where, f"the list of the events of run {run.name!r} ({len(rows)} of {run.events})")
    languages = languages_from_text(run.card)
    return tuple(event_from_row(row, languages.get(row.event_id, ())) for row in rows)
