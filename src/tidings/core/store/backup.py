"""A store copied to a file while it is used, held against its digests, and put back.

In SQLite the copy is made by the database's own online backup, in one step: writers go on. From PostgreSQL
the tables of tidings are copied, in one transaction that sees one moment, into a store in SQLite. A copy of either kind
can be put back into either.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Engine, Integer, Row, Table, delete, func, insert, select, text

from tidings.core.errors import StoreError
from tidings.core.store.connect import explain_errors, file_of, keep_private, parse_store
from tidings.core.store.schema import meta, tables
from tidings.core.store.store import Store, open_store
from tidings.core.store.table_rows import check_row

_PAGE = 1000  # rows held at once


class Contents(Struct, frozen=True):
    """What a store has: rows by table, without tables that have none."""

    rows: dict[str, int]

    def __str__(self) -> str:
        """In words, what people know of it.

        >>> str(Contents({"outputs": 1200, "inbox_items": 1, "meta": 1}))
        '1,200 outputs, 1 document of inboxes'
        """
        named = {
            "runs": ("run", "runs"),
            "outputs": ("output", "outputs"),
            "inbox_items": ("document of inboxes", "documents of inboxes"),
            "live_events": ("standing event", "standing events"),
            "desk_accounts": ("account", "accounts"),
            "desk_log": ("entry of the desk's log", "entries of the desk's log"),
        }
        words = [
            f"{self.rows[table]:,} {one if self.rows[table] == 1 else many}"
            for table, (one, many) in named.items()
            if self.rows.get(table)
        ]
        return ", ".join(words) or "nothing"

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever kept there."""
        return set(self.rows) <= {"meta"}


def back_up(store: str, file: Path) -> Contents:
    """Copy the store at a path or URL to a new file, hold the copy against its digests, and say what it has.

    The file appears when all of it is there, on disk, and right; a process that is killed leaves none of that name.

    Raises:
        StoreError: there is no such store, it is damaged, or the file is there already or cannot be written.
    """
    if file.exists():
        raise StoreError(
            f"{file}: this file exists already, and a copy never overwrites one; give a new name"
        )
    source = file_of(parse_store(store))
    with _beside(file) as part:
        if source is not None:
            if not source.exists():
                raise StoreError(f"{source}: there is no such store")
            open_store(store).close()  # says what is not a store
            _copy_file(source, part)
        else:
            with open_store(store) as opened, open_store(str(part)) as made:
                _copy_rows(opened, made)
        contents = check_contents(str(part))
        _settle(part)
        try:
            file.hardlink_to(part)  # unlike a renaming it fails where someone made the file in the meantime
        except FileExistsError:
            raise StoreError(f"{file}: this file exists already; give a new name") from None
        except OSError:
            part.replace(file)  # a file system without links
    return contents


def put_back(file: Path, store: str, *, force: bool = False) -> Contents:
    """Put a copy back as the store at a path or URL, after holding it against its digests.

    Args:
        file: what `back_up` wrote.
        store: where it goes.
        force: put it in the place of what the store has.

    Raises:
        StoreError: the copy is damaged or none, the store has something, or it is in use.
    """
    contents = check_contents(str(file))
    target = file_of(parse_store(store))
    if target is not None and target.exists() and target.samefile(file):
        raise StoreError(f"{file}: the copy cannot have the name of the store")
    if target is None or target.exists():
        _check_replaceable(store, force=force)
    if target is None:
        with open_store(str(file), read_only=True) as opened, open_store(store) as made:
            _copy_rows(opened, made)
        return contents
    with _beside(target) as part:
        _copy_file(file, part)
        _settle(part)
        if target.exists():
            _check_unused(target)
            part.chmod(target.stat().st_mode & 0o660)
        part.replace(target)
    return contents


def check_contents(store: str) -> Contents:
    """Read all of a store, each row against its digest; StoreError names the first that is not as it was written."""
    found: dict[str, int] = {}
    with open_store(store, read_only=True) as opened, _one_moment(opened) as connection:
        for table in tables.sorted_tables:
            count = 0
            for rows in _pages(connection, table):
                count += len(rows)
                for row in rows if table is not meta else ():
                    check_row(table, row, str(opened), f"a row of {table.name}")
            if count:
                found[table.name] = count
    return Contents(found)


def _check_replaceable(store: str, *, force: bool) -> None:
    with open_store(store) as opened, _one_moment(opened) as connection:
        counts = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in tables.sorted_tables
        }
    there = Contents({name: count for name, count in counts.items() if count})
    if not there.is_empty and not force:
        raise StoreError(f"{store}: this store has {there}; give --force to lose that")


def _check_unused(target: Path) -> None:
    # Whoever closes a store last takes its log away: where one stays, others have it open.
    open_store(str(target)).close()
    if Path(f"{target}-wal").exists():
        raise StoreError(f"{target}: another program has the store open; end it first")


@contextmanager
def _one_moment(store: Store) -> Iterator[Connection]:
    """A transaction that sees one moment of the store, however long it takes."""
    engine: Engine = store.reader
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with explain_errors(store.url), engine.begin() as connection:
        yield connection


def _pages(connection: Connection, table: Table) -> Iterator[list[Row[Any]]]:
    result = connection.execution_options(stream_results=True, yield_per=_PAGE).execute(select(table))
    for rows in result.partitions(_PAGE):
        yield list(rows)


def _copy_rows(source: Store, target: Store) -> None:
    """All rows of all tables, in one transaction of each side, over those that are there."""
    ordered = tables.sorted_tables
    with _one_moment(source) as reading, target.writing() as writing:
        for table in reversed(ordered):
            writing.execute(delete(table))
        for table in ordered:
            names = [column.name for column in table.columns]
            for rows in _pages(reading, table):
                writing.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
        if writing.dialect.name == "postgresql":
            for table in ordered:
                _go_on_counting(writing, table)


def _go_on_counting(connection: Connection, table: Table) -> None:
    # Rows came with their numbers: the next one that PostgreSQL gives has to come after them.
    for column in table.primary_key:
        if column.autoincrement is True and isinstance(column.type, Integer):
            last = connection.execute(select(func.max(column))).scalar()
            if last is not None:
                connection.execute(
                    text("SELECT setval(pg_get_serial_sequence(:table, :column), :last)"),
                    {"table": table.name, "column": column.name, "last": last},
                )


def _copy_file(source: Path, target: Path) -> None:
    address = f"file:{source.absolute().as_posix().replace('?', '%3f').replace('#', '%23')}?mode=ro"
    try:
        with (
            closing(sqlite3.connect(address, uri=True, timeout=30)) as reading,
            closing(sqlite3.connect(target)) as writing,
        ):
            reading.backup(writing)  # in one step, which sees one moment
    except sqlite3.Error as error:
        raise StoreError(f"{source}: the store cannot be copied to {target.parent}: {error}") from error


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """A name beside a file for one that is being written; nothing of it stays."""
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}.part")
    keep_private(part)  # before anything is in it
    try:
        yield part
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                Path(f"{part}{end}").unlink(missing_ok=True)


def _settle(part: Path) -> None:
    """One file with all of it, on disk."""
    with closing(sqlite3.connect(part)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with part.open("rb") as opened:
        os.fsync(opened.fileno())
