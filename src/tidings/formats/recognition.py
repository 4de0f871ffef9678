"""What a file is, by its name, its type as a server calls it, and its first bytes.

tidings' own formats and those of judgments are told by names alone (`tidings.formats.registry`). Other people's files
are not: `.xml` may be a feed or topics, `.json` a feed or a table. `recognise` asks each kind of items in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tidings.formats.content import Content
from tidings.formats.files.reading import is_regular
from tidings.formats.registry import FORMATS, Format
from tidings.formats.tables import kinds

__all__ = ["recognise"]


def recognise(content: Content) -> Format | None:
    """The format of items that a content is of; None where it is of none of them.

    >>> recognise(Content("x", data=b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>")).name
    'feed'
    >>> recognise(Content("x.bin", data=b"...")) is None
    True
    """
    if not content.url and is_regular(content.path or "-"):
        name = content.name.lower()
        settled = next((FORMATS[kind] for kind, mark in _NAMES if mark.search(name)), None)
        if settled is not None:
            return settled
    head = content.head()
    lower = head.lower()
    return next((FORMATS[name] for name, is_of in _KINDS if is_of(content, lower)), None)


def _looks_like(kind: str) -> Callable[[Content, bytes], bool]:
    def is_of(content: Content, head: bytes) -> bool:
        from tidings.formats.feeds.looks import kind_by_look

        return kind_by_look(head, content.content_type) == kind

    return is_of


def _is_sitemap(content: Content, head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return (
        start.startswith(b"<")
        and b"<html" not in start
        and any(root in start for root in (b"<urlset", b"<sitemapindex"))
    )


def _is_web_archive(content: Content, head: bytes) -> bool:
    return head.startswith((b"warc/", b"filedesc:")) or content.content_type.startswith("application/warc")


_NAMES = (
    ("warc", re.compile(r"\.w?arc(\.(gz|xz|zst|lz4))?(\.bad)?$")),
    ("streamcorpus", re.compile(r"\.sc(\.(gz|xz|zst))?(\.gpg)?$")),
)
"""Formats whose files are told by their names alone, packed in ways and damaged as they may be."""

_STREAM_ITEM = re.compile(rb"\x08\0\x01\0\0\0[\0\x01]\x0b\0\x02\0\0\0")


def _is_streamcorpus(content: Content, head: bytes) -> bool:
    # A StreamItem begins with its version, then the length of its doc_id.
    return _STREAM_ITEM.match(head) is not None


_KINDS: tuple[tuple[str, Callable[[Content, bytes], bool]], ...] = (
    ("warc", _is_web_archive),
    ("streamcorpus", _is_streamcorpus),
    ("feed", _looks_like("feed")),
    ("feed-list", _looks_like("feed-list")),
    ("sitemap", _is_sitemap),
    *kinds.KINDS,
)
"""Names of formats with how one sees it (content, first bytes in small letters); the first that says yes is taken."""
