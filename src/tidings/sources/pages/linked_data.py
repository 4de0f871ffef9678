"""What a page says of itself in JSON-LD: the article among its objects, and what it says of that."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from tidings.sources.pages.parsing import elements, squeezed

__all__ = ["LONGEST_LINE", "Article", "article_of", "plain_line"]

_ARTICLES = frozenset(
    [
        "newsarticle", "article", "reportagenewsarticle", "analysisnewsarticle", "opinionnewsarticle",
        "backgroundnewsarticle", "reviewnewsarticle", "blogposting", "liveblogposting", "report",
        "socialmediaposting", "techarticle", "scholarlyarticle", "satiricalarticle", "askpublicnewsarticle",
        "advertisercontentarticle",
    ]
)  # fmt: skip
_PAGES = frozenset(("webpage", "itempage", "videoobject", "creativework", "discussionforumposting"))
_MOST = 2000
_LONGEST_BODY = 1 << 20
LONGEST_LINE = 2000
"""Characters of a title, a name, a date or a summary that are looked at; none that is meant to be read has more."""

_TAG = re.compile(r"<[^<>]{1,300}>")
_BREAK = re.compile(r"<(?:br|/p|/div|/h\d|/li)\b[^<>]*>|\r\n?|\n", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f]")


class Article:
    """An article as JSON-LD tells it; every field "" where it is not told, `published` and `updated` as written.

    >>> Article({"@type": "NewsArticle", "headline": "Ferry &amp; fire", "publisher": {"name": "World"}}, {}).title
    'Ferry & fire'
    """

    def __init__(self, found: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> None:
        self._found, self._by_id = found, by_id
        self.title = plain_line(self._text("headline")) or plain_line(self._text("name"))
        self.description = plain_line(self._text("description"))
        self.published = _date(found.get("datePublished")) or _date(found.get("dateCreated"))
        self.updated = _date(found.get("dateModified"))
        self.is_paid = str(found.get("isAccessibleForFree", "")).lower() == "false"
        self.outlet = self._name(found.get("publisher")) or self._name(found.get("sourceOrganization"))
        self.language = self._language(found.get("inLanguage"))
        self.url = self._address(found.get("mainEntityOfPage")) or self._address(found.get("url"))
        self.body = [
            line for line in map(plain, _BREAK.split(self._text("articleBody")[:_LONGEST_BODY])) if line
        ]

    def _text(self, key: str) -> str:
        value = self._found.get(key)
        value = value[0] if isinstance(value, list) and value else value
        return value if isinstance(value, str) else ""

    def _entry(self, value: Any) -> Any:
        value = value[0] if isinstance(value, list) and value else value
        if isinstance(value, dict) and "name" not in value and isinstance(value.get("@id"), str):
            return self._by_id.get(value["@id"], value)
        return value

    def _name(self, value: Any) -> str:
        entry = self._entry(value)
        name = entry.get("name") if isinstance(entry, dict) else entry
        name = name[0] if isinstance(name, list) and name else name
        return "" if not isinstance(name, str) or name.startswith(("http:", "https:")) else plain_line(name)

    def _language(self, value: Any) -> str:
        entry = self._entry(value)
        name = (entry.get("alternateName") or entry.get("name")) if isinstance(entry, dict) else entry
        return name.strip()[:LONGEST_LINE] if isinstance(name, str) else ""

    def _address(self, value: Any) -> str:
        entry = self._entry(value)
        address = entry.get("@id") or entry.get("url") if isinstance(entry, dict) else entry
        return address.strip() if isinstance(address, str) and address.startswith(("http:", "https:")) else ""


def article_of(tree: Any) -> Article | None:
    """The article that a page's JSON-LD tells of; None where it tells of none, or in no JSON."""
    objects: list[dict[str, Any]] = []
    for script in elements(tree.document, "script[type='application/ld+json' i]"):
        objects += _objects(_value(script.text or ""))
    by_id = {one["@id"]: one for one in objects if isinstance(one.get("@id"), str) and "name" in one}
    articles = [one for one in objects if _types(one) & _ARTICLES]
    if not articles:
        pages = [one for one in objects if _types(one) & _PAGES and one.get("datePublished")]
        return Article(pages[0], by_id) if pages else None
    best = max(articles, key=lambda one: (bool(one.get("articleBody")), bool(one.get("datePublished"))))
    # Of several descriptions of one article (a plug-in's, a theme's) the first with a date tells everything else.
    first = next((one for one in articles if one.get("datePublished")), best)
    same = first is best or _same_title(first, best)
    return Article({**best, **{k: v for k, v in first.items() if v}} if same else first, by_id)


def _same_title(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return plain_line(str(one.get("headline"))) == plain_line(str(other.get("headline")))


def _value(text: str) -> Any:
    import msgspec

    text = text.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";")
    for candidate in (text, _CONTROL.sub(" ", text), html.unescape(_CONTROL.sub(" ", text))):
        try:
            return msgspec.json.decode(candidate.encode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError):
            continue
    return None


def _objects(value: Any) -> list[dict[str, Any]]:
    # All objects of some depth: lists, graphs, and articles inside pages.
    found: list[dict[str, Any]] = []
    waiting = [(value, 0)]
    while waiting and len(found) < _MOST:
        one, depth = waiting.pop(0)
        if depth > 4:
            continue
        if isinstance(one, list):
            waiting += [(part, depth + 1) for part in one[:_MOST]]
        elif isinstance(one, dict):
            found.append(one)
            waiting += [
                (one[key], depth + 1) for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in one
            ]
    return found


def _types(one: dict[str, Any]) -> set[str]:
    return {name.rsplit("/", 1)[-1].lower() for name in _names(one.get("@type"))}


def _names(value: Any) -> Iterator[str]:
    for name in value if isinstance(value, list) else [value]:
        if isinstance(name, str):
            yield name


def _date(value: Any) -> str:
    value = value[0] if isinstance(value, list) and value else value
    is_stated = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value).strip()[:LONGEST_LINE] if is_stated else ""


def plain(text: str) -> str:
    """A text of JSON-LD without the markup and the entities that some put there, on one line.

    >>> plain("A &amp; B <b>burn</b>")
    'A & B burn'
    """
    if "&" in text:
        text = html.unescape(html.unescape(text))
    return squeezed(_TAG.sub("", text) if "<" in text else text)


def plain_line(text: str) -> str:
    """The same of what is one line to its readers: a title, a name, a summary; what is longer is cut.

    >>> len(plain_line("A ferry burns. " * 1000))
    2000
    """
    # What stands for a character may be written in ten; blanks at its beginning are no part of it.
    return plain(text.lstrip()[: 10 * LONGEST_LINE])[:LONGEST_LINE].rstrip()
