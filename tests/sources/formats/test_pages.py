"""Pages: the article without its surroundings, what the page says of itself, and pages that are hostile."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import FormatError, LimitError, TidingsError, UsageError
from tidings.core.files.reading import Content, Notes, ReadingOptions
from tidings.core.records.documents import Item
from tidings.sources.pages import parsing
from tidings.sources.pages.page import read_page
from tidings.sources.recognition import recognise

FIRST = "A ferry with 312 passengers caught fire in the harbour on Tuesday morning, the coast guard said."
SECOND = "All of those on board were brought ashore, and nobody was hurt, a spokeswoman told reporters later."
THIRD = "The fire began in the engine room. It was put out after two hours by boats of the fire brigade."
ARTICLE = f"<h1>Ferry burns</h1><div class='text'><p>{FIRST}</p><p>{SECOND}</p><p>{THIRD}</p></div>"


def item(page: str | bytes, **content: Any) -> Item:
    """The one item of a page."""
    data = page if isinstance(page, bytes) else page.encode()
    options = content.pop("options", None)
    (only,) = read_page(Content("fire.html", data=data, **content), options=options)
    return only


def page(body: str = ARTICLE, head: str = "", **attributes: str) -> str:
    named = "".join(f" {name}='{value}'" for name, value in attributes.items())
    return f"<!doctype html><html{named}><head>{head}</head><body>{body}</body></html>"


def metas(**values: str) -> str:
    return "".join(
        f"<meta property='{name.replace('__', ':')}' content='{value}'>" for name, value in values.items()
    )


def linked(value: Any) -> str:
    return f"<script type='application/ld+json'>{json.dumps(value)}</script>"


class TestText:
    def test_paragraphs_stand_on_lines_of_their_own(self) -> None:
        assert item(page()).text.split("\n") == [FIRST, SECOND, THIRD]

    @every(
        "noise",
        cases(__file__, "surroundings are left out"),
    )
    def test_surroundings_are_left_out(self, noise: str) -> None:
        body = ARTICLE.replace(f"<p>{SECOND}</p>", f"{noise}<p>{SECOND}</p>")
        assert item(page(body)).text.split("\n") == [FIRST, SECOND, THIRD]
        assert item(page(noise + ARTICLE + noise)).text.split("\n") == [FIRST, SECOND, THIRD]

    def test_headings_stay_where_text_follows(self) -> None:
        body = ARTICLE.replace(f"<p>{THIRD}</p>", f"<h2>Two hours</h2><p>{THIRD}</p><h2>More on ferries</h2>")
        assert item(page(body)).text.split("\n") == [FIRST, SECOND, "Two hours", THIRD]

    def test_text_between_line_breaks(self) -> None:
        body = f"<h1>Ferry burns</h1><div id='x'>{FIRST}<br><br>{SECOND}<br>{THIRD}</div><div>Imprint</div>"
        assert item(page(body)).text.split("\n") == [FIRST, SECOND, THIRD]

    def test_text_between_other_elements(self) -> None:
        body = f"<div>{FIRST}<div class='x'><img></div>{SECOND}<div class='y'><b>*</b></div>{THIRD}</div>"
        assert item(page(body)).text.replace("\n", " ").replace("* ", "").split(". ") == (
            f"{FIRST} {SECOND} {THIRD}".split(". ")
        )

    def test_an_article_in_parts(self) -> None:
        parts = "".join(
            f"<section><p>{one}</p></section><div>Advertisement</div>" for one in (FIRST, SECOND, THIRD)
        )
        assert item(page(f"<h1>Ferry burns</h1><div>{parts}</div>")).text.split("\n") == [
            FIRST,
            SECOND,
            THIRD,
        ]

    def test_a_class_that_most_of_the_text_has_is_no_extra(self) -> None:
        body = ARTICLE.replace("class='text'", "class='shared-content'")
        assert item(page(body)).text.split("\n") == [FIRST, SECOND, THIRD]
        parts = "".join(f"<div class='article-widget'><p>{one}</p></div>" for one in (FIRST, SECOND, THIRD))
        assert item(page(f"<div>{parts}</div>")).text.split("\n") == [FIRST, SECOND, THIRD]

    def test_the_lead_comes_first_where_the_page_shows_it(self) -> None:
        lead = "A fire broke out on a ferry in the harbour, but nobody on it was hurt."
        body = ARTICLE.replace("</h1>", f"</h1><div class='share'><p>{lead}</p></div>")
        head = metas(og__title="Ferry burns", og__description=lead)
        assert item(page(body, head)).text.split("\n") == [lead, FIRST, SECOND, THIRD]
        assert item(page(head=head)).text.split("\n") == [FIRST, SECOND, THIRD]
        named = ARTICLE.replace("</h1>", f"</h1><h2 class='standfirst'>{lead}</h2>")
        assert item(page(named, metas(og__title="Ferry burns"))).text.split("\n")[0] == lead

    def test_what_the_page_repeats_as_data_says_where_the_text_ends(self) -> None:
        after = "<p>This newspaper has been printed in this town since the year 1811, by the same house.</p>"
        body = ARTICLE.replace("</div>", after + "</div>")
        copy = linked(
            {
                "@type": "NewsArticle",
                "headline": "Ferry burns",
                "articleBody": f"{FIRST} {SECOND} {THIRD}",
            }
        )
        assert item(page(body)).text.count("\n") == 3
        assert item(page(body, copy)).text.split("\n") == [FIRST, SECOND, THIRD]

    def test_a_page_that_shows_no_text_may_hold_it_as_data(self) -> None:
        body = "<div id='root'></div>"
        text = [FIRST, SECOND, THIRD, FIRST.replace("Tuesday", "Monday"), SECOND.replace("All", "Most")]
        copy = linked({"@type": "NewsArticle", "headline": "Ferry burns", "articleBody": "\n".join(text)})
        assert item(page(body, copy)).text.split("\n") == text
        markup = "".join(f"<p>{one}</p>" for one in text)
        script = (
            f"<script>window.state = {json.dumps({'html': markup, 'deployDt': '2026.02.17 08:30'})}</script>"
        )
        read = item(page(body + script, metas(og__title="Ferry burns")))
        assert (read.text.split("\n"), read.published) == (text, "2026.02.17 08:30")


class TestMetadata:
    @every(
        "head, published",
        [
            (
                linked({"@type": "NewsArticle", "datePublished": "2026-02-17T08:30:00+01:00"}),
                "2026-02-17T08:30:00+01:00",
            ),
            (
                linked([{"@type": "WebSite"}, {"@type": ["Article"], "datePublished": "2026-02-17"}]),
                "2026-02-17",
            ),
            (linked({"@graph": [{"@type": "WebPage", "datePublished": "2026-02-17"}]}), "2026-02-17"),
            (metas(article__published_time="2026-02-17T08:30:00Z"), "2026-02-17T08:30:00Z"),
            ("<meta name='parsely-pub-date' content='2026-02-17'>", "2026-02-17"),
            ("<meta name='DC.date.issued' content='2026-02-17'>", "2026-02-17"),
            ("<meta itemprop='datePublished' content='2026-02-17'>", "2026-02-17"),
            (metas(article__published_time="1771317000000"), 1771317000000),
            (metas(article__published_time="1771317000"), 1771317000),
            ("", None),
        ],
    )
    def test_times_of_publication(self, head: str, published: str | int | None) -> None:
        assert item(page(head=head)).published == published

    @every(
        "body, published",
        cases(__file__, "times that are only shown"),
    )
    def test_times_that_are_only_shown(self, body: str, published: str) -> None:
        assert item(page(body + ARTICLE)).published == published

    def test_what_linked_data_say_goes_first(self) -> None:
        head = metas(article__published_time="2026-02-18", article__modified_time="2026-02-19")
        head += linked({"@type": "NewsArticle", "datePublished": "2026-02-17", "dateModified": "2026-02-20"})
        assert (item(page(head=head)).published, item(page(head=head)).updated) == (
            "2026-02-17",
            "2026-02-20",
        )

    @every(
        "head, title",
        [
            ("<title>Ferry burns - A Post</title>" + metas(og__site_name="A Post"), "Ferry burns"),
            ("<title>Ferry burns | World | A Post</title>" + metas(og__site_name="A Post"), "Ferry burns"),
            ("<title>Ferry burns – apost.example</title><link rel=canonical href='https://www.apost.example/1'>",
             "Ferry burns"),
            (metas(og__title="Ferry burns &amp;amp; sinks"), "Ferry burns & sinks"),
            (metas(og__title="Why a ferry burned") + linked({"@type": "NewsArticle", "headline": "Ferry burns"}),
             "Ferry burns"),
            (metas(og__title="Fire: what we know"), "Fire: what we know"),
            ("<title>US - China talks</title>" + metas(og__site_name="A Post"), "US - China talks"),
        ],
    )  # fmt: skip
    def test_titles(self, head: str, title: str) -> None:
        body = ARTICLE if title == "Ferry burns" else ARTICLE.replace("<h1>Ferry burns</h1>", "")
        assert item(page(body, head)).title == title

    @every(
        "head, outlet",
        [
            (metas(og__site_name="A Post"), "A Post"),
            (linked({"@type": "NewsArticle", "publisher": {"@type": "Organization", "name": "A Post"}}), "A Post"),
            (linked({"@graph": [{"@type": "Article", "publisher": {"@id": "#o"}}, {"@id": "#o", "name": "A Post"}]}),
             "A Post"),
            ("<title>Ferry burns | A Post</title>", "A Post"),
            ("<link rel=canonical href='https://www.apost.example/1'>", "apost.example"),
            ("", ""),
        ],
    )  # fmt: skip
    def test_outlets(self, head: str, outlet: str) -> None:
        assert item(page(head=head)).source == outlet

    def test_address_and_language(self) -> None:
        read = item(
            page(head="<link rel='canonical' href='/2026/fire'>", lang="de-AT"), url="https://a.example/x?y"
        )
        assert (read.url, read.language) == ("https://a.example/2026/fire", "de-AT")
        read = item(page(head=metas(og__url="https://a.example/1", og__locale="de_DE")))
        assert (read.url, read.language) == ("https://a.example/1", "de-DE")
        assert item(page(), url="https://a.example/x").url == "https://a.example/x"
        assert item(page(head=metas(og__url="javascript:alert(1)"))).url == ""

    @every(
        "broken",
        ["{", "null", "[[[", '{"@type": 5, "headline": {"a": []}}', "[1, null, \"x\"]", '{"@graph": {"@graph": 1}}',
         '{"@type": "NewsArticle", "datePublished": {"a": 1}, "publisher": [[]], "headline": 7, "articleBody": [1]}',
         '{"@type": "NewsArticle", "inLanguage": [], "mainEntityOfPage": 3, "publisher": {"name": [null]}}',
         "[" * 5000, '{"a":' * 5000],
    )  # fmt: skip
    def test_linked_data_that_are_broken(self, broken: str) -> None:
        head = f"<script type='application/ld+json'>{broken}</script>" + metas(og__title="Ferry burns")
        assert item(page(head=head)).title == "Ferry burns"

    def test_linked_data_with_line_ends_inside_of_strings(self) -> None:
        head = '<script type=\'application/ld+json\'>{"@type": "NewsArticle",\n"headline": "Ferry\nburns"};</script>'
        assert item(page("<p>" + FIRST + "</p>", head)).title == "Ferry burns"


class TestEncodings:
    @every(
        "encoding, declared",
        [("utf-8", ""), ("utf-8", "latin-1"), ("cp1252", "windows-1252"), ("iso8859-15", "iso-8859-15"),
         ("utf-16", ""), ("utf-16-le", ""), ("utf-8-sig", ""), ("cp1252", "utf-16")],
    )  # fmt: skip
    def test_bytes_are_decoded(self, encoding: str, declared: str) -> None:
        text = page(ARTICLE.replace("morning", "à midi"), f"<meta charset='{declared}'>" if declared else "")
        assert "on Tuesday à midi" in item(text.encode(encoding)).text

    def test_a_server_may_say_it(self) -> None:
        text = "<p>" + "地震が起きました。津波の心配はありません。" * 5
        assert "津波" in item(text.encode("shift_jis"), content_type="text/html; charset=Shift_JIS").text
        head = "<meta http-equiv='Content-Type' content='text/html; charset=euc-jp'>"
        assert "津波" in item((head + text).encode("euc_jp")).text

    def test_a_few_stray_bytes_do_not_spoil_utf_8(self) -> None:
        data = page(ARTICLE.replace("morning", "à midi " * 20), "<meta charset=utf-8>").encode()
        assert "à midi" in item(data.replace(b"guard", b"g\xffard")).text
        assert "à midi" in item(data[:-20] + "é".encode()[:1]).text


class TestHostile:
    def test_scripts_in_titles(self) -> None:
        head = (
            metas(og__title="&lt;script&gt;alert(1)&lt;/script&gt;Ferry")
            + "<title><script>x</script></title>"
        )
        read = item(page(f"<p>{FIRST}</p>", head))
        assert "<" not in read.title
        assert "<script" not in read.text

    @pytest.mark.parametrize(
        "data",
        ["<div>" * 50_000 + f"<p>{FIRST}</p>", "<b>" * 3000 + f"<p>{FIRST}", "<p>" + "word " * 30_000,
         "<p>x</p>" * 5_000, "<div class='share'>x</div>" * 2_000, f"<p>{FIRST}\0</p>\0" * 3, "<table>" * 5000,
         "<p " + " ".join(f"a{n}=1" for n in range(20_000)) + f">{FIRST}", "<html><title>" + "<" * 100_000,
         '<script>x = "' + '\\"' * 200_000, "<p>&#0;&#xD800;&#x110000;&bogus;" + FIRST, "<a href='" + "x" * 200_000],
        ids=range(12),
    )  # fmt: skip
    def test_a_result_a_drop_or_one_error(self, data: str) -> None:
        try:
            read = list(read_page(Content("x.html", data=data.encode()), notes=Notes()))
        except TidingsError as error:
            assert str(error).startswith("x.html: ")
        else:
            assert all("\0" not in one.text and "\ud800" not in one.text for one in read)

    @every("data", [b"", b"%PDF-1.7 \x00\x01", b"\x89PNG\r\n\x1a\n\0\0\0", b"GIF89a", b"plain"])
    def test_what_is_no_page(self, data: bytes) -> None:
        with pytest.raises(FormatError, match=r"^x\.html: no markup \(expected an HTML page\)"):
            list(read_page(Content("x.html", data=data)))

    def test_a_page_without_text_is_noted(self) -> None:
        notes = Notes()
        assert list(read_page(Content("x.html", data=b"<html><body><img></body></html>"), notes=notes)) == []
        assert notes.examples == [("x.html", "a page without text")]

    def test_what_is_larger_than_a_page(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(parsing, "MOST_BYTES", 1000)
        with pytest.raises(LimitError, match=r"^x\.html: more than"):
            list(read_page(Content("x.html", data=page(ARTICLE * 9).encode())))


class TestQuality:
    def test_trafilatura_reads_with_more_care(self) -> None:
        pytest.importorskip("trafilatura")
        assert SECOND in item(page(), options=ReadingOptions(quality=True)).text

    def test_it_says_which_extra_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "trafilatura", None)
        with pytest.raises(UsageError, match=r"No trafilatura installed.*pip install -e '\.\[quality\]'"):
            item(page(), options=ReadingOptions(quality=True))


@every(
    "name, data, content_type, kind",
    [
        ("x", b"<!DOCTYPE html><p>", "", "page"), ("x", b"\xef\xbb\xbf <HTML>", "", "page"),
        ("x", b"plain", "text/html; charset=utf-8", "page"), ("x.htm", b"plain", "", "page"),
        ("x.xml", b"<?xml version='1.0'?><html xmlns='x'>", "", "page"), ("x.txt", b"plain", "", "text"),
        ("x.md", b"# x", "", "text"), ("x.html", b"<rss version='2.0'><channel>", "", "feed"),
        ("x.txt", b"query_id\ta\tb\tc\td\n", "", None), ("x.txt", b'{"id": 1}', "", None), ("x.bin", b"x", "", None),
        ("x.docx", b"PK\3\4", "", None), ("x", b"PK\3\4", "", "zip"), ("x", b"plain", "text/plain", "text"),
    ],
)  # fmt: skip
def test_what_is_recognised(name: str, data: bytes, content_type: str, kind: str | None) -> None:
    chosen = recognise(Content(name, data=data, content_type=content_type))
    assert (chosen and chosen.name) == kind
