"""Rows of a table as items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tidings.core import Item
from tidings.sources.tables.cells import joined_time, line_of, plain, sentences_of, stated_time, text_of
from tidings.sources.tables.fields import simple
from tidings.sources.tables.guessing import Columns

__all__ = ["items_of"]

_BEFORE_OUTLET = re.compile(r"\s+[-–—|]\s+(?:the\s+)?\Z", re.IGNORECASE)
_CUT_OFF = re.compile(r"\s*\[\+\d+ chars\]\s*$")  # as NewsAPI ends a text that goes on elsewhere


def items_of(
    rows: Iterable[tuple[int, Sequence[Any]]], columns: Columns, name: str, file_time: int | None = None
) -> Iterator[Item]:
    """The items of rows, each with its line or number; a row without anything is passed over.

    Args:
        rows: each with a cell for every column.
        columns: which of them hold what.
        name: of the table, for messages.
        file_time: when its file was changed.
    """
    time, title, url = columns.place("time"), columns.place("title"), columns.place("url")
    key, outlet, language = columns.place("id"), columns.place("outlet"), columns.place("language")
    updated, clock, serial = columns.place("updated"), columns.clock, columns.serial
    texts = columns.places.get("text", ())
    cut = bool(texts) and simple(columns.names[texts[0]].rpartition(".")[2]).endswith("sentences")

    for number, row in rows:
        text = ""
        sentences = sentences_of(row[texts[0]]) if cut else ()
        if not sentences:
            for place in texts:
                if text := plain(text_of(row[place])):
                    break
            if text.endswith("chars]"):
                text = _CUT_OFF.sub("", text)
        if time is None:
            published = None
        elif clock is None:
            published = stated_time(row[time], serial)
        else:
            published = joined_time(row[time], row[clock])
        headline = "" if title is None else line_of(text_of(row[title]))
        if not (text or headline or sentences) and published is None:
            continue
        source = "" if outlet is None else line_of(text_of(row[outlet]))
        yield Item(
            origin=f"{name}:{number}",
            id="" if key is None else text_of(row[key]).strip(),
            title=_without_outlet(headline, source),
            text=text,
            sentences=sentences,
            url="" if url is None else text_of(row[url]).strip(),
            source=source,
            language="" if language is None else text_of(row[language]).strip(),
            published=published,
            updated=None if updated is None else stated_time(row[updated], serial),
            file_time=file_time,
        )


def _without_outlet(title: str, outlet: str) -> str:
    # "Ferry burns - The Wire", as news interfaces and collections of articles have it.
    if not outlet or not title.casefold().endswith(outlet.casefold()):
        return title
    match = _BEFORE_OUTLET.search(title[: len(title) - len(outlet)])
    return title[: match.start()] if match and match.start() > 0 else title
