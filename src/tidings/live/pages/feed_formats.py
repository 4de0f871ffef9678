"""Feeds of an event's updates: Atom (RFC 4287) and JSON Feed 1.1."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any

from msgspec import Struct

from tidings.live.pages.feed_items import FeedItem
from tidings.live.pages.tail import line_bytes

__all__ = ["ATOM", "JSON_FEED", "FeedHead", "atom", "json_feed"]

ATOM = "application/atom+xml"
JSON_FEED = "application/feed+json"
_NAMESPACE = "http://www.w3.org/2005/Atom"
_AUTHOR = "tidings"
_LAST_TIME = 253402300799


class FeedHead(Struct, frozen=True, kw_only=True):
    """What a feed says of itself: its id, the event's title and page, its own address, and when it last changed."""

    id: str
    title: str
    page: str
    address: str
    time: int


def moment(time: int) -> str:
    """Seconds UTC as RFC 3339 says.

    >>> moment(1374691950)
    '2013-07-24T18:52:30Z'
    """
    return datetime.fromtimestamp(min(max(time, 0), _LAST_TIME), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def content(item: FeedItem) -> str:
    """An entry as HTML: all of its text, and where it comes from.

    >>> content(FeedItem(id="", link="", title="", text="<b>", time=0, outlet="", source_title="", source_link=""))
    '<p>&lt;b&gt;</p>'
    """
    where = " · ".join(filter(None, (item.outlet, item.source_title)))
    said = escape(where or item.source_link)
    if item.source_link:
        said = f'<a href="{escape(item.source_link)}">{said}</a>'
    return f"<p>{escape(item.text)}</p>" + (f"<p>Source: {said}</p>" if said else "")


def atom(head: FeedHead, items: Sequence[FeedItem]) -> bytes:
    """A feed as Atom."""
    from lxml import etree

    def add(parent: Any, name: str, text: str | None = None, **attributes: str) -> Any:
        made = etree.SubElement(parent, f"{{{_NAMESPACE}}}{name}", attributes)
        made.text = text
        return made

    feed = etree.Element(f"{{{_NAMESPACE}}}feed", nsmap={None: _NAMESPACE})
    add(feed, "id", head.id)
    add(feed, "title", head.title, type="text")
    add(feed, "updated", moment(head.time))
    add(feed, "link", rel="self", type=ATOM, href=head.address)
    add(feed, "link", rel="alternate", type="text/html", href=head.page)
    add(add(feed, "author"), "name", _AUTHOR)
    add(feed, "generator", "tidings")
    for item in items:
        entry = add(feed, "entry")
        add(entry, "id", item.id)
        add(entry, "title", item.title, type="text")
        add(entry, "updated", moment(item.time))
        add(entry, "published", moment(item.time))
        add(entry, "link", rel="alternate", type="text/html", href=item.link)
        if item.source_link:
            add(entry, "link", rel="via", href=item.source_link)
        add(add(entry, "author"), "name", item.outlet or _AUTHOR)
        add(entry, "content", content(item), type="html")
    written: bytes = etree.tostring(feed, xml_declaration=True, encoding="utf-8", pretty_print=True)
    return written


def json_feed(head: FeedHead, items: Sequence[FeedItem]) -> bytes:
    """A feed as JSON Feed 1.1."""
    return line_bytes(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": head.title,
            "home_page_url": head.page,
            "feed_url": head.address,
            "authors": [{"name": _AUTHOR}],
            "items": [_json_item(item) for item in items],
        }
    )


def _json_item(item: FeedItem) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": item.id,
        "url": item.link,
        "title": item.title,
        "content_text": item.text,
        "content_html": content(item),
        "date_published": moment(item.time),
        "authors": [{"name": item.outlet or _AUTHOR}],
    }
    return made | {"external_url": item.source_link} if item.source_link else made
