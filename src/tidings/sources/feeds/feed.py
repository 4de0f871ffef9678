"""RSS of every version, Atom, RDF and JSON Feed as items."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, cast

import msgspec

from tidings.core import (
    LIMITS,
    MIB,
    Content,
    FormatError,
    Item,
    LimitError,
    Notes,
    Problem,
    ReadingOptions,
    Unpacked,
    as_content,
    sniff,
)
from tidings.sources.feeds.elements import XmlFeed
from tidings.sources.feeds.entries import Channel, Entry, channel_of, entry_of
from tidings.sources.feeds.json_feed import JsonFeed
from tidings.sources.feeds.outlets import outlet_name

__all__ = ["MOST_BYTES", "read_channel", "read_feed"]

MOST_BYTES = 128 * MIB
_HELD = 2000
_NAMED_FIRST = re.compile(r"\[([^\[\]\n]{2,60})\]\s+(?=\S)")
"""How feeds of many outlets name one before a text: `[A Post] A ferry burns.`"""


def read_feed(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The items of a feed, in its order: with the outlet and language of the feed where they have none of their own.

    Dates are given as written. Of a feed that is not well-formed, what can be saved is given, and `notes` says so.

    >>> data = b"<rss><channel><title>A Post</title><item><title>Fire</title><guid>7</guid></item></channel></rss>"
    >>> [(item.origin, item.id, item.title, item.source) for item in read_feed(Content("a.xml", data=data))]
    [('a.xml:1', '7', 'Fire', 'A Post')]

    Args:
        source: a file, or what was fetched: then its address and content type count.
        options: those of all readers; a feed needs none of them.
        notes: told of what was left out.

    Raises:
        FormatError: it is no feed.
        LimitError: more than 128 MiB, or 10 MiB without an item in it.
    """
    content = as_content(source)
    notes = notes if notes is not None else Notes()
    data = _bytes_of(content)
    feed = _opened(content, data)
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
        raise FormatError([Problem(content.name, 0, f"ill-formed XML ({feed.fault})", "a feed", mend)])
    if not given:
        notes.remark(f"{content.name}: a feed without items")
    if feed.fault:
        notes.remark(f"{content.name}: not well-formed ({feed.fault}); {given} items could be read")
    if undated:
        notes.remark(f"{content.name}: {undated} items without a date took that of their feed")


def read_channel(source: str | Path | Content) -> Channel:
    """What a feed says of itself.

    >>> read_channel(Content("a.xml", data=b"<rss><channel><title>A Post</title></channel></rss>")).title
    'A Post'
    """
    content = as_content(source)
    feed = _opened(content, _bytes_of(content))
    for _ in feed.entries():
        pass
    return feed.channel


def _opened(content: Content, data: bytes) -> JsonFeed | _XmlEntries:
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
            f"{content.name}: found more than {MOST_BYTES // MIB} MiB, expected a feed of less; split it"
        )
    return data
