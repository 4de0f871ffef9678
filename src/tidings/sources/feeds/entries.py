"""What a feed says of one item and of itself, whatever version of RSS, Atom or RDF it is."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any
from unicodedata import combining, normalize

from msgspec import Struct

from tidings.core import data_beside
from tidings.sources.feeds.elements import Names, children, written
from tidings.sources.feeds.markup import plain_text, plain_title
from tidings.sources.links import absolute, host_of, tidy_link

_TYPE = "{http://purl.org/rss/1.0/modules/content/}type"
_MEDIA = ("image/", "audio/", "video/", "application/pdf", "application/zip")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_WHOLE = 200  # characters from which a text is an article and not its teaser
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*\Z")

_DATA = data_beside(__file__)
_PUBLISHED = tuple(_DATA["published"])
_UPDATED = tuple(_DATA["updated"])
_FULL = tuple(_DATA["full"])
_SHORT = tuple(_DATA["short"])
_DESCRIPTIONS = tuple(_DATA["descriptions"])
_TITLES = tuple(_DATA["titles"])
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
        language=_language(element, _title_element(fields) if holder is None else holder, fields),
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
        top = next((child for child in root.iterchildren(tag="*") if names[child.tag] == "channel"), root)
    fields = children(top, names)
    beside = fields if top is root else children(root, names)
    images = [*fields.get("image", ()), *beside.get("image", ())]
    hints = [_first(children(image, names), "title") for image in images[:2]]
    hints += [
        _first(fields, name)
        for name in ("dc:publisher", "copyright", "atom:rights", "dc:rights", "itunes:author")
    ]
    hints += [
        _first(children(node, names), "atom:name", "name") for node in fields.get("atom:author", ())[:1]
    ]
    language = _first(fields, "language", "dc:language") or top.get(_LANG) or root.get(_LANG) or ""
    return Channel(
        title=_title(fields),
        url=_url(top, fields, _base_of(top, base)),
        language=_language_code(language),
        description=_description(fields),
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
            value, is_markup = _decode(element)
            if title := plain_title(value, is_markup=is_markup):
                return title
    return ""


def _title_element(fields: dict[str, list[Any]]) -> Any:
    return next((fields[name][0] for name in _TITLES if name in fields), None)


def _description(fields: dict[str, list[Any]]) -> str:
    for name in _DESCRIPTIONS:
        for element in fields.get(name, ()):
            value, is_markup = _decode(element)
            if text := plain_text(value, is_markup=is_markup):
                return text
    return ""


def _text(fields: dict[str, list[Any]]) -> tuple[str, Any]:
    """The full text where it is there, else the summary; of both, the longer. And the element that holds it."""
    best, holder = "", None
    for names in (_FULL, _SHORT):
        for name in names:
            for element in fields.get(name, ()):
                value, is_markup = _decode(element)
                text = plain_text(value, is_markup=is_markup)
                if len(text) > len(best):
                    best, holder = text, element
            if len(best) >= _WHOLE or (best and names is _SHORT):
                return best, holder
    return best, holder


def _decode(element: Any) -> tuple[str, bool]:
    """An element's text, and whether it is declared as markup; "" for pictures and other media."""
    value, is_markup = written(element)
    kind = (element.get("type") or element.get(_TYPE) or "").lower()
    if (element.get("mode") or "").lower() == "base64" or kind == "application/octet-stream":
        value = _from_base64(value)
    elif kind.startswith(_MEDIA):
        value = ""
    return value, is_markup or "html" in kind or kind.endswith("xml")


def _from_base64(value: str) -> str:
    try:
        return base64.b64decode("".join(value.split()), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


def _base_of(element: Any, base: str) -> str:
    """What relative links in an element are relative to: its xml:base, in that of those around it."""
    chain = [node.get(_BASE) for node in (element, *element.iterancestors())]
    for part in reversed([node for node in chain if node]):
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
    links += [node.get("src") or "" for node in fields.get("atom:content", ())]
    about = element.get(_ABOUT) or ""
    links.append(about if about.startswith(("http://", "https://")) else "")
    links += [node.get("url") or "" for node in fields.get("media:player", ())]
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
    for node in (holder, element):
        if node is not None and (declared := node.get(_LANG)) is not None:
            return _language_code(declared)
    stated = _first(fields, "dc:language", "language")
    if stated:
        return _language_code(stated)
    for iterancestor in element.iterancestors():
        if (declared := iterancestor.get(_LANG)) is not None:
            return _language_code(declared)
    return None


def _language_code(language: str) -> str:
    language = language.strip().replace("_", "-")
    return language if _LANGUAGE.match(language) else ""


_BREAK = re.compile(
    r"\s+[-–—|»>›•·:/]+\s+|:\s+|\s+::\s+|\s+\||\|\s+|\s+»|»\s+|(?<=[\u3040-\u9fff])-(?=[\u3040-\u9fff])"
)
_WORD = re.compile(r"[^\W_]+(?:[.'’&-][^\W_]+)*")
_FEED_WORDS = re.compile(
    r"\s*[\[(]?\b(?:rss|atom|xml|feeds?|syndication|newsfeed)(?:\s*\d(?:\.\d)?)?(?:\s+(?:feeds?|channel))?\b[\])]?\s*\Z",
    re.IGNORECASE,
)
_FLUX = re.compile(
    r"(?:rss[ -]?feed|flux|fil|feed|rss|canal)(?:[ -]rss)? (?:du|de|des|d['’]|for|of|from|von|der) ?",
    re.IGNORECASE,
)
_SECTION = re.compile(
    "(?:" + "|".join(map(re.escape, _DATA["section_words"].split())) + r"|\d+)\Z", re.IGNORECASE
)
_SHARED = frozenset(_DATA["shared_hosts"].split())
_SECOND_LEVEL = frozenset(_DATA["second_level"])
_LONGEST = 60  # characters of a name


def outlet_name(channel: Channel, address: str = "") -> str:
    """The outlet of a feed, as people call it.

    Of the parts of the title ("World - CBSNews.com") it is the one that is like the name of the site; where none is,
    what else the feed says of itself is searched for that name; a title that names only a section gives way to the
    site's own name.

    >>> outlet_name(Channel(title="World - CBSNews.com", url="https://www.cbsnews.com/"))
    'CBSNews.com'
    >>> outlet_name(Channel(title="Asia", url="https://www.economist.com/asia"))
    'economist.com'
    >>> outlet_name(Channel(title="World", url="https://a-post.com", description="The A Post World section informs"))
    'The A Post'

    Args:
        channel: what the feed says of itself.
        address: where it was fetched, or of one of its items: for a feed that names no site.
    """
    host = host_of(channel.url) or host_of(address)
    label = _label(host)
    title = " ".join(channel.title.split())
    parts = [part for part in (_trim(part) for part in _BREAK.split(title)) if part]
    if label:
        likest = max(parts, key=lambda part: _likeness(part, label), default="")
        if likest and _likeness(likest, label) > 0:
            return _shorten(likest, label)
        for text in (*channel.hints, channel.description):
            if name := _find_name_in(text, label):
                return name
    if len(parts) > 1 and (hinted := next((part for part in parts if part in channel.hints), "")):
        return hinted
    telling = [part for part in parts if not _is_section(part)]
    if telling:
        whole = _trim(title)
        return whole if len(telling) == len(parts) and len(whole) <= _LONGEST else telling[0][:120]
    return host or (parts[0][:120] if parts else "")


def _trim(part: str) -> str:
    part = part.strip(' \t"“”-–—|»>:')
    shorter = _FEED_WORDS.sub("", part)
    if match := _FLUX.match(shorter):
        shorter = shorter[match.end() :]
    return shorter or part


def _letters(text: str) -> str:
    return "".join(
        char for char in normalize("NFKD", text.casefold()) if char.isalnum() and not combining(char)
    )


def _label(host: str) -> str:
    """The part of a host that is a name: `cbsnews` of `feeds.cbsnews.com`, `abc` of `abc.net.au`."""
    labels = host.split(".")
    if len(labels) < 2 or all(label.isdigit() for label in labels):
        return ""
    at = -3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL and len(labels[-1]) == 2 else -2
    label = labels[at]
    if label in _SHARED:
        label = labels[at - 1] if len(labels) > -at and len(labels[at - 1]) > 3 else ""
    label = _letters(label)
    return "" if label in _SHARED or _SECTION.match(label) else label


def _bare(part: str) -> str:
    return _letters(
        re.sub(r"\.(?:com|org|net|co\.uk|de|fr|it|es|info|tv|news)\Z", "", part.strip(), flags=re.IGNORECASE)
    )


def _likeness(part: str, label: str) -> int:
    """How much a part of a title is like the name of a site: 0 for not at all."""
    bare = _bare(part)
    if not bare:
        return 0
    without = bare.removeprefix("the")
    if label in (bare, without):
        return 5
    words = [_letters(word) for word in _WORD.findall(part)]
    if len(words) > 1 and "".join(word[0] for word in words if word) in (label, label.removesuffix("news")):
        return 4
    if len(label) > 3 and label in bare:
        return 3
    if label in words:
        return 3
    if len(without) > 2 and label.startswith(without) and not _is_section(part):
        return 2
    if len(without) > 4 and without in label and not _is_section(part):
        return 2
    return int(
        bool(words) and len(words[0]) > 2 and label.startswith(words[0]) and not _SECTION.match(words[0])
    )


def _shorten(part: str, label: str) -> str:
    """A part of a few words as it is; of a long one, the name in it."""
    if len(part.split()) <= 4:
        return part
    return _find_name_in(part, label) or part[:120]


def _find_name_in(text: str, label: str) -> str:
    """Words of a text that written together are the name of the site; "" where there are none."""
    words = list(_WORD.finditer(text[:2000]))
    for at, first in enumerate(words):
        joined = ""
        for last in words[at : at + 6]:
            ends = joined + _bare(last[0]) == label
            joined += _letters(last[0])
            if not ends and not label.startswith(joined) and _bare(last[0]) != label:
                break
            if ends or joined == label or _bare(text[first.start() : last.end()]) == label:
                if first[0][:1].islower() and not first[0].startswith(label):
                    break
                start = first.start()
                if at and words[at - 1][0] == "The":
                    start = words[at - 1].start()
                return text[start : last.end()]
    return ""


def _is_section(part: str) -> bool:
    words = _WORD.findall(part)
    return bool(words) and all(_SECTION.match(word) for word in words)
