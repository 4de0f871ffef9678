"""Documents and events as a caller has them: records, dicts, tables, files, iterators, words to look for."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from tidings.core import BadRecordError, Document, Event, Sentence, is_url, mismatch_of, pip_install
from tidings.following.library.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    ReadingArgument,
    Time,
    as_reading_options,
    as_time,
    is_missing,
    kind_of,
    shorten,
)
from tidings.sources import DocumentLine, EventLine, build_document, build_event

if TYPE_CHECKING:
    from tidings.core import ReadingOptions
    from tidings.following.hosting.article_query import ArticleQuery

BACKENDS = ("pandas", "polars", "pyarrow")
"""What a table can be given as, by preference."""

_SIGNS = ("columns", "column_names", "collect_schema", "__narwhals_dataframe__", "__arrow_c_stream__")


class TableRows:
    """The rows of a table, as dicts from column to value, in their order.

    >>> rows = rows_of({"id": ["a"]}, "documents")
    >>> rows is None
    True
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.columns: tuple[str, ...] = tuple(frame.columns)

    def __len__(self) -> int:
        return len(self._frame)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._frame.iter_rows(named=True))


def rows_of(value: object, name: str) -> TableRows | None:
    """The rows of a table of pandas, Polars or Arrow; None for what is no table.

    Raises:
        ArgumentTypeError: a lazy table, or a single column.
    """
    kind = type(value)
    if isinstance(value, str | bytes | Mapping | Sequence) or kind.__module__.partition(".")[0] == "tidings":
        return None
    if hasattr(kind, "to_frame") and hasattr(kind, "name"):
        raise ArgumentTypeError(f"{name}: {kind_of(value)}, a single column (expected a whole table)")
    if not any(hasattr(kind, sign) for sign in _SIGNS):
        return None
    import narwhals.stable.v2 as nw

    frame: Any = nw.from_native(value, pass_through=True)  # type: ignore[call-overload, unused-ignore]
    if isinstance(frame, nw.LazyFrame):
        raise ArgumentTypeError(
            f"{name}: {kind_of(value)}, a lazy table (expected a computed one); call its .collect()"
        )
    return TableRows(frame) if isinstance(frame, nw.DataFrame) else None


def build_frame(columns: Mapping[str, Sequence[Any]], backend: str | None = None) -> Any:
    """A table of these columns: of pandas where that is installed, else of Polars, else of Arrow.

    Args:
        columns: name to values, all of one length.
        backend: `pandas`, `polars` or `pyarrow`, to choose.

    Raises:
        ArgumentValueError: another backend, or one that is not installed; or none is.
    """
    if backend is None:
        backend = next((name for name in BACKENDS if find_spec(name) is not None), None)
        if backend is None:
            raise ArgumentValueError(
                f"A table needs pandas, Polars or Arrow, and none of {', '.join(BACKENDS)} is installed. Run: "
                f"{pip_install('pandas')}; or take the rows as they are: .rows()"
            )
    elif backend not in BACKENDS:
        raise ArgumentValueError(f"backend {backend!r} (expected one of {', '.join(BACKENDS)})")
    elif find_spec(backend) is None:
        raise ArgumentValueError(
            f"No {backend} installed, which backend={backend!r} needs. Run: {pip_install(backend)}"
        )
    import narwhals.stable.v2 as nw

    made: Any = nw.from_dict
    return made({name: list(values) for name, values in columns.items()}, backend=backend).to_native()


Documents: TypeAlias = "Iterable[Document | Mapping[str, Any]] | str | os.PathLike[str] | Any"
"""Documents: an iterable of `Document`s or dicts, a table of pandas, Polars or Arrow, or the path of a stream."""

_DOCUMENT_FIELDS = ("id", "published_time", "source", "title", "url", "text", "sentences", "events")
_DOCUMENTS = "Document records, dicts with id, published_time and text or sentences, a table of such columns, or a path"


def as_documents(
    documents: Documents,
    name: str = "documents",
    reading: ReadingArgument | None = None,
    *,
    query: Query | Sequence[Query] | None = None,
) -> Iterable[Document]:
    """The documents, each checked when it is reached; what can be seen beforehand is checked at once.

    `reading` beside documents in memory is refused, unless an article is read for `query`.

    Raises:
        ArgumentTypeError, ArgumentValueError: not documents. At the call for the kind of the whole, a table's columns
            and the first of a sequence; else when the document is reached, with its number (from 1).
        UsageError: no such file or folder.

    >>> [storm] = as_documents([{"id": "d1", "published_time": "1970-01-01T00:01:00Z", "text": "A storm is near."}])
    >>> storm.published_time, storm.text
    (60, 'A storm is near.')
    >>> as_documents({"id": "d1"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentTypeError: documents: a single dict (expected ...); put it into a list
    """
    if isinstance(documents, str | os.PathLike):
        return _of_file(documents, name, reading)
    if reading is not None and not _reads_article(query):
        raise ArgumentValueError(
            "reading: given with documents in memory (expected only with the path of a file)"
        )
    if isinstance(documents, Document | Mapping):
        raise ArgumentTypeError(
            f"{name}: a single {kind_of(documents).partition(' ')[2]} (expected {_DOCUMENTS}); put it into a list"
        )
    rows = rows_of(documents, name)
    if rows is not None:
        _check_columns(rows, name)
        first = next(iter(rows), None)
        if first is not None:
            as_document(first, f"{name}: row 1")
        return _Rows(rows, f"{name}: row")
    if isinstance(documents, bytes) or not isinstance(documents, Iterable):
        raise ArgumentTypeError(f"{name}: {kind_of(documents)} (expected {_DOCUMENTS})")
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
    """One document, from a record, or from a dict with the keys of a line of a stream (docs/core/formats.md).

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
            msgspec.structs.replace(sentence, doc_id=doc_id, published_time=time)
            for sentence in item.sentences
        )
        return msgspec.structs.replace(item, id=doc_id, published_time=time, sentences=sentences)
    if not isinstance(item, Mapping):
        mend = "; for a file give its path alone" if isinstance(item, str) else ""
        raise ArgumentTypeError(f"{place}: {kind_of(item)} (expected a Document or a dict{mend})")
    fields = {key: item[key] for key in _DOCUMENT_FIELDS if key in item and not is_missing(item[key])}
    for key in ("id", "published_time"):
        if key not in fields:
            raise ArgumentValueError(f"{place}: no {key!r} (expected it in every document)")
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
        raise ArgumentValueError(f"{place}: {error.found} (expected {error.expected}{mend})") from None


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
        wrong = mismatch_of(str(error))
        if wrong is None:
            raise ArgumentTypeError(f"{place}: {error}") from None
        field = wrong.place
        shown = f" ({shorten(fields[field])})" if field in fields else ""
        where = f"{place}: {field}" if field else place
        raise ArgumentTypeError(
            f"{where}: {wrong.found}{shown} (expected {wrong.expected.replace('|', 'or')}{wrong.bound})"
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
    raise ArgumentTypeError(f"{name}: {kind_of(value)} ({shorten(value)}) (expected text)")


def _check_columns(rows: TableRows, name: str) -> None:
    missing = [column for column in ("id", "published_time") if column not in rows.columns]
    if not missing and not {"text", "sentences"} & set(rows.columns):
        missing = ["text or sentences"]
    if missing:
        raise ArgumentValueError(
            f"{name}: a table with the columns {', '.join(map(str, rows.columns))} (expected also "
            f"{' and '.join(missing)}); rename what you have"
        )


def _of_file(
    path: str | os.PathLike[str], name: str, reading: ReadingArgument | None = None
) -> Iterable[Document]:
    from tidings.following.hosting.sources import read_any
    from tidings.sources import is_address

    place = os.fspath(path)
    if place != "-" and not is_address(place) and not Path(place).exists():
        raise ArgumentValueError(f"{name}: no file or folder {place} (expected one); check the path")
    return read_any(place, "sampled", None, as_reading_options(reading))


Events: TypeAlias = (
    "Event | Mapping[str, Any] | str | os.PathLike[str] | Iterable[Event | Mapping[str, Any]] | Any"
)
"""Events: one or several `Event` records or dicts, a table of them, or the path of a file or folder that holds them."""

_FIELDS = (
    "id",
    "title",
    "query",
    "type",
    "description",
    "languages",
    "start",
    "end",
    "start_time",
    "end_time",
)
_EXPECTED = "an Event, a dict with id and query, several of them, or the path of a file of events"


Query: TypeAlias = "str | os.PathLike[str] | Document | Mapping[str, Any]"
"""What a story is asked for by: words, or an article of it as its address, its file (a `Path`), or the document."""


def as_events(
    query: Query | Sequence[Query] | None,
    events: Events | None,
    title: str | Sequence[str] | None = None,
    start: Time | None = None,
    end: Time | None = None,
    reading: ReadingArgument | None = None,
) -> list[Event]:
    """The events that are asked for: those of `events`, then one for each query.

    `reading` says how the article of a query is read.

    Raises:
        ArgumentTypeError, ArgumentValueError: neither is given, or what is given describes no event.

    >>> as_events("ferry fire", None, start="2024-05-01T00:00:00Z")[0].start_time
    1714521600
    >>> as_events(None, {"id": "storm", "query": "storm coast"})[0].title
    'storm coast'
    >>> as_events(None, None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentTypeError: neither query nor events (expected one): ...
    """
    asked = _list_queries(query, reading)
    queries, names = [each.query for each in asked], [each.title for each in asked]
    if events is None and not queries:
        if query is not None:
            raise ArgumentValueError("query: no words (expected at least one query)")
        raise ArgumentTypeError('neither query nor events (expected one): query="words to look for"')
    if not queries:
        for name, value in (("title", title), ("start", start), ("end", end)):
            if value is not None:
                raise ArgumentTypeError(f"{name} without query (expected the events themselves to have it)")
    chosen = [] if events is None else _list_given(events)
    if queries:
        titles = _texts(title, "title") or (names if names != queries else [])
        made = _list_asked(queries, titles, start, end, [event.id for event in chosen])
        chosen += [
            msgspec.structs.replace(event, description=each.description)
            for event, each in zip(made, asked, strict=True)
        ]
    ids = [event.id for event in chosen]
    if not chosen:
        raise ArgumentValueError("events: none (expected at least one to follow)")
    twice = next((event_id for event_id, count in Counter(ids).items() if count > 1), None)
    if twice is not None:
        raise ArgumentValueError(f"two events called {twice!r} (expected different ids)")
    return chosen


def _list_queries(query: Any, reading: ReadingArgument | None) -> list[ArticleQuery]:
    """What each query asks for: words that are no article are the title too."""
    one = _is_single(query)
    given = [query] if one else query
    if given is None or not isinstance(given, Iterable):
        _texts(given, "query")
        return []
    from tidings.following.hosting.article_query import ArticleQuery

    options = as_reading_options(reading)
    asked = [
        _of_article(each, "query" if one else f"query: item {number}", options)
        or ArticleQuery(each, each, "")
        for number, each in enumerate(given, 1)
    ]
    _texts([each.query for each in asked], "query")
    return asked


def _is_single(query: Any) -> bool:
    return isinstance(query, str | os.PathLike | Document | Mapping)


def _reads_article(query: Any) -> bool:
    several = isinstance(query, Sequence) and not _is_single(query)
    return any(map(_is_place, query if several else [query]))


def _is_place(query: Any) -> bool:
    return isinstance(query, os.PathLike) or (isinstance(query, str) and is_url(query.strip()))


def _of_article(query: Any, name: str, reading: ReadingOptions) -> ArticleQuery | None:
    from tidings.following.hosting.article_query import query_of_article, read_article

    if isinstance(query, Document | Mapping):
        return query_of_article(as_document(query, name), name)
    if _is_place(query):
        place = os.fspath(query).strip()
        return query_of_article(read_article(place, reading), place)
    return None


def _texts(value: str | Sequence[str] | None, name: str) -> list[str]:
    if value is None:
        return []
    texts = [value] if isinstance(value, str) else value
    if isinstance(texts, Mapping) or not isinstance(texts, Iterable):
        raise ArgumentTypeError(f"{name}: {kind_of(value)} (expected text, or a list of texts)")
    texts = list(texts)
    for text in texts:
        if not isinstance(text, str):
            raise ArgumentTypeError(f"{name}: {kind_of(text)} (expected text, or a list of texts)")
        if not text.strip():
            raise ArgumentValueError(f"{name}: {text!r} (expected words)")
    return texts


def _list_asked(
    queries: list[str], titles: list[str], start: Time | None, end: Time | None, taken: list[str]
) -> list[Event]:
    from tidings.following.hosting.sources import query_events

    first = None if start is None else as_time(start, "start")
    last = None if end is None else as_time(end, "end")
    if first is not None and last is not None and first > last:
        raise ArgumentValueError(f"start {first} after end {last} (expected it before)")
    if titles and len(titles) != len(queries):
        raise ArgumentValueError(
            f"title: {len(titles)} for {len(queries)} queries (expected one for each, in the same order)"
        )
    return query_events(queries, titles, first, last, taken=taken)


def _list_given(events: Events) -> list[Event]:
    if isinstance(events, str | os.PathLike):
        from tidings.sources import read_events

        place = os.fspath(events)
        if place != "-" and not Path(place).exists():
            raise ArgumentValueError(
                f"events: no file or folder {place} (expected one); words to look for are query=..."
            )
        return read_events(place)
    if isinstance(events, Event | Mapping):
        return [_event(events, "events")]
    rows = rows_of(events, "events")
    items: Any = events if rows is None else rows
    if isinstance(items, bytes) or not isinstance(items, Iterable):
        raise ArgumentTypeError(f"events: {kind_of(events)} (expected {_EXPECTED})")
    return [_event(item, f"events: item {number}") for number, item in enumerate(items, 1)]


def _event(item: object, place: str) -> Event:
    if isinstance(item, Event):
        times = {
            key: as_time(getattr(item, key), f"{place}: {key}")
            for key in ("start_time", "end_time")
            if getattr(item, key) is not None
        }
        event = msgspec.structs.replace(item, id=as_id(item.id, f"{place}: id"), **times)
        if event.start_time is not None and event.end_time is not None and event.start_time > event.end_time:
            raise ArgumentValueError(
                f"{place}: start_time {event.start_time} after end_time {event.end_time} (expected it before)"
            )
        return event
    if not isinstance(item, Mapping):
        raise ArgumentTypeError(f"{place}: {kind_of(item)} (expected {_EXPECTED})")
    fields = {key: item[key] for key in _FIELDS if key in item and not is_missing(item[key])}
    for key in ("id", "query"):
        if key not in fields:
            raise ArgumentValueError(f"{place}: no {key!r} (expected it in every event)")
    fields["id"] = as_id(fields["id"], f"{place}: id")
    for key in ("start", "end"):
        value = fields.pop(f"{key}_time", fields.get(key))
        if value is not None:
            fields[key] = as_time(value, f"{place}: {key}")
    try:
        return build_event(convert_line(fields, EventLine, place))
    except BadRecordError as error:
        mend = f"; {error.mend}" if error.mend else ""
        raise ArgumentValueError(f"{place}: {error.found} (expected {error.expected}{mend})") from None
