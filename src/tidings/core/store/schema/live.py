"""The tables of standing events: what is followed until further notice, who reads it, and alarms.

`live_events` has a row for each standing event as people last wanted it, `live_log` one for each change and each mark
of a reader: rows are added, and only ever get the place in the stream at which they took effect. `live_readers` says
what a reader has seen. `live_channels` are where alarms go, `live_rules` what is worth one, and `live_alarms` the
outbox.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table

from tidings.core.store.schema.following import tables
from tidings.core.store.types import AnyText

__all__ = ["live_alarms", "live_channels", "live_events", "live_log", "live_readers", "live_rules"]


def _number(name: str, **options: Any) -> Column[Any]:
    return Column(name, BigInteger, nullable=False, **options)


def _words(name: str, **options: Any) -> Column[Any]:
    return Column(name, AnyText, nullable=False, **options)


live_events = Table(
    "live_events",
    tables,
    _words("event_id", primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    _words("standing"),
    _words("state"),
    _number("version"),
    _number("digest"),
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
    _number("digest"),
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
    _number("digest"),
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
    _number("digest"),
)

live_rules = Table(
    "live_rules",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=True),
    _words("name", unique=True),
    _words("settings"),
    _words("memory"),
    Column("disabled_ms", BigInteger),
    _number("digest"),
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
    _number("digest"),
    Index("live_alarms_by_id", "alarm_id", "channel_id", unique=True),
    Index("live_alarms_waiting", "delivered_ms", "next_ms"),
)
"""One row for each alarm and channel; `alarm_id` stays the same however often it is sent."""
