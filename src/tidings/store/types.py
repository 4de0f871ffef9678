"""Columns that take any text and any bytes, and give back even damaged ones without failing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import LargeBinary, Text

__all__ = ["AnyBytes", "AnyText"]

_ESCAPE = "\x1b"


class AnyText(Text):
    """Text as it comes: what a database refuses (bytes that are no UTF-8, NUL) is kept escaped.

    Such a text is stored as an escape character (U+001B) followed by its JSON string in ASCII.
    """

    def bind_processor(self, dialect: Any) -> Callable[[str | None], str | None]:
        """Escape what cannot be stored as it is."""
        return _escaped

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        """The text as it was; a damaged one as it is, for the row's digest to notice."""
        return _unescaped


def _escaped(value: str | None) -> str | None:
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
    return _ESCAPE + json.dumps(value)


def _unescaped(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_ESCAPE):
        try:
            return str(json.loads(value[1:]))
        except ValueError:
            return value
    return value


class AnyBytes(LargeBinary):
    """Bytes; where damage made them something else, that as it is, for the row's digest to notice."""

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], Any]:
        """Plain bytes from what the driver gives."""
        return _plain


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview | bytearray) else value
