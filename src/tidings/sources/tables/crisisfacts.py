"""Streams of CrisisFACTS: posts and sentences of news, one object of JSON a line, in the order of their times.

A line has an id such as `CrisisFACTS-001-Twitter-14023-0` (event, source, number of the document, number of the
sentence), `text`, `unixTimestamp` and `sourceType`; the names differ a little between the collection and the tools that
export it. Sentences of one document become one document again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tidings.core import Content, FormatError, Item, Notes, Problem, ReadingOptions, as_content
from tidings.sources.tables.cells import line_of, stated_time, text_of
from tidings.sources.tables.fields import simple
from tidings.sources.tables.json_lines import objects_of_lines

__all__ = ["is_stream", "read_crisisfacts_stream"]

_IDS = ("streamid", "docid", "docno", "id")
_TIMES = ("unixtimestamp", "timestamp")
_NUMBERED = re.compile(r"(.+-\w+-\d+)-(\d{1,9})")
_MOST_OPEN = 1000
_MOST_SENTENCES = 10_000


def is_stream(keys: list[str]) -> bool:
    """Whether a line with these keys is of such a stream.

    >>> is_stream(["event", "streamID", "unixTimestamp", "text", "sourceType"]), is_stream(["id", "time", "text"])
    (True, False)
    """
    names = set(map(simple, keys))
    return (
        "text" in names and "unixtimestamp" in names and "sourcetype" in names and not names.isdisjoint(_IDS)
    )


def read_crisisfacts_stream(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The documents of a stream, in its order; sentences of a document stand near each other and have one time.

    Raises:
        FormatError: no line is of such a stream.
    """
    content = as_content(source)
    notes = notes if notes is not None else Notes()
    open_documents: dict[str, _Parts] = {}
    time: Any = None
    empty = True
    for number, line in objects_of_lines(content, notes):
        fields = {simple(key): value for key, value in line.items()}
        key = next((text for name in _IDS if (text := text_of(fields.get(name)).strip())), "")
        stated = next((fields[name] for name in _TIMES if fields.get(name) is not None), None)
        if not key or "text" not in fields:
            notes.drop(f"{content.name}:{number}", "no id and text of a stream")
            continue
        empty = False
        if stated != time or len(open_documents) >= _MOST_OPEN:
            yield from (parts.item() for parts in open_documents.values())
            open_documents.clear()
            time = stated
        match = _NUMBERED.fullmatch(key)
        document, sentence = (match[1], int(match[2])) if match else (key, 0)
        parts = open_documents.get(document)
        if parts is None:
            outlet = text_of(fields.get("sourcetype"))
            parts = open_documents[document] = _Parts(f"{content.name}:{number}", document, outlet, stated)
        parts.sentences[sentence] = line_of(text_of(fields["text"]))
    yield from (parts.item() for parts in open_documents.values())
    if empty:
        expected = "a post or sentence a line: streamID, unixTimestamp, sourceType, text"
        raise FormatError([Problem(content.name, 0, "no line of a CrisisFACTS stream", expected)])


class _Parts:
    # The sentences of one document, as far as they have come.

    def __init__(self, origin: str, document: str, outlet: str, stated: Any) -> None:
        self.origin, self.document, self.outlet, self.stated = origin, document, outlet, stated
        self.sentences: dict[int, str] = {}

    def item(self) -> Item:
        # A sentence keeps its number: what is missing between them is blank.
        numbers = sorted(self.sentences)
        every = range(numbers[-1] + 1) if numbers[-1] < _MOST_SENTENCES else numbers
        return Item(
            origin=self.origin,
            id=self.document,
            source=self.outlet,
            sentences=tuple(self.sentences.get(number, "") for number in every),
            published=stated_time(self.stated),
        )
