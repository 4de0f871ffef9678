"""What stands before a feed's first element taken off, and common faults of XML mended before a forgiving reading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Mended", "after_comments", "mended", "without_prolog"]

_PROLOG = 1 << 14
_START = re.compile(
    r"<(?:!DOCTYPE\s+(?!html)|(?:[A-Za-z][\w.-]{0,20}:)?(?:rss|feed|rdf|channel|opml)\b)", re.IGNORECASE
)
_AMPERSAND = re.compile(
    r"(<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z))|&(?!(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});)"
    r"|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F])|[xX]0*[dD][89a-fA-F][0-9a-fA-F]{2});",
    re.DOTALL,
)
_LONE_LESS = re.compile(r"<(?=[\s\d=<&,.;]|[A-Za-z_][^<>\"']*<)")
"""One that begins no tag, or one that another begins in: of these a forgiving reading makes elements without end."""
_UNQUOTED = re.compile(
    r"(<[A-Za-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*\s+[\w:.-]+\s*=\s*)([^\s\"'<>=]+)(?=[\s>])"
)
_FIELD_TAG = re.compile(
    r"<(/?)((?:[A-Za-z][\w.-]{0,20}:)?(?:description|encoded|summary|content|title|item|entry))(\s[^<>]*)?>"
    r"|<!\[CDATA\[.*?(?:\]\]>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<(/?)([A-Za-z_][\w:.-]*)(?:[^<>]*?(/)?>)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)
_OPEN_TAG = re.compile(r"<[^<>]*\Z")
_DEEPEST = 200
_ROOT_END = re.compile(r"</\s*(?:[A-Za-z][\w.-]{0,20}:)?(?:rss|feed|rdf|channel)\s*>?\s*\Z", re.IGNORECASE)


class Mended(NamedTuple):
    """A feed's text after mending, and whether it ends in the midst of an item."""

    text: str
    is_cut_off: bool


def without_prolog(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces of a feed from its root, or its document type, on: without declaration, comments or noise before it.

    >>> list(without_prolog(iter(["noise <?xml?xml version='1.0'??>", "<!-- c --> <rss/>"])))
    ['<rss/>']
    """
    head = ""
    for piece in pieces:
        head += piece
        if len(head) >= _PROLOG:
            break
    if head:
        at = after_comments(head)
        match = _START.search(head, at)
        yield head[match.start() if match else at :]
    yield from pieces


def after_comments(text: str) -> int:
    """Where comments, instructions and text before the first element end.

    >>> after_comments("x <?xml?> <!-- <rss> --> <rss>")
    25
    """
    at = 0
    while (start := text.find("<", at, _PROLOG)) >= 0:
        closing = "-->" if text.startswith("<!--", start) else "?>" if text.startswith("<?", start) else ""
        end = text.find(closing, start + 2) if closing else -1
        if end < 0:
            return start
        at = end + len(closing)
    return at


def mended(text: str) -> Mended:
    """Ill-formed XML with its commonest faults mended: lone ampersands and less-than signs, values without quotes.

    >>> mended("<rss><item x=1><title>AT&T & Co < 5</title></item></rss>")
    Mended(text='<rss><item x="1"><title>AT&amp;T &amp; Co &lt; 5</title></item></rss>', is_cut_off=False)
    """
    is_cut_off = _ROOT_END.search(text[-200:]) is None and _ends_in_an_item(text)
    text = _AMPERSAND.sub(_escaped_ampersand, text).replace("&#X", "&#x")
    parts = re.split(r"(<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z))", text, flags=re.DOTALL)
    for at in range(0, len(parts), 2):
        part = _LONE_LESS.sub("&lt;", parts[at])
        for _ in range(4):
            quoted = _UNQUOTED.sub(r'\1"\2"', part)
            if quoted == part:
                break
            part = quoted
        parts[at] = part
    return Mended("".join(_balanced("".join(_fields_escaped("".join(parts))))), is_cut_off)


def _ends_in_an_item(text: str) -> bool:
    return any(text.rfind(f"<{name}") > text.rfind(f"</{name}") for name in ("item", "entry"))


def _fields_escaped(text: str) -> Iterator[str]:
    """The text with markup in its fields made text, so that a paragraph left open there does not swallow the items."""
    at, opened = 0, None
    for tag in _FIELD_TAG.finditer(text):
        name = (tag[2] or "").lower()
        if not name or name.rpartition(":")[2] in ("item", "entry"):
            opened = None
        elif not tag[1]:
            if opened is None and not (tag[3] or "").endswith("/"):
                opened = tag
        elif opened is not None and opened[2].lower() == name:
            inner = text[opened.end() : tag.start()]
            if "<" in inner:
                yield text[at : opened.end()]
                yield inner.replace("<", "&lt;")
                at = tag.start()
            opened = None
    yield text[at:]


def _balanced(text: str) -> Iterator[str]:
    """The text with an end for every start: what an end tag stands around ends with it; lone end tags go."""
    at = 0
    opened: list[str] = []
    for tag in _TAG.finditer(text):
        name = tag[2]
        if not name or tag[3]:
            continue
        if not tag[1] and len(opened) < _DEEPEST:
            opened.append(name)
        elif not tag[1] or name not in opened:
            yield text[at : tag.start()]
            at = tag.end()
        else:
            yield text[at : tag.start()]
            at = tag.start()
            while (last := opened.pop()) != name:
                yield f"</{last}>"
    yield text[at : text.rfind("<", at)] if _OPEN_TAG.search(text, max(at, len(text) - 2000)) else text[at:]
    yield from (f"</{name}>" for name in reversed(opened))


def _escaped_ampersand(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    return "" if match[0].startswith("&#") and len(match[0]) > 2 else "&amp;"
