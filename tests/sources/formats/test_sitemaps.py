"""News sitemaps: title, time, link, outlet and language of each article, and nothing of what else is listed."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import FormatError
from tidings.core.files.reading import Content, Notes
from tidings.core.records import Item
from tidings.sources.feeds.feed import read_sitemap
from tidings.sources.recognition import recognise

SPACES = (
    "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:n='http://www.google.com/schemas/sitemap-news/0.9' "
    "xmlns:i='http://www.google.com/schemas/sitemap-image/1.1'"
)
ENTRY = (
    "<url><loc> https://example.org/{0} </loc><lastmod>2026-02-17T09:00Z</lastmod><i:image><i:loc>x.png</i:loc>"
    "<i:title>Picture</i:title></i:image><n:news><n:publication><n:name>The Post</n:name><n:language>en</n:language>"
    "</n:publication><n:publication_date>2026-02-17</n:publication_date>"
    "<n:title>Fire &amp; ferry {0}</n:title></n:news>"
    "</url>"
)


def read(text: str) -> tuple[list[Item], Notes]:
    notes = Notes()
    content = Content("map.xml", data=text.encode())
    assert recognise(content).name == "sitemap"
    return list(read_sitemap(content, notes=notes)), notes


def test_an_article() -> None:
    head = f"<?xml version='1.0'?>\n<urlset {SPACES}>"
    (item, last), notes = read(f"{head}{ENTRY.format(1)}{ENTRY.format(2)}</urlset>")
    assert item == Item(
        origin="map.xml:1", id="https://example.org/1", title="Fire & ferry 1", url="https://example.org/1",
        source="The Post", language="en", published="2026-02-17", updated="2026-02-17T09:00Z",
    )  # fmt: skip
    assert last.url == "https://example.org/2"
    assert not notes.dropped


def test_pages_without_a_title_are_counted() -> None:
    items, notes = read(
        "<urlset>"
        + "<url><loc>https://example.org/a</loc><i><title>Picture</title></i></url>" * 3
        + "</urlset>"
    )
    assert not items
    assert notes.dropped == {"a page without a title in a sitemap": 3}


def test_what_stands_before_a_fault_is_read() -> None:
    items, notes = read(f"<urlset {SPACES}>{ENTRY.format(1)}<url><loc></urlset>")
    assert len(items) == 1
    assert "not well-formed" in notes.remarks[0]


@every(
    "text, said",
    cases(__file__, "what is refused"),
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=f"^map.xml: {said}"):
        read(text)


def test_entities_are_not_expanded() -> None:
    bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>"
    entry = "<url><loc>https://example.org</loc><news><title>Fire &b;</title></news></url>"
    items, _ = read(f"{bomb}<urlset>{entry}</urlset>")
    assert all("aaa" not in item.title for item in items)


def test_an_empty_map_is_one() -> None:
    assert read("<urlset></urlset>")[0] == []


def test_very_many_pages_are_read_one_by_one() -> None:
    text = "<urlset>" + "<url><loc>x</loc></url>" * 20_000 + "</urlset>"
    items, notes = read(text)
    assert not items
    assert notes.dropped.total() == 20_000
