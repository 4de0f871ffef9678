"""The XML of a feed as elements, item by item: names made one, memory bounded, ill-formed XML saved where it can be.

lxml reads; nothing is expanded or fetched (entities stay as they are named, there is no network). An item is given out
when its end tag was read and is forgotten when the next one was, so a feed of a million items takes no more memory
than its bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5
from itertools import islice
from typing import Any

from tidings.core import FormatError, LimitError, data_beside
from tidings.sources.feeds.decoding import SAFE_XML, decode_feed

ITEMS = frozenset({"item", "entry", "atom:entry"})
ROOTS = frozenset({"rss", "channel", "atom:feed", "feed", "rdf:rdf"})
_ITEM_TAGS = ("{*}item", "{*}entry", "{*}Item", "{*}Entry", "{*}ITEM", "{*}ENTRY", "rss:item")
_BESIDE = 10 << 20  # bytes of a feed without an item
_KEPT_BESIDE = 200  # elements beside items that are kept
_NAMESPACES: list[list[str]] = data_beside(__file__)["namespaces"]


class Names:
    """Short names of elements, the same whatever prefix, case and version of a namespace a feed writes.

    >>> names = Names("{http://www.w3.org/2005/Atom}feed")
    >>> names["{http://www.w3.org/2005/Atom}title"], names["{https://purl.org/dc/elements/1.1/}date"], names["pubDate"]
    ('atom:title', 'dc:date', 'pubdate')
    """

    def __init__(self, root: str) -> None:
        self._root = root[1:].partition("}")[0] if root.startswith("{") else ""
        self._short: dict[str, str] = {}

    def __getitem__(self, tag: Any) -> str:
        if not isinstance(tag, str):
            return ""
        short = self._short.get(tag)
        if short is None:
            short = self._shorten(tag)
            if len(self._short) < 5000:
                self._short[tag] = short
        return short

    def _shorten(self, tag: str) -> str:
        if not tag.startswith("{"):
            # A prefix that was not declared stands in the name.
            return tag.lower().removeprefix("rss:")
        space, _, name = tag[1:].partition("}")
        name, lower = name.lower(), space.lower()
        for mark, prefix in _NAMESPACES:
            if mark in lower:
                return f"{prefix}:{name}" if prefix else name
        return name if space == self._root else f"?:{name}"


def children(element: Any, names: Names) -> dict[str, list[Any]]:
    """The children of an element by their short names; what stands in a `media:group` stands beside it."""
    fields: dict[str, list[Any]] = {}
    for child in element.iterchildren(tag="*"):
        name = names[child.tag]
        if name == "media:group":
            for inner in child.iterchildren(tag="*"):
                fields.setdefault(names[inner.tag], []).append(inner)
        else:
            fields.setdefault(name, []).append(child)
    return fields


def written(element: Any) -> tuple[str, bool]:
    """What stands in an element, and whether it is elements, given as markup, rather than text."""
    if not len(element):
        return element.text or "", False
    if any(isinstance(child.tag, str) for child in element):
        return _inner_markup(element), True
    parts = [element.text or ""]
    for child in element:
        if child.tag is _entity():
            parts.append(_entity_text(child))
        parts.append(child.tail or "")
    return "".join(parts), False


def _entity() -> Any:
    from lxml import etree

    return etree.Entity


def _entity_text(entity: Any) -> str:
    """What an entity stands for: one of HTML's, or a few plain characters that the file declares.

    What is declared as anything else is left out, so that nothing grows; what is declared nowhere stays as written.
    """
    name = str(entity.name)
    if known := html5.get(f"{name};"):
        return known
    declared = entity.getroottree().docinfo.internalDTD
    for declared_entity in islice(declared.iterentities(), 1000) if declared is not None else ():
        if declared_entity.name == name:
            text = declared_entity.content or ""
            return text if len(text) <= 40 and not set("&<%") & set(text) else ""
    return f"&{name};" if len(name) <= 40 else ""


def _inner_markup(element: Any) -> str:
    from lxml import etree

    parts = [_escape(element.text)]
    for child in element:
        if child.tag is etree.Entity:
            parts.append(_escape(_entity_text(child)))
        elif isinstance(child.tag, str):
            text = etree.tostring(child, encoding="unicode", with_tail=False)
            parts.append(_PREFIX.sub(r"\1", _SHORT_TAG.sub(r"<\1></\1>", text)))
        parts.append(_escape(child.tail))
    return "".join(parts)


_PREFIX = re.compile(r"(</?)[A-Za-z_][\w.-]*:(?=[A-Za-z])")
_SHORT_TAG = re.compile(
    r"<((?:[A-Za-z_][\w.-]*:)?(?:script|style|iframe|title|textarea|object|video|svg))\b[^<>]*/>"
)


def _escape(text: str | None) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;") if text else ""


class XmlFeed:
    """The elements of a feed. `root` is what stands beside the items, whole once `items` were all given out.

    `fault` is what is wrong with its XML; "" where nothing is. Then, what could be saved was given out.
    """

    def __init__(self, name: str, data: bytes, content_type: str = "") -> None:
        self.name, self.data, self.content_type = name, data, content_type
        self.root: Any = None
        self._last: Any = None
        self._beside = self._others = 0
        self.names = Names("")
        self.fault = ""
        self.is_cut_off = False

    def items(self) -> Iterator[Any]:
        """The items in their order; each is to be used before the next one is asked for.

        Raises:
            FormatError: it is no feed.
            LimitError: so much stands between two items that it is no feed that anyone could read.
        """
        from lxml import etree

        count = 0
        try:
            for item in self._read(etree, self._pieces(), recover=False):
                count += 1
                yield item
        except etree.XMLSyntaxError as error:
            self.fault = _describe(error)
            yield from islice(self._save(etree), count, None)

    def _save(self, etree: Any) -> Iterator[Any]:
        """What a forgiving reading finds; the items before the fault are the same."""
        from tidings.sources.feeds.decoding import mend_xml

        text = "".join(self._pieces())
        mended_text = mend_xml(text)
        self.is_cut_off = mended_text.is_cut_off
        try:
            yield from self._read(etree, _pieces_of(mended_text.text), recover=True)
        except etree.XMLSyntaxError:
            self._know(self.root)

    def _pieces(self) -> Iterator[str]:
        from tidings.sources.feeds.decoding import without_prolog

        return without_prolog(decode_feed(self.data, self.content_type))

    def _read(self, etree: Any, pieces: Iterator[str], *, recover: bool) -> Iterator[Any]:
        parser = etree.XMLPullParser(
            events=("end",),
            tag=_ITEM_TAGS,
            recover=recover,
            remove_comments=True,
            remove_pis=True,
            **SAFE_XML,
        )
        self.root, self._last = None, None
        self._beside = self._others = 0
        for piece in pieces:
            parser.feed(piece.encode())
            self._beside += len(piece)
            yield from self._ended(parser.read_events())
            if self._beside > _BESIDE:
                raise LimitError(
                    f"{self.name}: more than {_BESIDE >> 20} MiB without an item in it (expected items); "
                    "check that this is a feed"
                )
        root = parser.close()
        yield from self._ended(parser.read_events())
        self._know(root)

    def _ended(self, events: Iterator[tuple[str, Any]]) -> Iterator[Any]:
        for _, element in events:
            if self.root is None:
                self._know(element.getroottree().getroot())
            parent = element.getparent()
            if parent is None or self.names[element.tag] not in ITEMS or self._is_inside(parent):
                continue
            self._beside = 0
            yield element
            self._forget(element)

    def _is_inside(self, parent: Any) -> bool:
        """Whether an element with this parent stands in an item, and is none itself."""
        if parent is self.root or parent.getparent() is self.root:
            return self.names[parent.tag] in ITEMS
        return any(self.names[ancestor.tag] in ITEMS for ancestor in (parent, *parent.iterancestors()))

    def _forget(self, item: Any) -> None:
        """Take off what was read before this item, but for the first of what stands beside the items."""
        last, parent = self._last, item.getparent()
        above = last.getparent() if last is not None else None
        other = last.getnext() if above is parent else parent[0]
        while other is not None and other is not item:
            after = other.getnext()
            self._others += 1
            if self._others > _KEPT_BESIDE:
                parent.remove(other)
            other = after
        if above is not None:
            above.remove(last)
        self._last = item

    def _know(self, root: Any) -> None:
        """Take this for the root; refuse what is none of a feed."""
        if root is not None:
            self.root, self.names = root, Names(root.tag)
        if root is None or self.names[root.tag] not in ROOTS:
            found = "no XML" if root is None else f"<{_name_to_show(root.tag)}>"
            mend = "check that this is the feed, and not a page about it"
            raise FormatError.of(self.name, 0, found, "RSS, Atom, RDF or JSON Feed", mend)


def _name_to_show(tag: str) -> str:
    name = tag.rpartition("}")[2]
    return name if len(name) <= 40 and name.isprintable() else name[:40].encode("ascii", "replace").decode()


def _describe(error: Any) -> str:
    line = error.lineno or 0
    what = re.sub(r"[^\x20-\x7e]+", "?", str(error.msg or "")).partition(", line ")[0][:120]
    return f"line {line}: {what}" if line else what


def _pieces_of(text: str) -> Iterator[str]:
    size = 1 << 16
    return (text[at : at + size] for at in range(0, len(text), size))
