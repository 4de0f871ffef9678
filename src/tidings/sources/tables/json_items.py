"""Items of JSON: objects one a line, or one whole that holds a list of them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from tidings.core import (
    LIMITS,
    MIB,
    Content,
    FormatError,
    Item,
    LimitError,
    Limits,
    Notes,
    ReadingOptions,
    as_content,
)
from tidings.sources.registry import item_reader
from tidings.sources.tables.fields import ranks_of, simple
from tidings.sources.tables.guessing import SAMPLE, Columns, choose_columns, items_of
from tidings.sources.tables.lines import encoding_of, line_blocks

_FIELD_DEPTH = 4  # objects within objects that make columns
MOST_FIELDS = 10_000  # of all items together
_LONGEST_LOOK = 1 << 20  # characters by which it is decided what a file holds

FieldPath = tuple[str, ...]


def decode_json(data: bytes) -> Any:
    """A value of JSON; also where bytes are not UTF-8, or numbers are NaN or Infinity, as other programs write them.

    Raises:
        ValueError: no JSON, or nested without end.

    >>> decode_json(b'{"a": 1}'), decode_json(b'{"a": NaN}')
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
        self.paths: dict[str, FieldPath] = {}

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

    def note(self, value: dict[str, Any], before: FieldPath = ()) -> None:
        """Take the fields of one more object."""
        for key, inner in value.items():
            if len(self.paths) >= MOST_FIELDS:
                return
            path = (*before, key)
            if isinstance(inner, dict) and len(path) < _FIELD_DEPTH:
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


def _at(value: Any, path: FieldPath) -> Any:
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


@item_reader
def read_json_lines(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of a file with one object of JSON a line, in flat memory.

    Fields are chosen as the columns of a table are, nested ones by names with points (`source.name`). Lines that are no
    object are noted and passed over.

    Raises:
        FormatError: no line is an object; or none of their fields holds dates, or text.
        UsageError: a field that was named is not there.
    """
    yield from items_of_objects(objects_of_lines(content, notes), content, options, notes)


def objects_of_lines(
    content: Content, notes: Notes, limits: Limits = LIMITS
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file, each with the number of its line."""
    with content.open() as file:
        for first, lines in line_blocks(file, content.name, notes, limits):
            for number, line in enumerate(lines, first):
                if line.isspace():
                    continue
                try:
                    value = decode_json(line.encode("utf-8", "replace"))
                except ValueError:
                    value = None
                if isinstance(value, dict) and value:
                    yield number, value
                else:
                    notes.drop(f"{content.name}:{number}", "a line that is no object of JSON")


def items_of_objects(
    objects: Iterable[tuple[int, dict[str, Any]]], content: Content, options: ReadingOptions, notes: Notes
) -> Iterator[Item]:
    """The items of objects, whose fields are chosen by a look at the first of them.

    Raises:
        FormatError: there is no object; or none of their fields holds dates, or text.
        UsageError: a field that was named is not there.
    """
    rest = iter(objects)
    sample = list(islice(rest, SAMPLE))
    if not sample:
        raise FormatError.of(content.name, 0, "no object of JSON", "one for each document")
    fields = fields_of(value for _, value in sample)
    columns: Columns = choose_columns(
        fields.names,
        [fields.row(value) for _, value in sample],
        options,
        content.name,
        timeless=options.file_times and content.modified_time is not None,
    )
    notes.remark(f"{content.name}: {columns.describe()}")
    row = fields.reader(columns.needed)
    rows = ((number, row(value)) for number, value in chain(sample, rest))
    yield from items_of(rows, columns, content.name, content.modified_time)


_LIST_DEPTH = 4  # at which the list of items may stand
_NO_LIST = "JSON without a list of articles"
_EXPECTED = 'a list of objects, or an object that holds one, such as {"articles": [...]}'


def read_json(
    source: str | Path | Content,
    *,
    options: ReadingOptions | None = None,
    notes: Notes | None = None,
    limits: Limits = LIMITS,
) -> Iterator[Item]:
    """The items of a list of objects, or of the longest such list inside of an object, four levels deep at most.

    So are the answers of NewsAPI, GDELT, The Guardian and The New York Times, exports of pandas and of search engines.
    An object that is an article itself gives one item. The bytes are held as a whole, the articles one by one.

    Raises:
        FormatError: no JSON, no list of objects in it, or no field with dates, or text.
        LimitError: more than 1 GiB.
        UsageError: a field that was named is not there.
    """
    content = as_content(source)
    notes = notes if notes is not None else Notes()
    data = _data(content, limits)
    objects = _objects(data, content.name, notes)
    yield from items_of_objects(objects, content, options or ReadingOptions(), notes)


def _data(content: Content, limits: Limits) -> bytes:
    try:
        data = content.read(limits)
    except LimitError as error:
        if "split it" not in str(error):
            raise
        most = limits.max_whole_bytes // MIB
        raise LimitError(
            f"{content.name}: more than {most:,} MiB of JSON in one value (expected less); write one object a "
            "line (`jq -c '.[]'`) and name it .jsonl: that is read in constant memory"
        ) from None
    encoding = encoding_of(data[:4096])
    if encoding.startswith(("utf-16", "utf-32")):
        data = data.decode(encoding, "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")


def _objects(data: bytes, name: str, notes: Notes) -> Iterator[tuple[int, dict[str, Any]]]:
    # Each object of the list, with its number from 1.
    try:
        pieces = _pieces(data)
    except (ValueError, RecursionError) as error:
        found = "brackets nested without end" if isinstance(error, RecursionError) else f"no JSON ({error})"
        raise FormatError.of(name, 0, found[:200], _EXPECTED) from None
    if pieces is None:
        raise FormatError.of(name, 0, _NO_LIST, _EXPECTED, "name a file that has one")
    for number, piece in enumerate(pieces, 1):
        try:
            value = decode_json(bytes(piece)) if isinstance(piece, Raw) else piece
        except ValueError:
            value = None
        if isinstance(value, dict) and value:
            yield number, value
        else:
            notes.drop(f"{name}:{number}", "an entry that is no object of JSON")


def _pieces(data: bytes) -> list[Any] | None:
    try:
        return _list_in(Raw(data))
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    # NaN, Infinity, bytes that are not UTF-8: slower and whole.
    return _list_in(decode_json(data))


def _list_in(value: Any, depth: int = 0) -> list[Any] | None:
    inner = _open(value)
    if isinstance(inner, list):
        return inner if any(map(_is_object, inner[:100])) else None
    if not isinstance(inner, dict):
        if not depth and isinstance(value, Raw):
            msgspec.json.decode(value)
        return None
    if _is_article(list(inner), whole=True):
        return None if depth else [value]
    lists = [
        found for member in inner.values() if depth < _LIST_DEPTH and (found := _list_in(member, depth + 1))
    ]
    if lists:
        return max(lists, key=len)
    if _is_article(list(inner)):
        return None if depth else [value]
    objects = [member for member in inner.values() if _is_object(member)]
    if not any(_is_article(list(_open(item))) for item in objects[:20]):
        return None
    return [_with_id(key, member) for key, member in inner.items()] if len(objects) == len(inner) else [value]


def _open(value: Any) -> Any:
    # What is not decoded yet, decoded by one level: a list, a dict, or None for what is neither.
    if not isinstance(value, Raw):
        return value
    start = bytes(memoryview(value)[:200]).lstrip()[:1]
    kind = {b"[": list[Raw], b"{": dict[str, Raw]}.get(start)
    return None if kind is None else msgspec.json.decode(value, type=kind)


def _is_object(value: Any) -> bool:
    if isinstance(value, Raw):
        return bytes(memoryview(value)[:20]).lstrip().startswith(b"{")
    return isinstance(value, dict)


def _with_id(key: str, member: Any) -> Any:
    value = decode_json(bytes(member)) if isinstance(member, Raw) else member
    has_id = not isinstance(value, dict) or any(simple(name) in ranks_of("id") for name in value)
    return value if has_id else {"id": key, **value}


def _is_article(keys: list[str], whole: bool = False) -> bool:
    # Whether an object with these keys is an article itself: text (or else a title), and a time or an address.
    names = {simple(key) for key in keys[:200]}

    def has(*fields: str) -> bool:
        return any(names & ranks_of(field).keys() for field in fields)

    return (has("text") if whole else has("title", "text", "short")) and has("time", "url")
