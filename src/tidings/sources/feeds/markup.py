"""Markup of feeds as plain text: paragraphs on lines of their own, scripts and the outlet's own tails left out."""

from __future__ import annotations

import re
from html import unescape

from tidings.core import data_beside
from tidings.sources.pages.parsing import without_deep_markup

_LENGTH, _LINE = 800, 240
_DATA = data_beside(__file__)
_MORE = "|".join(_DATA["more"])
_MORE_ALONE = "|".join(_DATA["more_alone"])
_POST = "|".join(_DATA["post"])
_APPEARED = "|".join(_DATA["appeared"])
_AFTER_A_SENTENCE = '(?<=[\n.!?…。！？\\])"”»])|(?<=[.!?…。！？\\])"”»] )|(?<=[\n.!?…。！？][\\[(«])'
_TAILS = (
    (
        _DATA["words_of_post"],
        re.compile(
            rf"\s*(?:^|(?<=\s))(?:{_POST})\b.{{0,400}}?(?:{_APPEARED}).{{0,200}}\Z", re.IGNORECASE | re.DOTALL
        ),
    ),
    (
        _DATA["words_of_more"],
        re.compile(
            rf"\s*(?:^|{_AFTER_A_SENTENCE}|(?-i:(?<=\s)(?=[\[(«]?[A-ZÀ-ÞА-Я])))[\[(«<]?\s*"
            rf"(?:(?:{_MORE})\b[^.!?\n]{{0,150}}?|(?:^|{_AFTER_A_SENTENCE})(?:{_MORE_ALONE}))"
            r"\s*(?:\.\.\.|…|[.:→»>])*\s*[\])»>]?\s*\Z",
            re.IGNORECASE,
        ),
    ),
    (
        ("submitted by",),
        re.compile(r"\s*submitted by\s+/?u/\S+(?:\s+to\s+/?r/\S+)?\s*(?:\[link\])?\s*(?:\[comments\])?\s*\Z"),
    ),
    (("comments", "[link]"), re.compile(r"\s*(?:\[(?:link|comments)\]|(?:^|(?<=\n))Comments)\s*\Z")),
    (("...", "…"), re.compile(r"(?<=\S)\s*[\[(]\s*(?:\.{3}|…)\s*[\])]\s*\Z")),
)  # fmt: skip
"""Tails, each with words of which one stands in it: a search for these is much quicker."""
_RELATED = re.compile(
    r"(?:read (?:more|also|next)|also read|related|see also|(?:à )?lire aussi|lesen sie auch|le[ae] también"
    r"|leia (?:também|mais)|leggi anche|lees ook|читайте также)\s*[:：|→–-].{0,200}\Z",
    re.IGNORECASE,
)
_SHORTCODE = re.compile(
    r"\[[a-z][a-z_-]{1,30}(?:\s+[a-z][a-z_-]{0,30}=[^\s\[\]][^\[\]]{0,300})\]\n*"
    r"|\[/?(?:caption|gallery|embed|video|audio|playlist|vc_\w{1,30}|et_pb_\w{1,30})\]\n*"
)


def without_tails(text: str) -> str:
    """A text without "Read more", "The post ... appeared first on ..." and their like at its end.

    Lines that point to other articles, and codes in brackets that the outlet's own system was to fill in, go too.

    >>> without_tails("Two ships met. [...]\\n\\nThe post Ships appeared first on A Post.")
    'Two ships met.'
    >>> without_tails("He said he had nothing more to read."), without_tails("Die Fähre brannte. Weiterlesen ...")
    ('He said he had nothing more to read.', 'Die Fähre brannte.')
    >>> without_tails("One ship.\\n\\nRead more: All ships\\n\\n[caption id='7']Two ships.")
    'One ship.\\n\\nTwo ships.'
    """
    if "[" in text:
        text = _SHORTCODE.sub("", text)
    parts = text.split("\n\n")
    if len(parts) > 1 or _RELATED.match(text):
        text = "\n\n".join(part for part in parts if len(part) > _LINE or not _RELATED.match(part))
    for _ in range(3):
        head, end = text[:-_LENGTH], text[-_LENGTH:]
        lower = end.casefold()
        for words, tail in _TAILS:
            if any(word in lower for word in words):
                end = tail.sub("", end)
        if len(end) == len(text) - len(head):
            break
        text = (head + end).rstrip()
    return text


_NAMES = (
    "a|abbr|address|article|aside|audio|b|big|blockquote|body|br|center|cite|code|dd|del|div|dl|dt|em|embed|figcaption"
    "|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|li|link|main|mark|meta|noscript|object|ol|p"
    "|picture|pre|q|s|script|section|small|source|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|thead|time|tr|tt|u"
    "|ul|video|wbr"
)
_MARKUP = re.compile(
    rf"<(?:/?(?:[a-z]{{1,9}}:)?(?:{_NAMES})(?:\s[^<>]*|\s*/)?>|!--|!\[CDATA\[)", re.IGNORECASE
)
_CLOSED = re.compile(rf"</(?:{_NAMES})\s*>|<(?:br|img|hr|wbr|p|script)\b[^<>]*>", re.IGNORECASE)
# What is embedded and not closed would swallow all that follows.
_EMBEDDED = re.compile(
    r"<(iframe|object|noembed|noframes|textarea|title|xmp|plaintext)\b[^<>]*>(?:[^<]{0,1000}</\1\s*>)?",
    re.IGNORECASE,
)
_EXTRAS: dict[str, str] = _DATA["extras"]
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LONGEST, _LONGEST_TITLE = 1 << 20, 1 << 12  # characters of a value that are looked at
_BLANKS = re.compile(r"(?: [^\S\n]|[^\S\n ])[^\S\n]*")
_EMPTY_LINES = re.compile(r"\n{3,}")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b\u2060\ufeff\ufffc\ufdd0-\ufdef]")
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_WINDOWS |= {0xA0: " ", 0x2028: "\n", 0x2029: "\n", 0x85: "\u2026", 0x0B: " ", 0x0C: " "}
# Persian and the scripts of India need these; elsewhere an editor left them.
_STRAY_JOINER = re.compile("(?<![\u0600-\u109f])\u200c")
_ODD = re.compile(
    "[\x0b\x0c\x7f-\xad\u200b\u200c\u2028-\u2029\u2060\ufdd0-\ufdef\ufeff\ufffc\x00-\x08\x0e-\x1f]"
)


def plain_text(value: str, *, is_markup: bool = False) -> str:
    """What markup shows, as plain text; paragraphs are separated by an empty line.

    Text that was encoded twice is decoded twice. What is no markup stays as it is. What is longer than a million
    characters is cut.

    >>> plain_text("<p>Ships &amp; boats.</p><script>x()</script><p>Two<br>lines. <a href='x'>Read more</a></p>")
    'Ships & boats.\\n\\nTwo\\nlines.'
    >>> plain_text("&lt;p&gt;Twice&amp;nbsp;encoded&lt;/p&gt;"), plain_text("3 < 5 &amp; 7 > 2")
    ('Twice encoded', '3 < 5 & 7 > 2')

    Args:
        value: as the feed's own layer of encoding leaves it.
        is_markup: whether it is declared as such; else it is judged by its look.
    """
    return without_tails(_plain(value, is_markup))


def plain_title(value: str, *, is_markup: bool = False) -> str:
    """A title on one line.

    >>> plain_title("Example <b>bold</b>\\n &amp;#8217;s"), plain_title("Use of <blink> & more")
    ('Example bold ’s', 'Use of <blink> & more')
    """
    return " ".join(_plain(value, is_markup, title=True).split())


def _plain(value: str, is_markup: bool, *, title: bool = False) -> str:
    if not value or value.isspace():
        return ""
    if value.lstrip().startswith("<![CDATA["):
        value = value.strip().removeprefix("<![CDATA[").removesuffix("]]>")
    value = value[: _LONGEST_TITLE if title else _LONGEST]
    looks = _CLOSED if title else _MARKUP
    if "<" in value and (is_markup or looks.search(value)):
        text = _show(value)
    else:
        text = unescape(value) if "&" in value else value
        is_twice = "<" in text and not (is_markup and title) and _CLOSED.search(text)
        text = _show(text) if is_twice else _paragraphs(text)
    if "&" in text and _ENTITY.search(text):
        text = unescape(text)
    return _tidy(text)


def _show(html: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    if embedded := _EMBEDDED.search(html):
        html = html[: embedded.start()] + _EMBEDDED.sub(" ", html[embedded.start() :])
    text: str = extract_plain_text(
        without_deep_markup(html),
        preserve_formatting=True,
        main_content=False,
        list_bullets=False,
        alt_texts=False,
        links=False,
        form_fields=False,
        noscript=False,
        skip_elements=[extra for mark, extra in _EXTRAS.items() if mark in html] or None,
    )
    return text


def _paragraphs(text: str) -> str:
    if "\n" not in text:
        return text
    return "\n\n".join(" ".join(part.split()) for part in _BLANK_LINE.split(text.replace("\r", "")))


def _tidy(text: str) -> str:
    text = text.replace("\xa0", " ")
    if _ODD.search(text):
        text = _INVISIBLE.sub("", _STRAY_JOINER.sub("", text.translate(_WINDOWS)))
    text = _BLANKS.sub(" ", text)
    if "\n" in text:
        text = text.replace(" \n", "\n").replace("\n ", "\n")
        if "\n\n\n" in text:
            text = _EMPTY_LINES.sub("\n\n", text)
    return text.strip()
