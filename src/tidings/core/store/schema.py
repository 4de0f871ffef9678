"""The tables of a store as they are now, the same in SQLite and PostgreSQL.

A new store is made by `make_tables`. To change a table takes a migration (`schema_version.py`) besides. Each row but
those of `meta` ends with its digest.

`meta` holds the version of the schema. `runs` has one row for each run: its settings, its card, its fencing
number and what is counted of it; `events` what it follows, `positions` how far it has followed each source,
`follower_states` what each event's follower remembers, `outputs` what it gave, numbered from 1, and
`late_documents` the first documents that came too late. The view `updates` shows the outputs that are sentences.

`inboxes` has one row for each inbox, `inbox_feeds` and `inbox_hosts` what is remembered of feeds and of the hosts that
serve them, `inbox_items` the documents fetched, numbered from 1, `inbox_waiting` those whose pages are still to be
fetched, and `inbox_memory` and `inbox_fresh` what is remembered of items. `judge_answers` has one row for each question
that a judge from outside was asked, by the question's key.

`live_events` has a row for each standing event as people last wanted it, `live_log` one for each change and each mark
of a reader: rows are added, and only ever get the place in the stream at which they took effect. `live_readers` says
what a reader has seen. `live_channels` are where alarms go, `live_rules` what is worth one, and `live_alarms` the
outbox.

`desk_accounts` has those who sign in at the assessors' desk, `desk_made_accounts` the project that made one,
`desk_sessions` their sign-ins, `desk_invitations` links with which a password is chosen, and `desk_failures` sign-ins
that failed. `desk_projects` has a row for each collection in the making, `desk_members` who works on it and
`desk_assignments` at what; `desk_topics` its events and `desk_items` what is judged. `desk_log` is the record of all
judgments: rows are added, and never changed or taken away. `desk_objects` is what it adds up to and could be made from
it anew. `desk_claims` says which items have gone to whom.
"""

from __future__ import annotations

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
    String,
    Table,
    text,
)

from tidings.core.store.table_rows import AnyBytes, AnyText

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
    "events",
    "follower_states",
    "inbox_feeds",
    "inbox_fresh",
    "inbox_hosts",
    "inbox_items",
    "inbox_memory",
    "inbox_waiting",
    "inboxes",
    "judge_answers",
    "late_documents",
    "live_alarms",
    "live_channels",
    "live_events",
    "live_log",
    "live_readers",
    "live_rules",
    "make_tables",
    "meta",
    "outputs",
    "positions",
    "runs",
    "tables",
]


tables = MetaData()

meta = Table(
    "meta",
    tables,
    Column("key", String(64), primary_key=True),
    Column("value", String(256), nullable=False),
)


def _number(name: str, **options: Any) -> Column[Any]:
    return Column(name, BigInteger, nullable=False, **options)


def _words(name: str, **options: Any) -> Column[Any]:
    return Column(name, AnyText, nullable=False, **options)


def _digest() -> Column[int]:
    return _number("digest")


def _of_run(**options: Any) -> Column[int]:
    return Column("run_id", Integer, ForeignKey("runs.id", ondelete="CASCADE"), **options)


runs = Table(
    "runs",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("settings"),
    _number("created_time"),
    _number("changed_time"),
    Column("finished_time", BigInteger),
    Column("card", AnyText),
    _number("fence"),
    _number("events"),
    _words("counts"),
    _number("contents"),
    _digest(),
)
"""`counts` is JSON: outputs by kind. `contents` joins (XOR) the digests of the run's positions and states."""

events = Table(
    "events",
    tables,
    _of_run(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _words("event_id"),
    _words("title"),
    _words("query"),
    Column("start_time", BigInteger),
    Column("end_time", BigInteger),
    _words("type"),
    _words("description"),
    _digest(),
)

positions = Table(
    "positions",
    tables,
    _of_run(primary_key=True),
    Column("number", Integer, primary_key=True),
    _words("source"),
    _number("released"),
    _number("read"),
    _number("late"),
    _words("first_id"),
    _words("last_id"),
    _number("last_time"),
    _number("stream_digest"),
    _words("ends"),
    Column("cursor", AnyBytes, nullable=False),
    _digest(),
)

follower_states = Table(
    "follower_states",
    tables,
    _of_run(primary_key=True),
    Column("event_id", AnyText, primary_key=True),
    Column("state", AnyBytes, nullable=False),
    _digest(),
)

outputs = Table(
    "outputs",
    tables,
    _of_run(primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _words("kind"),
    _words("event_id"),
    _words("doc_id"),
    _number("sentence_index"),
    _number("time"),
    Column("confidence", Double),
    _words("text"),
    _number("published_time"),
    _words("source"),
    _words("title"),
    _words("url"),
    _words("fields"),
    _digest(),
    Index("outputs_by_event", "run_id", "event_id", "seq"),
)
"""An update has a column for each of its fields; `fields` (JSON) holds those of other kinds that have none."""

late_documents = Table(
    "late_documents",
    tables,
    _of_run(primary_key=True),
    Column("source", AnyText, primary_key=True),
    Column("ordinal", BigInteger, primary_key=True, autoincrement=False),
    _words("doc_id"),
    _number("published_time"),
    _number("bound_time"),
    _digest(),
)


def _of_inbox() -> Column[int]:
    return Column("inbox_id", Integer, ForeignKey("inboxes.id", ondelete="CASCADE"), primary_key=True)


inboxes = Table(
    "inboxes",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _number("fence"),
    _number("last_seq"),
    _number("last_time"),
    _number("items"),
    _number("bytes"),
    _digest(),
)
"""`items` and `bytes` count the documents that are kept."""

inbox_memory = Table(
    "inbox_memory",
    tables,
    _of_inbox(),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("state", AnyBytes, nullable=False),
    _digest(),
)
"""What tells a new document from one that came before, in one row (number 1), together with the items of `inbox_fresh`,
which came since it was written: it may be large."""

inbox_feeds = Table(
    "inbox_feeds",
    tables,
    _of_inbox(),
    Column("url", AnyText, primary_key=True),
    _words("title"),
    _number("next_time"),
    _words("error"),
    Column("state", AnyBytes, nullable=False),
    _digest(),
)

inbox_hosts = Table(
    "inbox_hosts",
    tables,
    _of_inbox(),
    Column("host", AnyText, primary_key=True),
    Column("state", AnyBytes, nullable=False),
    _digest(),
)

inbox_items = Table(
    "inbox_items",
    tables,
    _of_inbox(),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _words("feed"),
    _words("document_id"),
    _number("first_seen_time"),
    Column("stated_time", BigInteger),
    Column("document", AnyBytes, nullable=False),
    _digest(),
)

inbox_fresh = Table(
    "inbox_fresh",
    tables,
    _of_inbox(),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("item", AnyBytes, nullable=False),
    _digest(),
)

inbox_waiting = Table(
    "inbox_waiting",
    tables,
    _of_inbox(),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    _words("feed"),
    Column("document", AnyBytes, nullable=False),
    _digest(),
)

judge_answers = Table(
    "judge_answers",
    tables,
    Column("key", String(64), primary_key=True),
    _words("answer"),
    _number("answered_time"),
    _digest(),
)


live_events = Table(
    "live_events",
    tables,
    _words("event_id", primary_key=True),
    _number("number", unique=True),
    _words("standing"),
    _words("state"),
    _number("version"),
    _digest(),
)
"""`standing` is JSON: a `StandingEvent`."""

live_log = Table(
    "live_log",
    tables,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _words("kind"),
    _words("event_id"),
    _words("value"),
    _words("who"),
    _number("recorded_ms"),
    Column("applied", BigInteger),
    _digest(),
    Index("live_log_by_event", "event_id", "seq"),
    Index("live_log_by_applied", "applied", "seq"),
)
"""`value` is JSON: a `StandingEvent` or a `ReaderMark`."""

live_readers = Table(
    "live_readers",
    tables,
    _words("reader", primary_key=True),
    _words("event_id", primary_key=True),
    _words("seen"),
    _number("visited_ms"),
    _digest(),
)
"""`seen` are ranges of numbers of outputs (`1-40,43`); `reader` is an account, or the digest of a browser's token."""

live_channels = Table(
    "live_channels",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("kind"),
    _words("address"),
    _words("secret"),
    _words("settings"),
    Column("disabled_ms", BigInteger),
    _digest(),
)

live_rules = Table(
    "live_rules",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("settings"),
    _words("memory"),
    Column("disabled_ms", BigInteger),
    _digest(),
)
"""`settings` and `memory` are JSON: what is worth an alarm, and what the rule remembers of the outputs so far."""

live_alarms = Table(
    "live_alarms",
    tables,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _words("alarm_id"),
    Column("channel_id", Integer, ForeignKey("live_channels.id", ondelete="CASCADE"), nullable=False),
    Column("rule_id", Integer, nullable=False),
    _words("event_id"),
    _number("output_seq"),
    _words("body"),
    _number("created_ms"),
    _number("next_ms"),
    _number("leased_until_ms"),
    _number("attempts"),
    Column("delivered_ms", BigInteger),
    _words("error"),
    _digest(),
    Index("live_alarms_by_id", "alarm_id", "channel_id", unique=True),
    Index("live_alarms_waiting", "delivered_ms", "next_ms"),
)
"""One row for each alarm and channel; `alarm_id` stays the same however often it is sent."""


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
    _digest(),
)

desk_made_accounts = Table(
    "desk_made_accounts",
    tables,
    Column("account_id", Integer, primary_key=True, autoincrement=False),
    Column("project_id", Integer, nullable=False),
    _digest(),
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
    _digest(),
)
"""`token_digest` is the SHA-256 of the cookie's token: who reads the store cannot sign in with it."""

desk_invitations = Table(
    "desk_invitations",
    tables,
    _words("token_digest", primary_key=True),
    _account(),
    _number("expires_time"),
    Column("used_time", BigInteger),
    _digest(),
)

desk_failures = Table(
    "desk_failures",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("who"),
    _number("time"),
    _digest(),
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
    _digest(),
)
"""`settings` is JSON: tasks, judges, idle_s."""

desk_members = Table(
    "desk_members",
    tables,
    _project(),
    _account(primary_key=True),
    _words("role"),
    _digest(),
)

desk_topics = Table(
    "desk_topics",
    tables,
    _project(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    _words("event_id"),
    _words("event"),
    _digest(),
)

desk_assignments = Table(
    "desk_assignments",
    tables,
    _project(),
    Column("topic", Integer, primary_key=True, autoincrement=False),
    _words("task", primary_key=True),
    _account(primary_key=True),
    _digest(),
)

desk_items = Table(
    "desk_items",
    tables,
    _project(),
    Column("topic", Integer, primary_key=True, autoincrement=False),
    _words("kind", primary_key=True),
    _words("item_id", primary_key=True),
    _number("number"),
    _number("time"),
    _words("content"),
    _digest(),
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
    _digest(),
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
    _digest(),
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
    _digest(),
    Index("desk_claims_by_account", "project_id", "account_id"),
)

_UPDATES = (
    "CREATE VIEW updates AS SELECT run_id, seq, event_id, doc_id, sentence_index, time, confidence, text, "
    "published_time, source, title, url FROM outputs WHERE kind = 'update'"
)


def make_tables(connection: Connection) -> None:
    """Make all tables, and the view `updates`, in an empty database."""
    tables.create_all(connection, checkfirst=False)
    connection.execute(text(_UPDATES))
