"""Version 5: the answers of judges from outside, by the key of the question."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, MetaData, String, Table

from tidings.core.store.types import AnyText

__all__ = ["migrate"]

tables = MetaData()

Table(
    "judge_answers",
    tables,
    Column("key", String(64), primary_key=True),
    Column("answer", AnyText, nullable=False),
    Column("answered_time", BigInteger, nullable=False),
    Column("digest", BigInteger, nullable=False),
)


def migrate(connection: Connection) -> None:
    """Make the table of answers; what was there stays as it is."""
    tables.create_all(connection, checkfirst=False)
