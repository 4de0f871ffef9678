"""Files that are one value of JSON: a list of articles, or an object with such a list somewhere in it."""

from __future__ import annotations

from collections.abc import Iterator
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
    Problem,
    ReadingOptions,
    as_content,
)
from tidings.sources.tables.fields import ranks_of, simple
from tidings.sources.tables.json_lines import items_of_objects
from tidings.sources.tables.lines import encoding_of
from tidings.sources.tables.objects import decoded

__all__ = ["read_json"]

_DEPTH = 4
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
            f"{content.name}: found more than {most:,} MiB of JSON in one value, expected less; write one object a "
            "line (`jq -c '.[]'`) and call it .jsonl: that is read in flat memory"
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
        raise FormatError([Problem(name, 0, found[:200], _EXPECTED)]) from None
    if pieces is None:
        raise FormatError([Problem(name, 0, _NO_LIST, _EXPECTED, "name a file that has one")])
    for number, piece in enumerate(pieces, 1):
        try:
            value = decoded(bytes(piece)) if isinstance(piece, Raw) else piece
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
    return _list_of(decoded(data))


def _list_in(piece: Raw, depth: int = 0) -> list[Any] | None:
    start = bytes(memoryview(piece)[:200]).lstrip()[:1]
    if start == b"[":
        pieces = msgspec.json.decode(piece, type=list[Raw])
        return pieces if any(_begins(one, b"{") for one in pieces[:100]) else None
    if start != b"{":
        if not depth:
            msgspec.json.decode(piece)
        return None
    inner = msgspec.json.decode(piece, type=dict[str, Raw])
    if _is_article(list(inner), whole=True):
        return None if depth else [piece]
    lists = [found for one in inner.values() if depth < _DEPTH and (found := _list_in(one, depth + 1))]
    if lists:
        return max(lists, key=len)
    if _is_article(list(inner)):
        return None if depth else [piece]
    objects = [one for one in inner.values() if _begins(one, b"{")]
    if not any(_is_article(list(msgspec.json.decode(one, type=dict[str, Raw]))) for one in objects[:20]):
        return None
    return [_keyed(key, one) for key, one in inner.items()] if len(objects) == len(inner) else [piece]


def _keyed(key: str, piece: Raw) -> Any:
    value = decoded(bytes(piece))
    return _with_id(key, value) if isinstance(value, dict) else value


def _with_id(key: str, value: dict[str, Any]) -> dict[str, Any]:
    has_id = any(simple(name) in ranks_of("id") for name in value)
    return value if has_id else {"id": key, **value}


def _begins(piece: Raw, mark: bytes) -> bool:
    return bytes(memoryview(piece)[:20]).lstrip().startswith(mark)


def _list_of(value: Any, depth: int = 0) -> list[Any] | None:
    if isinstance(value, list):
        return value if any(isinstance(one, dict) for one in value) else None
    if not isinstance(value, dict):
        return None
    if _is_article(list(value), whole=True):
        return None if depth else [value]
    lists = [found for one in value.values() if depth < _DEPTH and (found := _list_of(one, depth + 1))]
    if lists:
        return max(lists, key=len)
    if _is_article(list(value)):
        return None if depth else [value]
    objects = [one for one in value.values() if isinstance(one, dict)]
    if not any(_is_article(list(one)) for one in objects[:20]):
        return None
    return [_with_id(key, one) for key, one in value.items()] if len(objects) == len(value) else [value]


def _is_article(keys: list[str], whole: bool = False) -> bool:
    # Whether an object with these keys is an article itself: text (or else a title), and a time or an address.
    names = {simple(key) for key in keys[:200]}

    def has(*fields: str) -> bool:
        return any(names & ranks_of(field).keys() for field in fields)

    return (has("text") if whole else has("title", "text", "short")) and has("time", "url")
