"""Rows of desk and live pages, read and checked, and values as they are kept: JSON with its keys in order."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Table, insert, update

from tidings.core.store.digests import check_row, with_digest

__all__ = [
    "checked",
    "checked_part",
    "decode",
    "encode",
    "encode_value",
    "insert_numbered",
    "insert_row",
    "set_columns",
]

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


def checked(table: Table, row: Row[Any], where: str, what: str) -> dict[str, Any]:
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
