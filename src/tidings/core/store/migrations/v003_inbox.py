"""Version 3: inboxes, which keep what was fetched of feeds until it is followed and for a while after."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, Integer, MetaData, Table

from tidings.core.store.types import AnyBytes, AnyText

__all__ = ["migrate"]

tables = MetaData()


def _of_inbox() -> Column[Any]:
    return Column("inbox_id", Integer, ForeignKey("inboxes.id", ondelete="CASCADE"), primary_key=True)


def _number(name: str, **options: Any) -> Column[Any]:
    return Column(name, BigInteger, nullable=False, **options)


Table(
    "inboxes",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", AnyText, nullable=False, unique=True),
    _number("fence"),
    _number("last_seq"),
    _number("last_time"),
    _number("items"),
    _number("bytes"),
    _number("digest"),
)

Table(
    "inbox_memory",
    tables,
    _of_inbox(),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("state", AnyBytes, nullable=False),
    _number("digest"),
)

Table(
    "inbox_feeds",
    tables,
    _of_inbox(),
    Column("url", AnyText, primary_key=True),
    Column("title", AnyText, nullable=False),
    _number("next_time"),
    Column("error", AnyText, nullable=False),
    Column("state", AnyBytes, nullable=False),
    _number("digest"),
)

Table(
    "inbox_hosts",
    tables,
    _of_inbox(),
    Column("host", AnyText, primary_key=True),
    Column("state", AnyBytes, nullable=False),
    _number("digest"),
)

Table(
    "inbox_items",
    tables,
    _of_inbox(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("feed", AnyText, nullable=False),
    Column("document_id", AnyText, nullable=False),
    _number("first_seen_time"),
    Column("stated_time", BigInteger),
    Column("document", AnyBytes, nullable=False),
    _number("digest"),
)

Table(
    "inbox_waiting",
    tables,
    _of_inbox(),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("feed", AnyText, nullable=False),
    Column("document", AnyBytes, nullable=False),
    _number("digest"),
)


Table(
    "inbox_fresh",
    tables,
    _of_inbox(),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("item", AnyBytes, nullable=False),
    _number("digest"),
)


def migrate(connection: Connection) -> None:
    """Make the tables of inboxes; what was there stays as it is."""
    tables.create_all(connection, checkfirst=False)
