"""Maps of sites for news search: the latest articles of an outlet by title, time and link, without their text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from tidings.core import LIMITS, MIB, Content, FormatError, Item, Notes, Problem, ReadingOptions, as_content
from tidings.sources.feeds.decoding import decoded
from tidings.sources.feeds.markup import plain_title

__all__ = ["read_sitemap"]

_MOST_BYTES = 128 * MIB
_MOST_FIELD = 4000


def read_sitemap(
    source: str | Path | Content, *, options: ReadingOptions | None = None, notes: Notes | None = None
) -> Iterator[Item]:
    """The articles of a news sitemap, each a title with its time, link, outlet and language.

    Pages that are listed without a title, as in maps that are not for news, are left out and counted. What is not
    well-formed gives what stands before the fault.

    >>> data = b"<urlset><url><loc>https://example.org/1</loc><news><title>Ferry burns</title></news></url></urlset>"
    >>> [(item.title, item.url) for item in read_sitemap(Content("a.xml", data=data))]
    [('Ferry burns', 'https://example.org/1')]

    Raises:
        FormatError: it is no map of a site, or one of other maps.
        LimitError: more than 128 MiB.
    """
    content = as_content(source)
    notes = Notes() if notes is None else notes
    pages = _Pages(content)
    for number, element in enumerate(pages, 1):
        origin = f"{content.name}:{number}"
        if (item := _item(element, origin)) is not None:
            yield item
        else:
            notes.drop(origin, "a page without a title in a sitemap")
    if pages.is_ill_formed:
        notes.remark(f"{content.name}: not well-formed; what stands before the fault was read")


class _Pages:
    """The elements of the pages that a map lists; each is to be used before the next one is asked for."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.is_ill_formed = False

    def __iter__(self) -> Iterator[Any]:
        any_page = False
        for element in self._ended():
            if (name := _name(element)) == "sitemap":
                raise self._refusal("a list of sitemaps", "one of them, with articles")
            any_page = True
            if name == "url":
                yield element
                _forget(element)
        if not any_page:
            raise self._refusal("no map of a site", "<urlset> with <url>")

    def _ended(self) -> Iterator[Any]:
        from lxml import etree

        parser = etree.XMLPullParser(
            events=("end",), tag=("{*}url", "{*}urlset", "{*}sitemap"), encoding="utf-8", resolve_entities=False,
            load_dtd=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True,
        )  # fmt: skip
        data = self.content.read(replace(LIMITS, max_whole_bytes=_MOST_BYTES))
        try:
            for piece in decoded(data, self.content.content_type):
                parser.feed(piece.encode("utf-8", "replace"))
                yield from (element for _, element in parser.read_events())
            parser.close()
        except etree.XMLSyntaxError:
            self.is_ill_formed = True
        yield from (element for _, element in parser.read_events())

    def _refusal(self, found: str, expected: str) -> FormatError:
        return FormatError([Problem(self.content.name, 0, found, expected)])


def _item(element: Any, origin: str) -> Item | None:
    fields: dict[str, str] = {}
    for part in element.iter():
        if not isinstance(part.tag, str):
            continue
        inside = _name(part.getparent()) if part is not element else ""
        # Titles of images and videos are not those of the article.
        if inside in ("url", "news", "publication") and part.text:
            fields.setdefault(f"{inside}/{_name(part)}", part.text.strip()[:_MOST_FIELD])
    title = plain_title(fields.get("news/title", ""))
    if not title:
        return None
    url = fields.get("url/loc", "")
    return Item(
        origin=origin,
        id=url,
        title=title,
        url=url,
        source=fields.get("publication/name", ""),
        language=fields.get("publication/language", ""),
        published=fields.get("news/publication_date"),
        updated=fields.get("url/lastmod"),
    )


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2].lower() if element is not None else ""


def _forget(element: Any) -> None:
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
