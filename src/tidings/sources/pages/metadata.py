"""What a page says of itself outside of its text: title, outlet, times, address, language."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import urljoin, urlsplit

from msgspec import Struct

from tidings.core import data_beside
from tidings.sources.pages.parsing import attribute, elements, squeeze, text_of

_DATA = data_beside(__file__)
_ARTICLES = frozenset(_DATA["articles"])
_PAGES = frozenset(_DATA["pages"])
_MOST_OBJECTS = 2000  # of JSON-LD on one page
_LONGEST_BODY = 1 << 20  # characters of an article that metadata give whole
LONGEST_LINE = 2000
"""Characters of a title, a name, a date or a summary that are looked at; none that is meant to be read has more."""

_TAG = re.compile(r"<[^<>]{1,300}>")
_BREAK = re.compile(r"<(?:br|/p|/div|/h\d|/li)\b[^<>]*>|\r\n?|\n", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f]")


class Article:
    """An article as JSON-LD describes it; every field "" where that is silent, `published` and `updated` as written.

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
        objects += _objects(_json_value(script.text or ""))
    by_id = {
        entity["@id"]: entity for entity in objects if isinstance(entity.get("@id"), str) and "name" in entity
    }
    articles = [entity for entity in objects if _types(entity) & _ARTICLES]
    if not articles:
        pages = [entity for entity in objects if _types(entity) & _PAGES and entity.get("datePublished")]
        return Article(pages[0], by_id) if pages else None
    best = max(
        articles, key=lambda article: (bool(article.get("articleBody")), bool(article.get("datePublished")))
    )
    # Of several descriptions of one article (a plug-in's, a theme's) the first with a date tells everything else.
    first = next((article for article in articles if article.get("datePublished")), best)
    same = first is best or _same_title(first, best)
    return Article({**best, **{k: v for k, v in first.items() if v}} if same else first, by_id)


def _same_title(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return plain_line(str(one.get("headline"))) == plain_line(str(other.get("headline")))


def _json_value(text: str) -> Any:
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
    while waiting and len(found) < _MOST_OBJECTS:
        one, depth = waiting.pop(0)
        if depth > 4:
            continue
        if isinstance(one, list):
            waiting += [(part, depth + 1) for part in one[:_MOST_OBJECTS]]
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
    return squeeze(_TAG.sub("", text) if "<" in text else text)


def plain_line(text: str) -> str:
    """The same of what is one line to its readers: a title, a name, a summary; what is longer is cut.

    >>> len(plain_line("A ferry burns. " * 1000))
    2000
    """
    # What stands for a character may be written in ten; blanks at its beginning are no part of it.
    return plain(text.lstrip()[: 10 * LONGEST_LINE])[:LONGEST_LINE].rstrip()


_PUBLISHED = tuple(_DATA["published"])
_UPDATED = tuple(_DATA["updated"])
_TITLES = tuple(_DATA["titles"])
_OUTLETS = tuple(_DATA["outlets"])
_DESCRIPTIONS = tuple(_DATA["descriptions"])
# Blanks are tried from the first of a run alone: from each of them would take the square of their number.
_BLANKS_BEFORE = r"(?:(?<!\s)\s*+|(?<=\s))"
_TAIL = re.compile(
    rf"(?<!\s)\s++[|–—»·•:-]+\s++|{_BLANKS_BEFORE}[|｜»]\s*+|{_BLANKS_BEFORE}[ㅣ](?=[^\sㅣ]+$)"
    r"|(?<=\S)-(?=[^\s\x00-\x7f]+$)"
)
_LETTERS = re.compile(r"[\W_]+")
_HOST_PARTS = frozenset(_DATA["host_parts"])
_STATED = re.compile(
    r"\b(?:\d{4}\s?[-/.年년]\s?\d{1,2}\s?[-/.月월]\s?\d{1,2}\s?[日일]?|\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s)?[^\W\d_]{3,10}\.?,?\s(?:de\s)?\d{4}"
    r"|[^\W\d_]{3,10}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{4})"
    r"(?:\D{0,6}\d{1,2}[:.h]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?)?",
    re.IGNORECASE,
)
_DATE_PLACES = (
    ",".join(f"[class*='{part}' i]" for part in ("date", "time", "publi", "byline", "meta"))
    + ",[id*='date' i]"
)
_MOST = 30
_MOST_PARTS = 30
"""Of a title: what names an outlet or a section stands among its last ones, or is the first."""


class Metadata(Struct, frozen=True, kw_only=True):
    """What a page says of itself; "" for what it does not say, times as it writes them.

    `description` is its own summary, and `body` its text as JSON-LD repeats it, by paragraphs;
    `is_offer` whether it shows the offer of an outlet where its article would stand.
    """

    title: str = ""
    outlet: str = ""
    published: str = ""
    updated: str = ""
    url: str = ""
    language: str = ""
    descriptions: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    is_offer: bool = False


def metadata_of(tree: Any, fetched_from: str = "") -> Metadata:
    """A page's metadata.

    Args:
        tree: the page.
        fetched_from: its address, where that is known.
    """
    metas = _metas(tree)
    article = article_of(tree) or Article({}, {})
    url = _address(tree, metas, article, fetched_from)
    host = urlsplit(url).hostname or ""
    outlets = [
        name for name in (_first(metas, _OUTLETS[:2]), article.outlet, _first(metas, _OUTLETS[2:])) if name
    ]
    title, tail = _title(tree, metas, article, outlets, host)
    stated = _first(metas, _PUBLISHED)
    descriptions = (article.description, *(_value(metas, name) for name in _DESCRIPTIONS))
    return Metadata(
        title=title,
        outlet=_outlet(outlets, tail, host),
        published=article.published or stated or _date_of_page(tree, title),
        updated=article.updated or _first(metas, _UPDATED),
        url=url,
        language=_language(tree, metas, article),
        descriptions=tuple(dict.fromkeys(filter(None, descriptions))),
        body=tuple(article.body),
        is_offer=article.is_paid and _key(title) not in _key(tree.body.text if tree.body is not None else ""),
    )


def _metas(tree: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in elements(tree.document, "meta[content]"):
        value = attribute(meta, "content")
        if not value:
            continue
        for name in ("property", "name", "itemprop", "http-equiv"):
            if key := attribute(meta, name).lower():
                found.setdefault(key, value)
    return found


def _value(metas: dict[str, str], name: str) -> str:
    return plain_line(metas.get(name, ""))


def _first(metas: dict[str, str], names: tuple[str, ...]) -> str:
    return next((value for name in names if (value := _value(metas, name))), "")


def _address(tree: Any, metas: dict[str, str], article: Article, fetched_from: str) -> str:
    link = tree.document.query_selector("link[rel~='canonical' i]")
    for address in (attribute(link, "href"), metas.get("og:url", ""), article.url):
        try:
            whole = urljoin(fetched_from, address) if address else ""
            if whole.startswith(("http:", "https:")) and urlsplit(whole).hostname:
                return whole
        except ValueError:
            continue
    return fetched_from


def _language(tree: Any, metas: dict[str, str], article: Article) -> str:
    root = tree.document.query_selector("html")
    names = (
        attribute(root, "lang") or attribute(root, "xml:lang"),
        article.language,
        metas.get("content-language", ""),
        metas.get("og:locale", ""),
        metas.get("language", "") or metas.get("dc.language", ""),
    )
    return next(
        (name.replace("_", "-") for name in names if re.fullmatch(r"[A-Za-z]{2,3}([-_]\w+)*", name)), ""
    )


def _title(
    tree: Any, metas: dict[str, str], article: Article, outlets: list[str], host: str
) -> tuple[str, str]:
    # The title that two places of the page agree on, those first that are written for its readers; then what the
    # page's own title puts behind it: the outlet.
    whole = squeeze(tree.title or "")[:LONGEST_LINE]
    heads = [text_of(element)[:LONGEST_LINE] for element in elements(tree.document, "h1")[:_MOST]]
    shared = [_value(metas, name) for name in _TITLES]
    stated, *rest = (
        {
            _key(short): short
            for headline in group
            if (short := _without_outlet(headline, outlets, host)) and _key(short)
        }
        for group in ([article.title], heads, shared, [whole])
    )
    first_heads, first_shared, from_title = rest
    breaks = list(islice(_TAIL.finditer(whole), _MOST_PARTS))
    for match in breaks:
        from_title.setdefault(_key(whole[: match.start()]), whole[: match.start()])
    for match in breaks:
        from_title.setdefault(_key(whole[match.end() :]), whole[match.end() :])
    pairs = (
        (stated, first_heads),
        (stated, first_shared),
        (first_heads, first_shared),
        (first_heads, from_title),
    )
    agreed = (first[key] for first, second in pairs for key in first if key in second)
    alone = (text for titles in (first_shared, stated, from_title, first_heads) for text in titles.values())
    title = next(agreed, "") or next(alone, "")
    tail = ""
    if len(whole) > len(title) and whole.casefold().startswith(title.casefold()):
        tail = whole[len(title) :].strip(" |–—»·•:-ㅣ｜")
    elif len(whole) > len(title) and whole.casefold().endswith(title.casefold()):
        tail = whole[: len(whole) - len(title)].strip(" |–—»·•:-ㅣ｜")
    return title, tail


def _key(text: str) -> str:
    return _LETTERS.sub("", text).casefold()


def _without_outlet(title: str, outlets: list[str], host: str) -> str:
    # Without parts at either end that name the outlet, its site or a section behind which it stands.
    names = [_key(name) for name in outlets]
    names += [part for part in host.split(".") if part not in _HOST_PARTS and len(part) > 2]
    names.append(_LETTERS.sub("", host).removeprefix("www"))

    def is_outlet(part: str) -> bool:
        key = _key(part)
        return bool(key) and any(
            key == name
            or (
                len(name) > 3
                and (name in key or key in name)
                and len(key) < 2 * len(name) + 6
                and len(key) > 2
            )
            for name in names
            if name
        )

    pieces = [(match.start(), match.end()) for match in _TAIL.finditer(title)]
    for start, end in pieces[-_MOST_PARTS:]:
        if is_outlet(title[end:]) or (
            title.count(title[start:end]) and _ends_with_outlet(title[end:], is_outlet)
        ):
            rest = title[:start].strip()
            if len(rest) > 3:
                return rest
    for start, end in pieces[:1]:
        if is_outlet(title[:start]) and len(title) - end > 15:
            return title[end:].strip()
    return title


def _ends_with_outlet(tail: str, is_outlet: Any) -> bool:
    # "Panorama - derStandard.at": sections, then the outlet.
    parts = _TAIL.split(tail)
    return (
        len(parts) <= 3 and len(tail) < 60 and is_outlet(parts[-1]) and all(len(part) < 25 for part in parts)
    )


def _outlet(outlets: list[str], tail: str, host: str) -> str:
    # Of the names that the page gives the one that agrees with its address, else the first.
    last = _TAIL.split(tail)[-1].strip() if tail else ""
    names = [name for name in (*outlets, last if 1 < len(last) <= 40 else "") if name and len(name) <= 80]
    site = max((_key(part) for part in host.split(".")[:-1] or [""]), key=len)
    agreeing = (name for name in names if len(site) > 2 and (_key(name) in site or site in _key(name)))
    return next(agreeing, "") or next(iter(names), "") or host.removeprefix("www.").removeprefix("m.")


def _date_of_page(tree: Any, title: str) -> str:
    # Where no metadata tell it: what is marked as a time, else the first date near what is classed as one.
    marked = elements(tree.document, "[itemprop~='datePublished' i],time[pubdate],time[datetime],time")[
        :_MOST
    ]
    for node in marked:
        for value in (attribute(node, "content"), attribute(node, "datetime"), text_of(node)):
            if len(value) > 5 and any(char.isdigit() for char in value) and len(value) < 60:
                return value
    for element in elements(tree.document, _DATE_PLACES)[: 3 * _MOST]:
        text = text_of(element)
        if len(text) < 300 and (match := _STATED.search(text)):
            return match[0]
    return ""
