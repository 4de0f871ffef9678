"""Pages of events, of one event, of an update, of a search and of sources: what they show, and that it is safe.

The head of every page: where one can go, how the service goes, what time it is for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from fastapi.testclient import TestClient

from tests.live.pages.sites import FERRY, NOON, STORM, Site, client_of, live_in, update
from tests.sweeps import cases, every
from tidings.core.records import Document, EntityRanking, Event, Evidence, Support, ValueUpdate
from tidings.core.records.documents import Arrival, InboxChange, KeptFeed
from tidings.core.records.standing import StandingEvent
from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.pages.settings import LiveSiteSettings
from tidings.sources.inbox import open_inbox
from tidings.sources.polling.manners import FeedState

BAD = "<script>alert(1)</script><img src=x onerror=y>\"'>\x1b\u202e\ud800"
DAY = 86400


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with live_in(str(tmp_path / "a.db"), (FERRY, STORM)) as made:
        yield made


@pytest.fixture
def client(site: Site) -> Iterator[TestClient]:
    with client_of(site, LiveSiteSettings(requests_per_s=0)) as made:
        yield made


def shown(page: str) -> list[int]:
    """The numbers of the updates in the story of a page, as they stand."""
    return [int(number) for number in re.findall(r'<li id="u(\d+)"', page.partition("<template")[0])]


def test_pages_say_so_where_there_is_nothing_yet(tmp_path: Path) -> None:
    with live_in(str(tmp_path / "a.db"), ()) as site, client_of(site) as client:
        assert "You are not following any story yet." in client.get("/").text
        assert "No articles have been fetched into this store." in client.get("/sources").text
        assert client.get("/events/none").status_code == 404
        site.live.events.add(StandingEvent(event=FERRY), "test")  # before its follower took it up
        page = client.get("/").text
        assert "Ferry fire" in page and "No updates yet." in page and "no updates in the last" in page
        page = client.get("/events/ferry").text
        assert "New ones appear here automatically." in page and not shown(page)
        assert "until 1 Jan 1970" not in page
        assert "No updates found" in client.get("/search?q=fire").text
        assert "Searches the updates of all stories" in client.get("/search").text


def test_the_page_of_all_shows_each_with_its_state_its_latest_and_its_figures(
    site: Site, client: TestClient
) -> None:
    site.tell(
        update(1, "A ferry burns."),
        ValueUpdate("ferry", NOON + 61, "deaths", (2.0,), reported=(2.0, 3.0)),
        update(2, "Two people died.", source="Post"),
        update(5, "It blows.", event="storm"),
    )
    storm = site.live.events.find("storm")
    assert storm is not None
    site.live.events.change(msgspec.structs.replace(storm, state="paused"), "test")
    page = client.get("/").text
    assert page.index("Ferry fire") < page.index("Storm in the north")  # what is followed stands first
    ferry, storm_card = page.split('<li class="card ')[1:]
    assert (
        "Two people died." in ferry and "A ferry burns." not in ferry and "2 updates from 2 outlets" in ferry
    )
    assert '<b class="deaths-ink">2</b> dead' in ferry and "(reports differ: 2 to 3)" in ferry
    assert 'aria-label="2 updates in the last 24 hours"' in ferry
    assert "paused" in storm_card and "1 update from 1 outlet<" in storm_card
    assert 'data-cursor="4"' in page


def test_an_event_has_its_story_its_figures_its_names_its_days_and_its_outlets(
    site: Site, client: TestClient
) -> None:
    said = Evidence("x", 0, "Five are dead, police say.", NOON, "Post", "Five dead", "https://post.example/1")
    site.tell(
        update(1, "A ferry burns near the port."),
        ValueUpdate("ferry", NOON + 60, "deaths", (2.0,), evidence=(said,)),
        ValueUpdate("ferry", NOON + DAY, "deaths", (5.0,), evidence=(said,)),
        Support("ferry", NOON + 90, "d1", 0, Evidence("z", 1, "Ferry on fire.", NOON + 90, "Wire")),
        Support("ferry", NOON + 91, "d8", 0, Evidence("z", 2, "Near it.", NOON + 90, "Wire"), same=False),
        EntityRanking(
            "ferry", "2013-07-24", ("Port Authority",), NOON + 99, ("ORG",), new=(True,), evidence=(said,)
        ),
        EntityRanking("ferry", "2013-07-25", ("Harbour",), NOON + DAY),
        update(2, "Five are dead.", time=NOON + DAY, url="https://radio.example/2", published_time=NOON),
        update(3, "Not of this one.", event="storm"),
    )
    page = client.get("/events/ferry").text
    assert shown(page) == [8, 1]
    assert "2 updates from 1 outlet since 24 Jul 2013 12:01, the last one 25 Jul 2013 12:00." in page
    assert (
        '<b class="deaths-ink">5</b> dead' in page and "dead: 2 from 24 Jul 2013 12:01, 5 from 25 Jul" in page
    )
    assert "Repeated by Wire, 30 s later" in page and "No other outlet seen saying this" in page
    assert "Key names, 25 Jul 2013" in page and "Harbour" in page and "Port Authority" not in page
    assert 'href="https://radio.example/2" rel="noopener noreferrer nofollow"' in page
    assert (
        'href="/events/ferry?day=2013-07-24#story"' in page
        and 'href="/events/ferry?outlet=Coast+Radio#story"' in page
    )
    assert '<td>Wire</td><td class="number">0</td><td class="number">1</td>' in page
    assert "Not of this one" not in page and "How it began" in page
    assert 'data-stream="/api/events/ferry/stream" data-cursor="9"' in page
    day = client.get("/events/ferry?day=2013-07-24").text
    assert shown(day) == [1] and "Port Authority</a> <span" in day and "organization, new" in day


FILTERS = cases(__file__, "filters", lists=True)


def test_what_is_asked_for_is_shown_without_any_script(site: Site, client: TestClient) -> None:
    site.tell(
        update(1, "A ferry burns."),
        update(2, "José García was on board.", source="Post"),
        ValueUpdate(
            "ferry", NOON + 60, "deaths", (2.0,), evidence=(Evidence("x", 0, "Two.", source="Wire"),)
        ),
        EntityRanking("ferry", "2013-07-24", ("The Harbour",), NOON + 99),
        update(1, "It blows.", event="storm"),
        Support("ferry", NOON + 90, "d1", 0, Evidence("z", 1, "Ferry on fire.", NOON + 90, "Wire")),
        update(3, "It sank.", time=NOON + DAY, source="", url="https://www.radio.example/a"),
    )
    for query, expected in FILTERS:
        answer = client.get(f"/events/ferry?{query}")
        assert (answer.status_code, shown(answer.text)) == (200, expected), query
    page = client.get("/events/ferry?day=2013-07-24&outlet=Post").text
    assert 'value="2013-07-24"' in page and "<option selected>Post</option>" in page
    assert 'href="/events/ferry?outlet=Post#story" title="Remove this filter">Wednesday 24 July 2013' in page
    assert 'data-whole="false"' in page and 'data-whole="true"' in client.get("/events/ferry").text
    assert "No matching updates." in client.get("/events/ferry?outlet=nobody").text
    assert client.get("/events/ferry?before=0").status_code == 422


@pytest.mark.long
def test_a_long_story_is_read_page_by_page_without_a_gap(site: Site, client: TestClient) -> None:
    site.tell(*(update(n, f"Number {n} of {'Ana' if n % 60 == 0 else 'them'}.") for n in range(1, 5001)))
    for query, expected in (("", list(range(5000, 0, -1))[:200]), ("entity=Ana", list(range(4980, 0, -60)))):
        address, seen = f"/events/ferry?{query}", list[int]()
        for _ in range(4 if not query else 40):
            page = client.get(address).text
            seen += shown(page)
            older = re.search(r'<p id="older" class="no-print"><a rel="next" href="([^"]+)"', page)
            if older is None:
                break
            address = older[1].replace("&amp;", "&").removesuffix("#story")
        assert seen == expected


def test_an_update_has_an_address_that_stays(site: Site, client: TestClient) -> None:
    site.tell(
        *(update(n) for n in range(1, 5)),
        update(5, "Of the storm.", event="storm"),
        Support(
            "ferry", NOON + 90, "d2", 0, Evidence("z", 1, "The same, said elsewhere.", NOON + 90, "Wire")
        ),
        update(6, "The last."),
    )
    page = client.get("/events/ferry/updates/2").text
    assert "<h1>Sentence 2.</h1>" in page and "“The same, said elsewhere.”" in page
    assert shown(page) == [7, 4, 3, 1]  # and itself, without a link, between them
    assert page.index("Sentence 3.") < page.index('aria-current="true"') < page.index("Sentence 1.")
    assert "Of the storm" not in page
    for gone in ("5", "6", "8", "0", "-1", str(2**63), "x"):
        assert client.get(f"/events/ferry/updates/{gone}").status_code in (404, 422), gone
    assert client.get("/events/none/updates/2").status_code == 404


def test_nothing_from_strangers_is_markup(tmp_path: Path) -> None:
    sound = BAD.replace("\ud800", "")
    event = Event(id='e"><u>', title=sound, query=sound, type=sound, description=sound)
    with live_in(str(tmp_path / "a.db"), (event,)) as site, client_of(site) as client:
        said = Evidence("x", 0, f"Dead {BAD}", NOON, f"Wire {BAD}", BAD, "javascript:alert(1)")
        own = {"event": event.id, "title": BAD, "url": "javascript:alert(1)"}
        site.tell(
            update(1, f"Dead: {BAD} fire", source=f"Radio {BAD}", **own),
            update(2, f"Two dead {BAD} fire", source="", **{**own, "url": "https://a@evil.example/"}),
            ValueUpdate(event.id, NOON, "deaths", (2.0,), evidence=(said,)),
            ValueUpdate(event.id, NOON + 9, BAD, (3.0,), evidence=(said,)),
            ValueUpdate(event.id, NOON + 9, "location", (4.0, 5.0), place=BAD),
            EntityRanking(event.id, "2013-07-24", (BAD,), NOON, ("<i>",), evidence=(said,)),
            Support(event.id, NOON, "d1", 0, said),
        )
        with open_inbox(site.live.store, f"feeds of /secret/{sound}") as inbox:
            state = msgspec.msgpack.encode(FeedState(error=sound))
            document = Document(id="d", published_time=NOON, source=sound, text="x")
            feed = KeptFeed(url=f"javascript:{sound}", title=sound, error=sound, state=state)
            inbox.commit(InboxChange(now=NOON, feeds=(feed,), arrivals=(Arrival(sound, document),)))
        from urllib.parse import quote

        here = f"/events/{quote(event.id, safe='')}"
        asked = quote(BAD, errors="replace")
        for path in (
            "/",
            here,
            f"{here}?kind=all",
            f"{here}?entity={asked}&outlet={asked}&day={asked}&kind={asked}",
            f"{here}/updates/1",
            f"/search?q=fire+{asked[:90]}",
            "/search?q=fire",
            f"/search?q={asked}&event={asked}",
            "/sources",
        ):
            answer = client.get(path)
            assert answer.status_code == 200, path
            page = answer.text
            assert not re.search(r"<script>|<img|<i>|<u>|onerror=y[>\"]", page), path
            assert 'href="javascript' not in page and 'evil.example/"' not in page, path
            assert "\x1b" not in page and "\u202e" not in page, path
            assert "/secret/" not in page, path


@every("path", ["/", "/events/ferry", "/events/ferry/updates/1", "/search?q=burns", "/sources"])
def test_pages_need_no_style_or_script_of_their_own(path: str, tmp_path: Path) -> None:
    with live_in(str(tmp_path / "a.db")) as site, client_of(site) as client:
        site.tell(update(1, "A ferry burns."))
        page = client.get(path).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! type=\"module\" src=)", page)
        assert page.count("<h1") == 1 and '<main id="main"' in page


def test_search_shows_what_was_found_and_where_to_go_on(site: Site, client: TestClient) -> None:
    site.tell(
        *(update(n, f"A fire, number {n}.") for n in range(1, 41)), update(41, "A fire.", event="storm")
    )
    page = client.get("/search?q=fire").text
    assert page.count('<li class="item">') == 30 and "/events/storm/updates/41" in page
    older = re.search(r'<a rel="next" href="([^"]+)">Earlier results', page)
    assert older is not None
    page = client.get(older[1].replace("&amp;", "&")).text
    assert page.count('<li class="item">') == 11 and "Earlier results" not in page
    page = client.get('/search?q="number+7"&event=ferry').text
    assert page.count('<li class="item">') == 1 and 'value="ferry" selected' in page
    for odd in ("%00", "%22", "*", "a" * 9000, "%ff", "-x", "%F0%9F%92%A5"):
        assert client.get(f"/search?q={odd}&event={odd}").status_code == 200, odd


def test_sources_say_how_each_feed_goes_and_what_it_dropped(site: Site, client: TestClient) -> None:
    good = FeedState(
        asked=4, asked_time=NOON, answered_time=NOON, items=7, dropped={"the same link": 5, "no text": 1}
    )
    bad = FeedState(answered_time=NOON, failures=3, error="an answer 500")

    def feed(url: str, state: FeedState, title: str) -> KeptFeed:
        kept = msgspec.msgpack.encode(state)
        return KeptFeed(url=url, title=title, next_time=NOON + 600, error=state.error, state=kept)

    def arrival(number: int, late: int) -> Arrival:
        document = Document(
            id=f"d{number}",
            published_time=NOON + number,
            source="Post",
            text="x",
            stated_time=NOON + number - late,
        )
        return Arrival("https://a.example/feed", document)

    with open_inbox(site.live.store, "feeds") as inbox:
        feeds = (
            feed("https://a.example/feed", good, "Post"),
            feed("https://me:secret@b.example/feed?key=1", bad, "Wire"),
            feed("https://c.example/feed", FeedState(), ""),
        )
        inbox.commit(
            InboxChange(now=NOON, feeds=feeds, arrivals=(arrival(1, 60), arrival(2, 600), arrival(3, 90)))
        )
    page = client.get("/sources").text
    rows = re.findall(r"<tr class.*?</tr>", page, re.DOTALL)
    assert len(rows) == 3
    assert (
        "Wire" in rows[0]
        and "fails" in rows[0]
        and "3 times in a row" in rows[0]
        and "an answer 500" in rows[0]
    )
    assert "secret" not in page and "key=1" not in page and "https://b.example/feed?…" in rows[0]
    assert "answers" in rows[1] and "24 Jul 2013 12:10" in rows[1] and ">1 min<" in rows[1]
    assert "5 the same link, 1 no text" in rows[1] and ">7<" in rows[1]
    assert "not checked yet" in rows[2] and "(no name)" in rows[2]
    assert "3 articles received" in page and "They are not followed here." in page


def test_sources_of_a_replay_are_its_outlets(site: Site, client: TestClient) -> None:
    with open_inbox(site.live.store, "feeds of /home/me/news.jsonl") as inbox:
        documents = [
            Document(id=f"d{n}", published_time=NOON + n, source="Post" if n else "Radio", text="x")
            for n in range(3)
        ]
        arrivals = tuple(Arrival(one.source, one) for one in documents)
        inbox.commit(InboxChange(now=NOON, arrivals=arrivals))
    page = client.get("/sources").text
    assert "File news.jsonl" in page and "/home" not in page and "Last answer" not in page
    assert page.index("Post") < page.index("Radio") and page.count("replayed") == 4


def test_the_head_says_where_one_is_and_how_the_service_goes(tmp_path: Path) -> None:
    with live_in(str(tmp_path / "a.db")) as site, client_of(site) as client:
        assert client.get("/status").json()["words"] == ""
        site.status = ServiceStatus(state="following", time=NOON)
        page = client.get("/").text
        assert '<a href="/" aria-current="page">Events</a>' in page
        assert "24 Jul 2013 12:00" in page and ">following<" in page
        assert client.get("/status").json()["is_replay"]  # an hour before the time of the machine
        site.status = ServiceStatus(state="failed", time=NOON + 3600, trouble="<b>no</b>\x1b /home/me/a.db")
        page = client.get("/").text
        assert "failed: &lt;b&gt;no&lt;/b&gt;\ufffd a.db" in page and "service failed" in page
        said = client.get("/status").json()
        assert said["is_failed"] and not said["is_replay"] and said["last_seq"] == 0


def test_who_has_to_sign_in_learns_nothing_before(tmp_path: Path) -> None:
    with live_in(str(tmp_path / "a.db")) as site:
        site.status = ServiceStatus(state="failed", time=NOON, trouble="a secret")
        with client_of(site, LiveSiteSettings(open_reading=False)) as client:
            assert client.get("/status").status_code == 303
            page = client.get("/sign-in").text
            assert "secret" not in page and "Sources" not in page and 'data-status=""' in page


def test_links_stand_under_the_path_that_a_proxy_serves(tmp_path: Path) -> None:
    from fastapi.testclient import TestClient

    from tests.live.pages.sites import app_of

    with live_in(str(tmp_path / "a.db")) as site:
        client = TestClient(app_of(site), base_url="http://127.0.0.1", root_path="/news")
        page = client.get("/news/").text
        assert 'href="/news/search"' in page and '"/news/static/' in page
        assert '<a href="/news/" aria-current="page">' in page
