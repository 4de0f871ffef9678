"""Pages as trees: how their bytes are decoded, and how their elements are asked for."""

from __future__ import annotations

import codecs
import re
from typing import Any

from tidings.core import MIB, FormatError, LimitError

MOST_BYTES = 32 * MIB
"""More than any page of an outlet has; what is larger is data."""

_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)""", re.IGNORECASE)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_SPACE = re.compile(r"[\s\u200b\ufeff\u00ad]+")
_HEAD = 4096  # bytes in which a page says its encoding
_MOST_MARKS = 200_000
_LONG_TAG = re.compile(r"<[A-Za-z][^<>]{4000,}(?:>|\Z)")
_MOST_ATTRIBUTES = 500  # of one element: the parser takes long for more
_DEEPEST = 300
"""Elements within each other; browsers cut at 512, and each of them holds the text of all within it."""
_ANY_TAG = re.compile(r"<[^<>]*>")
_TOO_DEEP = " > ".join("*" * _DEEPEST)


def decode(data: bytes, content_type: str = "") -> str:
    """A page's text: by its byte order mark, as UTF-8 where it is that, by what it or its server says, or by sniffing.

    Valid UTF-8 goes before what is declared, as a wrong declaration is likelier than such an accident.

    >>> decode("<meta charset=latin-1>café".encode("cp1252")), decode("<meta charset=latin-1>café".encode())
    ('<meta charset=latin-1>café', '<meta charset=latin-1>café')
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text = _decode_declared(data, content_type, error)
    if text.count("\0", 0, _HEAD) > min(len(text), _HEAD) // 4:  # UTF-16 without its mark
        text = data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", "replace")
    return text


def _decode_declared(data: bytes, content_type: str, error: UnicodeDecodeError) -> str:
    from resiliparse.parse.encoding import detect_encoding, map_encoding_to_html5

    said = (
        _CHARSET.search(content_type.encode("ascii", "replace")),
        _XML.match(data),
        _CHARSET.search(data, 0, _HEAD),
    )
    for match in said:
        name = map_encoding_to_html5(match[1].decode("ascii"), False) if match else None
        if not name or name.startswith("utf-16"):  # which could not be read far enough to say so
            continue
        if name == "utf-8" and (error.start > len(data) - 4 or _mostly_utf8(data)):
            return data.decode(
                "utf-8", "replace"
            )  # cut in a character, or with a few bytes of something else
        if name != "utf-8":
            return data.decode(name, "replace")
    return data.decode(detect_encoding(data) or "utf-8", "replace")


def _mostly_utf8(data: bytes) -> bool:
    text = data.decode("utf-8", "replace")
    return text.count("\ufffd") * 20 <= sum(char > "\x7f" for char in text)


def parse(data: bytes, name: str, content_type: str = "") -> Any:
    """The tree of a page.

    Raises:
        LimitError: it is larger than a page can be.
        FormatError: it cannot be parsed.
    """
    from resiliparse.parse.html import HTMLParserException, HTMLTree

    if len(data) > MOST_BYTES:
        raise LimitError(f"{name}: more than {MOST_BYTES // MIB} MiB are too much for a page; leave it out")
    text = decode(data, content_type).replace("\0", "")
    if text.count("<") > _MOST_MARKS:
        raise LimitError(f"{name}: more than {_MOST_MARKS:,} elements are too many for a page; leave it out")
    try:
        tree: Any = HTMLTree.parse(_LONG_TAG.sub(_shorter, text))
    except (HTMLParserException, UnicodeError):
        raise FormatError.of(name, 0, "a page that cannot be parsed", "HTML") from None
    if text.count("<") > _DEEPEST and _is_too_deep(tree):
        raise LimitError(f"{name}: elements stand within each other more than {_DEEPEST} deep; leave it out")
    return tree


def _shorter(tag: re.Match[str]) -> str:
    # Without its attributes where there are so many that each would be compared with all others.
    inner = tag[0]
    name = re.match(r"<[\w-]{1,40}", inner)
    many = inner.count("=") > _MOST_ATTRIBUTES or len(inner.split()) > _MOST_ATTRIBUTES
    return f"{name[0]}>" if many and name is not None else inner


def _is_too_deep(tree: Any) -> bool:
    """Whether more than `_DEEPEST` elements stand within each other."""
    return tree.document.query_selector(_TOO_DEEP) is not None


def without_deep_markup(html: str) -> str:
    """Markup as it is; where its elements stand too deep within each other to be laid out, its text alone.

    >>> without_deep_markup("<b>A ferry</b> burns."), without_deep_markup("<b>A " * 500).split()[:2]
    ('<b>A ferry</b> burns.', ['A', 'A'])
    """
    from resiliparse.parse.html import HTMLTree

    if html.count("<") > _DEEPEST and _is_too_deep(HTMLTree.parse(html)):
        return _ANY_TAG.sub(" ", html)
    return html


def elements(node: Any, selector: str) -> list[Any]:
    """What a CSS selector finds below a node, in the page's order.

    A collection's `values()`, for going through it one by one looks all of it up again for each.
    """
    found: list[Any] = node.query_selector_all(selector).values()
    return found


def attribute(node: Any, name: str) -> str:
    """An attribute's value without space around it; "" where there is none."""
    return (node.getattr(name) or "").strip() if node is not None else ""


def text_of(node: Any) -> str:
    """An element's text on one line."""
    return squeeze(node.text or "") if node is not None else ""


def squeeze(text: str) -> str:
    """A text on one line: every run of white space, and what has no width, as one space.

    >>> squeeze(" A ferry\\n\\tburns. ")
    'A ferry burns.'
    """
    return _SPACE.sub(" ", text.replace("\u00ad", "").replace("\u200b", "")).strip()
