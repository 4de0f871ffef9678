"""What a feed says of one item and of itself, whatever version of RSS, Atom or RDF it is."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

from msgspec import Struct

from tidings.sources.feeds.elements import Names, children, written
from tidings.sources.feeds.markup import plain_text, plain_title
from tidings.sources.links import absolute, tidy_link

__all__ = ["Channel", "Entry", "channel_of", "entry_of"]

_TYPE = "{http://purl.org/rss/1.0/modules/content/}type"
_MEDIA = ("image/", "audio/", "video/", "application/pdf", "application/zip")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_WHOLE = 200
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*\Z")

_PUBLISHED = (
    "pubdate", "atom:published", "published", "atom:issued", "issued", "dc:date", "dcterms:issued",
    "dcterms:created", "atom:created", "created", "dcterms:available", "news:publication_date", "date",
)  # fmt: skip
_UPDATED = (
    "atom:updated",
    "updated",
    "atom:modified",
    "modified",
    "dcterms:modified",
    "lastmod",
    "lastbuilddate",
)
_FULL = (
    "content:encoded", "atom:content", "content", "fullitem", "xhtml:body", "xhtml:div", "body", "yandex:full-text",
)  # fmt: skip
_SHORT = (
    "description", "atom:summary", "summary", "dc:description", "media:description", "itunes:summary",
    "abstract", "itunes:subtitle", "media:text",
)  # fmt: skip
_DESCRIPTIONS = (
    "description", "atom:subtitle", "atom:tagline", "tagline", "subtitle", "dc:description", "abstract",
    "itunes:subtitle", "itunes:summary", "atom:info", "info",
)  # fmt: skip
_HINTS = (
    "dc:publisher",
    "copyright",
    "atom:rights",
    "dc:rights",
    "itunes:author",
    "managingeditor",
    "generator",
)
_TITLES = ("title", "atom:title", "dc:title", "media:title", "itunes:title")
_SOURCES = ("source", "atom:source")
_PUBLISHERS = ("dc:publisher", "publisher")


class Channel(Struct, frozen=True, kw_only=True):
    """What a feed says of itself.

    Args:
        title: plain text.
        url: of the site that it belongs to.
        language: as declared.
        description: plain text.
        dated: when it was made, as written there; "" where it does not say.
        hints: other texts in which the outlet may name itself: an image's title, a copyright, a generator.
    """

    title: str = ""
    url: str = ""
    language: str = ""
    description: str = ""
    dated: str = ""
    hints: tuple[str, ...] = ()


class Entry(Struct, frozen=True, kw_only=True):
    """What a feed says of one item: as `tidings.core.records.Item`, before what holds for the whole feed is added.

    `source` is the outlet that an item of several outlets' feed names, `publisher` who is said to have published it:
    an outlet or a person. `language` is None where nothing is declared in the item or around it.
    """

    id: str = ""
    title: str = ""
    text: str = ""
    url: str = ""
    source: str = ""
    publisher: str = ""
    language: str | None = None
    published: str | int | float | None = None
    updated: str | int | float | None = None


def entry_of(element: Any, names: Names, base: str = "") -> Entry:
    """The entry of an item's element.

    Args:
        element: `item` or `entry`.
        names: of its feed.
        base: the address of the feed, against which relative links are read where it says no other.
    """
    fields = children(element, names)
    base = _base_of(element, base)
    title = _title(fields)
    text, holder = _text(fields)
    identity = _first(fields, "guid", "atom:id", "id") or element.get(_ABOUT) or ""
    return Entry(
        id=identity,
        title=title,
        text=text,
        url=_url(element, fields, base),
        source=_outlet(fields, names, _SOURCES),
        publisher=_outlet(fields, names, _PUBLISHERS),
        language=_language(element, _titled(fields) if holder is None else holder, fields),
        published=_first(fields, *_PUBLISHED) or None,
        updated=_first(fields, *_UPDATED) or element.get("lastmod") or element.get("LASTMOD"),
    )


_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"


def channel_of(root: Any, names: Names, base: str = "") -> Channel:
    """What the elements beside the items say."""
    if root is None:
        return Channel()
    top = root
    if names[root.tag] in ("rss", "rdf:rdf"):
        top = next((one for one in root.iterchildren(tag="*") if names[one.tag] == "channel"), root)
    fields = children(top, names)
    beside = fields if top is root else children(root, names)
    images = [*fields.get("image", ()), *beside.get("image", ())]
    hints = [_first(children(image, names), "title") for image in images[:2]]
    hints += [
        _first(fields, name)
        for name in ("dc:publisher", "copyright", "atom:rights", "dc:rights", "itunes:author")
    ]
    hints += [_first(children(one, names), "atom:name", "name") for one in fields.get("atom:author", ())[:1]]
    language = _first(fields, "language", "dc:language") or top.get(_LANG) or root.get(_LANG) or ""
    return Channel(
        title=_title(fields),
        url=_url(top, fields, _base_of(top, base)),
        language=_declared(language),
        description=_described(fields),
        dated=_first(
            fields, "pubdate", "lastbuilddate", "dc:date", "atom:updated", "updated", "atom:modified"
        ),
        hints=tuple(hint for hint in (plain_title(hint) for hint in hints) if hint),
    )


def _first(fields: dict[str, list[Any]], *wanted: str) -> str:
    """The text of the first of these that holds any."""
    for name in wanted:
        for element in fields.get(name, ()):
            text = written(element)[0].strip()
            if text:
                return text
    return ""


def _title(fields: dict[str, list[Any]]) -> str:
    for name in _TITLES:
        for element in fields.get(name, ()):
            value, is_markup = _decoded(element)
            if title := plain_title(value, is_markup=is_markup):
                return title
    return ""


def _titled(fields: dict[str, list[Any]]) -> Any:
    return next((fields[name][0] for name in _TITLES if name in fields), None)


def _described(fields: dict[str, list[Any]]) -> str:
    for name in _DESCRIPTIONS:
        for element in fields.get(name, ()):
            value, is_markup = _decoded(element)
            if text := plain_text(value, is_markup=is_markup):
                return text
    return ""


def _text(fields: dict[str, list[Any]]) -> tuple[str, Any]:
    """The full text where it is there, else the summary; of both, the longer. And the element that holds it."""
    best, holder = "", None
    for names in (_FULL, _SHORT):
        for name in names:
            for element in fields.get(name, ()):
                value, is_markup = _decoded(element)
                text = plain_text(value, is_markup=is_markup)
                if len(text) > len(best):
                    best, holder = text, element
            if len(best) >= _WHOLE or (best and names is _SHORT):
                return best, holder
    return best, holder


def _decoded(element: Any) -> tuple[str, bool]:
    """An element's text, and whether it is declared as markup; "" for pictures and other media."""
    value, is_markup = written(element)
    kind = (element.get("type") or element.get(_TYPE) or "").lower()
    if (element.get("mode") or "").lower() == "base64" or kind == "application/octet-stream":
        value = _unpacked(value)
    elif kind.startswith(_MEDIA):
        value = ""
    return value, is_markup or "html" in kind or kind.endswith("xml")


def _unpacked(value: str) -> str:
    try:
        return base64.b64decode("".join(value.split()), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


def _base_of(element: Any, base: str) -> str:
    """What relative links in an element are relative to: its xml:base, in that of those around it."""
    chain = [one.get(_BASE) for one in (element, *element.iterancestors())]
    for part in reversed([one for one in chain if one]):
        base = absolute(part, base) or base
    return base


def _url(element: Any, fields: dict[str, list[Any]], base: str) -> str:
    for link in _links(element, fields):
        if url := tidy_link(link, base):
            return url
    return ""


def _links(element: Any, fields: dict[str, list[Any]]) -> list[str]:
    """Where an item may stand, the likeliest first."""
    links = [_first(fields, "feedburner:origlink")]
    ranked: list[tuple[int, int, str]] = []
    for name in ("link", "atom:link"):
        for link in fields.get(name, ()):
            if (href := link.get("href")) is not None:
                rel, kind = (link.get("rel") or "alternate").lower(), (link.get("type") or "").lower()
                if rel == "alternate" or rel.endswith("#alternate"):
                    ranked.append((0 if "html" in kind or not kind else 1, len(ranked), href))
            elif name == "link":
                links.append(written(link)[0])
    links += [href for _, _, href in sorted(ranked)]
    for guid in fields.get("guid", ()):
        text = written(guid)[0].strip()
        if (
            guid.get("ispermalink") or guid.get("isPermaLink") or "true"
        ).lower() != "false" and "://" in text:
            links.append(text)
    links.append(element.get("href") or element.get("HREF") or "")
    for identity in fields.get("atom:id", ()):
        text = written(identity)[0].strip()
        links.append(text if text.startswith(("http://", "https://")) else "")
    links += [one.get("src") or "" for one in fields.get("atom:content", ())]
    about = element.get(_ABOUT) or ""
    links.append(about if about.startswith(("http://", "https://")) else "")
    links += [one.get("url") or "" for one in fields.get("media:player", ())]
    return [link for link in links if link and not link.isspace()]


def _outlet(fields: dict[str, list[Any]], names: Names, wanted: tuple[str, ...]) -> str:
    for name in wanted:
        for element in fields.get(name, ()):
            of_feed = _title(children(element, names)) if name == "atom:source" else ""
            text = of_feed or plain_title(element.text or "")
            if text and "://" not in text and len(text) <= 120:
                return text
    return ""


def _language(element: Any, holder: Any, fields: dict[str, list[Any]]) -> str | None:
    """What is declared for the text, or around it; None where nothing is."""
    for one in (holder, element):
        if one is not None and (declared := one.get(_LANG)) is not None:
            return _declared(declared)
    stated = _first(fields, "dc:language", "language")
    if stated:
        return _declared(stated)
    for one in element.iterancestors():
        if (declared := one.get(_LANG)) is not None:
            return _declared(declared)
    return None


def _declared(language: str) -> str:
    language = language.strip().replace("_", "-")
    return language if _LANGUAGE.match(language) else ""
