"""OPML: the feeds that a list names, and the items of those that stand beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.core.errors import FormatError, LimitError
from tidings.core.files.reading import Content, Notes
from tidings.sources.feeds import opml
from tidings.sources.feeds.opml import FeedAddress, read_feed_list, read_opml

FEED = "<rss><channel><title>A Post</title><item><title>{0}</title></item></channel></rss>"


def outlines(body: str) -> str:
    return f"<?xml version='1.0'?><opml version='2.0'><head><title>L</title></head><body>{body}</body></opml>"


def addresses(body: str, **options: str) -> list[FeedAddress]:
    return read_opml(Content("l.opml", data=outlines(body).encode(), **options))  # type: ignore[arg-type]


def write(folder: Path, **feeds: str) -> None:
    for name, text in feeds.items():
        (folder / f"{name}.xml").write_text(text)


class TestAddresses:
    def test_as_feed_readers_write_them(self) -> None:
        assert addresses(
            "<outline text='World &amp;amp; Sea' title='World &amp;amp; Sea'><outline type='rss' text='A "
            "&lt;b&gt;Post&lt;/b&gt;' "
            "xmlUrl='https://a.org/rss' htmlUrl='https://a.org/' language='de'/></outline>"
            "<outline text='B' xmlURL=' feed:https://b.org/atom '/>"
            "<outline type='atom' title='C' url='feed://c.org/atom'/>"
            "<outline text='page' type='link' url='https://d.org/'/>"
            "<outline text='more' type='link' url='https://d.org/more.opml'/>"
        ) == [
            FeedAddress(
                title="A Post", url="https://a.org/rss", site="https://a.org/", category="World & Sea", language="de"
            ),
            FeedAddress(title="B", url="https://b.org/atom"),
            FeedAddress(title="C", url="http://c.org/atom"),
            FeedAddress(title="more", url="https://d.org/more.opml", is_list=True),
        ]  # fmt: skip

    def test_each_address_once_and_in_order(self) -> None:
        body = "".join(f"<outline xmlUrl='http://a.org/{n % 3}'/>" for n in range(9))
        assert [one.url for one in addresses(body)] == [f"http://a.org/{n}" for n in range(3)]

    def test_of_a_list_that_was_fetched_all_are_on_the_web(self) -> None:
        body = (
            "<outline xmlUrl='rss.xml'/><outline xmlUrl='/etc/passwd'/><outline xmlUrl='file:///etc/passwd'/>"
        )
        read = addresses(body, url="https://a.org/lists/all.opml")
        assert [one.url for one in read] == ["https://a.org/lists/rss.xml", "https://a.org/etc/passwd"]
        assert all(one.is_on_the_web for one in read)

    def test_ill_formed_lists(self) -> None:
        text = "<opml><body><outline text='A & B' xmlUrl='http://a.org/?a=1&b=2'><outline xmlUrl=http://b.org/></body>"
        assert [one.url for one in read_opml(Content("l", data=text.encode()))] == [
            "http://a.org/?a=1&b=2",
            "http://b.org/",
        ]

    @every("text", ["", "<rss/>", "<html><body><outline xmlUrl='http://a.org'/></body></html>", "x"])
    def test_what_is_no_list(self, text: str) -> None:
        with pytest.raises(FormatError, match="no list of feeds"):
            read_opml(Content("l", data=text.encode()))

    def test_too_many(self) -> None:
        body = "".join(f"<outline xmlUrl='http://a.org/{n}'/>" for n in range(10_001))
        with pytest.raises(LimitError, match="more than 10,000 feeds"):
            addresses(body)

    def test_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(opml, "_MOST_BYTES", 100)
        with pytest.raises(LimitError):
            addresses("<outline/>" * 100)

    def test_too_deep(self) -> None:
        assert addresses("<outline text='a'>" * 5000) == []


class TestItems:
    def test_feeds_beside_the_list(self, tmp_path: Path) -> None:
        (tmp_path / "sub dir").mkdir()
        write(tmp_path, a=FEED.format("A"), b="<html/>")
        write(tmp_path / "sub dir", c=FEED.format("C"))
        path = tmp_path / "feeds.opml"
        uri = (tmp_path / "sub dir" / "c.xml").as_uri()
        path.write_text(
            outlines(
                "<outline xmlUrl='a.xml'/><outline xmlUrl='./a.xml'/><outline xmlUrl='b.xml'/><outline"
                " xmlUrl='none.xml'/>"
                f"<outline xmlUrl='{uri}'/><outline xmlUrl='https://a.org/rss'/>"
            )
        )
        notes = Notes()
        items = list(read_feed_list(path, notes=notes))
        assert [(item.title, Path(item.origin.rpartition(":")[0]).name) for item in items] == [
            ("A", "a.xml"),
            ("C", "c.xml"),
        ]
        assert notes.dropped == {
            "a file of a list that is no feed": 1,
            "a feed of a list that is not there": 1,
            "a feed on the web, which only `follow --live` reads": 1,
        }
        assert "b.xml: <html>" in notes.remarks[0]

    def test_lists_that_name_each_other(self, tmp_path: Path) -> None:
        write(tmp_path, a=FEED.format("A"))
        (tmp_path / "1.opml").write_text(
            outlines("<outline type='include' url='2.opml'/><outline xmlUrl='a.xml'/>")
        )
        (tmp_path / "2.opml").write_text(
            outlines("<outline type='include' url='1.opml'/><outline type='include' url='2.opml'/>")
        )
        assert [item.title for item in read_feed_list(tmp_path / "1.opml")] == ["A"]

    def test_lists_too_deep_in_lists(self, tmp_path: Path) -> None:
        write(tmp_path, a=FEED.format("A"))
        for number in range(9):
            following = (
                f"<outline type='include' url='{number + 1}.opml'/>"
                if number < 8
                else "<outline xmlUrl='a.xml'/>"
            )
            (tmp_path / f"{number}.opml").write_text(outlines(following))
        notes = Notes()
        assert list(read_feed_list(tmp_path / "0.opml", notes=notes)) == []
        assert notes.dropped == {"a list too deep in lists": 1}
        assert [item.title for item in read_feed_list(tmp_path / "4.opml")] == ["A"]

    def test_a_list_that_is_no_file_reads_none(self, tmp_path: Path) -> None:
        write(tmp_path, a=FEED.format("A"))
        notes = Notes()
        body = outlines(f"<outline xmlUrl='{tmp_path / 'a.xml'}'/>").encode()
        assert list(read_feed_list(Content("x.zip!l.opml", data=body), notes=notes)) == []
        assert notes.dropped == {"a feed beside a list that is no file": 1}
