"""The tables of runs, of inboxes and of what judges from outside answered.

`meta` holds the version of the schema. `runs` has one row for each run: its settings, its card, its fencing
number and what is counted of it; `events` what it follows, `positions` how far it has followed each source,
`follower_states` what each event's follower remembers, `outputs` what it gave, numbered from 1, and
`late_documents` the first documents that came too late. The view `updates` shows the outputs that are sentences.

`inboxes` has one row for each inbox, `inbox_feeds` and `inbox_hosts` what is remembered of feeds and of the hosts that
serve them, `inbox_items` the documents fetched, numbered from 1, `inbox_waiting` those whose pages are still to be
fetched, and `inbox_memory` and `inbox_fresh` what is remembered of items.

`judge_answers` has one row for each question that a judge was asked, by the question's key. Each row but those of
`meta` ends with its digest.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Index, Integer, MetaData, String, Table

from tidings.core.store.types import AnyBytes, AnyText

__all__ = [
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


def _digest() -> Column[int]:
    return Column("digest", BigInteger, nullable=False)


def _of_run(**options: Any) -> Column[int]:
    return Column("run_id", Integer, ForeignKey("runs.id", ondelete="CASCADE"), **options)


runs = Table(
    "runs",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", AnyText, nullable=False, unique=True),
    Column("settings", AnyText, nullable=False),
    Column("created_time", BigInteger, nullable=False),
    Column("changed_time", BigInteger, nullable=False),
    Column("finished_time", BigInteger),
    Column("card", AnyText),
    Column("fence", BigInteger, nullable=False),
    Column("events", BigInteger, nullable=False),
    Column("counts", AnyText, nullable=False),
    Column("contents", BigInteger, nullable=False),
    _digest(),
)
"""`counts` is JSON: outputs by kind. `contents` joins (XOR) the digests of the run's positions and states."""

events = Table(
    "events",
    tables,
    _of_run(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("event_id", AnyText, nullable=False),
    Column("title", AnyText, nullable=False),
    Column("query", AnyText, nullable=False),
    Column("start_time", BigInteger),
    Column("end_time", BigInteger),
    Column("type", AnyText, nullable=False),
    Column("description", AnyText, nullable=False),
    _digest(),
)

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
    Column("stream_digest", BigInteger, nullable=False),
    Column("ends", AnyText, nullable=False),
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
    Column("doc_id", AnyText, nullable=False),
    Column("published_time", BigInteger, nullable=False),
    Column("bound_time", BigInteger, nullable=False),
    _digest(),
)


def _of_inbox() -> Column[int]:
    return Column("inbox_id", Integer, ForeignKey("inboxes.id", ondelete="CASCADE"), primary_key=True)


inboxes = Table(
    "inboxes",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", AnyText, nullable=False, unique=True),
    Column("fence", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("last_time", BigInteger, nullable=False),
    Column("items", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
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
    Column("title", AnyText, nullable=False),
    Column("next_time", BigInteger, nullable=False),
    Column("error", AnyText, nullable=False),
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
    Column("feed", AnyText, nullable=False),
    Column("document_id", AnyText, nullable=False),
    Column("first_seen_time", BigInteger, nullable=False),
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
    Column("feed", AnyText, nullable=False),
    Column("document", AnyBytes, nullable=False),
    _digest(),
)

judge_answers = Table(
    "judge_answers",
    tables,
    Column("key", String(64), primary_key=True),
    Column("answer", AnyText, nullable=False),
    Column("answered_time", BigInteger, nullable=False),
    _digest(),
)
