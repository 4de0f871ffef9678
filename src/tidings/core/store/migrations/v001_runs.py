"""Version 1: runs, positions, follower states, updates and late documents."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Connection, Double, ForeignKey, Integer, MetaData, String, Table

from tidings.core.store.types import AnyBytes, AnyText

__all__ = ["follower_states", "late_documents", "migrate", "positions", "runs", "tables", "updates"]

tables = MetaData()


def _of_run() -> Column[Any]:
    return Column("run_id", Integer, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)


Table(
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

positions = Table(
    "positions",
    tables,
    _of_run(),
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
    _of_run(),
    Column("event_id", AnyText, primary_key=True),
    Column("state", AnyBytes, nullable=False),
)

updates = Table(
    "updates",
    tables,
    _of_run(),
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
    _of_run(),
    Column("source", AnyText, primary_key=True),
    Column("ordinal", BigInteger, primary_key=True, autoincrement=False),
    Column("doc_id", AnyText, nullable=False),
    Column("published_time", BigInteger, nullable=False),
    Column("bound_time", BigInteger, nullable=False),
)


def migrate(connection: Connection) -> None:
    """Make the tables in an empty database."""
    tables.create_all(connection)
