"""Version 4: the assessors' desk: accounts, projects, what is judged, and the log of judgments."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, Index, Integer, MetaData, Table

from tidings.core.store.types import AnyText

__all__ = ["migrate"]

tables = MetaData()


def _number(name: str, **options: Any) -> Column[Any]:
    return Column(name, BigInteger, nullable=False, **options)


def _words(name: str, **options: Any) -> Column[Any]:
    return Column(name, AnyText, nullable=False, **options)


def _project() -> Column[Any]:
    return Column("project_id", Integer, ForeignKey("desk_projects.id", ondelete="CASCADE"), primary_key=True)


def _account(**options: Any) -> Column[Any]:
    return Column("account_id", Integer, ForeignKey("desk_accounts.id"), nullable=False, **options)


Table(
    "desk_accounts",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("password_hash"),
    _number("created_time"),
    Column("disabled_time", BigInteger),
    _number("digest"),
)

Table(
    "desk_sessions",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("token_digest", unique=True),
    _account(),
    _number("created_time"),
    _number("seen_time"),
    Column("ended_time", BigInteger),
    _number("digest"),
)

Table(
    "desk_invitations",
    tables,
    _words("token_digest", primary_key=True),
    _account(),
    _number("expires_time"),
    Column("used_time", BigInteger),
    _number("digest"),
)

Table(
    "desk_failures",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("who"),
    _number("time"),
    _number("digest"),
    Index("desk_failures_by_time", "who", "time"),
)

Table(
    "desk_projects",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _number("created_time"),
    _words("settings"),
    _words("guidelines"),
    _number("last_seq"),
    _number("digest"),
)

Table(
    "desk_members",
    tables,
    _project(),
    _account(primary_key=True),
    _words("role"),
    _number("digest"),
)

Table(
    "desk_topics",
    tables,
    _project(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _words("event_id"),
    _words("event"),
    _number("digest"),
)

Table(
    "desk_assignments",
    tables,
    _project(),
    Column("topic", Integer, primary_key=True, autoincrement=False),
    _words("task", primary_key=True),
    _account(primary_key=True),
    _number("digest"),
)

Table(
    "desk_items",
    tables,
    _project(),
    Column("topic", Integer, primary_key=True, autoincrement=False),
    _words("kind", primary_key=True),
    _words("item_id", primary_key=True),
    Column("number", BigInteger, nullable=False),
    _number("time"),
    _words("content"),
    _number("digest"),
    Index("desk_items_in_order", "project_id", "topic", "kind", "number"),
)

Table(
    "desk_log",
    tables,
    _project(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _words("act"),
    _words("operation"),
    Column("topic", Integer, nullable=False),
    _words("layer"),
    _words("kind"),
    _words("object_id"),
    Column("before", AnyText),
    Column("after", AnyText),
    Column("account_id", Integer, ForeignKey("desk_accounts.id")),
    Column("session_id", Integer, ForeignKey("desk_sessions.id")),
    _number("recorded_ms"),
    _number("made_ms"),
    _words("assisted"),
    _words("undoes"),
    _words("shown"),
    _words("guidelines"),
    _number("digest"),
    Index("desk_log_by_act", "project_id", "act"),
    Index("desk_log_by_object", "project_id", "topic", "layer", "kind", "object_id", "seq"),
    Index("desk_log_by_account", "project_id", "topic", "account_id", "seq"),
)

Table(
    "desk_objects",
    tables,
    _project(),
    Column("topic", Integer, primary_key=True, autoincrement=False),
    _words("layer", primary_key=True),
    _words("kind", primary_key=True),
    _words("object_id", primary_key=True),
    _number("version"),
    Column("value", AnyText),
    _number("digest"),
)

Table(
    "desk_claims",
    tables,
    _project(),
    Column("topic", Integer, primary_key=True, autoincrement=False),
    _words("task", primary_key=True),
    _words("item_id", primary_key=True),
    _account(primary_key=True),
    _number("claimed_time"),
    _number("digest"),
    Index("desk_claims_by_account", "project_id", "account_id"),
)


def migrate(connection: Connection) -> None:
    """Make the tables of the desk; what was there stays as it is."""
    tables.create_all(connection, checkfirst=False)
