"""Standing events and the log of their changes: asked for here, and put into effect by who follows them.

Who writes alarms, rules or the log waits for the others: numbers are given in the order in which they are seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, func, select, text

from tidings.core import (
    ChangeKind,
    ConflictError,
    EventChange,
    EventLogEntry,
    ReaderMark,
    StandingEvent,
    Store,
    UsageError,
    check_row,
    encode,
    follower_states,
    insert_row,
    live_events,
    live_log,
    positions,
    row_values,
    runs,
    set_columns,
)

_LOCK = 0x7469_6461_6C61_726D
"""A number of our own among the locks of a database's programs."""


def in_turn(connection: Connection) -> None:
    """Let no other transaction write alarms, rules or the log of standing events until this one is done.

    A file of SQLite has one writer at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})


def follower_state(store: Store, run: str, event_id: str) -> bytes | None:
    """What the follower of an event remembered at the last commit; None where it was offered nothing yet."""
    query = (
        select(follower_states)
        .join(runs, runs.c.id == follower_states.c.run_id)
        .where(runs.c.name == run, follower_states.c.event_id == event_id)
    )
    row = store.row(query)
    if row is None:
        return None
    check_row(follower_states, row, str(store), f"the state of event {event_id!r} of run {run!r}")
    return bytes(row.state)


def stream_of(store: Store, run: str) -> tuple[str, int] | None:
    """The first source of a run and the time that it was followed up to; None where nothing was followed yet."""
    query = (
        select(positions.c.source, positions.c.last_time)
        .join(runs, runs.c.id == positions.c.run_id)
        .where(runs.c.name == run)
        .order_by(positions.c.number)
    )
    row = store.row(query.limit(1))
    return None if row is None else (str(row.source), int(row.last_time))


REFUSED = -1
"""Where a change took effect that cannot have one: nowhere."""

_KINDS: dict[tuple[str, str], ChangeKind] = {
    ("followed", "paused"): "paused",
    ("paused", "followed"): "resumed",
    ("followed", "closed"): "closed",
    ("paused", "closed"): "closed",
    ("closed", "followed"): "reopened",
}


class StandingEvents:
    """The standing events of a store. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def all(self) -> list[StandingEvent]:
        """All of them, in the order in which they were added."""
        rows = self._store.rows(select(live_events).order_by(live_events.c.number))
        return [self._standing_event(row) for row in rows]

    def find(self, event_id: str) -> StandingEvent | None:
        """The one of this id; None where there is none."""
        with self._store.asking() as connection:
            row = self._row(connection, event_id)
        return None if row is None else self._standing_event(row)

    def add(self, standing: StandingEvent, who: str) -> StandingEvent:
        """Follow an event from now on; UsageError where one of its id is there already, or its words are no text."""
        with self._store.writing() as connection:
            in_turn(connection)
            if self._row(connection, standing.event.id) is not None:
                raise UsageError(f"An event {standing.event.id!r} already exists. Choose another id.")
            number = connection.execute(select(func.max(live_events.c.number))).scalar() or 0
            made = msgspec.structs.replace(standing, number=number + 1, version=self._next(connection))
            self._log(connection, "added", made, who, made.event.id, made.version)
            insert_row(connection, live_events, self._values(made))
        return made

    def change(self, standing: StandingEvent, who: str) -> StandingEvent:
        """Put a standing event in the place of the one of its id; what was emitted stays.

        ConflictError where someone else changed it since the version that is given, UsageError where there is none.
        """
        with self._store.writing() as connection:
            in_turn(connection)
            row = self._row(connection, standing.event.id)
            if row is None:
                raise UsageError(f"No event {standing.event.id!r} is followed here.")
            before = self._standing_event(row)
            if before.version != standing.version:
                raise ConflictError(
                    "Someone else edited this story in the meantime. Check it and try again.", before
                )
            same = msgspec.structs.replace(standing, number=before.number, since=before.since)
            if same == before:
                return before
            kind = _KINDS.get((before.state, standing.state), "changed")
            made = msgspec.structs.replace(same, version=self._next(connection))
            self._log(connection, kind, made, who, made.event.id, made.version)
            values = self._values(made)
            changed = {name: values[name] for name in ("standing", "state", "version")}
            set_columns(connection, live_events, row._asdict(), **changed)
        return made

    def mark(self, event_id: str, mark: ReaderMark, who: str) -> EventLogEntry:
        """Keep what a reader said of an update."""
        with self._store.writing() as connection:
            in_turn(connection)
            seq = self._next(connection)
            return self._log(connection, "marked", mark, who, event_id, seq)

    def log(
        self,
        *,
        event_id: str | None = None,
        after: int = 0,
        limit: int | None = None,
        latest_first: bool = False,
    ) -> list[EventLogEntry]:
        """Entries of the log after number `after`, in their order or, with `latest_first`, against it."""
        query = select(live_log).where(live_log.c.seq > after).limit(limit)
        if event_id is not None:
            query = query.where(live_log.c.event_id == event_id)
        query = query.order_by(live_log.c.seq.desc() if latest_first else live_log.c.seq)
        return self._entries(query)

    def in_effect(self) -> list[StandingEvent]:
        """The standing events as the follower has them: by the changes that took effect, and were not refused."""
        query = select(live_log).where(live_log.c.kind != "marked", live_log.c.applied > REFUSED)
        entries = self._entries(query.order_by(live_log.c.seq))
        latest = {entry.event_id: entry.event for entry in entries if entry.event is not None}
        return sorted(latest.values(), key=lambda standing: standing.number)

    def waiting(self) -> list[EventLogEntry]:
        """The entries that have not taken effect yet, in their order."""
        return self._entries(select(live_log).where(live_log.c.applied.is_(None)).order_by(live_log.c.seq))

    def has_waiting(self) -> bool:
        """Whether there are such."""
        query = select(live_log.c.seq).where(live_log.c.applied.is_(None)).limit(1)
        with self._store.asking() as connection:
            return connection.execute(query).first() is not None

    def note_applied(self, connection: Connection, entries: Sequence[EventLogEntry], applied: int) -> None:
        """In a transaction of the follower's: these took effect after so many documents of the stream, or `REFUSED`."""
        numbers = {entry.seq for entry in entries}
        if not numbers:
            return
        rows = connection.execute(select(live_log).where(live_log.c.seq.in_(numbers))).all()
        for row in rows:
            set_columns(connection, live_log, row._asdict(), applied=applied)

    def _next(self, connection: Connection) -> int:
        return (connection.execute(select(func.max(live_log.c.seq))).scalar() or 0) + 1

    def _log(
        self, connection: Connection, kind: ChangeKind, change: EventChange, who: str, event_id: str, seq: int
    ) -> EventLogEntry:
        recorded_ms = int(self._clock() * 1000)
        try:
            value = encode(change)
        except UnicodeEncodeError:
            raise UsageError(
                f"The text for event {event_id!r} contains broken characters (unpaired surrogates). Remove them."
            ) from None
        about: dict[str, Any] = {
            "seq": seq,
            "kind": kind,
            "event_id": event_id,
            "who": who,
            "recorded_ms": recorded_ms,
            "applied": None,
        }
        insert_row(connection, live_log, about | {"value": value})
        return EventLogEntry(**about | {"mark" if isinstance(change, ReaderMark) else "event": change})

    def _row(self, connection: Connection, event_id: str) -> Row[Any] | None:
        return connection.execute(select(live_events).where(live_events.c.event_id == event_id)).one_or_none()

    def _standing_event(self, row: Row[Any]) -> StandingEvent:
        values = row_values(live_events, row, str(self._store), f"the standing event {row.event_id!r}")
        return msgspec.json.decode(values["standing"], type=StandingEvent)

    def _values(self, standing: StandingEvent) -> dict[str, Any]:
        return {
            "event_id": standing.event.id,
            "number": standing.number,
            "standing": encode(standing),
            "state": standing.state,
            "version": standing.version,
        }

    def _entries(self, query: Select[Any]) -> list[EventLogEntry]:
        rows = self._store.rows(query)
        return [self._entry(row) for row in rows]

    def _entry(self, row: Row[Any]) -> EventLogEntry:
        values = row_values(live_log, row, str(self._store), f"entry {row.seq} of the log of standing events")
        fields = {name: values[name] for name in EventLogEntry.__struct_fields__ if name in values}
        if values["kind"] == "marked":
            return EventLogEntry(**fields, mark=msgspec.json.decode(values["value"], type=ReaderMark))
        return EventLogEntry(**fields, event=msgspec.json.decode(values["value"], type=StandingEvent))
