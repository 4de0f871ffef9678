"""Columns that take any text and any bytes, and give back even damaged ones without failing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from sqlalchemy import LargeBinary
from sqlalchemy.types import UserDefinedType

__all__ = ["AnyBytes", "AnyText", "escaped", "unescaped"]

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
        return escaped

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        """The text as it was; a damaged one as it is, for the row's digest to notice."""
        return unescaped


def escaped(value: str | None) -> str | None:
    r"""A text as it is stored.

    >>> escaped("flood"), escaped("\x00")
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


def unescaped(value: Any) -> Any:
    r"""A text as it was, from what is stored.

    >>> unescaped(escaped("\x00")), unescaped(escaped("\ud83d\ude00")) == "\ud83d\ude00"
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
        return _plain


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview | bytearray) else value
