"""Feeds of every kind: what becomes of their items, whoever writes them. All texts are invented."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.conftest import ROOT
from tests.sweeps import cases, every
from tidings.core.files.reading import Content, Notes
from tidings.core.records import Item
from tidings.sources.feeds.feed import read_channel, read_feed

ATOM = "xmlns='http://www.w3.org/2005/Atom'"
DC = "xmlns:dc='http://purl.org/dc/elements/1.1/'"
CONTENT = "xmlns:content='http://purl.org/rss/1.0/modules/content/'"
MEDIA = "xmlns:media='http://search.yahoo.com/mrss/'"


def read(
    text: str | bytes, *, url: str = "", content_type: str = "", notes: Notes | None = None
) -> list[Item]:
    data = text.encode() if isinstance(text, str) else text
    return list(read_feed(Content("f.xml", data=data, url=url, content_type=content_type), notes=notes))


def rss(inner: str, *, channel: str = "<title>A Post</title>", spaces: str = "") -> str:
    return f"<rss version='2.0' {spaces}><channel>{channel}{inner}</channel></rss>"


def item(inner: str, **options: str) -> Item:
    [only] = read(rss(f"<item>{inner}</item>", **options))
    return only


def entry(inner: str, feed: str = "", attributes: str = "") -> Item:
    [only] = read(f"<feed {ATOM} {attributes}>{feed}<entry>{inner}</entry></feed>")
    return only


def fields(one: Item, *names: str) -> dict[str, object]:
    return {name: getattr(one, name) for name in names}


class TestPlatforms:
    """The manners of the programs that write most feeds."""

    def test_wordpress(self) -> None:
        [post] = read(
            rss(
                "<item><title>Ferry &#8216;Anna&#8217; burns</title><link>https://a-post.example.org/ferry/</link>"
                "<dc:creator><![CDATA[Jo]]></dc:creator><pubDate>Tue, 17 Feb 2026 22:33:28 +0000</pubDate>"
                "<guid isPermaLink='false'>https://a-post.example.org/?p=7</guid>"
                "<description><![CDATA[<p>Short. [&#8230;]</p><p>The post <a href='x'>Ferry</a> appeared first on "
                "<a href='y'>A Post</a>.</p>]]></description>"
                "<content:encoded><![CDATA[<p>The ferry Anna caught fire off the coast.</p>\n<figure><img alt='smoke'/>"
                "</figure><p>All 312 aboard were saved; a crew of nine fought the flames for six hours, said the coast "
                "guard, which had sent two ships and a helicopter from the port.</p><script>count()</script>"
                "<p>The post <a href='x'>Ferry</a> appeared first on <a href='y'>A Post</a>.</p>]]></content:encoded>"
                "<wfw:commentRss>https://a-post.example.org/ferry/feed/</wfw:commentRss></item>",
                spaces=f"{DC} {CONTENT} xmlns:wfw='http://wellformedweb.org/CommentAPI/'",
                channel="<title>A Post</title><language>en-GB</language>",
            )
        )
        assert fields(post, "id", "title", "url", "source", "language", "published") == {
            "id": "https://a-post.example.org/?p=7",
            "title": "Ferry ‘Anna’ burns",
            "url": "https://a-post.example.org/ferry/",
            "source": "A Post",
            "language": "en-GB",
            "published": "Tue, 17 Feb 2026 22:33:28 +0000",
        }
        first, second = post.text.split("\n\n")
        assert first == "The ferry Anna caught fire off the coast."
        assert second.startswith("All 312 aboard")
        assert second.endswith("from the port.")

    def test_youtube(self) -> None:
        [video] = read(
            f"<feed xmlns:yt='http://www.youtube.com/xml/schemas/2015' {MEDIA} {ATOM}>"
            "<link rel='self' href='http://www.youtube.com/feeds/videos.xml?channel_id=UC1'/>"
            "<id>yt:channel:UC1</id><title>Harbour News</title>"
            "<link rel='alternate' href='https://www.youtube.com/channel/UC1'/><author><name>Harbour News"
            "</name></author>"
            "<entry><id>yt:video:v1</id><title>Ferry burns</title>"
            "<link rel='alternate' href='https://www.youtube.com/watch?v=v1'/>"
            "<published>2026-02-17T09:00:06+00:00</published><updated>2026-02-18T01:00:00+00:00</updated>"
            "<media:group><media:title>Ferry burns</media:title><media:content url='x'"
            " type='application/x-shockwave-flash'/>"
            "<media:description>Pictures of the harbour.\n\nMore at six.</media:description></media:group>"
            "</entry></feed>"
        )
        assert (video.source, video.id, video.url) == (
            "Harbour News",
            "yt:video:v1",
            "https://www.youtube.com/watch?v=v1",
        )
        assert video.text == "Pictures of the harbour.\n\nMore at six."
        assert (video.published, video.updated) == ("2026-02-17T09:00:06+00:00", "2026-02-18T01:00:00+00:00")

    def test_reddit(self) -> None:
        post = entry(
            "<author><name>/u/jo</name></author><category term='worldnews' label='r/worldnews'/>"
            "<content type='html'>&lt;table&gt; &lt;tr&gt;&lt;td&gt; &lt;div class=&quot;md&quot;&gt;&lt;p"
            "&gt;All 312 saved."
            "&lt;/p&gt; &lt;/div&gt; &amp;#32; submitted by &amp;#32; &lt;a href=&quot;x&quot;&gt; /u/jo "
            "&lt;/a&gt; &lt;br/&gt; "
            "&lt;span&gt;&lt;a href=&quot;x&quot;&gt;[link]&lt;/a&gt;&lt;/span&gt; &amp;#32; "
            "&lt;span&gt;&lt;a href=&quot;x&quot;&gt;[comments]&lt;/a&gt;&lt;/span&gt; &lt;/td&gt;&lt;/tr"
            "&gt;&lt;/table&gt;"
            "</content><id>t3_1</id><link href='https://www.reddit.com/r/worldnews/comments/1/ferry/'/>"
            "<updated>2026-02-17T09:00:00+00:00</updated><published>2026-02-17T09:00:00+00:00</published>"
            "<title>Ferry burns &amp;amp; sinks</title>"
        )
        assert fields(post, "text", "title", "id") == {
            "text": "All 312 saved.",
            "title": "Ferry burns & sinks",
            "id": "t3_1",
        }

    def test_google_news(self) -> None:
        [one] = read(
            rss(
                "<item><title>Ferry burns off the coast - Harbour Post</title>"
                "<link>https://news.google.com/rss/articles/C</link>"
                "<guid isPermaLink='false'>C</guid><pubDate>Tue, 17 Feb 2026 08:00:00 GMT</pubDate>"
                '<description>&lt;a href="https://news.google.com/rss/articles/C" target="_blank"&gt;Ferry'
                " burns off the "
                'coast&lt;/a&gt;&amp;nbsp;&amp;nbsp;&lt;font color="#6f6f6f"&gt;Harbour Post&lt;/font&gt;</description>'
                "<source url='https://harbour.example.org'>Harbour Post</source></item>",
                channel='<title>"ferry" - Google News</title><link>https://news.google.com/search?q=ferry</link>',
            )
        )
        assert (one.title, one.source, one.text) == ("Ferry burns off the coast", "Harbour Post", "")

    def test_mastodon_has_no_titles(self) -> None:
        one = item(
            "<guid isPermaLink='true'>https://m.example.org/@jo/1</guid><link>https://m.example.org/@jo/1</link>"
            '<description>&lt;p&gt;Ferry burns. &lt;a href="x"&gt;#&lt;span&gt;ferry&lt;/span&gt;&lt;/a&gt;'
            "&lt;/p&gt;</description>"
        )
        assert (one.title, one.text, one.url) == ("", "Ferry burns. #ferry", "https://m.example.org/@jo/1")

    def test_blogger(self) -> None:
        one = entry(
            "<id>tag:blogger.com,1999:blog-1.post-2</id><published>2026-02-17T08:00:00.001-08:00</published>"
            "<updated>2026-02-17T08:05:00.123-08:00</updated><title type='text'>Ferry burns</title>"
            "<content type='html'>&lt;div&gt;All saved.&lt;/div&gt;</content>"
            "<link rel='replies' type='text/html' href='https://b.example.org/f.html#comment-form'/>"
            "<link rel='edit' type='application/atom+xml' href='https://www.blogger.com/feeds/1/2'/>"
            "<link rel='alternate' type='text/html' href='https://b.example.org/f.html' title='Ferry'/>"
            "<feedburner:origLink"
            " xmlns:feedburner='http://rssnamespace.org/feedburner/ext/1.0'>https://b.example.org/o.html"
            "</feedburner:origLink>"
        )
        assert (one.url, one.text) == ("https://b.example.org/o.html", "All saved.")

    def test_podcast(self) -> None:
        one = item(
            "<title>Ferries</title><itunes:title>Ferries</itunes:title><itunes:summary>Long talk.</itunes:summary>"
            "<enclosure url='https://p.example.org/1.mp3' type='audio/mpeg' length='1'/><guid>abc</guid>",
            spaces="xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'",
        )
        assert (one.text, one.url, one.id) == ("Long talk.", "", "abc")

    def test_rdf_of_a_repository_of_papers(self) -> None:
        notes = Notes()
        items = read(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/' "
            f"{DC}><channel rdf:about='http://p.example.org/'><title>cs.CL updates</title>"
            f"<link>http://p.example.org/</link>"
            "<dc:date>2026-02-17T20:30:00-05:00</dc:date><dc:language>en-us</dc:language>"
            "<items><rdf:Seq><rdf:li rdf:resource='http://p.example.org/1'/></rdf:Seq></items></channel>"
            "<image rdf:about='x'><title>Papers</title></image>"
            "<item rdf:about='http://p.example.org/1'><title>On ferries</title><link>http://p.example.org/1</link>"
            "<description>&lt;p&gt;We burn.&lt;/p&gt;</description></item></rdf:RDF>",
            notes=notes,
        )
        assert [(one.id, one.title, one.text, one.language) for one in items] == [
            ("http://p.example.org/1", "On ferries", "We burn.", "en-us")
        ]
        assert (items[0].published, items[0].updated) == (None, "2026-02-17T20:30:00-05:00")
        assert notes.remarks == ["f.xml: 1 items without a date got that of their feed"]

    def test_a_feed_of_many_outlets_that_names_them_first(self) -> None:
        items = read(
            rss(
                "".join(
                    f"<item><title>T{n}</title><description>[Paper {n}] Text {n}.</description></item>"
                    for n in range(4)
                )
            )
        )
        assert [(one.source, one.text) for one in items] == [(f"Paper {n}", f"Text {n}.") for n in range(4)]

    def test_brackets_now_and_then_are_no_outlets(self) -> None:
        texts = ["[Video] A ferry.", "B.", "C.", "D."]
        items = read(rss("".join(f"<item><description>{text}</description></item>" for text in texts)))
        assert [one.text for one in items] == texts
        assert {one.source for one in items} == {"A Post"}

    def test_publishers_count_where_they_differ(self) -> None:
        def sources(*publishers: str) -> list[str]:
            parts = (f"<item><title>T</title><dc:publisher>{one}</dc:publisher></item>" for one in publishers)
            return [one.source for one in read(rss("".join(parts), spaces=DC))]

        assert sources("Jo", "Jo") == ["A Post", "A Post"]
        assert sources("Paper 1", "Paper 2", "") == ["Paper 1", "Paper 2", "A Post"]

    def test_json_feed(self) -> None:
        [one, bare] = read(
            '{"version": "https://jsonfeed.org/version/1.1", "title": "A Post", "home_page_url":'
            ' "https://a-post.org/", '
            '"language": "en", "items": [{"id": 7, "url": "/ferry?utm_source=json", "title": "Ferry <b>burns</b>", '
            '"content_html": "<p>One.</p><p>Two.</p>", "summary": "S", "date_published": "2026-02-17T08:00:00Z", '
            '"date_modified": "2026-02-18T08:00:00Z", "language": "de"}, {"content_text": "3 < 5 & more",'
            ' "id": "https://a-post.org/x"}]}'
        )
        assert fields(one, "id", "url", "title", "text", "source", "language", "published", "updated") == {
            "id": "7",
            "url": "https://a-post.org/ferry",
            "title": "Ferry burns",
            "text": "One.\n\nTwo.",
            "source": "A Post",
            "language": "de",
            "published": "2026-02-17T08:00:00Z",
            "updated": "2026-02-18T08:00:00Z",
        }
        assert (bare.text, bare.url, bare.language) == ("3 < 5 & more", "https://a-post.org/x", "en")


class TestVersions:
    """What the versions of the formats call the same."""

    @every(
        "root, close",
        cases(__file__, "rss"),
    )
    def test_rss(self, root: str, close: str) -> None:
        tag = "ITEM" if root == "<CHANNEL>" else "item"
        inner = f"<{tag}><title>T</title><link>http://a.org/1</link><description>D</description></{tag}>"
        [one] = read(root + inner + close)
        assert (one.title, one.url, one.text) == ("T", "http://a.org/1", "D")

    def test_atom_03(self) -> None:
        [one] = read(
            "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>P</title><entry><title mode='escaped' "
            "type='text/html'>A &amp;lt; B</title><issued>2026-02-17</issued><modified>2026-02-18</modified>"
            "<content type='text/html' mode='base64'>PHA+WWVzPC9wPg==</content></entry></feed>"
        )
        assert (one.title, one.published, one.updated, one.text) == (
            "A < B",
            "2026-02-17",
            "2026-02-18",
            "Yes",
        )

    @every(
        "title, expected",
        cases(__file__, "titles"),
    )
    def test_titles(self, title: str, expected: str) -> None:
        assert entry(title).title == expected

    def test_xhtml_content_with_a_prefix(self) -> None:
        one = entry(
            "<content type='xhtml'><x:div xmlns:x='http://www.w3.org/1999/xhtml'><x:p>One.</x:p><x:script src='a'/>"
            "<x:p>Two &amp; three.</x:p></x:div></content>"
        )
        assert one.text == "One.\n\nTwo & three."

    def test_an_entry_in_the_content_of_an_entry_is_none(self) -> None:
        assert (
            entry(
                f"<title>T</title><content type='application/xml'><entry {ATOM}><title>U</title></entry></content>"
            ).title
            == "T"
        )

    def test_full_text_of_a_json_feed_counts_before_a_longer_summary(self) -> None:
        full, summary = "Full. " * 60, "Summary. " * 90
        start = '{"version": "https://jsonfeed.org/version/1", "items": '
        [one] = read(start + json.dumps([{"content_text": full, "summary": summary}]) + "}")
        [other] = read(
            start + json.dumps([{"content_html": f"<p>{full}</p>", "content_text": summary}]) + "}"
        )
        assert one.text.startswith("Full.")
        assert other.text.startswith("Full.")

    def test_pictures_are_no_text(self) -> None:
        assert entry("<content type='image/png'>iVBORw0KGgo=</content><summary>S</summary>").text == "S"

    def test_a_summary_longer_than_a_stub_of_content_is_taken(self) -> None:
        one = item(
            f"<description>{'Words. ' * 9}</description><content:encoded>Photo</content:encoded>",
            spaces=CONTENT,
        )
        assert one.text.startswith("Words.")

    def test_full_text_counts_before_a_longer_summary(self) -> None:
        full, summary = "<p>" + "Full. " * 60 + "</p>", "Summary. " * 90
        one = item(
            f"<description>{summary}</description><content:encoded><![CDATA[{full}]]></content:encoded>",
            spaces=CONTENT,
        )
        assert one.text.startswith("Full.")

    @every(
        "stated, published, updated",
        cases(__file__, "dates stay as written"),
    )
    def test_dates_stay_as_written(self, stated: str, published: str | None, updated: str | None) -> None:
        one = item(f"<title>T</title>{stated}", spaces=DC)
        assert (one.published, one.updated) == (published, updated)

    def test_a_namespace_written_wrongly(self) -> None:
        one = item("<dc:date>2026</dc:date>", spaces="xmlns:dc='https://purl.org/dc/elements/1.1/'")
        assert one.published == "2026"

    def test_what_stands_in_an_image_of_an_item_is_not_the_items(self) -> None:
        one = item(
            "<image><title>No</title><link>http://no.org/</link></image><title>Yes</title><link>http://yes.org/</link>"
        )
        assert (one.title, one.url) == ("Yes", "http://yes.org/")

    def test_what_the_feed_says_after_its_items_counts(self) -> None:
        [one] = read(
            "<rss><channel><item><title>T</title></item><title>Late Post</title><language>fr</language></channel></rss>"
        )
        assert (one.source, one.language) == ("Late Post", "fr")


class TestLanguages:
    def test_the_nearest_declaration_counts(self) -> None:
        def language(inner: str, attributes: str = "xml:lang='en'") -> str:
            return entry(inner, attributes=attributes).language

        assert language("<title>T</title>") == "en"
        assert language("<title xml:lang='de'>T</title>") == "de"
        assert language("<title xml:lang='de'>T</title><summary xml:lang='fr_CA'>S</summary>") == "fr-CA"
        assert language("<title xml:lang=''>T</title>") == ""
        assert language("<title>T</title>", "xml:lang='not a language'") == ""

    def test_of_an_item_before_that_of_its_feed(self) -> None:
        channel = "<title>P</title><language>en-us</language>"
        assert item("<title>T</title>", channel=channel).language == "en-us"
        assert (
            item("<title>T</title><dc:language>es</dc:language>", channel=channel, spaces=DC).language == "es"
        )


class TestLinks:
    def test_the_likeliest_address(self) -> None:
        def url(inner: str) -> str:
            return item(inner, spaces=ATOM.replace("xmlns=", "xmlns:a=")).url

        assert url("<link>http://a.org/1</link><guid>http://a.org/g</guid>") == "http://a.org/1"
        assert url("<guid>http://a.org/g</guid>") == "http://a.org/g"
        assert url("<guid isPermaLink='false'>http://a.org/g</guid>") == ""
        assert url("<a:link rel='alternate' href='http://a.org/2'/>") == "http://a.org/2"
        assert url("<a:link rel='enclosure' href='http://a.org/2.mp3'/>") == ""
        assert url("<link>javascript:alert(1)</link>") == ""

    def test_an_html_page_before_other_forms(self) -> None:
        one = entry(
            "<link type='application/json' href='http://a.org/j'/><link type='text/html' href='http://a.org/h'/>"
        )
        assert one.url == "http://a.org/h"

    def test_relative_links(self) -> None:
        feed = "<rss xml:base='http://b.org/x/'><channel><item xml:base='y/'><link>z</link></item></channel></rss>"
        assert read(feed)[0].url == "http://b.org/x/y/z"
        bare = "<rss><channel><item><link>/z</link></item></channel></rss>"
        assert read(bare)[0].url == ""
        assert read(bare, url="http://c.org/feed")[0].url == "http://c.org/z"
        linked = "<rss><channel><link>http://d.org/news/</link><item><link>z</link></item></channel></rss>"
        assert read(linked)[0].url == "http://d.org/news/z"


def test_origins_count_items() -> None:
    assert [
        one.origin for one in read(rss("<item><title>1</title></item><item><title>2</title></item>"))
    ] == [
        "f.xml:1",
        "f.xml:2",
    ]


def test_the_channel(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(
        rss("<item/>", channel="<title>A &amp;amp; B</title><link>http://a.org</link><language>en</language>")
    )
    channel = read_channel(path)
    assert (channel.title, channel.url, channel.language) == ("A & B", "http://a.org", "en")


def test_a_feed_without_items_is_none_of_an_error() -> None:
    notes = Notes()
    assert read(rss(""), notes=notes) == []
    assert notes.remarks == ["f.xml: a feed without items"]


def test_the_example_of_the_page_on_feeds() -> None:
    page = (ROOT / "docs" / "sources" / "reading.md").read_text(encoding="utf-8")
    example = re.search(
        r"^```xml world.xml\n(.*?)^```$.*?^```json item\n(.*?)^```$", page, re.MULTILINE | re.DOTALL
    )
    assert example is not None
    [one] = read(example[1])
    expected = json.loads(example[2])
    assert fields(one, *expected) == expected
