"""Parts of reading feeds: encodings, plain text, addresses, names of outlets, the look of files."""

from __future__ import annotations

from tests.sweeps import cases, every
from tidings.core.files.reading import Content
from tidings.sources.feeds.decoding import decode_feed, encoding_of, kind_by_look
from tidings.sources.feeds.entries import Channel, outlet_name
from tidings.sources.feeds.feed import read_feed
from tidings.sources.feeds.markup import plain_text, plain_title, without_tails
from tidings.sources.links import absolute, host_of, tidy_link
from tidings.sources.recognition import recognise

TITLES = cases(__file__, "titles")


def feed(title: str, encoding: str = "") -> str:
    declared = f"<?xml version='1.0' encoding='{encoding}'?>" if encoding else ""
    return f"{declared}<rss><channel><item><title>{title}</title></item></channel></rss>"


def title_of(data: bytes, content_type: str = "") -> str:
    [item] = read_feed(Content("f.xml", data=data, content_type=content_type))
    return item.title


class TestEncodings:
    @every("encoding", TITLES)
    def test_declared(self, encoding: str) -> None:
        assert title_of(feed(TITLES[encoding], encoding).encode(encoding)) == TITLES[encoding]

    @every("encoding", [one for one in TITLES if one != "utf-16"])
    def test_declared_by_the_server_alone(self, encoding: str) -> None:
        data = feed(TITLES[encoding]).encode(encoding)
        assert title_of(data, f'text/xml; charset="{encoding}"') == TITLES[encoding]

    @every("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
    def test_wide_ones_without_a_mark(self, codec: str) -> None:
        assert title_of(feed("Feu à bord").encode(codec)) == "Feu à bord"

    @every("declared", ["iso-8859-1", "windows-1251", "us-ascii", "utf-16", "nonsense", "gb2312"])
    def test_what_is_utf_8_is_utf_8(self, declared: str) -> None:
        assert title_of(feed("Feu à bord — 渡輪", declared).encode()) == "Feu à bord — 渡輪"

    def test_servers_mean_the_larger_encoding_by_the_name_of_the_smaller(self) -> None:
        assert title_of(feed("渡轮㐀起火", "gb2312").encode("gb18030")) == "渡轮㐀起火"
        assert title_of(feed("똠방각하", "euc-kr").encode("cp949")) == "똠방각하"

    def test_a_mark_counts_before_all(self) -> None:
        data = b"\xef\xbb\xbf" + feed("Feu à bord", "koi8-r").encode()
        assert title_of(data, "text/xml; charset=big5") == "Feu à bord"

    def test_a_servers_own_default_counts_less_than_the_file(self) -> None:
        data = feed("Пожар", "koi8-r").encode("koi8-r")
        assert title_of(data, "text/xml; charset=iso-8859-1") == "Пожар"
        assert title_of(data, "text/xml; charset=utf-8") == "Пожар"

    def test_what_a_server_says_on_purpose_counts_more(self) -> None:
        data = feed("Пожар", "windows-1251").encode("koi8-r")
        assert title_of(data, "text/xml; charset=koi8-r") == "Пожар"

    def test_latin_text_declared_as_utf_8(self) -> None:
        assert (
            title_of(feed("Feu à bord, été, Noël, l’équipage", "utf-8").encode("cp1252"))
            == "Feu à bord, été, Noël, l’équipage"
        )

    def test_a_few_stray_bytes_spoil_nothing_else(self) -> None:
        data = feed("é" * 40 + "X").encode().replace(b"X", b"\x92")
        assert title_of(data) == "é" * 40 + "’"

    def test_a_character_on_the_border_of_two_pieces(self) -> None:
        for shift in range(3):
            text = "a" * shift + "渡" * 60_000
            assert "".join(decode_feed(text.encode())) == text

    def test_the_sample_may_end_within_a_character(self) -> None:
        assert encoding_of(b"a" + "é".encode() * (1 << 17)) == ("utf-8", 0)

    def test_what_no_xml_may_hold_goes(self) -> None:
        assert "".join(decode_feed(b"a\0\x1b[31m\x08b\tc\r\n")) == "a[31mb\tc\r\n"
        assert (
            title_of("<rss><channel><item><title>a\ufffeb&#146;</title></item></channel></rss>".encode())
            == "ab’"
        )


class TestText:
    @every(
        "value, expected",
        cases(__file__, "plain text"),
    )
    def test_plain_text(self, value: str, expected: str) -> None:
        assert plain_text(value) == expected

    def test_no_markup_in_titles_that_speak_of_it(self) -> None:
        assert plain_title("Why <blink> died & x < y") == "Why <blink> died & x < y"
        assert plain_title("A <em>very</em> old<br> ship") == "A very old ship"

    def test_long_texts_are_cut(self) -> None:
        assert len(plain_text("a" * (3 << 20))) == 1 << 20
        assert len(plain_title("a" * 9999)) == 1 << 12

    @every(
        "tail",
        cases(__file__, "tails go"),
    )
    def test_tails_go(self, tail: str) -> None:
        assert without_tails("A ferry burns." + tail) == "A ferry burns."

    @every(
        "text, expected",
        cases(__file__, "pointers and codes within a text go"),
    )
    def test_pointers_and_codes_within_a_text_go(self, text: str, expected: str) -> None:
        assert without_tails(text) == expected

    @every(
        "text",
        cases(__file__, "text stays"),
    )
    def test_text_stays(self, text: str) -> None:
        assert without_tails(text) == text


class TestAddresses:
    @every(
        "url, expected",
        [
            ("https://a.org/f?utm_source=rss&utm_medium=feed", "https://a.org/f"),
            ("https://a.org/f?id=7&at_medium=RSS&at_campaign=rss", "https://a.org/f?id=7"),
            ("https://a.org/f?at_home=1&attic=2", "https://a.org/f?at_home=1&attic=2"),
            ("https://a.org/f?fbclid=x#part-2", "https://a.org/f#part-2"),
            ("https://a.org/f#publisher=newsstand", "https://a.org/f"),
            ("https://a.org/f#xtor=RSS-3208", "https://a.org/f"),
            ("https://a.org/f?traffic_source=rss", "https://a.org/f"),
            ("https://a.org/f?maca=en-rss-en-all-1573-rdf", "https://a.org/f"),
            ("https://a.org/f?partner=rss&emc=rss", "https://a.org/f"),
            ("https://a.org/f?source=rssreaders", "https://a.org/f?source=rssreaders"),
            ("https://a.org/f?source=library", "https://a.org/f?source=library"),
            ("https://a.org/f?q=a%20b&x=&y", "https://a.org/f?q=a%20b&x=&y"),
            ("https://a.org/f?a=1&amp;b=2", "https://a.org/f?a=1&b=2"),
            (" https://a.org/two words\n", "https://a.org/two%20words"),
            ("//a.org/f", "https://a.org/f"),
            ("javascript:alert(1)", ""),
            ("data:text/html,x", ""),
            ("https:a", ""),
            ("mailto:jo@a.org", ""),
            ("http://[bad", "http://[bad"),
            ("x" * 9000, ""),
            ("", ""),
        ],
    )
    def test_tidy(self, url: str, expected: str) -> None:
        assert tidy_link(url) == expected

    def test_relative(self) -> None:
        assert absolute("b?c", "https://a.org/x/y") == "https://a.org/x/b?c"
        assert absolute("b", "file:///etc/passwd") == ""
        assert absolute("//[bad", "https://a.org/") == ""

    def test_hosts(self) -> None:
        assert [host_of(one) for one in ("https://www.A.org:8080/x", "a.org/x", "http://[bad")] == [
            "a.org",
            "",
            "",
        ]


class TestOutlets:
    @every(
        "title, url, expected",
        cases(__file__, "of a title"),
    )
    def test_of_a_title(self, title: str, url: str, expected: str) -> None:
        assert outlet_name(Channel(title=title, url=url)) == expected

    def test_of_what_else_is_said(self) -> None:
        url = "https://www.theharbourpost.com"
        said = "The Harbour Post World section informs."
        assert outlet_name(Channel(title="World", url=url, description=said)) == "The Harbour Post"
        assert (
            outlet_name(Channel(title="World", url=url, hints=("© 2026 Harbour Post Ltd.",)))
            == "theharbourpost.com"
        )
        named = Channel(title="World", url="https://harbourpost.com", hints=("© 2026 Harbour Post Ltd.",))
        assert outlet_name(named) == "Harbour Post"
        described = Channel(
            title="World", url="https://harbourpost.com", description="News of The Harbour Post, daily."
        )
        assert outlet_name(described) == "The Harbour Post"

    def test_of_the_address_where_no_site_is_named(self) -> None:
        assert outlet_name(Channel(title="News"), "https://feeds.harbour.org/all") == "feeds.harbour.org"


class TestLooks:
    @every(
        "head, kind",
        cases(__file__, "by the first bytes"),
    )
    def test_by_the_first_bytes(self, head: str, kind: str) -> None:
        assert kind_by_look(head.encode()) == kind
        assert kind_by_look(head.encode("utf-16")) == kind

    def test_by_the_type_where_the_bytes_tell_nothing(self) -> None:
        assert kind_by_look(b"", "application/rss+xml; charset=utf-8") == "feed"
        assert kind_by_look(b'{"items": [', "application/feed+json") == "feed"
        assert kind_by_look(b"<html>", "application/rss+xml") == ""
        assert kind_by_look(b"", "text/html") == ""

    def test_the_registry_asks(self) -> None:
        kinds = [recognise(Content("x", data=data)) for data in (b"<rss/>", b"<opml/>", b"<events/>")]
        assert [kind.name if kind else None for kind in kinds][:2] == ["feed", "feed-list"]
        assert kinds[2] is None or kinds[2].name not in ("feed", "feed-list")
