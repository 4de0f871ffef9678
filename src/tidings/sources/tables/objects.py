"""Objects of JSON as rows of a table: nested ones by names with points, lists of texts as cells."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

__all__ = ["MOST_FIELDS", "Fields", "decoded", "fields_of", "first_keys"]

_DEPTH = 4
MOST_FIELDS = 10_000
_LONGEST_LOOK = 1 << 20

Path = tuple[str, ...]


def decoded(data: bytes) -> Any:
    """A value of JSON; also where bytes are not UTF-8, or numbers are NaN or Infinity, as other programs write them.

    Raises:
        ValueError: no JSON, or nested without end.

    >>> decoded(b'{"a": 1}'), decoded(b'{"a": NaN}')
    ({'a': 1}, {'a': None})
    """
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        raise ValueError("brackets nested without end") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        return json.loads(data.decode("utf-8-sig", "replace"), parse_constant=_no_number, strict=False)
    except RecursionError:
        raise ValueError("brackets nested without end") from None


def _no_number(_: str) -> None:
    return None


class Fields:
    """The fields of objects, in the order in which they first come, and how each is reached.

    >>> fields = fields_of([{"id": 1, "source": {"name": "Wire"}}, {"date": "2026-02-17"}])
    >>> fields.names, fields.row({"source": {"name": "Wire"}})
    (['id', 'source.name', 'date'], [None, 'Wire', None])
    """

    def __init__(self) -> None:
        self.paths: dict[str, Path] = {}

    @property
    def names(self) -> list[str]:
        """The names, nested ones with points."""
        return list(self.paths)

    def row(self, value: Any) -> list[Any]:
        """The cells of an object, one for each field."""
        return [_at(value, path) for path in self.paths.values()]

    def reader(self, places: Sequence[int]) -> Callable[[Any], list[Any]]:
        """A function that gives the cells of an object, only those at these places; None at all others."""
        paths = list(self.paths.values())
        wanted = [(place, paths[place]) for place in places]
        plain = [(place, path[0]) for place, path in wanted if len(path) == 1]
        nested = [(place, path) for place, path in wanted if len(path) > 1]
        width = max(places, default=-1) + 1

        def read(value: Any) -> list[Any]:
            row: list[Any] = [None] * width
            get = value.get
            for place, key in plain:
                row[place] = get(key)
            for place, path in nested:
                row[place] = _at(value, path)
            return row

        return read

    def note(self, value: dict[str, Any], before: Path = ()) -> None:
        """Take the fields of one more object."""
        for key, inner in value.items():
            if len(self.paths) >= MOST_FIELDS:
                return
            path = (*before, key)
            if isinstance(inner, dict) and len(path) < _DEPTH:
                self.note(inner, path)
            elif not isinstance(inner, dict):
                self.paths.setdefault(".".join(path), path)


def fields_of(objects: Iterable[Any]) -> Fields:
    """The fields of these objects."""
    fields = Fields()
    for value in objects:
        if isinstance(value, dict):
            fields.note(value)
    return fields


def _at(value: Any, path: Path) -> Any:
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def first_keys(start: bytes) -> list[str]:
    """The keys of the object that begins a text, as far as they stand in these bytes; none where there is no object.

    >>> first_keys(b'{"id": "a", "source": {"name": "x"}, "text": "A ferry bur')
    ['id', 'source', 'text']
    """
    text = start[:_LONGEST_LOOK].decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        return []
    keys: list[str] = []
    depth, at, expecting = 0, 0, False
    while at < len(text):
        char = text[at]
        if char == '"':
            end = _end_of_string(text, at)
            if depth == 1 and expecting:
                keys.append(text[at + 1 : end - 1])
                expecting = False
            at = end
            continue
        if char in "{[":
            depth += 1
            expecting = char == "{" and depth == 1
        elif char in "}]":
            depth -= 1
            if not depth:
                break
        elif char == "," and depth == 1:
            expecting = True
        at += 1
    return keys


def _end_of_string(text: str, at: int) -> int:
    # Behind the closing quote; the end of the text where it is not there.
    end = at + 1
    while True:
        end = text.find('"', end)
        if end < 0:
            return len(text) + 1
        slashes = 0
        while text[end - 1 - slashes] == "\\":
            slashes += 1
        if slashes % 2 == 0:
            return end + 1
        end += 1
