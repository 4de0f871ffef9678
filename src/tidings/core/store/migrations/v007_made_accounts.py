"""Version 7: which accounts of the desk a project made."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, Table

__all__ = ["migrate"]

tables = MetaData()

Table(
    "desk_made_accounts",
    tables,
    Column("account_id", Integer, primary_key=True, autoincrement=False),
    Column("project_id", Integer, nullable=False),
    Column("digest", BigInteger, nullable=False),
)


def migrate(connection: Connection) -> None:
    """Make the table, empty: nobody noted who made the accounts that are there."""
    tables.create_all(connection, checkfirst=False)
