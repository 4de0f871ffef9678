"""Rows written in few steps: a run commits as often as after each document.

The statements are written out once for each table, instead of being built and compiled for each commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table

from tidings.core.store.types import escaped

__all__ = ["bound", "insert_rows", "replace_rows", "update_row"]

_AT_ONCE = 5000
"""Rows of one statement: no signal is heard while it runs."""


def bound(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of a whole row as a database takes them.

    >>> bound({"run_id": 1, "source": "paper"})
    (1, 'paper')
    """
    return tuple([escaped(value) if type(value) is str else value for value in row.values()])


def insert_rows(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write new rows; each is as `bound` gives it, in the table's order."""
    _write(connection, _insert(table, _mark(connection)), rows)


def replace_rows(connection: Connection, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write rows, over those that have the same keys."""
    _write(connection, _insert(table, _mark(connection)) + _or_replace(table), rows)


def _write(connection: Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    for start in range(0, len(rows), _AT_ONCE):
        connection.exec_driver_sql(statement, list(rows[start : start + _AT_ONCE]))


def update_row(
    connection: Connection, table: Table, row: Mapping[str, Any], unchanged: frozenset[str], **keys: int
) -> bool:
    """Write a row, less what is `unchanged`, over the one with these `keys`; False where there is none."""
    statement = _update(table, _mark(connection), unchanged, tuple(keys))
    values = bound({name: value for name, value in row.items() if name not in unchanged})
    return connection.exec_driver_sql(statement, (*values, *keys.values())).rowcount == 1


def _mark(connection: Connection) -> str:
    return "?" if connection.dialect.paramstyle == "qmark" else "%s"


def _names(table: Table) -> list[str]:
    return [column.name for column in table.columns]


@cache
def _insert(table: Table, mark: str) -> str:
    names = _names(table)
    return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join([mark] * len(names))})"  # noqa: S608 - the names are our own


@cache
def _or_replace(table: Table) -> str:
    keys = table.primary_key.columns.keys()
    changed = ", ".join(f"{name} = excluded.{name}" for name in _names(table) if name not in keys)
    return f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changed}"


@cache
def _update(table: Table, mark: str, unchanged: frozenset[str], keys: tuple[str, ...]) -> str:
    changed = ", ".join(f"{name} = {mark}" for name in _names(table) if name not in unchanged)
    where = " AND ".join(f"{key} = {mark}" for key in keys)
    return f"UPDATE {table.name} SET {changed} WHERE {where}"  # noqa: S608 - the names are our own
