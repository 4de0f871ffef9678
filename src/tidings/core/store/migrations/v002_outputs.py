"""Version 2: outputs of every kind, the events and the card of a run, a fencing number, and a digest in each row."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.schema import CreateColumn

from tidings.core.store.digests import with_digest
from tidings.core.store.migrations import v001_runs as before
from tidings.core.store.types import AnyBytes, AnyText

__all__ = ["migrate"]

_PAGE = 5000

_VIEW = (
    "CREATE VIEW updates AS SELECT run_id, seq, event_id, doc_id, sentence_index, time, confidence, text, "
    "published_time, source, title, url FROM outputs WHERE kind = 'update'"
)

tables = MetaData()


def _digest() -> Column[Any]:
    return Column("digest", BigInteger, nullable=False, server_default="0")


def _empty(name: str) -> Column[Any]:
    return Column(name, AnyText, nullable=False, server_default="")


def _number(name: str) -> Column[Any]:
    return Column(name, BigInteger, nullable=False, server_default="0")


def _copied(table: Table, renamed: dict[str, str] | None = None) -> list[Column[Any]]:
    # The columns as they were, for asking: these tables are there already.
    return [
        Column((renamed or {}).get(column.name, column.name), column.type, primary_key=column.primary_key)
        for column in table.columns
    ]


runs = Table(
    "runs",
    tables,
    *_copied(before.runs),
    Column("card", AnyText),
    _number("fence"),
    _number("events"),
    Column("counts", AnyText, nullable=False, server_default="{}"),
    _number("contents"),
    _digest(),
)
positions = Table(
    "positions",
    tables,
    *_copied(before.positions, {"digest": "stream_digest"}),
    Column("cursor", AnyBytes, nullable=False, server_default=""),
    _digest(),
)
follower_states = Table("follower_states", tables, *_copied(before.follower_states), _digest())
late_documents = Table("late_documents", tables, *_copied(before.late_documents), _digest())
_WIDENED = (runs, positions, follower_states, late_documents)


def _of_run() -> Column[Any]:
    return Column("run_id", Integer, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)


events = Table(
    "events",
    tables,
    _of_run(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("event_id", AnyText, nullable=False),
    Column("title", AnyText, nullable=False),
    Column("query", AnyText, nullable=False),
    Column("start_time", BigInteger),
    Column("end_time", BigInteger),
    Column("type", AnyText, nullable=False),
    Column("description", AnyText, nullable=False),
    Column("digest", BigInteger, nullable=False),
)

outputs = Table(
    "outputs",
    tables,
    _of_run(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", AnyText, nullable=False),
    Column("event_id", AnyText, nullable=False),
    Column("doc_id", AnyText, nullable=False),
    Column("sentence_index", BigInteger, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("confidence", Double),
    Column("text", AnyText, nullable=False),
    Column("published_time", BigInteger, nullable=False),
    Column("source", AnyText, nullable=False),
    Column("title", AnyText, nullable=False),
    Column("url", AnyText, nullable=False),
    Column("fields", AnyText, nullable=False),
    Column("digest", BigInteger, nullable=False),
    Index("outputs_by_event", "run_id", "event_id", "seq"),
)


def migrate(connection: Connection) -> None:
    """Widen what is there, copy the updates among the outputs, and give every row its digest."""
    connection.execute(text("ALTER TABLE positions RENAME COLUMN digest TO stream_digest"))
    for table in _WIDENED:
        _widen(connection, table, len(before.tables.tables[table.name].columns))
    # The digests of streams were over less than they are now: below 0 they say so. SQLite's default is an empty text.
    connection.execute(update(positions).values(cursor=b"", stream_digest=-1 - positions.c.stream_digest))
    tables.create_all(connection, tables=[events, outputs], checkfirst=False)
    counts = _copy_updates(connection)
    connection.execute(text("DROP TABLE updates"))
    connection.execute(text(_VIEW))
    contents: Counter[int] = Counter()
    for table in (positions, follower_states):
        for run_id, digest in _seal(connection, table):
            contents[run_id] ^= digest
    _seal(connection, late_documents)
    for (run_id,) in connection.execute(select(runs.c.id)).all():
        count = {"update": counts[run_id]} if counts[run_id] else {}
        values = {"counts": json.dumps(count), "contents": contents[run_id]}
        connection.execute(update(runs).where(runs.c.id == run_id).values(**values))
    _seal(connection, runs)


def _widen(connection: Connection, table: Table, columns: int) -> None:
    # What a table has beyond its first columns, which were there before.
    for column in list(table.columns)[columns:]:
        words = CreateColumn(column).compile(dialect=connection.dialect)
        connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {words}"))


def _copy_updates(connection: Connection) -> Counter[int]:
    """All updates become outputs; returns how many each run has."""
    counts: Counter[int] = Counter()
    old = before.updates
    for (run_id,) in connection.execute(select(runs.c.id)).all():
        last = 0
        while True:
            query = select(old).where(old.c.run_id == run_id, old.c.seq > last).order_by(old.c.seq)
            page = connection.execute(query.limit(_PAGE)).all()
            if not page:
                break
            made = {"kind": "update", "title": "", "url": "", "fields": ""}
            connection.execute(
                insert(outputs), [with_digest(outputs, {**row._asdict(), **made}) for row in page]
            )
            counts[run_id] += len(page)
            last = page[-1].seq
    return counts


def _seal(connection: Connection, table: Table) -> list[tuple[int, int]]:
    """Give each row of `table` its digest, one row at a time: a state may be large; returns (run, digest) of each."""
    keys = list(table.primary_key)
    sealed = []
    for key in connection.execute(select(*keys)).all():
        here = [column == value for column, value in zip(keys, key, strict=True)]
        row = connection.execute(select(table).where(*here)).one()
        digest = with_digest(table, row._asdict())["digest"]
        connection.execute(update(table).where(*here).values(digest=digest))
        sealed.append((key[0], digest))
    return sealed
