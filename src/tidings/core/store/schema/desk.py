"""The tables of the assessors' desk.

`desk_accounts` has those who sign in, `desk_made_accounts` the project that made one, `desk_sessions` their sign-ins,
`desk_invitations` links with which a password is chosen, and `desk_failures` sign-ins that failed. `desk_projects` has
a row for each collection in the making, `desk_members` who works on it and `desk_assignments` at what; `desk_topics`
its events and `desk_items` what is judged. `desk_log` is the record of all judgments: rows are added, and never
changed or taken away. `desk_objects` is what it adds up to and could be made from it anew. `desk_claims` says which
items have gone to whom.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table

from tidings.core.store.schema.following import tables
from tidings.core.store.types import AnyText

__all__ = [
    "desk_accounts",
    "desk_assignments",
    "desk_claims",
    "desk_failures",
    "desk_invitations",
    "desk_items",
    "desk_log",
    "desk_made_accounts",
    "desk_members",
    "desk_objects",
    "desk_projects",
    "desk_sessions",
    "desk_topics",
]


def _number(name: str, **options: Any) -> Column[Any]:
    return Column(name, BigInteger, nullable=False, **options)


def _words(name: str, **options: Any) -> Column[Any]:
    return Column(name, AnyText, nullable=False, **options)


def _project() -> Column[Any]:
    return Column("project_id", Integer, ForeignKey("desk_projects.id", ondelete="CASCADE"), primary_key=True)


def _account(**options: Any) -> Column[Any]:
    return Column("account_id", Integer, ForeignKey("desk_accounts.id"), nullable=False, **options)


desk_accounts = Table(
    "desk_accounts",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("password_hash"),
    _number("created_time"),
    Column("disabled_time", BigInteger),
    _number("digest"),
)

desk_made_accounts = Table(
    "desk_made_accounts",
    tables,
    Column("account_id", Integer, primary_key=True, autoincrement=False),
    Column("project_id", Integer, nullable=False),
    _number("digest"),
)
"""Accounts that a lead made on the page of a project's team, as long as they lead nothing."""

desk_sessions = Table(
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
"""`token_digest` is the SHA-256 of the cookie's token: who reads the store cannot sign in with it."""

desk_invitations = Table(
    "desk_invitations",
    tables,
    _words("token_digest", primary_key=True),
    _account(),
    _number("expires_time"),
    Column("used_time", BigInteger),
    _number("digest"),
)

desk_failures = Table(
    "desk_failures",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("who"),
    _number("time"),
    _number("digest"),
    Index("desk_failures_by_time", "who", "time"),
)

desk_projects = Table(
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
"""`settings` is JSON: tasks, judges, idle_s."""

desk_members = Table(
    "desk_members",
    tables,
    _project(),
    _account(primary_key=True),
    _words("role"),
    _number("digest"),
)

desk_topics = Table(
    "desk_topics",
    tables,
    _project(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _words("event_id"),
    _words("event"),
    _number("digest"),
)

desk_assignments = Table(
    "desk_assignments",
    tables,
    _project(),
    Column("topic", Integer, primary_key=True, autoincrement=False),
    _words("task", primary_key=True),
    _account(primary_key=True),
    _number("digest"),
)

desk_items = Table(
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

desk_log = Table(
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

desk_objects = Table(
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

desk_claims = Table(
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
