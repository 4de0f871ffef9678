"""Making the tables of a new store, and carrying one over to a later version once there is one.

A new store is made at once as `tidings.core.store.schema` says. One of an earlier version goes through migrations:
numbered, forward only, each in one transaction. To add one: write a function `migrate_to_N(connection)` and put it at
the end of `MIGRATIONS`. What is in that list never changes again, because stores were carried over by it: a migration
says its tables itself, as they are after it, and asks nothing of the schema, which follows the newest. A row that it
writes or widens gets its digest from `tidings.core.store.table_rows`.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Engine, insert, inspect, select, text, update

from tidings.core.errors import StoreError
from tidings.core.store.schema import make_tables, meta, tables

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
