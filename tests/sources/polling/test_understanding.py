"""What a feed's answer holds: new documents as first seen, corrections, and what cannot be read."""

from __future__ import annotations

import pytest

from tests.sources.polling.servers import feed
from tests.sweeps import every
from tidings.core.files.reading import ReadingOptions
from tidings.core.records import Document, Item
from tidings.sources.polling.readers import Understanding, UnreadableError, read_body

NOW = 1_771_400_000
TEXT = "A ferry burns in the harbour of the town. Nobody was hurt by the fire."


def item(
    number: int, *, published: str | None = None, text: str = "", title: str = "", updated: str | None = None
):
    return Item(
        origin=f"f:{number}",
        id=f"urn:item-number-{number}",
        title=title or f"Title of {number}",
        text=text or f"Text of {number}.",
        source="Paper",
        published=published,
        updated=updated,
    )


def new(
    items: list[Item], now: int = NOW, understanding: Understanding | None = None
) -> tuple[Document, ...]:
    return (understanding or Understanding(ReadingOptions())).new(items, now).documents


def test_all_are_first_seen_now_in_the_order_of_the_times_they_state() -> None:
    documents = new(
        [
            item(1, published="2026-02-17T09:00:00Z"),
            item(2),
            item(3, published="2026-02-17T08:00:00Z"),
            item(4, published="2026-02-17T10:00:00Z"),
        ]
    )
    assert [document.title[-1] for document in documents] == ["3", "1", "4", "2"]
    assert {document.published_time for document in documents} == {NOW}
    assert [document.stated_time for document in documents] == [1771315200, 1771318800, 1771322400, None]


def test_a_correction_is_first_seen_now_with_all_its_sentences() -> None:
    understanding = Understanding(ReadingOptions())
    first = item(1, title="Ferry burns", text=TEXT, published="2026-02-17T08:00:00Z")
    again = item(
        1, title="Ferry burns", text=f"{TEXT} Two men are missing.", published="2026-02-17T08:00:00Z"
    )
    assert len(new([first], NOW, understanding)) == 1
    (document,) = new([again], NOW + 60, understanding)
    assert [sentence.text for sentence in document.sentences] == ["Two men are missing."]
    assert {sentence.published_time for sentence in document.sentences} == {NOW + 60}
    assert new([again], NOW + 120, understanding) == ()


def test_other_guids_and_links_make_nothing_new() -> None:
    understanding = Understanding(ReadingOptions())
    items = [item(n, published="2026-02-17T08:00:00Z") for n in range(5)]
    assert len(new(items, NOW, understanding)) == 5
    others = [
        Item(
            origin="f",
            id=f"another-guid-{n}",
            url=f"https://a.example/{n}",
            title=one.title,
            text=one.text,
            source=one.source,
            published=one.published,
        )
        for n, one in enumerate(items)
    ]
    assert new(others, NOW + 90_000, understanding) == ()


def test_what_is_remembered_goes_on() -> None:
    before = Understanding(ReadingOptions())
    items = [item(n) for n in range(5)]
    new(items, NOW, before)
    assert new(items, NOW + 5, Understanding(ReadingOptions(), before.memory())) == ()
    after = Understanding(ReadingOptions())
    after.remember(items, NOW)
    assert new(items, NOW + 5, after) == ()


@every(
    "body, error",
    [
        (b"", "no feed"),
        (b"\x00\xff" * 500, "no feed"),
        (b"<html><body><h1>Just a moment</h1></body></html>", "no feed"),
        (b"<opml><body><outline xmlUrl='https://a.example/'/></body></opml>", "no feed, but a feed-list"),
    ],
)
def test_what_is_no_feed(body: bytes, error: str) -> None:
    with pytest.raises(UnreadableError, match=error):
        read_body("https://a.example/feed", body, "text/xml", "feed", ReadingOptions())


def test_a_reader_that_fails_is_an_error_of_the_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "feed"

        def read(self, *given: object, **more: object) -> object:
            raise RecursionError

    monkeypatch.setattr("tidings.sources.polling.readers.recognise", lambda content: Broken())
    with pytest.raises(UnreadableError, match="no feed that can be read"):
        read_body("https://a.example/feed", b"<rss/>", "", "feed", ReadingOptions())


def test_what_cannot_be_kept_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd:
        name = "feed"

        def read(self, *given: object, **more: object) -> object:
            yield Item(origin="f", title="Half \ud83d a pair", text="x", published=1 << 70)

    monkeypatch.setattr("tidings.sources.polling.readers.recognise", lambda content: Odd())
    (one,) = read_body("https://a.example/feed", b"<rss/>", "", "feed", ReadingOptions())
    assert (one.title, one.published) == ("Half ? a pair", None)


def test_a_feed_is_read() -> None:
    items = read_body("https://a.example/feed", feed([("a", "Title", "Text.")]), "", "feed", ReadingOptions())
    assert [one.title for one in items] == ["Title"]


def test_what_gives_no_document_is_counted_by_why_and_what_is_still_listed_is_not() -> None:
    understanding = Understanding(ReadingOptions())
    first = [item(n, published="2026-02-17T08:00:00Z") for n in range(3)]
    assert dict(understanding.new(first, NOW).dropped) == {}
    assert (
        dict(understanding.new(first, NOW + 60).dropped) == {}
    )  # the same to the letter: it merely stands there
    copy = Item(origin="g", id="elsewhere", title=first[0].title, text=first[0].text, source="Paper")
    empty = Item(origin="f", id="empty")
    changed = item(1, published="2026-02-17T08:00:00Z", updated="2026-02-17T09:00:00Z")
    assert dict(understanding.new([copy, empty, changed], NOW + 120).dropped) == {
        "the same words": 1,
        "no text": 1,
        "the same id": 1,
    }
