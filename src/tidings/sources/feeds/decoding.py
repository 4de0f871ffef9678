"""Bytes of a feed as characters: by its mark, by what is declared, and by what the bytes can be.

Declarations are often wrong, so they are checked against the bytes: what is valid UTF-8 is UTF-8 whatever is declared,
and what is declared as UTF-8 and is not is something else.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SAFE_XML: dict[str, Any] = {
    "encoding": "utf-8",
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
}
"""Options of lxml's parsers by which what a stranger wrote fetches nothing, expands nothing and stays within limits."""

_SAMPLE = 1 << 18  # bytes from which an encoding is guessed
_CHUNK = 1 << 16
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WITHOUT_MARK = (
    (re.compile(rb"[<{]\0\0\0"), "utf-32-le"),
    (re.compile(rb"\0\0\0[<{]"), "utf-32-be"),
    (re.compile(rb"[<{]\0[^\0]\0"), "utf-16-le"),
    (re.compile(rb"\0[<{]\0[^\0]"), "utf-16-be"),
)
_DECLARED = re.compile(rb"<\?xml\b[^>]*?\bencoding\s*=\s*[\"']\s*([A-Za-z0-9._:-]{1,40})")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_WIDER = {
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-11": "cp874",
    "iso8859-9": "cp1254",
    "big5": "big5hkscs",
}
"""Encodings of which servers use the larger one under the name of the smaller."""
_LATIN = "cp1252"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]+")


def _stray(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode(_LATIN, "replace"), error.end


codecs.register_error("tidings-stray", _stray)


def encoding_of(data: bytes, content_type: str = "") -> tuple[str, int]:
    """The codec that a feed's bytes are to be read by, and how many bytes of mark stand before it.

    >>> encoding_of(b"<?xml version='1.0' encoding='koi8-r'?><rss>\\xf0</rss>"), encoding_of("<rss>é".encode())
    (('koi8-r', 0), ('utf-8', 0))
    >>> encoding_of("<?xml version='1.0' encoding='iso-8859-1'?><rss>é".encode())[0]
    'utf-8'

    Args:
        data: the feed; its first 256 KiB decide.
        content_type: as a server names it: `text/xml; charset=windows-1251`.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec, len(mark)
    start = data[:64].lstrip(b" \t\r\n")
    for pattern, codec in _WITHOUT_MARK:
        if pattern.match(start):
            return codec, 0
    sample = data[:_SAMPLE]
    named = [_codec(name) for name in _names(data, content_type)]
    strays, letters = _utf8(sample)
    if not strays and (letters or not named):
        return "utf-8", 0
    # A server's own default says nothing of the file; what else it says counts before the declaration in the file.
    chosen = [codec for codec in named if codec not in ("", "utf-8", _LATIN)]
    if chosen:
        return chosen[0], 0
    if strays * 10 <= letters or ("utf-8" in named and not strays):
        return "utf-8", 0
    return (_LATIN if _LATIN in named else _guess(sample)), 0


def _names(data: bytes, content_type: str) -> list[str]:
    names = []
    if match := _CHARSET.search(content_type):
        names.append(match[1])
    if declared := _DECLARED.search(data[:1024]):
        names.append(declared[1].decode("ascii"))
    return names


def _codec(name: str) -> str:
    from resiliparse.parse.encoding import map_encoding_to_html5

    codec = map_encoding_to_html5(name, False)
    # Without a mark and without zero bytes it is not UTF-16, whatever it says.
    return "" if codec is None or codec.startswith("utf-16") else _WIDER.get(codec, codec)


def _utf8(sample: bytes) -> tuple[int, int]:
    """How many bytes are not UTF-8, and how many characters beyond ASCII are."""
    if sample.isascii():
        return 0, 0
    text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(sample)
    strays = sum(text.count(char) for char in set(text) if "\udc80" <= char <= "\udcff")
    return strays, len(text) - len(text.encode("ascii", "ignore")) - strays


def _guess(sample: bytes) -> str:
    from resiliparse.parse.encoding import detect_encoding

    codec = detect_encoding(sample, max_len=_SAMPLE, html5_compatible=True, from_html_meta=False) or "utf-8"
    return _LATIN if codec.startswith(("utf-8", "utf-16")) else _WIDER.get(codec, codec)


def decode_feed(data: bytes, content_type: str = "") -> Iterator[str]:
    """The characters of a feed, in pieces, without those that no XML may hold (zeros, escapes).

    Bytes that are not of its encoding are read as Windows-1252 in UTF-8, and as U+FFFD elsewhere.

    >>> list(decode_feed(b"caf\\xe9 \\xc3\\xa9\\xc3\\xa9\\0" + "é".encode() * 9))
    ['café ééééééééééé']
    """
    codec, start = encoding_of(data, content_type)
    decoder = codecs.getincrementaldecoder(codec)("tidings-stray" if codec == "utf-8" else "replace")
    for at in range(start, len(data), _CHUNK):
        if text := _NO_XML.sub("", decoder.decode(data[at : at + _CHUNK])):
            yield text
    if text := _NO_XML.sub("", decoder.decode(b"", True)):
        yield text


_PROLOG = 1 << 14  # within so much of the beginning the root must stand
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
_DEEPEST = 200  # elements within elements
_ROOT_END = re.compile(r"</\s*(?:[A-Za-z][\w.-]{0,20}:)?(?:rss|feed|rdf|channel)\s*>?\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mended:
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


def mend_xml(text: str) -> Mended:
    """Ill-formed XML with its commonest faults mended: lone ampersands and less-than signs, values without quotes.

    >>> mend_xml("<rss><item x=1><title>AT&T & Co < 5</title></item></rss>")
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
    return Mended("".join(_balance("".join(_escape_fields("".join(parts))))), is_cut_off)


def _ends_in_an_item(text: str) -> bool:
    return any(text.rfind(f"<{name}") > text.rfind(f"</{name}") for name in ("item", "entry"))


def _escape_fields(text: str) -> Iterator[str]:
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


def _balance(text: str) -> Iterator[str]:
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
    text = "".join(decode_feed(head)) if head else ""
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
