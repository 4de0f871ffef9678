"""Each event as a feed, for readers of feeds: Atom and JSON Feed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from html import escape
from typing import Annotated, Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from fastapi import APIRouter, Header, Request
from msgspec import Struct
from starlette.responses import Response

from tidings.core import Event, Update, safe_url
from tidings.live.pages.answers import ERRORS, EventId
from tidings.live.pages.tail import line_bytes
from tidings.live.pages.visits import Reading, known_event, live_of, live_settings_of
from tidings.live.store import NumberedOutput

_WIDEST_TITLE = 110  # characters: what feed readers show in one line
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")


class FeedItem(Struct, frozen=True, kw_only=True):
    """One entry: an id that stays, where it stands on our pages, what it says, since when, and who said so where."""

    id: str
    link: str
    title: str
    text: str
    time: int
    outlet: str
    source_title: str
    source_link: str


def readable(text: str) -> str:
    r"""The text without what XML cannot hold.

    >>> readable("a\x00\ud800 b\ufffe")
    'a b'
    """
    return _NOT_XML.sub("", text)


def feed_id(run: str, event: Event) -> str:
    """The id of an event's feed: the same wherever it is served."""
    return _urn("event", run, event.id)


def _urn(*parts: object) -> str:
    return uuid5(NAMESPACE_URL, "tidings:" + "\x1f".join(map(ascii, parts))).urn


def feed_items(run: str, site: str, page: str, updates: Sequence[NumberedOutput]) -> list[FeedItem]:
    """The entries of updates, in their order.

    Args:
        run: the name of the run.
        site: the address under which the site is reached, without a slash at the end.
        page: the event's page on it.
        updates: outputs; what is no update is left out.
    """
    return [
        _item(run, f"{site}{page}", numbered.seq, numbered.output)
        for numbered in updates
        if isinstance(numbered.output, Update)
    ]


def _item(run: str, page: str, seq: int, update: Update) -> FeedItem:
    # The id is made of the words, and not of its number or address: emitted again in a run that is started over, or
    # served elsewhere, it is no news to whoever has read it.
    text = readable(update.text).strip() or "(no text)"
    return FeedItem(
        id=_urn("update", run, update.event_id, update.id, update.time),
        link=f"{page}/updates/{seq}",
        title=_title(text),
        text=text,
        time=update.time,
        outlet=readable(update.source).strip(),
        source_title=readable(update.title).strip(),
        source_link=safe_url(update.url),
    )


def _title(text: str) -> str:
    """The beginning of a text, up to the end of a word.

    >>> len(_title("word " * 100)), _title("A storm.")
    (105, 'A storm.')
    """
    text = " ".join(text.split())
    if len(text) <= _WIDEST_TITLE:
        return text
    begin = text[: _WIDEST_TITLE - 1]
    return f"{begin.rsplit(' ', 1)[0] if ' ' in begin else begin}…"


ATOM = "application/atom+xml"
JSON_FEED = "application/feed+json"
_NAMESPACE = "http://www.w3.org/2005/Atom"
_AUTHOR = "tidings"
_LAST_TIME = 253402300799  # the last second of the year 9999


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
    source = escape(where or item.source_link)
    if item.source_link:
        source = f'<a href="{escape(item.source_link)}">{source}</a>'
    return f"<p>{escape(item.text)}</p>" + (f"<p>Source: {source}</p>" if source else "")


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


feeds_router = APIRouter(prefix="/events/{event_id}", tags=["feeds"], default_response_class=Response)
_SHOWN = 50

IfNoneMatch = Annotated[str | None, Header(description="The ETag of the answer that you already have.")]


def _describe(kind: str) -> dict[int | str, dict[str, object]]:
    schema = {"type": "string"} if kind == ATOM else {"type": "object"}
    return ERRORS | {
        200: {"description": "The latest updates, newest first.", "content": {kind: {"schema": schema}}},
        304: {"description": "It has not changed."},
    }


@feeds_router.get("/atom.xml", responses=_describe(ATOM))
def as_atom(
    request: Request, visitor: Reading, event_id: EventId, if_none_match: IfNoneMatch = None
) -> Response:
    """The latest updates of an event as an Atom feed."""
    return _feed(request, event_id, "atom.xml", ATOM, atom, if_none_match)


@feeds_router.get("/feed.json", responses=_describe(JSON_FEED))
def as_json_feed(
    request: Request, visitor: Reading, event_id: EventId, if_none_match: IfNoneMatch = None
) -> Response:
    """The latest updates of an event as a JSON Feed."""
    return _feed(request, event_id, "feed.json", JSON_FEED, json_feed, if_none_match)


def _feed(
    request: Request,
    event_id: str,
    name: str,
    kind: str,
    write: Callable[[FeedHead, Sequence[FeedItem]], bytes],
    if_none_match: str | None,
) -> Response:
    live, event = live_of(request), known_event(live_of(request), event_id).event
    updates = live.outputs.latest(event_id=event.id, kinds=["update"], limit=_SHOWN)
    page = f"/events/{quote(event.id, safe='')}"
    settings = live_settings_of(request)
    public = settings.public_url and settings.public_url + settings.root_path
    site = public or str(request.base_url).rstrip("/")
    items = feed_items(live.run, site, page, updates)
    head = FeedHead(
        id=feed_id(live.run, event),
        title=readable(event.title or event.query).strip() or event.id,
        page=site + page,
        address=f"{site}{page}/{name}",
        time=items[0].time if items else event.start_time or 0,
    )
    body = write(head, items)
    tag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if if_none_match is not None and _names(if_none_match, tag):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=kind, headers=headers)


def _names(header: str, tag: str) -> bool:
    """Whether If-None-Match names a tag; a proxy that packs answers calls it weak.

    >>> _names('W/"b", "a"', '"a"'), _names("*", '"a"'), _names('"ab"', '"a"')
    (True, True, False)
    """
    return header.strip() == "*" or tag in [name.strip().removeprefix("W/") for name in header.split(",")]
