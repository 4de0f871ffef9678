"""The API: items as run files have them, cursors, and what it says of itself."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.live.pages.streaming import EVENTS, QUICK, Telling, telling_in, update
from tidings.core.records import EntityRanking, Event, Evidence, Output, Support, Update, ValueUpdate
from tidings.core.records.documents import InboxChange, KeptFeed
from tidings.core.records.standing import StandingEvent
from tidings.following.outputs.outputs import write_outputs
from tidings.live.pages.app import make_app
from tidings.sources.inbox import open_inbox

EVIDENCE = Evidence("d9", 2, "Two died.", 60, "Wire", "Fire", "https://wire.example/1")
OUTPUTS: tuple[Output, ...] = (
    update(1, source="Wire", title="A <b>fire</b>", url="https://wire.example/1?a=1&b=2"),
    ValueUpdate("ferry", 130, "deaths", (2.0,), 0.8, "d1", 3, (EVIDENCE,), (1.0, 4.0)),
    ValueUpdate("ferry", 131, "location", (42.88, -8.54), place="Santiago"),
    EntityRanking("ferry", "2013-07-24", ("Renfe", "Adif"), 140, ("org", "org"), (0.9, 0.2)),
    Support("ferry", 150, "d1", 0, EVIDENCE, same=False),
    Update("ferry", "d2", 1, 160, math.nan, "Nobody knows \u2028 how sure."),
    update(3, "storm"),
)
PARTS = {"updates": "update", "values": "value", "entities": "entities", "supports": "support"}


@pytest.fixture
def telling(tmp_path: Path) -> Iterator[Telling]:
    with telling_in(str(tmp_path / "live.db")) as made:
        made.tell(*OUTPUTS)
        yield made


@pytest.fixture
def client(telling: Telling) -> TestClient:
    return TestClient(make_app(telling.live, QUICK), base_url="http://127.0.0.1")


def answer(client: TestClient, path: str) -> Any:
    said = client.get(path)
    assert said.status_code == 200, said.text
    assert said.headers["content-type"] == "application/json"
    return said.json()


def test_items_are_the_lines_of_a_run_file(client: TestClient, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    write_outputs(path, OUTPUTS)
    lines = path.read_bytes().splitlines()
    for part, kind in PARTS.items():
        said = client.get(f"/api/events/ferry/{part}").content
        own = [
            line
            for line in lines
            if json.loads(line)["kind"] == kind and json.loads(line)["event"] == "ferry"
        ]
        assert own and said.startswith(b'{"items":[' + b",".join(own) + b'],"cursor":')


def test_cursors_lead_through_all_of_it_once(client: TestClient, telling: Telling) -> None:
    seen, cursor = [], 0
    while True:
        page = answer(client, f"/api/events/ferry/updates?after={cursor}&limit=1")
        if not page["items"]:
            break
        assert len(page["items"]) == 1 and page["cursor"] > cursor
        seen += [item["update"] for item in page["items"]]
        cursor = page["cursor"]
    assert seen == ["d1-0", "d2-1"] and page == {"items": [], "cursor": cursor}
    # What is told next comes after that cursor, and cursors are the ids of streams.
    assert cursor == 6


def test_a_cursor_beyond_the_end_begins_at_the_beginning(client: TestClient) -> None:
    assert answer(client, "/api/events/ferry/updates?after=900") == answer(
        client, "/api/events/ferry/updates"
    )
    assert answer(client, "/api/events/ferry/updates?after=7") == {"items": [], "cursor": 7}


def test_the_events(client: TestClient, telling: Telling) -> None:
    flood = Event(id="flood", title="Flood", query="flood", start_time=5, languages=("de",))
    telling.live.events.add(StandingEvent(event=flood, state="paused"), "somebody")
    ferry, storm, waiting = answer(client, "/api/events")["items"]
    assert (ferry["id"], ferry["title"], ferry["query"]) == ("ferry", "Ferry fire", "ferry fire")
    assert (ferry["state"], ferry["updated"], ferry["cursor"]) == ("followed", 160, 6)
    assert (storm["id"], storm["cursor"]) == ("storm", 7)
    assert waiting == {
        "id": "flood", "title": "Flood", "query": "flood", "languages": ["de"], "start": 5,
        "state": "paused", "updated": None, "cursor": 0,
    }  # fmt: skip
    assert answer(client, "/api/events/flood/updates") == {"items": [], "cursor": 0}


def test_another_run_of_the_store_has_its_own_events(telling: Telling) -> None:
    from tidings.live.store import LiveStore

    with telling.store.begin("other", {}, events=EVENTS[:1]):
        client = TestClient(make_app(LiveStore(telling.store, "other"), QUICK), base_url="http://127.0.0.1")
        assert [one["id"] for one in answer(client, "/api/events")["items"]] == ["ferry"]
        assert answer(client, "/api/events/ferry/updates") == {"items": [], "cursor": 0}


def test_the_sources(client: TestClient, telling: Telling) -> None:
    import msgspec

    from tidings.sources.polling.manners import FeedState

    state = msgspec.msgpack.encode(FeedState(failures=2, asked=7, answered_time=50, error="it says 500"))
    feed = KeptFeed(
        url="https://me:word@wire.example/rss?key=1",
        title="Wire",
        next_time=90,
        error="it says 500",
        state=state,
    )
    with open_inbox(telling.store, "feeds") as inbox:
        inbox.commit(InboxChange(now=60, feeds=(feed,)))
    (item,) = answer(client, "/api/sources")["items"]
    assert item == {
        "inbox": "Feeds", "url": "https://wire.example/rss?…", "title": "Wire", "state": "fails",
        "error": "it says 500", "failures": 2, "answered_time": 50, "next_time": 90, "asked": 7, "items": 0,
        "last_time": 0, "delay_s": None, "dropped": {},
    }  # fmt: skip


def test_what_is_not_there_or_not_understood(client: TestClient) -> None:
    for part in (*PARTS, "stream"):
        assert client.get(f"/api/events/nowhere/{part}").status_code == 404
    for query in ("after=-1", "after=x", f"after={2**60}", "limit=0", "limit=501"):
        said = client.get(f"/api/events/ferry/updates?{query}")
        assert said.status_code == 422 and said.json()["message"]


def test_head_is_get_without_a_body(client: TestClient) -> None:
    for path in ("/", "/api/events", "/events/ferry/atom.xml"):
        whole, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]


def test_text_that_is_broken_is_sent_as_it_can_be(client: TestClient, telling: Telling) -> None:
    """A document may hold half a surrogate pair; JSON can say so, UTF-8 cannot."""
    text = "half \ud800 of it"
    telling.tell(update(8, "storm", text), Support("storm", 9, "d8", 0, Evidence("d9", 0, text)))
    assert answer(client, "/api/events/storm/updates")["items"][-1]["text"] == text
    assert answer(client, "/api/events/storm/supports")["items"][-1]["evidence"]["text"] == text


class TestDescription:
    """The description at /openapi.json says what is really answered."""

    def test_every_answer_fits_it(self, client: TestClient) -> None:
        import jsonschema_rs

        described = answer(client, "/openapi.json")["paths"]
        for path in ("/api/events", "/api/sources", *(f"/api/events/{{event_id}}/{part}" for part in PARTS)):
            said = described[path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            found = answer(client, path.replace("{event_id}", "ferry"))
            assert jsonschema_rs.is_valid(said, found), path
            for item in found["items"]:
                extra = set(item) - set(said["properties"]["items"]["items"]["properties"])
                assert not extra, (path, extra)

    def test_streams_and_feeds_are_in_it(self, client: TestClient) -> None:
        described = answer(client, "/openapi.json")["paths"]
        kinds = {
            "/api/stream": "text/event-stream",
            "/api/events/{event_id}/stream": "text/event-stream",
            "/events/{event_id}/atom.xml": "application/atom+xml",
            "/events/{event_id}/feed.json": "application/feed+json",
        }
        for path, kind in kinds.items():
            assert list(described[path]["get"]["responses"]["200"]["content"]) == [kind]
