"""Runs in a database: begun or taken up again, committed to, and read."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from msgspec import Struct
from sqlalchemy import URL, Connection, Engine, Table, delete, func, insert, select, update

from tidings.errors import StoreError, UsageError
from tidings.protocols import Saved
from tidings.records import LateDocument, Output, Position, Update
from tidings.store.connect import connect, explained, parse_store, shown
from tidings.store.lock import RunLock
from tidings.store.schema import ensure_schema, follower_states, late_documents, positions, runs, updates

__all__ = ["RunInfo", "Store", "StoredRun", "open_store"]

_PAGE = 5000


class RunInfo(Struct, frozen=True, kw_only=True):
    """One run of a store: its name, the settings it was begun with, and how far it is."""

    name: str
    settings: dict[str, str]
    created_time: int
    changed_time: int
    finished_time: int | None
    updates: int
    positions: tuple[Position, ...]


def open_store(store: str) -> Store:
    """Open the store at a path or URL; a new SQLite file is made, and its tables where there are none.

    Raises StoreError for what is not a store, is of another version, is locked or cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/example.db") as store:
    ...     store.runs()
    []
    """
    return Store(parse_store(store))


class Store:
    """A database of runs. Close it when done, or use it in a `with`."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.engine: Engine = connect(url)
        self.reader = self.engine.execution_options(reading=True)
        try:
            with explained(url):
                ensure_schema(self.engine, shown(url))
        except BaseException:
            self.engine.dispose()
            raise

    def __str__(self) -> str:
        return shown(self.url)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    def begin(self, name: str, settings: Mapping[str, str], *, restart: bool = False) -> StoredRun:
        """Begin the run called `name`, or take it up where it was left.

        Args:
            name: what the run is known by in this store.
            settings: everything its updates depend on, in words; kept with the run.
            restart: forget what is there under this name.

        Raises:
            UsageError: the run was begun with other settings; StoreError: another process follows it.
        """
        with explained(self.url):
            lock = RunLock(self.engine, self.url, name)
        try:
            with explained(self.url), self.engine.begin() as connection:
                run_id = _enter(connection, name, settings, restart)
        except BaseException:
            lock.release()
            raise
        return StoredRun(self, run_id, name, lock)

    def runs(self) -> list[RunInfo]:
        """All runs, oldest first."""
        with explained(self.url), self.reader.begin() as connection:
            rows = connection.execute(select(runs).order_by(runs.c.id)).all()
            counted = select(updates.c.run_id, func.count()).group_by(updates.c.run_id)
            counts = {row[0]: row[1] for row in connection.execute(counted)}
            return [
                RunInfo(
                    name=row.name,
                    settings=json.loads(row.settings),
                    created_time=row.created_time,
                    changed_time=row.changed_time,
                    finished_time=row.finished_time,
                    updates=counts.get(row.id, 0),
                    positions=_positions(connection, row.id),
                )
                for row in rows
            ]

    def updates(self, name: str) -> Iterator[Update]:
        """Everything the run `name` told, in the order in which it was decided."""
        return self._updates(self._id(name))

    def late(self, name: str) -> list[LateDocument]:
        """The first documents that came too late for the run `name`, in the order of their sources."""
        run_id = self._id(name)
        columns = [late_documents.c[field] for field in LateDocument.__struct_fields__]
        query = select(*columns).where(late_documents.c.run_id == run_id)
        with explained(self.url), self.reader.begin() as connection:
            rows = connection.execute(query.order_by(late_documents.c.source, late_documents.c.ordinal))
            return [LateDocument(*row) for row in rows]

    def _id(self, name: str) -> int:
        with explained(self.url), self.reader.begin() as connection:
            run_id = connection.execute(select(runs.c.id).where(runs.c.name == name)).scalar_one_or_none()
        if run_id is None:
            raise StoreError(f"{self}: found no run {name!r}, expected one of those it holds")
        return int(run_id)

    def _updates(self, run_id: int) -> Iterator[Update]:
        # In pages, so that a long run needs no more memory than a short one.
        columns = [updates.c[field] for field in Update.__struct_fields__ if field in updates.c]
        query = select(updates.c.seq, *columns).where(updates.c.run_id == run_id).order_by(updates.c.seq)
        last = 0
        while True:
            with explained(self.url), self.reader.begin() as connection:
                page = connection.execute(query.where(updates.c.seq > last).limit(_PAGE)).all()
            for row in page:
                _, event_id, doc_id, index, when, confidence, *rest = row
                yield Update(
                    event_id, doc_id, index, when, math.nan if confidence is None else confidence, *rest
                )
            if len(page) < _PAGE:
                return
            last = page[-1][0]


class StoredRun:
    """One run that this process follows: the checkpoint of the follow loop. Close it when done."""

    def __init__(self, store: Store, run_id: int, name: str, lock: RunLock) -> None:
        self.name = name
        self._store, self._id, self._lock = store, run_id, lock
        self._told = 0
        self._late_noted: dict[str, int] = {}
        self._written: dict[int, Position] = {}

    def __enter__(self) -> StoredRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes have the run."""
        self._lock.release()

    @property
    def told(self) -> int:
        """How many updates were committed in all, as of the last `load` or `commit`."""
        return self._told

    def load(self) -> Saved:
        """Where the run stands."""
        with explained(self._store.url), self._store.reader.begin() as connection:
            self._told = (
                connection.execute(
                    select(func.max(updates.c.seq)).where(updates.c.run_id == self._id)
                ).scalar_one()
                or 0
            )
            noted = select(late_documents.c.source, func.max(late_documents.c.ordinal)).where(
                late_documents.c.run_id == self._id
            )
            latest = connection.execute(noted.group_by(late_documents.c.source))
            self._late_noted = {row[0]: row[1] for row in latest}
            states = connection.execute(
                select(follower_states.c.event_id, follower_states.c.state).where(
                    follower_states.c.run_id == self._id
                )
            )
            finished = connection.execute(
                select(runs.c.finished_time).where(runs.c.id == self._id)
            ).scalar_one()
            return Saved(
                positions=_positions(connection, self._id),
                states={event_id: bytes(state) for event_id, state in states},
                finished=finished is not None,
            )

    def commit(
        self,
        positions: Sequence[Position],
        states: Mapping[str, bytes],
        outputs: Sequence[Output],
        late: Sequence[LateDocument],
        *,
        finished: bool = False,
    ) -> None:
        """Keep all of this in one transaction, or none of it."""
        now = int(time.time())
        updates = [output for output in outputs if isinstance(output, Update)]
        with explained(self._store.url), self._store.engine.begin() as connection:
            self._write_positions(connection, positions)
            if states:
                rows = [
                    {"run_id": self._id, "event_id": event_id, "state": state}
                    for event_id, state in states.items()
                ]
                _upsert(connection, follower_states, rows)
            if updates:
                self._write_updates(connection, updates)
            fresh = [one for one in late if one.ordinal > self._late_noted.get(one.source, 0)]
            if fresh:
                rows = [{"run_id": self._id, **_fields(one)} for one in fresh]
                _upsert(connection, late_documents, rows)
            values = {"changed_time": now, "finished_time": now if finished else None}
            connection.execute(update(runs).where(runs.c.id == self._id).values(**values))
        self._told += len(updates)
        self._written = dict(enumerate(positions))

    def updates(self) -> Iterator[Update]:
        """Everything the run told so far, in the order in which it was decided."""
        return self._store._updates(self._id)

    def _write_positions(self, connection: Connection, current: Sequence[Position]) -> None:
        rows = []
        for number, position in enumerate(current):
            if self._written.get(number) != position:
                row = {"run_id": self._id, "number": number, **_fields(position)}
                del row["cursor"]
                row["ends"] = json.dumps(position.ends)
                rows.append(row)
        if rows:
            _upsert(connection, positions, rows)

    def _write_updates(self, connection: Connection, told: Sequence[Update]) -> None:
        rows = [
            {
                "run_id": self._id,
                "seq": seq,
                **{name: value for name, value in _fields(one).items() if name in updates.c},
            }
            for seq, one in enumerate(told, self._told + 1)
        ]
        connection.execute(insert(updates), rows)


def _fields(record: Struct) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def _upsert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as dialect_insert
    else:
        from sqlalchemy.dialects.sqlite import insert as dialect_insert  # type: ignore[assignment]
    statement = dialect_insert(table)
    keys = [column.name for column in table.primary_key]
    changed = {name: statement.excluded[name] for name in rows[0] if name not in keys}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), rows)


def _positions(connection: Connection, run_id: int) -> tuple[Position, ...]:
    columns = [positions.c[field] for field in Position.__struct_fields__ if field in positions.c]
    rows = connection.execute(
        select(*columns).where(positions.c.run_id == run_id).order_by(positions.c.number)
    )
    return tuple(
        Position(
            **{
                **row._asdict(),
                "ends": tuple((count, floor) for count, floor in json.loads(row.ends)),
            }
        )
        for row in rows
    )


def _has_begun(connection: Connection, run_id: int) -> bool:
    """Whether any document was decided on, or anything kept."""
    kept = (
        select(positions.c.run_id).where(positions.c.run_id == run_id, positions.c.released > 0),
        select(updates.c.run_id).where(updates.c.run_id == run_id),
        select(follower_states.c.run_id).where(follower_states.c.run_id == run_id),
    )
    return any(connection.execute(query.limit(1)).first() is not None for query in kept)


def _enter(connection: Connection, name: str, settings: Mapping[str, str], restart: bool) -> int:
    if restart:
        connection.execute(delete(runs).where(runs.c.name == name))
    row = connection.execute(select(runs.c.id, runs.c.settings).where(runs.c.name == name)).one_or_none()
    if row is not None and json.loads(row.settings) != dict(settings) and not _has_begun(connection, row.id):
        # Such as one whose stream could not be read: there is nothing to protect.
        connection.execute(delete(runs).where(runs.c.id == row.id))
        row = None
    if row is None:
        now = int(time.time())
        values = {
            "name": name,
            "settings": json.dumps(dict(settings)),
            "created_time": now,
            "changed_time": now,
        }
        return int(connection.execute(insert(runs).values(**values).returning(runs.c.id)).scalar_one())
    begun = json.loads(row.settings)
    differing = [
        f"{key} (begun with {begun.get(key, 'none')}, now {settings.get(key, 'none')})"
        for key in {**begun, **settings}
        if begun.get(key) != settings.get(key)
    ]
    if differing:
        raise UsageError(
            f"run {name}: it was begun with other settings: {'; '.join(differing)}; "
            "give the same ones to go on, --restart to begin anew, or another --out"
        )
    return int(row.id)
