"""Documents as a caller has them (records, dicts, tables, files, iterators), turned into `Document` records."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from tidings.core import BadRecordError, Document, Sentence
from tidings.following.library.faults import ArgumentTypeError, ArgumentValueError, kind_of, shorten
from tidings.following.library.frames import TableRows, rows_of
from tidings.following.library.times import as_time, is_missing
from tidings.following.library.understanding import ReadingArgument, as_reading_options
from tidings.sources import DocumentLine, build_document

__all__ = ["Documents", "as_document", "as_documents", "as_id", "convert_line"]

Documents: TypeAlias = "Iterable[Document | Mapping[str, Any]] | str | os.PathLike[str] | Any"
"""Documents: an iterable of `Document`s or dicts, a table of pandas, Polars or Arrow, or the path of a stream."""

_FIELDS = ("id", "published_time", "source", "title", "url", "text", "sentences", "events")
_EXPECTED = "Document records, dicts with id, published_time and text or sentences, a table of such columns, or a path"
_FAULT = re.compile(r"Expected `(.+?)`.*?, got `(.+?)`(?: - at `\$\.?(.*?)`)?$")


def as_documents(
    documents: Documents, name: str = "documents", reading: ReadingArgument | None = None
) -> Iterable[Document]:
    """The documents, each checked when it is reached; what can be seen beforehand is checked at once.

    Raises:
        ArgumentTypeError, ArgumentValueError: not documents. At the call for the kind of the whole, a table's columns
            and the first of a sequence; else when the document is reached, with its number (from 1).
        UsageError: no such file or folder.

    >>> [storm] = as_documents([{"id": "d1", "published_time": "1970-01-01T00:01:00Z", "text": "A storm is near."}])
    >>> storm.published_time, storm.text
    (60, 'A storm is near.')
    >>> as_documents({"id": "d1"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.faults.ArgumentTypeError: documents: found a single dict, expected ...; put it into a list
    """
    if isinstance(documents, str | os.PathLike):
        return _of_file(documents, name, reading)
    if reading is not None:
        raise ArgumentValueError(
            "reading: found it with documents in memory, expected it with the path of a file"
        )
    if isinstance(documents, Document | Mapping):
        raise ArgumentTypeError(
            f"{name}: found a single {kind_of(documents).partition(' ')[2]}, expected {_EXPECTED}; put it into a list"
        )
    rows = rows_of(documents, name)
    if rows is not None:
        _check_columns(rows, name)
        first = next(iter(rows), None)
        if first is not None:
            as_document(first, f"{name}: row 1")
        return _Rows(rows, f"{name}: row")
    if isinstance(documents, bytes) or not isinstance(documents, Iterable):
        raise ArgumentTypeError(f"{name}: found {kind_of(documents)}, expected {_EXPECTED}")
    if isinstance(documents, Sequence) and documents:
        as_document(documents[0], f"{name}: item 1")
    return _Rows(documents, f"{name}: item")


class _Rows:
    # Iterated over as often as what it stands for.

    def __init__(self, items: Iterable[Any], place: str) -> None:
        self._items = items
        self._place = place

    def __iter__(self) -> Iterator[Document]:
        for number, item in enumerate(self._items, 1):
            yield item if _is_plain(item) else as_document(item, f"{self._place} {number}")


def _is_plain(item: object) -> bool:
    # What needs no look: nearly every document of a stream that was read by tidings.
    return (
        type(item) is Document
        and type(item.published_time) is int
        and type(item.id) is str
        and item.published_time >= 0
    )


def as_document(item: object, place: str = "document") -> Document:
    """One document, from a record, or from a dict with the keys of a line of a stream (docs/formats.md).

    `published_time` is taken in any form of time; an `id` may be a whole number.

    Raises:
        ArgumentTypeError, ArgumentValueError: not one, named by `place`.
    """
    if isinstance(item, Document):
        time = as_time(item.published_time, f"{place}: published_time")
        doc_id = as_id(item.id, f"{place}: id")
        if type(item.published_time) is int and item.id is doc_id:
            return item
        sentences = tuple(
            msgspec.structs.replace(one, doc_id=doc_id, published_time=time) for one in item.sentences
        )
        return msgspec.structs.replace(item, id=doc_id, published_time=time, sentences=sentences)
    if not isinstance(item, Mapping):
        mend = "; for a file give its path alone" if isinstance(item, str) else ""
        raise ArgumentTypeError(f"{place}: found {kind_of(item)}, expected a Document or a dict{mend}")
    fields = {key: item[key] for key in _FIELDS if key in item and not is_missing(item[key])}
    for key in ("id", "published_time"):
        if key not in fields:
            raise ArgumentValueError(f"{place}: found no {key!r}, expected it in every document")
    fields["id"] = as_id(fields["id"], f"{place}: id")
    fields["published_time"] = as_time(fields["published_time"], f"{place}: published_time")
    for key in ("sentences", "events"):
        if key in fields and not isinstance(fields[key], str | list):
            fields[key] = list(fields[key]) if isinstance(fields[key], Iterable) else fields[key]
    if isinstance(fields.get("sentences"), list):
        fields["sentences"] = [_sentence(sentence) for sentence in fields["sentences"]]
    line = convert_line(fields, DocumentLine, place)
    try:
        return build_document(line)
    except BadRecordError as error:
        mend = f"; {error.mend}" if error.mend else ""
        raise ArgumentValueError(f"{place}: found {error.found}, expected {error.expected}{mend}") from None


def _sentence(sentence: object) -> object:
    if not isinstance(sentence, Sentence):
        return sentence
    events = None if sentence.events is None else list(sentence.events)
    return {"text": sentence.text, "id": sentence.index, "start": sentence.start, "events": events}


def convert_line(fields: Mapping[str, Any], shape: type[Any], place: str) -> Any:
    """Fields as the record that a line of a file would be; raises ArgumentTypeError naming the field."""
    try:
        return msgspec.convert(fields, shape)
    except msgspec.ValidationError as error:
        fault = _FAULT.match(str(error))
        if fault is None:
            raise ArgumentTypeError(f"{place}: {error}") from None
        expected, got, field = fault.groups()
        shown = f" ({shorten(fields[field])})" if field in fields else ""
        where = f"{place}: {field}" if field else place
        raise ArgumentTypeError(
            f"{where}: found {got}{shown}, expected {expected.replace('|', 'or')}"
        ) from None


def as_id(value: object, name: str) -> str:
    """An id, as text; a whole number is taken for its digits.

    >>> as_id(11, "event"), as_id("TS14.11", "event")
    ('11', 'TS14.11')
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, bool | float):
        try:
            return str(value.__index__())  # type: ignore[attr-defined]
        except (AttributeError, TypeError):
            pass
    raise ArgumentTypeError(f"{name}: found {kind_of(value)} ({shorten(value)}), expected text")


def _check_columns(rows: TableRows, name: str) -> None:
    missing = [column for column in ("id", "published_time") if column not in rows.columns]
    if not missing and not {"text", "sentences"} & set(rows.columns):
        missing = ["text or sentences"]
    if missing:
        raise ArgumentValueError(
            f"{name}: found a table with the columns {', '.join(map(str, rows.columns))}, expected also "
            f"{' and '.join(missing)}; rename what you have"
        )


def _of_file(
    path: str | os.PathLike[str], name: str, reading: ReadingArgument | None = None
) -> Iterable[Document]:
    from tidings.following.hosting.sources import read_any
    from tidings.sources import is_address

    place = os.fspath(path)
    if place != "-" and not is_address(place) and not Path(place).exists():
        raise ArgumentValueError(f"{name}: found no file or folder {place}, expected one; check the path")
    return read_any(place, "sampled", None, as_reading_options(reading))
