"""OPML: lists of feeds, as feed readers write them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from tidings.core import (
    LIMITS,
    MIB,
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    ReadingOptions,
    TidingsError,
    as_content,
    is_regular,
)
from tidings.sources.feeds.decoding import SAFE_XML, decode_feed, kind_by_look, mend_xml, without_prolog
from tidings.sources.feeds.feed import read_feed
from tidings.sources.feeds.markup import plain_title
from tidings.sources.links import absolute
from tidings.sources.registry import item_reader

_MOST_BYTES = 8 * MIB  # of a list; readers export some hundred kB
_MOST_FEEDS = 10_000  # nobody polls more from one process
_MOST_LISTS = 100  # lists that lists name
_DEEPEST = 5  # lists named by lists
_ON_THE_WEB = "a feed on the web, which only `follow --live` reads"


class FeedAddress(Struct, frozen=True, kw_only=True):
    """Where a feed of a list stands.

    Args:
        title: as the list calls it.
        url: of the feed: on the web, or a path relative to the list.
        site: the page of its outlet.
        category: the folders of the list that it stands in: `World/Asia`.
        language: as declared there.
        is_list: whether it is another list, to be taken in.
    """

    title: str = ""
    url: str
    site: str = ""
    category: str = ""
    language: str = ""
    is_list: bool = False

    @property
    def is_on_the_web(self) -> bool:
        """Whether it is fetched rather than read."""
        return self.url.startswith(("http://", "https://"))


def read_opml(source: str | Path | Content) -> list[FeedAddress]:
    """The feeds that a list names, each address once, in its order; lists in it are named, not opened.

    >>> data = b"<opml><body><outline text='World'><outline text='A Post' xmlUrl='https://a.org/rss'/></outline></body></opml>"
    >>> [(one.title, one.url, one.category) for one in read_opml(Content("feeds.opml", data=data))]
    [('A Post', 'https://a.org/rss', 'World')]

    Raises:
        FormatError: it is no OPML.
        LimitError: more than 8 MiB or 10,000 feeds.
    """
    content = as_content(source)
    data = content.read(msgspec.structs.replace(LIMITS, max_whole_bytes=_MOST_BYTES))
    addresses: dict[str, FeedAddress] = {}
    for outline, parents in _outlines(content.name, data, content.content_type):
        address = _address(outline, parents, content.url)
        if address is not None:
            addresses.setdefault(address.url, address)
        if len(addresses) > _MOST_FEEDS:
            raise LimitError(f"{content.name}: more than {_MOST_FEEDS:,} feeds are too many; split the list")
    return list(addresses.values())


def _outlines(name: str, data: bytes, content_type: str) -> Iterator[tuple[dict[str, str], tuple[str, ...]]]:
    """The attributes of each outline (names in lower case) and the titles of those around it."""
    from lxml import etree

    text = "".join(without_prolog(decode_feed(data, content_type)))
    try:
        root = _parse(text, recover=False)
    except etree.XMLSyntaxError:
        root = _parse(mend_xml(text).text, recover=True)
    if root is None or str(root.tag).rpartition("}")[2].lower() != "opml":
        raise FormatError.of(name, 0, "no list of feeds", "OPML", "check that this is the right file")
    around: list[str] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str) or element.tag.rpartition("}")[2].lower() != "outline":
            continue
        if event == "end":
            around.pop()
            continue
        attributes = {str(key).lower(): str(value) for key, value in element.attrib.items()}
        yield attributes, tuple(title for title in around if title)
        around.append(_title(attributes))


def _parse(text: str, *, recover: bool) -> Any:
    from lxml import etree

    parser = etree.XMLParser(recover=recover, **SAFE_XML)
    try:
        return etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:
        if recover:
            return None
        raise


def _title(attributes: dict[str, str]) -> str:
    return plain_title(attributes.get("title") or attributes.get("text") or "")[:200]


def _address(attributes: dict[str, str], parents: tuple[str, ...], base: str) -> FeedAddress | None:
    kind = attributes.get("type", "").lower()
    url = attributes.get("xmlurl") or attributes.get("feedurl") or ""
    is_list = kind in ("include", "opml") or (
        kind == "link" and attributes.get("url", "").lower().endswith(".opml")
    )
    if not url and (is_list or kind in ("rss", "atom", "feed")):
        url = attributes.get("url", "")
    url = url.strip().removeprefix("feed:")
    if url.startswith("//"):
        url = "http:" + url
    if base:
        url = absolute(url, base)
    if not url or len(url) > 8192 or "\0" in url:
        return None
    return FeedAddress(
        title=_title(attributes),
        url=url,
        site=absolute(attributes.get("htmlurl", "")),
        category="/".join(parents),
        language=attributes.get("language", "").strip()[:40].replace("unknown", ""),
        is_list=is_list,
    )


@item_reader
def read_feed_list(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of the feeds that a list names by a path; those on the web are noted, as are files that are no feeds.

    A list that names lists is followed five deep, and no file is read twice, so no list leads round in a circle.

    Raises:
        FormatError: it is no OPML.
    """
    yield from _Lists(options, notes).items(content, 1)


class _Lists:
    """Lists being read: which files were."""

    def __init__(self, options: ReadingOptions | None, notes: Notes) -> None:
        self._options, self._notes = options, notes
        self._read: set[str] = set()
        self._lists = 0

    def items(self, content: Content, depth: int) -> Iterator[Item]:
        self._lists += 1
        folder = None
        if content.path is not None and is_regular(content.path):
            self._read.add(str(Path(content.path).resolve()))
            folder = Path(content.path).parent
        for address in read_opml(content):
            if address.is_on_the_web:
                self._notes.drop(address.url, _ON_THE_WEB)
            elif folder is None:
                self._notes.drop(address.url, "a feed beside a list that is no file")
            else:
                yield from self._items_of(folder, address, depth)

    def _items_of(self, folder: Path, address: FeedAddress, depth: int) -> Iterator[Item]:
        path = folder / _path(address.url)
        if not is_regular(path):
            self._notes.drop(str(path), "a feed of a list that is not there")
            return
        if (real := str(path.resolve())) in self._read:
            return
        self._read.add(real)
        content = as_content(path)
        try:
            if kind_by_look(content.head(), content.content_type) == "feed-list":
                if depth >= _DEEPEST or self._lists >= _MOST_LISTS:
                    self._notes.drop(str(path), "a list too deep in lists")
                    return
                yield from self.items(content, depth + 1)
            else:
                yield from read_feed(content, options=self._options, notes=self._notes)
        except TidingsError as error:
            self._notes.drop(str(path), "a file of a list that is no feed")
            self._notes.remark(str(error).partition("\n")[0][:300])


def _path(url: str) -> str:
    return unquote(url.partition("://")[2] or url[5:]) if url.startswith("file:") else url
