"""What a run gave, by number: the newest of it, what came after a number that someone has seen, how many, and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Column, ColumnElement, Connection, Row, func, select

from tidings.core import (
    DAY_S,
    HOUR_S,
    OUTPUTS,
    Event,
    Output,
    Store,
    StoreError,
    Support,
    damage_error,
    follower_states,
    match,
    output_from_values,
    outputs,
    read_events,
    run_row,
    runs,
)
from tidings.following import Ledger, ledger_in

_MOST = 500


class NumberedOutput(Struct, frozen=True):
    """An output of a run and its number, which is the cursor of the pages and of the API."""

    seq: int
    output: Output


class RunEnd(Struct, frozen=True):
    """How far a run is: the number of its last output (`seq`), and when it was begun (`begun`, seconds UTC).

    A run that started over under its name has another `run_id` or another time, and its outputs are numbered from 1.
    """

    run_id: int = 0
    begun: int = 0
    seq: int = 0


class LiveOutputs:
    """The outputs of one run of a store, read while it is followed; of a run that is not there yet there are none."""

    def __init__(self, store: Store, run: str) -> None:
        self._store, self.run = store, run

    def last_seq(self) -> int:
        """The number of the last output that was committed; 0 where there is none."""
        return self._greatest(outputs.c.seq)

    def last_time(self) -> int:
        """When the last of the outputs was emitted; 0 where there is none."""
        return self._greatest(outputs.c.time)

    def cursor_before(self, time: int) -> int:
        """The number of the last output that was emitted before a time (seconds UTC); 0 where there is none."""
        return self._greatest(outputs.c.seq, outputs.c.time < time)

    def end(self) -> RunEnd:
        """How far the run is; all zero where there is none."""
        last = select(func.max(outputs.c.seq)).where(outputs.c.run_id == runs.c.id).scalar_subquery()
        query = select(runs.c.id, runs.c.created_time, last).where(runs.c.name == self.run)
        row = self._store.row(query)
        return RunEnd() if row is None else RunEnd(row[0], row[1], row[2] or 0)

    def after(
        self,
        seq: int,
        *,
        event_id: str | None = None,
        kinds: Iterable[str] | None = None,
        before: int | None = None,
        limit: int = _MOST,
    ) -> list[NumberedOutput]:
        """Up to `limit` outputs after number `seq`, oldest first, of one event or all, of these kinds or all.

        With `before` only those of a smaller number.
        """
        return self._asked(seq, before, event_id, kinds, limit, latest_first=False)

    def latest(
        self,
        *,
        event_id: str | None = None,
        kinds: Iterable[str] | None = None,
        after: int = 0,
        before: int | None = None,
        period: tuple[int, int] | None = None,
        limit: int = _MOST,
    ) -> list[NumberedOutput]:
        """The last `limit` outputs (after and before a number; from one time to before another), newest first."""
        return self._asked(after, before, event_id, kinds, limit, period, latest_first=True)

    def chosen(self, *conditions: ColumnElement[bool]) -> list[NumberedOutput]:
        """The outputs of the run that meet these conditions on the columns of `outputs`, in order."""
        with self._store.asking() as connection:
            run_id = self.run_id(connection)
            if run_id is None:
                return []
            query = OUTPUTS.where(outputs.c.run_id == run_id, *conditions).order_by(outputs.c.seq)
            return self._number(connection.execute(query).all())

    def events(self) -> tuple[Event, ...]:
        """What the run follows and has followed."""
        with self._store.asking() as connection:
            row = connection.execute(select(runs).where(runs.c.name == self.run)).one_or_none()
            where = str(self._store)
            return () if row is None else read_events(connection, run_row(row, where), where)

    def ledger(self, event_id: str) -> Ledger:
        """What was left out of an event; an empty ledger where none is kept."""
        query = select(follower_states.c.state).where(follower_states.c.event_id == event_id)
        with self._store.asking() as connection:
            state = connection.execute(
                query.where(follower_states.c.run_id == self.run_id(connection))
            ).scalar()
        return Ledger() if state is None else ledger_in(state)

    def _asked(
        self,
        after: int,
        before: int | None,
        event_id: str | None,
        kinds: Iterable[str] | None,
        limit: int,
        period: tuple[int, int] | None = None,
        *,
        latest_first: bool,
    ) -> list[NumberedOutput]:
        with self._store.asking() as connection:
            run_id = self.run_id(connection)
            if run_id is None:
                return []
            chosen = match(
                outputs, run_id=run_id, event_id=event_id, kind=None if kinds is None else tuple(kinds)
            )
            query = OUTPUTS.where(*chosen, outputs.c.seq > after).limit(limit)
            if before is not None:
                query = query.where(outputs.c.seq < before)
            if period is not None:
                query = query.where(outputs.c.time >= period[0], outputs.c.time < period[1])
            rows = connection.execute(
                query.order_by(outputs.c.seq.desc() if latest_first else outputs.c.seq)
            ).all()
        return self._number(rows)

    def _number(self, rows: Sequence[Row[Any]]) -> list[NumberedOutput]:
        found = []
        for row in rows:
            seq, output = output_from_values(row)
            if output is None:
                raise damage_error(str(self._store), f"output {row.seq} of run {self.run!r}")
            found.append(NumberedOutput(seq, output))
        return found

    def run_id(self, connection: Connection) -> int | None:
        """The run's number; None where there is none."""
        # Not its row, which changes with each commit, and whose digest is looked at where it matters.
        found = connection.execute(select(runs.c.id).where(runs.c.name == self.run)).scalar()
        return None if found is None else int(found)

    def _greatest(self, column: Column[Any], *conditions: ColumnElement[bool]) -> int:
        with self._store.asking() as connection:
            query = select(func.max(column)).where(outputs.c.run_id == self.run_id(connection), *conditions)
            return int(connection.execute(query).scalar() or 0)

    def check(self) -> None:
        """StoreError where the store has no such run, naming those it has."""
        with self._store.asking() as connection:
            if self.run_id(connection) is None:
                names = connection.execute(select(runs.c.name).order_by(runs.c.id).limit(30)).scalars().all()
                holds = f"it has {', '.join(map(str, names))}" if names else "it has none yet"
                raise StoreError(f"{self._store}: there is no run {self.run!r} in this store; {holds}")


_LOOKED_BACK = 20_000
"""So many of the last outputs are looked at for what happens now."""
_ASKED_AT_ONCE = 200  # documents in one statement: databases bound its parameters


class EventSummary(Struct, frozen=True):
    """How many updates an event has, and the number and the time of its last one."""

    updates: int
    last_seq: int
    last_time: int


class Stories:
    """Counts over the outputs of one run; of a run that is not there yet there are none."""

    def __init__(self, store: Store, lists: LiveOutputs) -> None:
        self._store, self._lists = store, lists

    def summaries(self, *, event_id: str | None = None) -> dict[str, EventSummary]:
        """Of each event that has updates (or of one), by its id."""
        with self._store.asking() as connection:
            query = (
                select(outputs.c.event_id, func.count(), func.max(outputs.c.seq), func.max(outputs.c.time))
                .where(outputs.c.run_id == self._lists.run_id(connection), outputs.c.kind == "update")
                .group_by(outputs.c.event_id)
            )
            if event_id is not None:
                query = query.where(outputs.c.event_id == event_id)
            return {row[0]: EventSummary(*row[1:]) for row in connection.execute(query).all()}

    def by_hour(self, since: int, *, event_id: str | None = None) -> dict[str, dict[int, int]]:
        """Updates of each event by hour (since 1970, UTC), from a time on; among the last 20,000 outputs."""
        hour = (outputs.c.time // HOUR_S).label("hour")
        with self._store.asking() as connection:
            run_id = self._lists.run_id(connection)
            last = select(func.max(outputs.c.seq)).where(outputs.c.run_id == run_id)
            from_seq = (connection.execute(last).scalar() or 0) - _LOOKED_BACK
            query = select(outputs.c.event_id, hour, func.count()).where(
                outputs.c.run_id == run_id,
                outputs.c.seq > from_seq,
                outputs.c.kind == "update",
                outputs.c.time >= since,
            )
            if event_id is not None:
                query = query.where(outputs.c.event_id == event_id)
            rows = connection.execute(query.group_by(outputs.c.event_id, hour)).all()
        counts: dict[str, dict[int, int]] = {}
        for name, number, count in rows:
            counts.setdefault(name, {})[int(number)] = count
        return counts

    def by_day(self, event_id: str) -> list[tuple[int, int]]:
        """(start of a day in seconds UTC, updates on it) for the days with updates, in order."""
        day = (outputs.c.time // DAY_S).label("day")
        with self._store.asking() as connection:
            query = select(day, func.count()).where(*self._updates_of(connection, event_id))
            rows = connection.execute(query.group_by(day).order_by(day)).all()
        return [(int(number) * DAY_S, count) for number, count in rows]

    def by_outlet(self, event_id: str) -> list[tuple[str, str, int]]:
        """(source, an address of it, updates) for each source of an event's updates, the most frequent first."""
        with self._store.asking() as connection:
            query = select(outputs.c.source, func.max(outputs.c.url), func.count()).where(
                *self._updates_of(connection, event_id), outputs.c.source != ""
            )
            named = connection.execute(query.group_by(outputs.c.source)).all()
            query = select(outputs.c.source, outputs.c.url, func.count()).where(
                *self._updates_of(connection, event_id), outputs.c.source == ""
            )
            unnamed = connection.execute(query.group_by(outputs.c.source, outputs.c.url).limit(1000)).all()
        rows = [(row[0], row[1], row[2]) for row in (*named, *unnamed)]
        return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))

    def supports(self, event_id: str, update_ids: Iterable[tuple[str, int]]) -> list[Support]:
        """What supports these updates (document id, sentence's number), in the order in which it came."""
        wanted = set(update_ids)
        documents = sorted({name for name, _ in wanted})
        found: list[NumberedOutput] = []
        for first in range(0, len(documents), _ASKED_AT_ONCE):
            some = documents[first : first + _ASKED_AT_ONCE]
            found += self._lists.chosen(
                outputs.c.event_id == event_id, outputs.c.kind == "support", outputs.c.doc_id.in_(some)
            )
        return [
            numbered.output
            for numbered in found
            if isinstance(numbered.output, Support)
            and (numbered.output.doc_id, numbered.output.sentence_index) in wanted
        ]

    def _updates_of(self, connection: Connection, event_id: str) -> tuple[ColumnElement[bool], ...]:
        run_id = self._lists.run_id(connection)
        return outputs.c.run_id == run_id, outputs.c.event_id == event_id, outputs.c.kind == "update"
