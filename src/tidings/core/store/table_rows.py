"""Rows of any table: columns for any text, a digest of each row, many rows written at once, rows that hold JSON.

The digest lets a bit that flipped on disk be noticed when the row is read:

    digest = CRC-32 of the ASCII text of (table, value, value, …)

over every other column of the row, its keys among them; bytes count as (length, CRC-32). CRC-32 notices every
single flipped bit, and of any other damage all but one in 4 billion. It is no seal against people.
A store keeps these numbers: to change how they are made takes a migration.

A run commits as often as after each document: the statements that write many rows are written out once for each table,
instead of being built and compiled for each commit.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any
from zlib import crc32

import msgspec
from sqlalchemy import ColumnElement, Connection, Double, Integer, LargeBinary, Row, Table, insert, update
from sqlalchemy.types import UserDefinedType

from tidings.core.errors import StoreError

_ESCAPE = "\x1b"
_HALVES = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")


class AnyText(UserDefinedType[str]):
    """Text as it comes: what a database refuses (bytes that are no UTF-8, NUL) is kept escaped.

    Such a text is stored as an escape character (U+001B) followed by its JSON string in ASCII, or by a list of such
    strings where one would join what the text has apart: the two halves of a character.
    """

    # Not a kind of SQLAlchemy's Text: a dialect may put its own in the place of that, and nothing would be escaped.
    cache_ok = True

    def get_col_spec(self, **options: Any) -> str:
        """What the column is in either database."""
        return "TEXT"

    def bind_processor(self, dialect: Any) -> Callable[[str | None], str | None]:
        """Escape what cannot be stored as it is."""
        return escape

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        """The text as it was; a damaged one as it is, for the row's digest to notice."""
        return unescape


def escape(value: str | None) -> str | None:
    r"""A text as it is stored.

    >>> escape("flood"), escape("\x00")
    ('flood', '\x1b"\\u0000"')
    """
    if value is None:
        return None
    if "\x00" not in value and not value.startswith(_ESCAPE):
        if value.isascii():
            return value
        try:
            value.encode()
        except UnicodeEncodeError:
            pass
        else:
            return value
    quoted = json.dumps(value)
    if json.loads(quoted) != value:
        quoted = json.dumps(_HALVES.split(value))
    return _ESCAPE + quoted


def unescape(value: Any) -> Any:
    r"""A text as it was, from what is stored.

    >>> unescape(escape("\x00")), unescape(escape("\ud83d\ude00")) == "\ud83d\ude00"
    ('\x00', True)
    """
    if isinstance(value, str) and value.startswith(_ESCAPE):
        try:
            text = json.loads(value[1:])
            return "".join(text) if isinstance(text, list) else str(text)
        except (ValueError, TypeError):
            return value
    return value


class AnyBytes(LargeBinary):
    """Bytes; where damage made them something else, that as it is, for the row's digest to notice."""

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        """Plain bytes from what the driver gives."""
        return _plain_bytes


def _plain_bytes(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview | bytearray) else value


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
        raise damage_error(where, what)


def damage_error(where: str, what: str) -> StoreError:
    """The error for a store in which `what` is not as it was written."""
    return StoreError(
        f"{where}: the store is damaged: {what} is not as it was written; put a copy of the store back, "
        "or start the run over with --restart"
    )


_AT_ONCE = 5000
"""Rows of one statement: no signal is heard while it runs."""


def bind_row(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of a whole row as a database takes them.

    >>> bind_row({"run_id": 1, "source": "paper"})
    (1, 'paper')
    """
    return tuple([escape(value) if type(value) is str else value for value in row.values()])


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
    values = bind_row({name: value for name, value in row.items() if name not in unchanged})
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


_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder()


def encode(value: Any) -> str:
    """A value as JSON.

    >>> encode({"b": 1, "a": (2, "é")})
    '{"a":[2,"é"],"b":1}'
    """
    return _encoder.encode(value).decode()


def encode_value(value: Any) -> str | None:
    """The value of an object as JSON; None, which is no judgment, as itself."""
    return None if value is None else encode(value)


def decode(text: str | None) -> Any:
    """What `encode_value` was given, with lists for tuples and dicts for records."""
    return None if text is None else _decoder.decode(text)


def row_values(table: Table, row: Row[Any], where: str, what: str) -> dict[str, Any]:
    """A row as a dict; StoreError, naming it, where it is not as it was written."""
    check_row(table, row, where, what)
    return row._asdict()


def checked_part(table: Table, row: Row[Any], start: int, where: str) -> dict[str, Any] | None:
    """The row of a table that stands in a joined one from column `start` on; None where the join found none."""
    part = row[start : start + len(table.columns)]
    if part[-1] is None:
        return None
    check_row(table, part, where, f"a row of {table.name}")  # type: ignore[arg-type]
    return dict(zip(table.columns.keys(), part, strict=True))


def insert_row(connection: Connection, table: Table, row: dict[str, Any]) -> None:
    """Write a new row, with its digest."""
    connection.execute(insert(table).values(**with_digest(table, row)))


def insert_numbered(connection: Connection, table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Write a new row of a table that numbers its rows in `id`; gives the row with it."""
    made = connection.execute(insert(table).values(**row, digest=0)).inserted_primary_key
    assert made is not None
    return set_columns(connection, table, {"id": made[0], **row})


def set_columns(connection: Connection, table: Table, row: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Change columns of a row that was read; gives the row as it is now."""
    changed = with_digest(table, {**row, **changes})
    keys = [column == row[column.name] for column in table.primary_key.columns]
    names = {*changes, "digest"}
    connection.execute(update(table).where(*keys).values(**{name: changed[name] for name in names}))
    return changed


def match(table: Table, **values: Any) -> list[ColumnElement[bool]]:
    """What is asked of rows of a table: the value of each column, or one of several; None: whatever is there."""
    return [
        table.c[name] == value if isinstance(value, int | str) else table.c[name].in_(value)
        for name, value in values.items()
        if value is not None
    ]
