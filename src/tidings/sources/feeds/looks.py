"""Whether the first bytes of a content are those of a feed, or of a list of feeds."""

from __future__ import annotations

import re

from tidings.sources.feeds.decoding import decoded
from tidings.sources.feeds.mending import after_comments

__all__ = ["kind_by_look"]

_DOCTYPE = re.compile(r"<!DOCTYPE[^<>\[]*(?:\[[^\]]*\]\s*)?>", re.IGNORECASE)
_RSS_1 = re.compile(r"purl\.org/(?:net/)?rss|my\.netscape\.com|channel\.netscape", re.IGNORECASE)
_ELEMENT = re.compile(r"\A[^<]*<(?:([\w.-]{1,20}):)?([A-Za-z][\w.-]*)")
_JSON_FEED = re.compile(r"\A\s*\{.*\"https?:\\?/\\?/jsonfeed\.org\\?/version", re.DOTALL)
_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")


def kind_by_look(head: bytes, content_type: str = "") -> str:
    """`feed`, `feed-list` (OPML), or "" for anything else: pages, topics, maps of sites, other RDF.

    >>> kind_by_look(b"<?xml version='1.0'?><!-- c --><rss version='2.0'>"), kind_by_look(b"<opml version='2.0'>")
    ('feed', 'feed-list')
    >>> kind_by_look(b"<!DOCTYPE html><html><link href='rss.xml'><rss>"), kind_by_look(b"<events><event>")
    ('', '')

    Args:
        head: the first bytes, some thousand of them.
        content_type: as a server names it; counts where the bytes tell nothing.
    """
    text = "".join(decoded(head)) if head else ""
    if _JSON_FEED.match(text):
        return "feed"
    text = text[after_comments(text) :]
    while match := _DOCTYPE.match(text):
        text = text[match.end() :]
        text = text[after_comments(text) :]
    root = _ELEMENT.match(text)
    if root is None:
        is_json = "json" in content_type and text.lstrip().startswith("{")
        return "feed" if content_type.lower().startswith(_TYPES) and (is_json or not text) else ""
    name = root[2].lower()
    if name == "opml":
        return "feed-list"
    if name in ("rss", "feed", "channel"):
        return "feed"
    return "feed" if name == "rdf" and _RSS_1.search(text) else ""
