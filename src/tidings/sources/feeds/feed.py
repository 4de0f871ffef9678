"""RSS of every version, Atom, RDF, JSON Feed and news sitemaps as items."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import (
    LIMITS,
    MIB,
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    ReadingOptions,
    Unpacked,
    as_content,
    sniff,
)
from tidings.sources.feeds.decoding import SAFE_XML, decode_feed
from tidings.sources.feeds.elements import XmlFeed
from tidings.sources.feeds.entries import Channel, Entry, channel_of, entry_of, outlet_name
from tidings.sources.feeds.markup import plain_text, plain_title
from tidings.sources.links import tidy_link
from tidings.sources.registry import item_reader

_WHOLE = 200  # characters from which a text is an article and not its teaser


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
        text = "".join(decode_feed(data, content_type))
        try:
            self._feed = msgspec.json.decode(text, type=_Feed)
        except (msgspec.DecodeError, RecursionError) as error:
            raise FormatError.of(name, 0, f"JSON that is no feed ({error})", "a JSON Feed") from None
        if self._feed.items is None or "jsonfeed.org" not in _text(self._feed.version):
            mend = "it has `version`, an address of jsonfeed.org, and `items`"
            raise FormatError.of(name, 0, "JSON that is no feed", "a JSON Feed", mend)
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


_MOST_BYTES = 128 * MIB
_MOST_FIELD = 4000  # characters of a field of the feed itself


@item_reader
def read_sitemap(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The articles of a news sitemap, each a title with its time, link, outlet and language.

    Pages that are listed without a title, as in maps that are not for news, are left out and counted. What is not
    well-formed gives what stands before the fault.

    >>> data = b"<urlset><url><loc>https://example.org/1</loc><news><title>Ferry burns</title></news></url></urlset>"
    >>> [(item.title, item.url) for item in read_sitemap(Content("a.xml", data=data))]
    [('Ferry burns', 'https://example.org/1')]

    Raises:
        FormatError: it is no map of a site, or one of other maps.
        LimitError: more than 128 MiB.
    """
    pages = _Pages(content)
    for number, element in enumerate(pages, 1):
        origin = f"{content.name}:{number}"
        if (item := _item(element, origin)) is not None:
            yield item
        else:
            notes.drop(origin, "a page without a title in a sitemap")
    if pages.is_ill_formed:
        notes.remark(f"{content.name}: not well-formed; everything before the error was read")


class _Pages:
    """The elements of the pages that a map lists; each is to be used before the next one is asked for."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.is_ill_formed = False

    def __iter__(self) -> Iterator[Any]:
        any_page = False
        for element in self._end():
            if (name := _name(element)) == "sitemap":
                raise self._refusal("a list of sitemaps", "one of them, with articles")
            any_page = True
            if name == "url":
                yield element
                _forget(element)
        if not any_page:
            raise self._refusal("no map of a site", "<urlset> with <url>")

    def _end(self) -> Iterator[Any]:
        from lxml import etree

        parser = etree.XMLPullParser(
            events=("end",),
            tag=("{*}url", "{*}urlset", "{*}sitemap"),
            remove_comments=True,
            remove_pis=True,
            **SAFE_XML,
        )
        data = self.content.read(replace(LIMITS, max_whole_bytes=_MOST_BYTES))
        try:
            for piece in decode_feed(data, self.content.content_type):
                parser.feed(piece.encode("utf-8", "replace"))
                yield from (element for _, element in parser.read_events())
            parser.close()
        except etree.XMLSyntaxError:
            self.is_ill_formed = True
        yield from (element for _, element in parser.read_events())

    def _refusal(self, found: str, expected: str) -> FormatError:
        return FormatError.of(self.content.name, 0, found, expected)


def _item(element: Any, origin: str) -> Item | None:
    fields: dict[str, str] = {}
    for part in element.iter():
        if not isinstance(part.tag, str):
            continue
        inside = _name(part.getparent()) if part is not element else ""
        # Titles of images and videos are not those of the article.
        if inside in ("url", "news", "publication") and part.text:
            fields.setdefault(f"{inside}/{_name(part)}", part.text.strip()[:_MOST_FIELD])
    title = plain_title(fields.get("news/title", ""))
    if not title:
        return None
    url = fields.get("url/loc", "")
    return Item(
        origin=origin,
        id=url,
        title=title,
        url=url,
        source=fields.get("publication/name", ""),
        language=fields.get("publication/language", ""),
        published=fields.get("news/publication_date"),
        updated=fields.get("url/lastmod"),
    )


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2].lower() if element is not None else ""


def _forget(element: Any) -> None:
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


MOST_BYTES = 128 * MIB
_HELD = 2000  # entries read first: some feeds say what they are behind their items
_NAMED_FIRST = re.compile(r"\[([^\[\]\n]{2,60})\]\s+(?=\S)")
"""How feeds of many outlets name one before a text: `[A Post] A ferry burns.`"""


@item_reader
def read_feed(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of a feed, in its order: with the outlet and language of the feed where they have none of their own.

    Dates are given as written. Of a feed that is not well-formed, what can be saved is given, and `notes` says so.

    >>> data = b"<rss><channel><title>A Post</title><item><title>Fire</title><guid>7</guid></item></channel></rss>"
    >>> [(item.origin, item.id, item.title, item.source) for item in read_feed(Content("a.xml", data=data))]
    [('a.xml:1', '7', 'Fire', 'A Post')]

    Of what was fetched its address and content type count. A feed needs none of the options.

    Raises:
        FormatError: it is no feed.
        LimitError: more than 128 MiB, or 10 MiB without an item in it.
    """
    data = _bytes_of(content)
    feed = _open(content, data)
    entries = iter(feed.entries())
    # Most feeds say all of themselves before their items; some say it after them.
    held = list(islice(entries, _HELD))
    finishing = _Finishing(feed, content, held)
    given = undated = 0
    for number, entry in enumerate(chain(held, entries), 1):
        origin = f"{content.name}:{number}"
        if isinstance(entry, str):
            notes.drop(origin, entry)
            continue
        item = finishing.item(entry, origin)
        undated += item.published is None and item.updated is not None and entry.updated is None
        given += 1
        yield item
    if feed.fault and not given:
        mend = "fetch it again; no item in it can be read"
        raise FormatError.of(content.name, 0, f"ill-formed XML ({feed.fault})", "a feed", mend)
    if not given:
        notes.remark(f"{content.name}: a feed without items")
    if feed.fault:
        notes.remark(f"{content.name}: not well-formed ({feed.fault}); {given} items could be read")
    if undated:
        notes.remark(f"{content.name}: {undated} items without a date got that of their feed")


def read_channel(source: str | Path | Content) -> Channel:
    """What a feed says of itself.

    >>> read_channel(Content("a.xml", data=b"<rss><channel><title>A Post</title></channel></rss>")).title
    'A Post'
    """
    content = as_content(source)
    feed = _open(content, _bytes_of(content))
    for _ in feed.entries():
        pass
    return feed.channel


def _open(content: Content, data: bytes) -> JsonFeed | _XmlEntries:
    start = data[:64].lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n")
    if start.startswith(b"{"):
        return JsonFeed(content.name, data, content.content_type, content.url)
    return _XmlEntries(content, data)


class _XmlEntries:
    """The entries of a feed in XML; `channel` is what was said of it so far."""

    def __init__(self, content: Content, data: bytes) -> None:
        self._feed = XmlFeed(content.name, data, content.content_type)
        self._base = content.url

    @property
    def channel(self) -> Channel:
        return channel_of(self._feed.root, self._feed.names, self._base)

    @property
    def fault(self) -> str:
        return self._feed.fault

    def entries(self) -> Iterator[Entry | str]:
        """Each item, or why it is none: of a feed that was cut off, the last one is not whole."""
        last: Entry | None = None
        base = self._base
        for element in self._feed.items():
            if last is not None:
                yield last
            elif not base:
                base = self.channel.url
            last = entry_of(element, self._feed.names, base)
        if last is not None:
            yield "an item cut off" if self._feed.is_cut_off else last


class _Finishing:
    """What holds for a whole feed, added to each of its entries."""

    def __init__(self, feed: JsonFeed | _XmlEntries, content: Content, first: list[Entry | str]) -> None:
        address, self._file_time = content.url, content.modified_time
        urls = (entry.url for entry in first if isinstance(entry, Entry) and entry.url)
        self._channel = feed.channel
        self._base = self._channel.url or address
        self._outlet = outlet_name(self._channel, address or next(urls, ""))
        # A publisher that is the same for all is whoever writes the feed; several are outlets of a collected feed.
        publishers = {entry.publisher for entry in first if isinstance(entry, Entry)}
        self._is_collected = len(publishers - {""}) > 1
        texts = [entry.text for entry in first if isinstance(entry, Entry)]
        named = sum(_NAMED_FIRST.match(text) is not None for text in texts)
        self._is_named_first = named > 2 and named * 2 > len(texts)

    def item(self, entry: Entry, origin: str) -> Item:
        language = self._channel.language if entry.language is None else entry.language
        dateless = entry.published is None and entry.updated is None
        text, outlet = entry.text, entry.source or (self._is_collected and entry.publisher) or ""
        if self._is_named_first and (match := _NAMED_FIRST.match(text)):
            text, outlet = text[match.end() :], outlet or match[1]
        outlet = outlet or self._outlet
        title = _without_outlet(entry.title, outlet)
        return Item(
            origin=origin,
            id=entry.id,
            title=title,
            text="" if _repeats(text, title, outlet) else text,
            url=entry.url,
            source=outlet,
            language=language,
            published=entry.published,
            updated=(self._channel.dated or None) if dateless else entry.updated,
            file_time=self._file_time,
        )


def _without_outlet(title: str, outlet: str) -> str:
    """A title without its outlet's name at its end.

    >>> _without_outlet("Ferry burns - A Post", "A Post"), _without_outlet("A Post", "A Post")
    ('Ferry burns', 'A Post')
    """
    for mark in (" - ", " | ", " – ", " — "):
        if outlet and title.endswith(mark + outlet):
            return title[: -len(mark + outlet)].rstrip() or title
    return title


def _repeats(text: str, title: str, outlet: str) -> bool:
    """Whether a text is only the title again, with the outlet's name at most.

    >>> _repeats("Ferry burns off Iceland  Reuters", "Ferry burns off Iceland - Reuters", "Reuters")
    True
    """
    if not text or len(text) > len(title) + len(outlet) + 40:
        return False
    left = _letters(text).removeprefix(_letters(title.removesuffix(outlet)))
    return left in ("", _letters(outlet))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _bytes_of(content: Content) -> bytes:
    """All bytes, unpacked; what was fetched may be packed without a name that says so."""
    data = content.read(msgspec.structs.replace(LIMITS, max_whole_bytes=MOST_BYTES))
    if content.data is None or not (packed := sniff(data[:8])):
        return data
    file = Unpacked(
        cast("Any", io.BufferedReader(cast("Any", io.BytesIO(data)))), content.name, packed, LIMITS
    )
    with io.BufferedReader(file) as unpacked:
        data = unpacked.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise LimitError(
            f"{content.name}: more than {MOST_BYTES // MIB} MiB are too much for a feed; split it"
        )
    return data
