"""What a file is, by its name, its type as a server calls it, and its first bytes.

tidings' own formats and those of judgments are known by names alone (`tidings.sources.registry`). Other people's files
are not: `.xml` may be a feed or topics, `.json` a feed or a table. `recognise` asks each kind of items in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tidings.core import Content, TidingsError, is_folder, is_regular
from tidings.sources.pages.places import is_folder_of_items
from tidings.sources.registry import DOCUMENT_FORMATS, Format
from tidings.sources.tables import kinds
from tidings.sources.tables.published import is_collection


def recognise(content: Content) -> Format | None:
    """The format of items that a content is of; None where it is of none of them.

    >>> recognise(Content("x", data=b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>")).name
    'feed'
    >>> recognise(Content("x.bin", data=b"...")) is None
    True
    """
    if content.data is None and content.path is not None and is_folder(content.path):
        if is_collection(content.path):
            return DOCUMENT_FORMATS["timeline17"]
        return DOCUMENT_FORMATS["folder"] if is_folder_of_items(content.path, _is_item) else None
    if not content.url and is_regular(content.path or "-"):
        name = content.name.lower()
        settled = next((DOCUMENT_FORMATS[kind] for kind, mark in _NAMES if mark.search(name)), None)
        if settled is not None:
            return settled
    head = content.head()
    lower = head.lower()
    return next((DOCUMENT_FORMATS[name] for name, is_of in _KINDS if is_of(content, lower)), None)


def _is_item(path: Path) -> bool:
    content = Content(path.name, path=path)
    try:
        return recognise(content) is not None
    except (OSError, TidingsError):
        return False


def _looks_like(kind: str) -> Callable[[Content, bytes], bool]:
    def is_of(content: Content, head: bytes) -> bool:
        from tidings.sources.feeds.decoding import kind_by_look

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


def _is_zip(content: Content, head: bytes) -> bool:
    others = (".xlsx", ".docx", ".pptx", ".odt", ".ods", ".epub", ".jar", ".apk", ".whl", ".npz")
    return head.startswith((b"pk\3\4", b"pk\5\6")) and not content.name.lower().endswith(others)


def _is_tar(content: Content, head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _is_page(content: Content, head: bytes) -> bool:
    if content.content_type.lower().startswith(("text/html", "application/xhtml")):
        return True
    if DOCUMENT_FORMATS["page"].is_name_of(content.name):
        return True
    start = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return start.startswith((b"<!doctype html", b"<html")) or (start.startswith(b"<") and b"<html" in start)


def _is_text(content: Content, head: bytes) -> bool:
    if content.content_type.lower().startswith(("text/plain", "text/markdown", "text/x-markdown")):
        return True
    if not DOCUMENT_FORMATS["text"].is_name_of(content.name):
        return False
    first = head.lstrip().partition(b"\n")[0]  # tables and JSON have such names too
    return first.count(b"\t") < 3 and not first.startswith((b"{", b"["))


_NAMES = (
    ("warc", re.compile(r"\.w?arc(\.(gz|xz|zst|lz4))?(\.bad)?$")),
    ("streamcorpus", re.compile(r"\.sc(\.(gz|xz|zst))?(\.gpg)?$")),
)
"""Formats whose files are recognized by their names alone, packed in ways and damaged as they may be."""

_STREAM_ITEM = re.compile(rb"\x08\0\x01\0\0\0[\0\x01]\x0b\0\x02\0\0\0")


def _is_streamcorpus(content: Content, head: bytes) -> bool:
    # A StreamItem begins with its version, then the length of its doc_id.
    return _STREAM_ITEM.match(head) is not None


_KINDS: tuple[tuple[str, Callable[[Content, bytes], bool]], ...] = (
    # Archives first: what they hold may stand unpacked among their first bytes.
    ("zip", _is_zip),
    ("tar", _is_tar),
    ("warc", _is_web_archive),
    ("streamcorpus", _is_streamcorpus),
    ("feed", _looks_like("feed")),
    ("feed-list", _looks_like("feed-list")),
    ("sitemap", _is_sitemap),
    ("page", _is_page),
    *kinds.KINDS,
    ("text", _is_text),
)
"""Names of formats with how one sees it (content, first bytes in lower case); the first that says yes is taken."""
