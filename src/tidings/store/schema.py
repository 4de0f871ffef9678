"""The tables of a store, the same in SQLite and PostgreSQL.

`meta` holds the version of the schema. `runs` has one row for each run, with the settings it was
begun with; `positions` how far it has followed each source, `follower_states` what each event's follower
remembers, `updates` what it told, numbered from 1, and `late_documents` the first documents that came too late.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Engine,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.types import Text, TypeDecorator

from tidings.errors import StoreError

__all__ = [
    "SCHEMA_VERSION",
    "ensure_schema",
    "follower_states",
    "late_documents",
    "meta",
    "positions",
    "runs",
    "updates",
]

SCHEMA_VERSION = 1
"""Raised by every change of the tables; a store of a higher version is refused."""

_ESCAPE = "\x1b"


class AnyText(TypeDecorator[str]):
    """Text as it comes: what a database refuses (bytes that are no UTF-8, NUL) is kept escaped.

    Such a text is stored as an escape character (U+001B) followed by its JSON string in ASCII.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """Escape what cannot be stored as it is."""
        if value is None:
            return None
        if "\x00" not in value and not value.startswith(_ESCAPE):
            if value.isascii():
                return value
            try:
                value.encode()
            except UnicodeEncodeError:
                pass
            else:
                return value
        return _ESCAPE + json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        """The text as it was."""
        if value is not None and value.startswith(_ESCAPE):
            return str(json.loads(value[1:]))
        return value


tables = MetaData()

meta = Table(
    "meta",
    tables,
    Column("key", String(64), primary_key=True),
    Column("value", String(256), nullable=False),
)

runs = Table(
    "runs",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", AnyText, nullable=False, unique=True),
    Column("settings", AnyText, nullable=False),
    Column("created_time", BigInteger, nullable=False),
    Column("changed_time", BigInteger, nullable=False),
    Column("finished_time", BigInteger),
)


def _of_run(**options: Any) -> Column[int]:
    return Column("run_id", Integer, ForeignKey("runs.id", ondelete="CASCADE"), **options)


positions = Table(
    "positions",
    tables,
    _of_run(primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("source", AnyText, nullable=False),
    Column("released", BigInteger, nullable=False),
    Column("read", BigInteger, nullable=False),
    Column("late", BigInteger, nullable=False),
    Column("first_id", AnyText, nullable=False),
    Column("last_id", AnyText, nullable=False),
    Column("last_time", BigInteger, nullable=False),
    Column("digest", BigInteger, nullable=False),
    Column("ends", AnyText, nullable=False),
)

follower_states = Table(
    "follower_states",
    tables,
    _of_run(primary_key=True),
    Column("event_id", AnyText, primary_key=True),
    Column("state", LargeBinary, nullable=False),
)

updates = Table(
    "updates",
    tables,
    _of_run(primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("event_id", AnyText, nullable=False),
    Column("doc_id", AnyText, nullable=False),
    Column("sentence_index", BigInteger, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("confidence", Double),
    Column("text", AnyText, nullable=False),
    Column("published_time", BigInteger, nullable=False),
    Column("source", AnyText, nullable=False),
)

late_documents = Table(
    "late_documents",
    tables,
    _of_run(primary_key=True),
    Column("source", AnyText, primary_key=True),
    Column("ordinal", BigInteger, primary_key=True, autoincrement=False),
    Column("doc_id", AnyText, nullable=False),
    Column("published_time", BigInteger, nullable=False),
    Column("bound_time", BigInteger, nullable=False),
)


def ensure_schema(engine: Engine, shown: str) -> None:
    """Make the tables in an empty database; refuse one that is not a store or is of another version.

    `shown` is how messages name the store. Raises StoreError.
    """
    with engine.execution_options(reading=True).begin() as connection:
        found = _version(connection, shown)
    if found is None:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(1953064809, 0)"))
            found = _version(connection, shown)
            if found is None:
                tables.create_all(connection)
                connection.execute(insert(meta).values(key="schema_version", value=str(SCHEMA_VERSION)))
                return
    if not found.isdigit():
        raise StoreError(
            f"{shown}: found a database without a schema version, expected a store of tidings; "
            "name another with --store"
        )
    if int(found) != SCHEMA_VERSION:
        newer = int(found) > SCHEMA_VERSION
        raise StoreError(
            f"{shown}: found a store of version {found}, expected {SCHEMA_VERSION}: it was written by "
            f"{'a newer' if newer else 'an older'} tidings; "
            f"{'upgrade tidings' if newer else 'use the tidings it was written with'}, "
            "or name another store with --store"
        )


def _version(connection: Connection, shown: str) -> str | None:
    # What the database says its version is: None for an empty database, "" for one that is none of ours.
    there = set(inspect(connection).get_table_names())
    if "meta" in there:
        if {"key", "value"} <= {column["name"] for column in inspect(connection).get_columns("meta")}:
            query = select(meta.c.value).where(meta.c.key == "schema_version")
            return str(connection.execute(query).scalar_one_or_none() or "")
        return ""
    if there & set(tables.tables) or (there and connection.dialect.name == "sqlite"):
        raise StoreError(
            f"{shown}: found a database with other tables ({', '.join(sorted(there)[:3])}), "
            "expected a store of tidings; name another with --store"
        )
    return None
