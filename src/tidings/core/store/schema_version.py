"""Bringing a database to the version that this tidings reads and writes."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, insert, inspect, select, text, update

from tidings.core.errors import StoreError
from tidings.core.store.migrations import MIGRATIONS, SCHEMA_VERSION
from tidings.core.store.schema import meta, tables

__all__ = ["bring_up_to_date", "check_version", "read_version"]

_NAME_ANOTHER = "name another with --store"
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(1953064809, 0)")


def bring_up_to_date(engine: Engine, where: str) -> None:
    """Make the tables in an empty database, carry an older store over, and leave one of this version as it is.

    `where` is how messages name the store. Each migration is one transaction: a process killed anywhere leaves the
    version before it or after it, whole. Raises StoreError for what is no store, or one of a newer version.
    """
    with engine.execution_options(reading=True).begin() as connection:
        version = read_version(connection, where)
    while version < SCHEMA_VERSION:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                connection.execute(_ONE_AT_A_TIME)
            version = read_version(connection, where)  # another process may have been quicker
            if version < SCHEMA_VERSION:
                MIGRATIONS[version](connection)
                version += 1
                _write_version(connection, version)
    check_version(version, where)


def check_version(version: int, where: str) -> None:
    """Raise StoreError for a version that is newer than this tidings."""
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{where}: found a store of version {version}, expected {SCHEMA_VERSION}: it was written by "
            "a newer tidings; upgrade tidings, or name another store with --store"
        )


def read_version(connection: Connection, where: str) -> int:
    """The version of a store, 0 for an empty database; StoreError for a database that is something else."""
    there = set(inspect(connection).get_table_names())
    if "meta" in there:
        columns = {column["name"] for column in inspect(connection).get_columns("meta")}
        words = ""
        if {"key", "value"} <= columns:
            query = select(meta.c.value).where(meta.c.key == "schema_version")
            words = str(connection.execute(query).scalar_one_or_none() or "")
        if not (words.isascii() and words.isdigit() and int(words)):
            raise StoreError(
                f"{where}: found a database without a schema version, expected a store of tidings; {_NAME_ANOTHER}"
            )
        return int(words)
    if there & set(tables.tables) or (there and connection.dialect.name == "sqlite"):
        raise StoreError(
            f"{where}: found a database with other tables ({', '.join(sorted(there)[:3])}), "
            f"expected a store of tidings; {_NAME_ANOTHER}"
        )
    return 0


def _write_version(connection: Connection, version: int) -> None:
    if version == 1:
        connection.execute(insert(meta).values(key="schema_version", value="1"))
    else:
        connection.execute(update(meta).where(meta.c.key == "schema_version").values(value=str(version)))
