"""RSS, Atom, RDF and JSON Feed, read by fastfeedparser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tidings.errors import FormatError, Problem
from tidings.formats.content import Content, Notes, ReadingOptions, as_content
from tidings.records.items import Item

__all__ = ["read_feed"]


def read_feed(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The items of a feed, in its order.

    Raises:
        FormatError: it is no feed.
    """
    import fastfeedparser

    content = as_content(source)
    try:
        feed = fastfeedparser.parse(content.read())
    except ValueError:
        raise FormatError([Problem(content.name, 0, "no feed", "RSS, Atom, RDF or JSON Feed")]) from None
    outlet = str(feed.feed.get("title") or "")
    language = str(feed.feed.get("language") or "")
    for number, entry in enumerate(feed.entries, 1):
        yield _item(entry, f"{content.name}:{number}", outlet, language)


def _item(entry: dict[str, Any], origin: str, outlet: str, language: str) -> Item:
    return Item(
        origin=origin,
        id=str(entry.get("id") or ""),
        title=str(entry.get("title") or ""),
        text=str(entry.get("description") or ""),
        url=str(entry.get("link") or ""),
        source=outlet,
        language=language,
        published=entry.get("published"),
        updated=entry.get("updated"),
    )
