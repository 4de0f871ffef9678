"""Who writes alarms, rules or the log waits for the others: numbers are given in the order in which they are seen."""

from __future__ import annotations

from sqlalchemy import Connection, text

__all__ = ["in_turn"]

_LOCK = 0x7469_6461_6C61_726D
"""A number of our own among the locks of a database's programs."""


def in_turn(connection: Connection) -> None:
    """Let no other transaction write alarms, rules or the log of standing events until this one is done.

    A file of SQLite has one writer at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
