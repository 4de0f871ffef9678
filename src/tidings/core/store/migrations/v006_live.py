"""Version 6: standing events with their log, what readers have seen, and the outbox of alarms."""

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


Table(
    "live_events",
    tables,
    _words("event_id", primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    _words("standing"),
    _words("state"),
    _number("version"),
    _number("digest"),
)
Table(
    "live_log",
    tables,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    _words("kind"),
    _words("event_id"),
    _words("value"),
    _words("who"),
    _number("recorded_ms"),
    Column("applied", BigInteger),
    _number("digest"),
    Index("live_log_by_event", "event_id", "seq"),
    Index("live_log_by_applied", "applied", "seq"),
)
Table(
    "live_readers",
    tables,
    _words("reader", primary_key=True),
    _words("event_id", primary_key=True),
    _words("seen"),
    _number("visited_ms"),
    _number("digest"),
)
Table(
    "live_channels",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("kind"),
    _words("address"),
    _words("secret"),
    _words("settings"),
    Column("disabled_ms", BigInteger),
    _number("digest"),
)

Table(
    "live_rules",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("settings"),
    _words("memory"),
    Column("disabled_ms", BigInteger),
    _number("digest"),
)
Table(
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
    _number("digest"),
    Index("live_alarms_by_id", "alarm_id", "channel_id", unique=True),
    Index("live_alarms_waiting", "delivered_ms", "next_ms"),
)


def migrate(connection: Connection) -> None:
    """Make these tables; what was there stays as it is."""
    tables.create_all(connection, checkfirst=False)
