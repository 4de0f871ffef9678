"""A page of an outlet: its article as an item."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from tidings.core import Content, FormatError, Item, Notes, ReadingOptions, UsageError, pip_install
from tidings.sources.pages.main_text import main_text, weight
from tidings.sources.pages.metadata import Metadata, metadata_of
from tidings.sources.pages.parsing import elements, parse
from tidings.sources.registry import item_reader


def careful_text(data: bytes, name: str) -> str:
    """The text of a page's article, a paragraph a line; "" where trafilatura finds none.

    Raises:
        UsageError: trafilatura is not installed.
    """
    try:
        from trafilatura import extract
    except ImportError:
        raise UsageError(
            f"No trafilatura installed, which --quality needs. Run: {pip_install('[quality]')}"
        ) from None
    try:
        text: str | None = extract(data, include_comments=False, include_tables=False)
    except (ValueError, RecursionError, AssertionError):  # of lxml, for what it cannot parse
        text = None
    return text or ""


_LEAST = 400  # characters of an article that stands in a script
_MOST = 8 << 20  # characters of scripts that are searched
_STRING = re.compile(
    r'"((?:[^"\\]|\\.)*+)"?', re.DOTALL
)  # takes each character once, also where no end comes
_PARAGRAPH = re.compile(r"<p[ >]|\\u003cp|&lt;p&gt;|<br|\\u003cbr", re.IGNORECASE)
_TIME = re.compile(
    r'\\?"(?:date_?published|published_?(?:at|date|time|on)?|publish_?(?:date|time|at)|publication_?date|pub_?date|first_?published(?:_?at)?|'
    r'deploy_?dt|release_?date|issue_?date|display_?date|created_?at)\\?"\s*:\s*\\?"([^"\\]{8,40})\\?"',
    re.IGNORECASE,
)


def embedded_markup(scripts: Iterable[str]) -> str:
    """The longest string of a page's data that is HTML of several paragraphs; "" where there is none.

    >>> embedded_markup(['x = {"body": "' + "\\u003cp>A ferry burns.\\u003c/p>" * 30 + '"}'])[:24]
    '<p>A ferry burns.</p><p>'
    """
    best = ""
    for script in scripts:
        if len(_PARAGRAPH.findall(script[:_MOST])) < 3:
            continue
        for match in _STRING.finditer(script[:_MOST]):
            text = match[1]
            if len(text) >= max(_LEAST, len(best)) and len(_PARAGRAPH.findall(text)) > 2:
                value = _decode(text)
                if len(value) > len(best) and "<" in value:
                    best = value
    return best


def _decode(text: str) -> str:
    try:
        value: Any = msgspec.json.decode(f'"{text}"'.encode("utf-8", "replace"))
    except msgspec.DecodeError:
        return ""
    return value if isinstance(value, str) else ""


def embedded_time(scripts: Iterable[str]) -> str:
    """The first time of publication in a page's data, as written; "" where there is none.

    >>> embedded_time(['{"deployDt":"2026.01.29 18:40"}'])
    '2026.01.29 18:40'
    """
    return next((match[1] for script in scripts if (match := _TIME.search(script[:_MOST]))), "")


_LITTLE = 250  # weight of paragraphs that make an article
_START = 1 << 16  # bytes in which a page says what it is
_ELEMENT = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|meta|title|p|div|article|section|main|span|table|h[1-6]|br|a|ul|link|script)\b",
    re.IGNORECASE,
)


@item_reader
def read_page(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The article of an HTML page: one item, or none where the page has neither title nor text.

    Raises:
        FormatError: it is no page.
        LimitError: it is larger than a page can be.
        UsageError: it is to be read with more care, and what that needs is not installed.
    """
    item = page_item(content.read(), content, options)
    if item.title or item.text:
        yield item
    else:
        notes.drop(content.name, "a page without text")


def page_item(data: bytes, content: Content, options: ReadingOptions) -> Item:
    """The item that the bytes of a page are.

    Args:
        data: the page.
        content: where they come from.
        options: whether more care is wanted.
    """
    if not is_page(data):
        raise FormatError.of(content.name, 0, "no markup", "an HTML page")
    tree = parse(data, content.name, content.content_type)
    scripts = [element.text or "" for element in elements(tree.document, "script:not([src])")]
    metadata = metadata_of(tree, content.url)
    text = careful_text(data, content.name) if options.quality else "\n".join(_text(tree, scripts, metadata))
    return Item(
        origin=content.name,
        title=metadata.title,
        text=text,
        url=metadata.url,
        source=metadata.outlet,
        language=metadata.language,
        published=_as_time(metadata.published or embedded_time(scripts)),
        updated=_as_time(metadata.updated),
        file_time=content.modified_time,
    )


def is_page(data: bytes) -> bool:
    """Whether bytes look like HTML: an element's name near their beginning, and no more NULs than UTF-16 has.

    >>> is_page(b"<p>A ferry burns."), is_page(b"%PDF-1.7"), is_page(b"")
    (True, False, False)
    """
    start = data[:_START]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or start.count(b"\0") > len(start) // 3:
        start = start.replace(b"\0", b"")
    return b"\0" not in start[:64] and _ELEMENT.search(start) is not None


def _text(tree: Any, scripts: list[str], metadata: Metadata) -> list[str]:
    paragraphs = main_text(tree, metadata.title, metadata.descriptions, metadata.body)
    if sum(map(weight, paragraphs)) >= _LITTLE:
        return paragraphs
    if metadata.is_offer and metadata.descriptions:
        return [metadata.descriptions[0]]
    markup = embedded_markup(scripts)
    shown = main_text(parse(markup.encode("utf-8", "replace"), ""), metadata.title) if markup else []
    return max(paragraphs, shown, key=lambda paragraphs: sum(map(len, paragraphs)))


def _as_time(stated: str) -> str | int | None:
    # As written; a number of seconds or milliseconds as a number.
    return (
        int(stated) if stated.isascii() and stated.isdigit() and len(stated) in (10, 13) else stated or None
    )
