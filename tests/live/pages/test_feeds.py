"""Feeds of an event: valid, whole, safe, with ids that stay, and not sent twice to who has them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import feedparser
import pytest
from fastapi.testclient import TestClient
from lxml import etree
from msgspec.structs import replace

from tests.live.pages.streaming import QUICK, Telling, telling_in, update
from tests.sweeps import every
from tidings.live.pages.app import make_app

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = '<script>alert(1)</script> & ]]> \x00\x0b "quoted"'
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Telling]:
    with telling_in(str(tmp_path_factory.mktemp("feeds") / "live.db")) as made:
        made.tell(
            update(1, text="The ferry burned for hours. " * 30, source="Wire", url="https://wire.example/1?a=1&b=2"),
            update(2, text=HOSTILE, source=HOSTILE, title=HOSTILE, url="javascript:alert(1)"),
            update(3, text="Ünïcode 火 😀 and half \ud800.", url="https://wire.example/\"><script>"),
            update(4, "storm", "Elsewhere."),
        )  # fmt: skip
        yield made


def client_of(telling: Telling, **settings: Any) -> TestClient:
    return TestClient(make_app(telling.live, replace(QUICK, **settings)), base_url="http://127.0.0.1")


@pytest.fixture(scope="module")
def client(telling: Telling) -> TestClient:
    return client_of(telling)


def check_atom(data: bytes) -> Any:
    """What RFC 4287 says a feed must have; gives the feed."""
    feed = etree.fromstring(data)
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    ids = []
    for element in (feed, *entries):
        for name in ("id", "title", "updated"):
            assert len(element.findall(ATOM + name)) == 1, name
        assert element.findtext(f"{ATOM}id").startswith("urn:uuid:")
        assert MOMENT.fullmatch(element.findtext(f"{ATOM}updated"))
        assert element.find(f"{ATOM}title").get("type", "text") in ("text", "html", "xhtml")
        ids.append(element.findtext(f"{ATOM}id"))
        kinds = [
            (link.get("rel"), link.get("type"), link.get("hreflang"))
            for link in element.findall(f"{ATOM}link")
        ]
        alternates = [kind for kind in kinds if kind[0] in (None, "alternate")]
        assert len(alternates) == len(set(alternates)) == 1
        for link in element.findall(f"{ATOM}link"):
            assert re.fullmatch(r"https?://[^\s<>\"]+", link.get("href"))
    assert len(set(ids)) == len(ids)
    assert [link.get("rel") for link in feed.findall(f"{ATOM}link")].count("self") == 1
    assert feed.find(f"{ATOM}author/{ATOM}name").text
    for entry in entries:
        assert entry.find(f"{ATOM}author/{ATOM}name").text
        assert (
            len(entry.findall(f"{ATOM}content")) == 1 and entry.find(f"{ATOM}content").get("type") == "html"
        )
    times = [entry.findtext(f"{ATOM}updated") for entry in entries]
    assert feed.findtext(f"{ATOM}updated") == max(times, default=feed.findtext(f"{ATOM}updated"))
    assert times == sorted(times, reverse=True)
    return feed


def test_atom_is_valid_and_has_all_of_the_text(client: TestClient) -> None:
    said = client.get("/events/ferry/atom.xml")
    assert said.headers["content-type"] == "application/atom+xml"
    check_atom(said.content)
    read = feedparser.parse(said.content)
    assert not read.bozo and read.version == "atom10" and read.feed.title == "Ferry fire"
    last, hostile, first = read.entries
    assert first.content[0].value.count("The ferry burned for hours.") == 30 and len(first.title) <= 110
    assert first.link == "http://127.0.0.1/events/ferry/updates/1"
    assert {link.href for link in first.links if link.rel == "via"} == {"https://wire.example/1?a=1&b=2"}
    assert first.author == "Wire" and "Ünïcode 火" in last.title
    assert [link.rel for entry in (last, hostile) for link in entry.links] == ["alternate", "alternate"]


def test_nothing_of_a_strangers_text_is_markup(client: TestClient) -> None:
    from lxml import html

    feed = check_atom(client.get("/events/ferry/atom.xml").content)
    items = json.loads(client.get("/events/ferry/feed.json").content)["items"]
    pieces = [entry.findtext(f"{ATOM}content") for entry in feed.findall(f"{ATOM}entry")]
    pieces += [item["content_html"] for item in items]
    assert len(pieces) == 6
    for piece in pieces:
        tags = {element.tag for element in html.fragment_fromstring(piece, create_parent="div").iter()}
        assert tags <= {"div", "p", "a"}
    assert "javascript:" not in "".join(pieces)
    assert "alert(1)" in pieces[1]  # as text


def test_json_feed_is_valid(client: TestClient) -> None:
    said = client.get("/events/ferry/feed.json")
    assert said.headers["content-type"] == "application/feed+json"
    feed = said.json()
    assert feed["version"] == "https://jsonfeed.org/version/1.1" and feed["title"] == "Ferry fire"
    assert feed["feed_url"] == "http://127.0.0.1/events/ferry/feed.json"
    for item in feed["items"]:
        assert (
            isinstance(item["id"], str) and item["content_text"] and MOMENT.fullmatch(item["date_published"])
        )
    assert len({item["id"] for item in feed["items"]}) == 3
    assert feed["items"][2]["external_url"] == "https://wire.example/1?a=1&b=2"
    assert [("external_url" in item) for item in feed["items"]] == [False, False, True]
    entries = check_atom(client.get("/events/ferry/atom.xml").content).iter(f"{ATOM}entry")
    atom_ids = [one.findtext(f"{ATOM}id") for one in entries]
    assert [item["id"] for item in feed["items"]] == atom_ids


def test_our_own_reader_and_a_quick_one_read_them(client: TestClient, tmp_path: Path) -> None:
    import fastfeedparser

    from tidings import read_documents

    said = client.get("/events/ferry/atom.xml").content
    assert len(fastfeedparser.parse(said).entries) == 3
    for name in ("atom.xml", "feed.json"):
        path = tmp_path / name
        path.write_bytes(client.get(f"/events/ferry/{name}").content)
        documents = list(read_documents(path))
        assert len(documents) == 3


@every("name", ["atom.xml", "feed.json"])
def test_who_has_it_is_not_sent_it_again(name: str, tmp_path: Path) -> None:
    with telling_in(str(tmp_path / f"{name}.db")) as telling:
        client, path = client_of(telling), f"/events/ferry/{name}"
        assert client.get(path).status_code == 200  # without an update
        telling.tell(update(1))
        tag = client.get(path).headers["etag"]
        for said in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = client.get(path, headers={"if-none-match": said})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert client.get(path, headers={"if-none-match": '"other"'}).status_code == 200
        telling.tell(update(2, "storm"))
        assert client.get(path, headers={"if-none-match": tag}).status_code == 304
        telling.tell(update(3))
        changed = client.get(path, headers={"if-none-match": tag})
        assert changed.status_code == 200 and changed.headers["etag"] != tag


def test_an_empty_feed_is_valid(tmp_path: Path) -> None:
    with telling_in(str(tmp_path / "empty.db")) as telling:
        check_atom(client_of(telling).get("/events/storm/atom.xml").content)


def test_ids_stay_when_the_address_changes_and_when_it_is_told_again(
    telling: Telling, tmp_path: Path
) -> None:
    def ids(client: TestClient) -> list[str]:
        return [item["id"] for item in client.get("/events/storm/feed.json").json()["items"]]

    elsewhere = client_of(telling, public_url="https://news.example", hosts=("news.example",))
    assert ids(elsewhere) == ids(client_of(telling))
    with telling_in(str(tmp_path / "again.db")) as again:
        again.tell(update(4, "storm", "Elsewhere."))
        assert ids(client_of(again)) == ids(elsewhere)
        again.begin_anew()
        again.tell(update(5, "storm"), update(4, "storm", "Elsewhere."))
        assert ids(client_of(again))[0] == ids(elsewhere)[0]


def test_links_are_those_that_others_reach(telling: Telling) -> None:
    settings = {"public_url": "https://news.example", "root_path": "/live", "hosts": ("news.example",)}
    for client in (client_of(telling, **settings), client_of(telling, root_path="/live")):
        feed = client.get("/live/events/ferry/feed.json").json()
        site = "https://news.example" if client.app.state.settings.public_url else "http://127.0.0.1"  # type: ignore[attr-defined]
        assert feed["feed_url"] == f"{site}/live/events/ferry/feed.json"
        assert feed["items"][2]["url"] == f"{site}/live/events/ferry/updates/1"


def test_there_is_none_of_an_event_that_is_not_there(client: TestClient) -> None:
    for name in ("atom.xml", "feed.json"):
        said = client.get(f"/events/nowhere/{name}")
        assert said.status_code == 404 and said.json()["message"]


def test_where_only_accounts_may_read_a_reader_of_feeds_is_told_so(telling: Telling) -> None:
    client = client_of(telling, open_reading=False)
    assert client.get("/events/ferry/atom.xml").status_code == 401
