"""Habits of programs and outlets that files of strangers have shown."""

import io
import json
import tarfile
import zipfile
from pathlib import Path

from tests.sweeps import cases, every
from tidings.core.files.reading import Content, ReadingOptions
from tidings.core.records import Document
from tidings.sources import open_reading
from tidings.sources.feeds.entries import Channel, outlet_name
from tidings.sources.feeds.markup import plain_text

FEED = (
    "<rss version='2.0' xmlns:yandex='http://news.yandex.ru'><channel><title>Port: Главное</title>"
    "<link>https://a.example/</link><item><title>Ferry</title><pubDate>Tue, 17 Feb 2026 10:00:00 GMT</pubDate>"
    "<description>A ferry burns.</description>"
    "<yandex:full-text>A ferry burns. All are saved.</yandex:full-text></item></channel></rss>"
)
NOTE = "---\ndate: 2026-02-17\n---\nTugs are on their way."


def documents(name: str, data: bytes | str) -> list[Document]:
    raw = data.encode() if isinstance(data, str) else data
    return list(open_reading([Content(name, data=raw)]))


def table(*rows: dict[str, object]) -> list[Document]:
    return documents("a.json", json.dumps(list(rows)))


def test_an_archive_is_none_of_the_files_that_stand_in_it_unpacked() -> None:
    packed, rolled = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as pack, tarfile.open(fileobj=rolled, mode="w") as roll:
        for name, text in (("a.xml", FEED), ("b.md", NOTE)):
            pack.writestr(name, text)
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            roll.addfile(member, io.BytesIO(text.encode()))
    for name, data in (("a.zip", packed), ("a.tar", rolled)):
        assert len(documents(name, data.getvalue())) == 2, name


def test_the_full_text_that_russian_outlets_give_is_read() -> None:
    (document,) = documents("a.xml", FEED)
    assert document.text == "A ferry burns. All are saved."
    assert document.source == "Port"


@every(
    "channel, name",
    [
        (Channel(title="Monde : Toute l’actualité sur Le Monde.fr.", url="https://lemonde.fr/"), "Le Monde.fr"),
        (Channel(title="新华网-国际频道", url="http://www.xinhuanet.com/", hints=("新华网",)), "新华网"),
        (Channel(title="Jean-Paul", url="https://b.example/"), "Jean-Paul"),
    ],
)  # fmt: skip
def test_an_outlet_is_named_in_a_title(channel: Channel, name: str) -> None:
    assert outlet_name(channel) == name


def test_what_programs_for_blogs_put_under_a_text_is_left_out() -> None:
    shares = "<div class='sharedaddy sd-sharing'><h3>Share this:</h3><ul><li>Facebook</li></ul></div>"
    offer = "<p class='button-wrapper'><a>Subscribe now</a></p>"
    widget = "<div class='subscription-widget-wrap-editor'><p>Thanks for reading!</p></div>"
    assert plain_text(f"<p>One.</p>{widget}<p>Two.</p>{shares}{offer}") == "One.\n\nTwo."


def test_articles_that_were_taken_back_are_left_out() -> None:
    row = {"title": "Ferry on fire", "publishedAt": "2026-02-17T10:00:00Z", "content": "A ferry is on fire."}
    gone = {"title": "[Removed]", "publishedAt": "1970-01-01T00:00:00Z", "content": "[Removed]"}
    assert [one.title for one in table(row, gone)] == ["Ferry on fire"]


@every(
    "title, outlet, expected",
    cases(__file__, "a title of a row is without its outlet"),
)
def test_a_title_of_a_row_is_without_its_outlet(title: str, outlet: str, expected: str) -> None:
    row = {"title": title, "source": outlet, "date": "2026-02-17", "text": "A ferry burns off the port."}
    assert table(row)[0].title == expected


@every("name", ["media_name", "Page Name"])
def test_the_name_of_an_outlet_is_neither_title_nor_text(name: str) -> None:
    rows = [
        {"date": "2026-02-17", name: "Port of Nador", "Message": f"Quay {number} is closed to all."}
        for number in (3, 4)
    ]
    assert [(one.source, one.title) for one in table(*rows)] == [("Port of Nador", "")] * 2
    alone = [{"date": "2026-02-17", name: "Port of Nador", "title": "Quay closed"}]
    assert [(one.source, one.text) for one in table(*alone)] == [("Port of Nador", "")]


def test_words_that_are_bold_stand_in_their_sentence() -> None:
    text = ["Smoke seen from ", {"type": "bold", "text": "quay 3"}, ". We look into it."]
    (document,) = table({"id": 1, "date": "2026-02-17T08:31:02Z", "text": text})
    assert document.text == "Smoke seen from quay 3. We look into it."
    parts = [{"text": "One is here."}, {"text": "Two are there."}]
    assert table({"id": 1, "date": "2026-02-17", "text": parts})[0].text == "One is here.\nTwo are there."


def test_headers_of_mail_are_decoded() -> None:
    mail = "Date: Tue, 17 Feb 2026 08:00:00 +0100\nSubject: =?utf-8?B?RsOkaHJl?= brennt\n\nCome at once."
    assert documents("a.txt", mail)[0].title == "Fähre brennt"
    assert documents("a.txt", mail.replace("utf-8", "no-such"))[0].title == "=?no-such?B?RsOkaHJl?= brennt"


def test_an_outlet_before_a_title_is_no_part_of_it(tmp_path: Path) -> None:
    page = (
        "<html><head><title>The Wire - Ferry burns</title><meta name=pubdate content=2026-02-17></head><body>"
        "<h1>Ferry burns</h1><p>A ferry with 312 people on board is burning off the port, the guard said.</p>"
    )
    (document,) = documents("a.html", page)
    assert (document.title, document.source) == ("Ferry burns", "The Wire")


def test_a_feed_without_dates_takes_the_time_of_its_file_where_that_is_asked_for() -> None:
    data = FEED.replace("pubDate", "otherDate").encode()
    content = Content("a.xml", data=data, modified_time=86_400)
    assert [one.published_time for one in open_reading([content], ReadingOptions(file_times=True))] == [
        86_400
    ]
    assert list(open_reading([content])) == []


def test_an_offer_in_place_of_an_article_is_not_its_text() -> None:
    told = {"@type": "NewsArticle", "headline": "Inside the ferry", "datePublished": "2026-02-17T10:00:00Z",
            "isAccessibleForFree": "False", "description": "What those who look into it look for"}  # fmt: skip
    page = (
        "<html><head><title>Inside the ferry</title><script type='application/ld+json'>"
        + json.dumps(told)
        + "</script></head><body><h1>Subscribe to read</h1><p>Then 69 euros a month. Cancel anytime you want.</p>"
    )
    (document,) = documents("a.html", page)
    assert (document.title, document.text) == ("Inside the ferry", "What those who look into it look for")
    (document,) = documents("a.html", page.replace("Subscribe to read", "Inside the ferry"))
    assert document.text.startswith("Then 69 euros")
