"""JSON Feed 1.0 and 1.1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import FormatError, Problem
from tidings.sources.feeds.decoding import decoded
from tidings.sources.feeds.entries import Channel, Entry
from tidings.sources.feeds.markup import plain_text, plain_title
from tidings.sources.links import tidy_link

__all__ = ["JsonFeed"]

_WHOLE = 200


class _Feed(Struct):
    version: Any = None
    title: Any = None
    home_page_url: Any = None
    feed_url: Any = None
    description: Any = None
    language: Any = None
    author: Any = None
    authors: Any = None
    items: list[msgspec.Raw] | None = None


class _Item(Struct):
    id: Any = None
    url: Any = None
    external_url: Any = None
    title: Any = None
    content_html: Any = None
    content_text: Any = None
    summary: Any = None
    date_published: Any = None
    date_modified: Any = None
    language: Any = None


class JsonFeed:
    """The entries of a JSON Feed.

    >>> feed = JsonFeed("a.json", b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"title": "Fire"}, 7]}')
    >>> [entry if isinstance(entry, str) else entry.title for entry in feed.entries()]
    ['Fire', 'no item of a feed']
    """

    fault = ""

    def __init__(self, name: str, data: bytes, content_type: str = "", address: str = "") -> None:
        text = "".join(decoded(data, content_type))
        try:
            self._feed = msgspec.json.decode(text, type=_Feed)
        except (msgspec.DecodeError, RecursionError) as error:
            raise FormatError([Problem(name, 0, f"JSON that is no feed ({error})", "a JSON Feed")]) from None
        if self._feed.items is None or "jsonfeed.org" not in _text(self._feed.version):
            mend = "it has `version`, an address of jsonfeed.org, and `items`"
            raise FormatError([Problem(name, 0, "JSON that is no feed", "a JSON Feed", mend)])
        feed = self._feed
        self._base = _text(feed.home_page_url) or _text(feed.feed_url) or address
        self.channel = Channel(
            title=plain_title(_text(feed.title)),
            url=tidy_link(_text(feed.home_page_url), address),
            language=_text(feed.language),
            description=plain_text(_text(feed.description)),
            hints=tuple(_author_names(feed)),
        )

    def entries(self) -> Iterator[Entry | str]:
        """Each item, or why it is none."""
        for raw in self._feed.items or ():
            try:
                yield _entry(msgspec.json.decode(raw, type=_Item), self._base)
            except (msgspec.DecodeError, RecursionError):
                yield "no item of a feed"


def _entry(item: _Item, base: str) -> Entry:
    identity = str(item.id) if isinstance(item.id, int | float) else _text(item.id)
    text = plain_text(_text(item.content_html), is_markup=True)
    for other in (_text(item.content_text), _text(item.summary)):
        if len(text) < _WHOLE and len(other) > len(text):
            text = plain_text(other)
    links = (_text(item.url), _text(item.external_url), identity if "://" in identity else "")
    return Entry(
        id=identity,
        title=plain_title(_text(item.title)),
        text=text,
        url=next((url for url in (tidy_link(link, base) for link in links if link) if url), ""),
        language=_text(item.language) or None,
        published=_date(item.date_published),
        updated=_date(item.date_modified),
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _date(value: Any) -> str | int | float | None:
    if isinstance(value, bool):
        return None
    return value if isinstance(value, int | float) else _text(value) or None


def _author_names(feed: _Feed) -> Iterator[str]:
    authors = feed.authors if isinstance(feed.authors, list) else [feed.author]
    for author in authors[:3]:
        if isinstance(author, dict) and (name := plain_title(_text(author.get("name")))):
            yield name
