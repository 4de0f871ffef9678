"""While you were away: what was not seen, on one screen; marks of readers."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from tests.live.pages.sites import FERRY, NOON, STORM, Site, client_of, live_in, update
from tests.sweeps import cases, every
from tidings.core.records import EntityRanking, Evidence, Support, ValueUpdate
from tidings.live.marks import marks_in_effect
from tidings.live.pages.settings import LiveSiteSettings

WORDS = "harbour passengers rescue engine captain smoke islands weather hospital police company divers"


def story(count: int) -> list[object]:
    words = WORDS.split()
    return [
        update(
            number,
            f"The {words[number % 12]} of day {number} {words[number * 7 % 12]} was reported anew " * 2,
        )
        for number in range(count)
    ]


def test_what_was_on_screen_is_not_shown_again(any_store: str) -> None:
    with (
        live_in(any_store, outputs=[update(n, f"Update number {n}.") for n in range(1, 6)]) as site,
        client_of(site) as client,
    ):
        page = client.get("/away").text
        assert "5 updates you have not seen in the last 24 hours" in page
        assert all(f"Update number {n}." in page for n in range(1, 6))
        answer = client.post("/api/seen", json={"event": "ferry", "from": 2, "to": 4})
        assert answer.status_code == 204
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=lax" in cookie and "secure" not in cookie
        page = client.get("/away").text
        assert "Update number 1." in page and "Update number 3." not in page and "Update number 5." in page
        assert "Update number 3." in client.get("/away?seen=1").text
        # Another browser has seen nothing.
        client.cookies.clear()
        assert "5 updates" in client.get("/away").text


def test_never_more_than_a_screen(tmp_path: Path) -> None:
    told = story(300)
    with live_in(str(tmp_path / "a.db"), outputs=told) as site, client_of(site) as client:  # type: ignore[arg-type]
        page = client.get("/away?since=0").text
        items = page.split('<p class="said" dir="auto">')[1:]
        texts = [item.partition("</p>")[0] for item in items]
        assert 5 <= len(texts) <= 12 and sum(map(len, texts)) <= 1_200
        assert f"{300 - len(texts)} more updates are on the story pages." in page


@every(
    "since, shown",
    cases(__file__, "any since"),
)
def test_any_since(tmp_path: Path, since: str, shown: tuple[int, ...]) -> None:
    outputs = [update(n, f"Update number {n}.") for n in (1, 40, 65)]
    with (
        live_in(str(tmp_path / "a.db"), outputs=outputs, clock=lambda: float(NOON + 66 * 60)) as site,
        client_of(site) as client,
    ):
        page = client.get("/away", params={"since": since}).text
        places = {1: "number 1.", 2: "number 40.", 3: "number 65."}
        assert {place for place, words in places.items() if words in page} == set(shown)


def test_since_that_names_no_moment_is_refused_in_a_line(tmp_path: Path) -> None:
    with live_in(str(tmp_path / "a.db")) as site, client_of(site) as client:
        answer = client.get("/away?since=<b>soon")
        assert answer.status_code == 422
        assert "&#39;&lt;b&gt;soon&#39; is not a time. Use 30m, 1h" in answer.text
        assert "No new updates" in client.get("/away").text


def test_figures_as_they_stand_names_that_are_new_and_who_says_so(tmp_path: Path) -> None:
    def deaths(number: int, count: float) -> ValueUpdate:
        evidence = Evidence("d1", 0, "Dead.", NOON, "Coast Radio", url="https://a.example/1")
        return ValueUpdate("ferry", NOON + 60 * number, "deaths", (count,), evidence=(evidence,))

    outputs = [
        deaths(1, 3.0),
        update(2, "<b>The</b> captain spoke.", url="javascript:alert(1)"),
        Support("ferry", NOON + 130, "d2", 0, Evidence("o", 0, source="Wire")),
        deaths(3, 5.0),
        deaths(4, 9.0),
        EntityRanking("ferry", "2013-07-24", ("Harbour", "Ada <i>"), NOON + 300, new=(False, True)),
    ]
    with live_in(str(tmp_path / "a.db"), outputs=outputs) as site, client_of(site) as client:
        page = client.get("/away?since=1").text
        assert "9 dead (it was 3)" in page and "5 dead" not in page
        assert "New key names: Ada &lt;i&gt;" in page and "Harbour" not in page
        assert "&lt;b&gt;The&lt;/b&gt; captain spoke." in page and "javascript:" not in page
        assert "2 outlets report this" in page


@every(
    "body",
    cases(__file__, "seen numbers that cannot be are refused"),
)
def test_seen_numbers_that_cannot_be_are_refused(tmp_path: Path, body: dict[str, object]) -> None:
    with live_in(str(tmp_path / "a.db"), outputs=[update(1)]) as site, client_of(site) as client:
        assert client.post("/api/seen", json=body).status_code == 422
        answer = client.post("/api/seen", json={"event": "none", "from": 1, "to": 1})
        assert answer.status_code == 204 and "set-cookie" not in answer.headers


def signed_in(site: Site, client: TestClient) -> None:
    from tidings.annotation.store import Desk

    accounts = Desk(site.live.store).accounts
    token = accounts.begin_session(accounts.add("ada").id)
    client.cookies.set("tidings_desk", token)


def test_a_mark_is_kept_as_a_judgment(any_store: str) -> None:
    with live_in(any_store, outputs=[update(1, "Lottery winners.")]) as site, client_of(site) as client:
        said = {"update": 1, "mark": "not-about"}
        assert client.post("/api/events/ferry/marks", json=said).status_code == 401
        signed_in(site, client)
        assert client.post("/api/events/ferry/marks", json=said).json()["update"] == 1
        kept = marks_in_effect(site.live.events.log())["ferry"]["d1-0"]
        assert (kept.mark, kept.text) == ("not-about", "Lottery winners.")
        assert site.live.events.log()[-1].who == "ada" and site.live.events.has_waiting()
        client.post("/api/events/ferry/marks", json={**said, "withdrawn": True})
        assert marks_in_effect(site.live.events.log()) == {}


def test_a_mark_of_a_broken_text_is_kept_as_text(tmp_path: Path) -> None:
    with (
        live_in(str(tmp_path / "a.db"), outputs=[update(1, "Fire \ud800.")]) as site,
        client_of(site) as client,
    ):
        signed_in(site, client)
        assert client.post("/api/events/ferry/marks", json={"update": 1, "mark": "known"}).status_code == 200
        assert marks_in_effect(site.live.events.log())["ferry"]["d1-0"].text == "Fire ?."


@every(
    "path, said, status",
    cases(__file__, "marks of nothing are refused"),
)
def test_marks_of_nothing_are_refused(
    tmp_path: Path, path: str, said: dict[str, object], status: int
) -> None:
    told = [update(1), update(2, event="storm")]
    with live_in(str(tmp_path / "a.db"), (FERRY, STORM), told) as site, client_of(site) as client:
        signed_in(site, client)
        assert client.post(f"/api/events/{path}/marks", json=said).status_code == status
        assert marks_in_effect(site.live.events.log()) == {}


def test_where_pages_are_for_reading_alone_nobody_marks(tmp_path: Path) -> None:
    settings = LiveSiteSettings(read_only=True)
    with live_in(str(tmp_path / "a.db"), outputs=[update(1)]) as site, client_of(site, settings) as client:
        signed_in(site, client)
        assert client.post("/api/events/ferry/marks", json={"update": 1, "mark": "known"}).status_code == 403
        assert "marks.js" not in client.get("/").text
