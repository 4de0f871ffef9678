"""Text as it comes made fit to be kept: no tags, no references to characters, no characters that cannot be shown."""

from __future__ import annotations

import re
from html import unescape

__all__ = ["one_line", "openable_link", "tidy_outlet", "tidy_text"]

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\ud800-\udfff\ufeff\ufffe\uffff\u2028\u2029]")
_REFERENCE = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_OPENING = re.compile(r"<(script|style|noscript|template)\b[^<>]*>|<(!--)|<!\[CDATA\[|\]\]>", re.IGNORECASE)
_BLOCKS = (
    "p|div|br|hr|h[1-6]|ul|ol|li|tr|table|tbody|thead|blockquote|section|article|figure|figcaption|header|footer|dl"
    "|dt|dd|pre"
)
_INLINE = (
    "a|b|i|u|s|em|strong|span|img|font|small|big|sub|sup|td|th|code|q|cite|abbr|time|mark|iframe|video|audio"
    "|source|script|style|noscript|picture|svg|html|head|body|center|del|ins"
)
_BLOCK = re.compile(rf"</?(?:{_BLOCKS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_ANY = re.compile(rf"</?(?:{_INLINE})(?:\s[^<>]*)?/?>", re.I)
_TRAILING = re.compile(r"(?<![ \t\r])[ \t\r]*+\n[ \t\r]*+")
_MANY = re.compile(r"\n{3,}")
_FEED = re.compile(r"(?<!\s)\s*+[-–—|:]?\s*+\b(?:RSS|Atom)(?:\s+feed)?\s*$", re.IGNORECASE)
_LONGEST_NAME = 100


def tidy_text(text: str) -> str:
    """Plain text on lines, without what is markup.

    >>> tidy_text("<p>A ferry&nbsp;burns.</p><p>All <b>saved</b>.</p><script>x()</script>")
    'A ferry burns.\\n\\nAll saved.'
    >>> tidy_text("3 < 5 and a > b")
    '3 < 5 and a > b'
    """
    if "&" in text and _REFERENCE.search(text):
        text = unescape(text)
    if "<" in text:
        text = _ANY.sub("", _BLOCK.sub("\n", _without_unseen(text)))
    text = _UNFIT.sub("", text.replace("\u2028", "\n").replace("\u2029", "\n\n").replace("\u00a0", " "))
    if "\n" in text or "\r" in text:
        text = _MANY.sub("\n\n", _TRAILING.sub("\n", text.replace("\r\n", "\n").replace("\r", "\n")))
    return text.strip()


def _without_unseen(text: str) -> str:
    """Text without what a browser does not show: scripts, styles and comments; one that does not end is none."""
    parts, at, lower = [], 0, text.lower()
    lower = lower if len(lower) == len(text) else text  # a few letters are two in small
    endless: set[str] = set()
    for opening in _OPENING.finditer(text):
        if opening.start() < at:
            continue
        name = (opening[1] or opening[2] or "").lower()
        end = opening.end()
        if name and name not in endless:
            closing = "-->" if name == "!--" else f"</{name}"
            close = lower.find(closing, end)
            if close < 0:
                endless.add(name)
            else:
                end = lower.find(">", close) + 1 or len(text)
        parts += [text[at : opening.start()], " "]
        at = end
    return "".join([*parts, text[at:]])


def one_line(text: str) -> str:
    """The same on one line, with one blank between words.

    >>> one_line("Ferry <i>burns</i>\\n in port")
    'Ferry burns in port'
    """
    return " ".join(tidy_text(text).split())


def tidy_outlet(outlet: str, url: str) -> str:
    """The name of an outlet; where there is none, the host of a link.

    >>> tidy_outlet("The  Wire - RSS Feed", ""), tidy_outlet("", "https://www.example.org/a")
    ('The Wire', 'example.org')
    """
    from tidings.sources.items.identity import canonical_link

    name = one_line(outlet)
    return (_FEED.sub("", name) or name)[:_LONGEST_NAME].strip() or canonical_link(url).partition("/")[0]


def openable_link(url: str) -> str:
    """A link that a browser may open; "" for any other.

    >>> openable_link(" https://example.org/a "), openable_link("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    bare = _UNFIT.sub("", url).strip()
    return bare if bare.lower().startswith(("http://", "https://")) and not re.search(r"\s", bare) else ""
