"""The tables of a store as they are now, the same in SQLite and PostgreSQL.

A new store is made by `make_tables`. To change a table takes a migration (`MIGRATIONS`) besides. Each row but
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

`story_trackers` has one row for each grouping of documents into stories: what it remembers, and how far it has come.
`stories` has its stories as they stand, those that were closed too, and `story_documents` the documents that were
grouped, without their texts. `followed_stories` has the profile by which a story is followed, fixed when that began.

`desk_accounts` has those who sign in at the assessors' desk, `desk_made_accounts` the project that made one,
`desk_sessions` their sign-ins, `desk_invitations` links with which a password is chosen, and `desk_failures` sign-ins
that failed. `desk_projects` has a row for each collection in the making, `desk_members` who works on it and
`desk_assignments` at what; `desk_topics` its events and `desk_items` what is judged. `desk_log` is the record of all
judgments: rows are added, and never changed or taken away. `desk_objects` is what it adds up to and could be made from
it again. `desk_claims` says which items have gone to whom.

Making the tables of a new store, and carrying one over to a later version once there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Engine,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    select,
    text,
    update,
)

from tidings.core.errors import StoreError
from tidings.core.store.table_rows import AnyBytes, AnyText

MIGRATIONS: tuple[Callable[[Connection], None], ...] = ()
"""In their order: the first carries a store of version 1 to version 2."""

_KEY = "store_version"
_NAME_ANOTHER = "name another with --store"
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(1953064809, 0)")


def newest_version() -> int:
    """The version that this tidings reads and writes; a store of a higher one is refused."""
    return 1 + len(MIGRATIONS)


def bring_up_to_date(engine: Engine, where: str) -> None:
    """Make the tables in an empty database, carry an older store over, and leave one of this version as it is.

    `where` is how messages name the store. Making the tables is one transaction, and so is each migration: a process
    killed anywhere leaves the version before it or after it, whole. Raises StoreError for what is no store, for one of
    a newer version.
    """
    newest = newest_version()
    with engine.execution_options(reading=True).begin() as connection:
        version = read_version(connection, where)
    while version < newest:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(_ONE_AT_A_TIME)
            version = read_version(connection, where)  # another process may have been quicker
            if version == 0:
                make_tables(connection)
                version = newest
                connection.execute(insert(meta).values(key=_KEY, value=str(version)))
            elif version < newest:
                MIGRATIONS[version - 1](connection)
                version += 1
                connection.execute(update(meta).where(meta.c.key == _KEY).values(value=str(version)))
    check_version(version, where)


def check_version(version: int, where: str) -> None:
    """Raise StoreError for a version that is newer than this tidings."""
    if version > newest_version():
        raise StoreError(
            f"{where}: a store of version {version} (expected {newest_version()}): it was written by "
            "a newer tidings; upgrade tidings, or name another store with --store"
        )


def read_version(connection: Connection, where: str) -> int:
    """The version of a store, 0 for an empty database.

    Raises:
        StoreError: the database is something else.
    """
    there = set(inspect(connection).get_table_names())
    if "meta" in there:
        columns = {column["name"] for column in inspect(connection).get_columns("meta")}
        words = ""
        if {"key", "value"} <= columns:
            words = str(connection.execute(select(meta.c.value).where(meta.c.key == _KEY)).scalar() or "")
        if not (words.isascii() and words.isdigit() and int(words)):
            raise StoreError(
                f"{where}: this database is no store of tidings, since it has no schema version; {_NAME_ANOTHER}"
            )
        return int(words)
    if there & set(tables.tables) or (there and connection.dialect.name == "sqlite"):
        raise StoreError(
            f"{where}: this database has other tables ({', '.join(sorted(there)[:3])}) "
            f"and is no store of tidings; {_NAME_ANOTHER}"
        )
    return 0


tables = MetaData()


def _words(*names: str, **options: Any) -> list[Column[Any]]:
    return [Column(name, AnyText, nullable=False, **options) for name in names]


def _numbers(*names: str, **options: Any) -> list[Column[Any]]:
    return [Column(name, BigInteger, nullable=False, **options) for name in names]


def _bytes(name: str) -> Column[Any]:
    return Column(name, AnyBytes, nullable=False)


def _keys(*names: str) -> list[Column[Any]]:
    return _words(*names, primary_key=True)


def _count(name: str, kind: type[Integer] = BigInteger) -> Column[Any]:
    """A number that is part of the key and given by us."""
    return Column(name, kind, primary_key=True, autoincrement=False)


def _id() -> Column[Any]:
    """A number that is the key and given by the database."""
    return Column("id", Integer, primary_key=True, autoincrement=True)


def _part_of(column: str, table: str) -> Column[Any]:
    """The part of the key that names a row of another table, with which the row goes."""
    return Column(column, Integer, ForeignKey(f"{table}.id", ondelete="CASCADE"), primary_key=True)


def _account(**options: Any) -> Column[Any]:
    return Column("account_id", Integer, ForeignKey("desk_accounts.id"), nullable=False, **options)


def _table(name: str, *parts: Column[Any] | list[Column[Any]] | Index) -> Table:
    """A table of these columns and indexes, each row with its digest at the end."""
    columns = [column for part in parts for column in (part if isinstance(part, list) else [part])]
    return Table(name, tables, *columns, *_numbers("digest"))


meta = Table(
    "meta",
    tables,
    Column("key", String(64), primary_key=True),
    Column("value", String(256), nullable=False),
)


runs = _table(
    "runs",
    _id(),
    _words("name", unique=True),
    _words("settings"),
    _numbers("created_time", "changed_time"),
    Column("finished_time", BigInteger),
    Column("card", AnyText),
    _numbers("fence", "events"),
    _words("counts"),
    _numbers("contents"),
)
"""`counts` is JSON: outputs by kind. `contents` joins (XOR) the digests of the run's positions and states."""

events = _table(
    "events",
    _part_of("run_id", "runs"),
    _count("number", Integer),
    _words("event_id", "title", "query"),
    Column("start_time", BigInteger),
    Column("end_time", BigInteger),
    _words("type", "description"),
)

positions = _table(
    "positions",
    _part_of("run_id", "runs"),
    Column("number", Integer, primary_key=True),
    _words("source"),
    _numbers("released", "read", "late"),
    _words("first_id", "last_id"),
    _numbers("last_time", "stream_digest"),
    _words("ends"),
    _bytes("cursor"),
)

follower_states = _table(
    "follower_states",
    _part_of("run_id", "runs"),
    _keys("event_id"),
    _bytes("state"),
)

outputs = _table(
    "outputs",
    _part_of("run_id", "runs"),
    _count("seq"),
    _words("kind", "event_id", "doc_id"),
    _numbers("sentence_index", "time"),
    Column("confidence", Double),
    _words("text"),
    _numbers("published_time"),
    _words("source", "title", "url", "fields"),
    Index("outputs_by_event", "run_id", "event_id", "seq"),
)
"""An update has a column for each of its fields; `fields` (JSON) holds those of other kinds that have none."""

late_documents = _table(
    "late_documents",
    _part_of("run_id", "runs"),
    _keys("source"),
    _count("ordinal"),
    _words("doc_id"),
    _numbers("published_time", "bound_time"),
)


inboxes = _table(
    "inboxes",
    _id(),
    _words("name", unique=True),
    _numbers("fence", "last_seq", "last_time", "items", "bytes"),
)
"""`items` and `bytes` count the documents that are kept."""

inbox_memory = _table(
    "inbox_memory",
    _part_of("inbox_id", "inboxes"),
    _count("number"),
    _bytes("state"),
)
"""What tells a new document from one that came before, in one row (number 1), together with the items of `inbox_fresh`,
which came since it was written: it may be large."""

inbox_feeds = _table(
    "inbox_feeds",
    _part_of("inbox_id", "inboxes"),
    _keys("url"),
    _words("title"),
    _numbers("next_time"),
    _words("error"),
    _bytes("state"),
)

inbox_hosts = _table(
    "inbox_hosts",
    _part_of("inbox_id", "inboxes"),
    _keys("host"),
    _bytes("state"),
)

inbox_items = _table(
    "inbox_items",
    _part_of("inbox_id", "inboxes"),
    _count("seq"),
    _words("feed", "document_id"),
    _numbers("first_seen_time"),
    Column("stated_time", BigInteger),
    _bytes("document"),
)

inbox_fresh = _table(
    "inbox_fresh",
    _part_of("inbox_id", "inboxes"),
    _count("number"),
    _bytes("item"),
)

inbox_waiting = _table(
    "inbox_waiting",
    _part_of("inbox_id", "inboxes"),
    _count("number"),
    _words("feed"),
    _bytes("document"),
)

judge_answers = _table(
    "judge_answers",
    Column("key", String(64), primary_key=True),
    _words("answer"),
    _numbers("answered_time"),
)


live_events = _table(
    "live_events",
    _keys("event_id"),
    _numbers("number", unique=True),
    _words("standing", "state"),
    _numbers("version"),
)
"""`standing` is JSON: a `StandingEvent`."""

live_log = _table(
    "live_log",
    _count("seq"),
    _words("kind", "event_id", "value", "who"),
    _numbers("recorded_ms"),
    Column("applied", BigInteger),
    Index("live_log_by_event", "event_id", "seq"),
    Index("live_log_by_applied", "applied", "seq"),
)
"""`value` is JSON: a `StandingEvent` or a `ReaderMark`."""

live_readers = _table(
    "live_readers",
    _keys("reader", "event_id"),
    _words("seen"),
    _numbers("visited_ms"),
)
"""`seen` are ranges of numbers of outputs (`1-40,43`); `reader` is an account, or the digest of a browser's token."""

live_channels = _table(
    "live_channels",
    _id(),
    _words("name", unique=True),
    _words("kind", "address", "secret", "settings"),
    Column("disabled_ms", BigInteger),
)

live_rules = _table(
    "live_rules",
    _id(),
    _words("name", unique=True),
    _words("settings", "memory"),
    Column("disabled_ms", BigInteger),
)
"""`settings` and `memory` are JSON: what is worth an alarm, and what the rule remembers of the outputs so far."""

live_alarms = _table(
    "live_alarms",
    _count("seq"),
    _words("alarm_id"),
    Column("channel_id", Integer, ForeignKey("live_channels.id", ondelete="CASCADE"), nullable=False),
    Column("rule_id", Integer, nullable=False),
    _words("event_id"),
    _numbers("output_seq"),
    _words("body"),
    _numbers("created_ms", "next_ms", "leased_until_ms", "attempts"),
    Column("delivered_ms", BigInteger),
    _words("error"),
    Index("live_alarms_by_id", "alarm_id", "channel_id", unique=True),
    Index("live_alarms_waiting", "delivered_ms", "next_ms"),
)
"""One row for each alarm and channel; `alarm_id` stays the same however often it is sent."""


story_trackers = _table(
    "story_trackers",
    _id(),
    _words("name", unique=True),
    _numbers("version", "place", "time"),
    _bytes("state"),
)
"""`version` counts the commits, `place` is the number of the last document of an inbox that was grouped."""

stories = _table(
    "stories",
    _part_of("tracker_id", "story_trackers"),
    _keys("story_id"),
    _numbers("last_time", "closed"),
    _words("summary"),
    Index("stories_by_time", "tracker_id", "last_time"),
)
"""`summary` is JSON: a `StorySummary`; `closed` is 1 where it takes no more documents."""

story_documents = _table(
    "story_documents",
    _part_of("tracker_id", "story_trackers"),
    _keys("document_id"),
    _numbers("time"),
    _words("source", "title", "url"),
)

followed_stories = _table(
    "followed_stories",
    _keys("story_id"),
    _words("event_id", "title", "query", "profile"),
)


desk_accounts = _table(
    "desk_accounts",
    _id(),
    _words("name", unique=True),
    _words("password_hash"),
    _numbers("created_time"),
    Column("disabled_time", BigInteger),
)

desk_made_accounts = _table(
    "desk_made_accounts",
    _count("account_id", Integer),
    Column("project_id", Integer, nullable=False),
)
"""Accounts that a lead made on the page of a project's team, as long as they lead nothing."""

desk_sessions = _table(
    "desk_sessions",
    _id(),
    _words("token_digest", unique=True),
    _account(),
    _numbers("created_time", "seen_time"),
    Column("ended_time", BigInteger),
)
"""`token_digest` is the SHA-256 of the cookie's token: who reads the store cannot sign in with it."""

desk_invitations = _table(
    "desk_invitations",
    _keys("token_digest"),
    _account(),
    _numbers("expires_time"),
    Column("used_time", BigInteger),
)

desk_failures = _table(
    "desk_failures",
    _id(),
    _words("who"),
    _numbers("time"),
    Index("desk_failures_by_time", "who", "time"),
)

desk_projects = _table(
    "desk_projects",
    _id(),
    _words("name", unique=True),
    _numbers("created_time"),
    _words("settings", "guidelines"),
    _numbers("last_seq"),
)
"""`settings` is JSON: tasks, judges, idle_s."""

desk_members = _table(
    "desk_members",
    _part_of("project_id", "desk_projects"),
    _account(primary_key=True),
    _words("role"),
)

desk_topics = _table(
    "desk_topics",
    _part_of("project_id", "desk_projects"),
    _count("number", Integer),
    _words("event_id", "event"),
)

desk_assignments = _table(
    "desk_assignments",
    _part_of("project_id", "desk_projects"),
    _count("topic", Integer),
    _keys("task"),
    _account(primary_key=True),
)

desk_items = _table(
    "desk_items",
    _part_of("project_id", "desk_projects"),
    _count("topic", Integer),
    _keys("kind", "item_id"),
    _numbers("number", "time"),
    _words("content"),
    Index("desk_items_in_order", "project_id", "topic", "kind", "number"),
)

desk_log = _table(
    "desk_log",
    _part_of("project_id", "desk_projects"),
    _count("seq"),
    _words("act", "operation"),
    Column("topic", Integer, nullable=False),
    _words("layer", "kind", "object_id"),
    Column("before", AnyText),
    Column("after", AnyText),
    Column("account_id", Integer, ForeignKey("desk_accounts.id")),
    Column("session_id", Integer, ForeignKey("desk_sessions.id")),
    _numbers("recorded_ms", "made_ms"),
    _words("assisted", "undoes", "shown", "guidelines"),
    Index("desk_log_by_act", "project_id", "act"),
    Index("desk_log_by_object", "project_id", "topic", "layer", "kind", "object_id", "seq"),
    Index("desk_log_by_account", "project_id", "topic", "account_id", "seq"),
)

desk_objects = _table(
    "desk_objects",
    _part_of("project_id", "desk_projects"),
    _count("topic", Integer),
    _keys("layer", "kind", "object_id"),
    _numbers("version"),
    Column("value", AnyText),
)

desk_claims = _table(
    "desk_claims",
    _part_of("project_id", "desk_projects"),
    _count("topic", Integer),
    _keys("task", "item_id"),
    _account(primary_key=True),
    _numbers("claimed_time"),
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
