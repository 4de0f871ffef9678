"""The digest that each row carries, so that a bit that flipped on disk is noticed when the row is read.

    digest = CRC-32 of the ASCII text of (table, value, value, …)

over every other column of the row, its keys among them; bytes count as (length, CRC-32). CRC-32 notices every
single flipped bit, and of any other damage all but one in 4 billion. It is no seal against people.
A store keeps these numbers: to change how they are made takes a migration.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from zlib import crc32

from sqlalchemy import Double, Integer, LargeBinary, Row, Table

from tidings.core.errors import StoreError

__all__ = ["check_row", "damaged", "row_digest", "row_words", "with_digest"]


def row_digest(table: str, values: Sequence[object]) -> int:
    """The digest of a row of `table` with these values, as a number of 32 bits.

    >>> row_digest("events", (1, "storm")) == row_digest("events", (1, "stork"))
    False
    """
    if bytes in map(type, values):
        values = [_countable(value) for value in values]
    return crc32(row_words(table, values))


def row_words(table: str, values: Sequence[object]) -> bytes:
    """What the digest of a row without bytes is taken of.

    >>> row_words("events", (1, "caf\xe9"))
    b"('events', 1, 'caf\\\\xe9')"
    """
    return ascii((table, *values)).encode("ascii")


def _countable(value: object) -> object:
    return (len(value), crc32(value)) if isinstance(value, bytes) else value


def with_digest(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """`row` as the database will give it back (plain numbers, no NaN), in the table's order and with its digest."""
    stored: dict[str, Any] = {}
    for name, plain in _columns(table):
        value = row[name]
        stored[name] = None if value is None else plain(value)
    stored["digest"] = row_digest(table.name, list(stored.values()))
    return stored


@cache
def _columns(table: Table) -> list[tuple[str, Callable[[Any], Any]]]:
    return [(column.name, _plain(column.type)) for column in table.columns if column.name != "digest"]


def _plain(kind: object) -> Callable[[Any], Any]:
    if isinstance(kind, Double):
        return _number
    if isinstance(kind, Integer):
        return int
    return bytes if isinstance(kind, LargeBinary) else str


def _number(value: Any) -> float | None:
    # A database has no NaN (in SQLite) and one zero without a sign.
    return None if math.isnan(value) else float(value) + 0.0


def check_row(table: Table, row: Row[Any], where: str, what: str) -> None:
    """Raise StoreError, naming row `what` of `where`, unless this whole row of `table` has its digest."""
    if row_digest(table.name, row[:-1]) != row[-1]:
        raise damaged(where, what)


def damaged(where: str, what: str) -> StoreError:
    """The error for a store in which `what` is not as it was written."""
    return StoreError(
        f"{where}: the store is damaged: {what} is not as it was written; put a copy of the store back, "
        "or begin the run anew with --restart"
    )
