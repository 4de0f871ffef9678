"""Feeds that are not well-formed, and feeds written to do harm: what can be saved, or one error."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, LimitError, TidingsError
from tidings.core.files.reading import Content, Notes
from tidings.core.records import Item
from tidings.sources.feeds import elements, feed as feeds
from tidings.sources.feeds.decoding import mend_xml, without_prolog
from tidings.sources.feeds.feed import read_feed

ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(2, 10))
BOMB = f'<!DOCTYPE rss [<!ENTITY e1 "{"x" * 100}">{ENTITIES}]>'


def rss(items: str, head: str = "") -> str:
    return f"{head}<rss version='2.0'><channel><title>A Post</title>{items}</channel></rss>"


def read(text: str | bytes, notes: Notes | None = None) -> list[Item]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_feed(Content("f.xml", data=data), notes=notes))


def titles(text: str | bytes) -> list[str]:
    return [item.title for item in read(text)]


class TestSaved:
    @every(
        "items, expected",
        cases(__file__, "what is ill formed", lists=True),
    )  # fmt: skip
    def test_what_is_ill_formed(self, items: str, expected: list[str]) -> None:
        assert titles(rss(items)) == expected

    def test_links_with_bare_ampersands_stay_whole(self) -> None:
        [item] = read(rss("<item><link>http://a.org/?a=1&b=2&copy=3</link></item>"))
        assert item.url == "http://a.org/?a=1&b=2&copy=3"

    def test_the_prefix_of_nothing(self) -> None:
        text = "<rss rss:version=2.0><rss:channel><rss:item><rss:title>T</rss:title></rss:item></rss:channel></rss>"
        assert titles(text) == ["T"]

    @every(
        "start",
        cases(__file__, "what stands before"),
    )
    def test_what_stands_before(self, start: str) -> None:
        assert titles(start + rss("<item><title>T</title></item>")) == ["T"]
        assert titles(start + "<?xml version='1.0'?>" + rss("<item><title>T</title></item>")) == ["T"]

    def test_what_stands_behind(self) -> None:
        assert titles(rss("<item><title>T</title></item>") + "<script>x</script>&") == ["T"]

    def test_a_feed_that_was_cut_off_loses_its_last_item_alone(self) -> None:
        notes = Notes()
        text = rss("<item><title>A</title></item><item><title>B</title><description>A long tex")
        whole, _, _ = text.partition("</channel>")
        assert [item.title for item in read(whole, notes)] == ["A"]
        assert notes.dropped == {"an item cut off": 1}
        assert "not well-formed (line 1" in notes.remarks[0]

    def test_a_feed_cut_between_items_loses_none(self) -> None:
        assert titles("<rss><channel><item><title>A</title></item><item><title>B</title></item>") == [
            "A",
            "B",
        ]

    def test_items_before_a_fault_are_not_given_twice(self) -> None:
        many = "".join(f"<item><title>{n}</title></item>" for n in range(2500))
        assert titles(rss(many + "<item><title>a & b</title></item>")) == [*map(str, range(2500)), "a & b"]

    def test_one_bad_item_of_a_json_feed(self) -> None:
        notes = Notes()
        data = b'{"version": "https://jsonfeed.org/version/1", "items": [{"title": "A"}, 7, {"title": "B"}]}'
        assert [item.title for item in read(data, notes)] == ["A", "B"]
        assert notes.dropped == {"no item of a feed": 1}
        assert notes.examples == [("f.xml:2", "no item of a feed")]


class TestRefused:
    @every(
        "data, message",
        [
            ("<html><head/></html>", "<html>"),
            ("<urlset/>", "<urlset>"),
            ("", "no XML"),
            ("just text", "no XML"),
            ("<rss><channel><item", "ill-formed XML"),
            ("{}", "JSON that is no feed"),
            ('{"version": "https://jsonfeed.org/version/1"', "JSON that is no feed"),
            ('{"version": "https://jsonfeed.org/version/1", "items": 7}', "JSON that is no feed"),
            ('{"version": "other", "items": []}', "JSON that is no feed"),
            ("<" + "x" * 500 + "/>", f"<{'x' * 40}>"),
        ],
    )
    def test_what_is_no_feed(self, data: str, message: str) -> None:
        with pytest.raises(FormatError, match="^f.xml: " + message):
            read(data)

    def test_nothing_is_expanded(self) -> None:
        for text in (
            rss("<item><title>&e9;</title></item>", BOMB),
            rss("<item a='&e9;'><title>A</title></item>", BOMB),
        ):
            with pytest.raises(FormatError, match="amplification"):
                read(text)
        small = '<!DOCTYPE rss [<!ENTITY a "' + "y" * 60 + '"><!ENTITY b "short"><!ENTITY c "&b;&b;">]>'
        assert titles(rss("<item><title>1&a;2&b;3&c;4</title></item>", small)) == ["12short34"]

    def test_nothing_is_fetched(self, tmp_path: Path) -> None:
        secret = tmp_path / "secret"
        secret.write_text("secret")
        head = f'<!DOCTYPE rss [<!ENTITY s SYSTEM "{secret.as_uri()}"><!ENTITY % p SYSTEM "{secret.as_uri()}">%p;]>'
        assert titles(rss("<item><title>A&s;B</title></item>", head)) == ["AB"]

    @pytest.mark.parametrize(
        "items",
        [
            "<item><title>T</title>" + "<a>" * 20_000,
            "<item>" + "<title>" * 20_000 + "</item>",
            "<item><description>" + "&lt;b&gt;" * 20_000 + "</description></item>",
            "<item><description>" + "<b>" * 20_000 + "</description></item>",
            "<item><description>" + "[a b=" * 20_000 + "The post " * 2000 + "</description></item>",
            "<item><description>" + "Read more: a\n\n" * 20_000 + "</description></item>",
            "<item><title>" + "<![CDATA[" * 20_000 + "</title></item>",
            "<!-- " * 30_000 + "&",
            "<item " + "a=b " * 20_000 + "/>",
            "<item " + " " * 100_000 + "a b=c/>",
            "<item>" + "".join(f"<a{n}:b xmlns:a{n}='u{n}'/>" for n in range(5000)) + "</item>",
            "<item><title>" + "& " * 50_000 + "</title></item>",
        ],
        ids=[f"case {n}" for n in range(12)],
    )  # fmt: skip
    def test_what_is_written_to_take_long(self, items: str) -> None:
        try:
            read(rss(items))
            read(rss(items, "<!-- " * 4000))
        except TidingsError as error:
            assert len(str(error)) < 400

    def test_scripts_in_every_field(self) -> None:
        script = "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"
        [item] = read(rss(f"<item><title>{script}Fire</title><link>javascript:alert(1)</link>"
                          f"<description>{script}Two</description><source>{script}Post</source></item>"))  # fmt: skip
        assert (item.title, item.url, item.text, item.source) == ("Fire", "", "Two", "Post")

    def test_much_beside_the_items(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(elements, "_BESIDE", 1 << 17)
        with pytest.raises(LimitError, match=r"^f\.xml: more than 0 MiB without an item"):
            read(rss("<a/>" * 60_000))
        with pytest.raises(LimitError):
            read(rss("<item>" + "<a/>" * 100_000))
        assert len(read(rss(("<a/>" * 5000 + "<item/>") * 20))) == 20

    def test_what_stands_beside_the_items_is_forgotten_but_for_the_first(self) -> None:
        feed = elements.XmlFeed("f.xml", rss(("<a/>" * 100 + "<item><title>T</title></item>") * 50).encode())
        sizes = [len(item.getparent()) for item in feed.items()]
        assert len(sizes) == 50
        assert 200 <= len(feed.root[0]) < 350
        assert len(feed.root[0].findall("item")) <= 2
        assert feed.root[0][0].text == "A Post"

    def test_files_that_are_too_large(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(feeds, "MOST_BYTES", 4000)
        good, large = rss("<item/>" * 100).encode(), rss("<item/>" * 900).encode()
        path = tmp_path / "f.xml"
        path.write_bytes(large)
        for source in (path, Content("f.xml", data=large), Content("f.xml", data=gzip.compress(large))):
            with pytest.raises(LimitError):
                list(read_feed(source))
        assert len(read(gzip.compress(good))) == 100

    def test_packed_data_that_is_damaged(self) -> None:
        with pytest.raises(FormatError):
            read(gzip.compress(rss("<item/>").encode())[:40])


def test_pieces_of_any_size_are_the_same() -> None:
    text = "<?xml version='1.0'?> <!-- a --> <rss><channel/></rss>"
    for size in (1, 2, 7, 100):
        pieces = (text[at : at + size] for at in range(0, len(text), size))
        assert "".join(without_prolog(pieces)) == "<rss><channel/></rss>"


@every(
    "text, expected",
    cases(__file__, "mending"),
)
def test_mending(text: str, expected: str) -> None:
    assert mend_xml(text).text == expected


def test_every_part_of_a_feed_missing() -> None:
    """Any stretch of a good feed cut out: a result or one error."""
    text = rss(
        "<item><title>A &amp; B</title><description><![CDATA[<p>C</p>]]></description></item>" * 2,
        "<?xml version='1.0'?>",
    )
    for start in range(0, len(text), 5):
        for size in (1, 7, 40):
            try:
                read(text[:start] + text[start + size :])
            except TidingsError as error:
                assert str(error).startswith("f.xml: ")
