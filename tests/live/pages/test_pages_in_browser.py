"""Live pages in Chromium: what is told arrives, moves nothing that is read, and comes once, whatever happens."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live.pages.sites import FERRY, NOON, STORM, Site, live_in, served, update
from tests.web.browser.chromium import findings, ready
from tidings.core.records import EntityRanking, Evidence, Support, ValueUpdate
from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.pages.settings import LiveSiteSettings

QUICK = LiveSiteSettings(requests_per_s=0, look_every_s=0.05)
PHONE = {"width": 390, "height": 844}
STORY = "#updates li.item"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with live_in(str(tmp_path / "a.db"), (FERRY, STORM)) as made:
        yield made


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.browser.new_context(viewport={"width": 1280, "height": 720})
    one = context.new_page()
    faults: list[str] = []
    one.on("pageerror", lambda error: faults.append(str(error)))
    one.on(
        "console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None
    )
    yield one
    context.close()
    assert faults == []


def opened(page: Any, address: str, path: str = "/events/ferry") -> None:
    page.goto(address + path)
    page.wait_for_selector("#live-state:has-text('live')")


def numbers(page: Any) -> list[int]:
    said: list[int] = page.eval_on_selector_all(STORY, "items => items.map((one) => Number(one.dataset.seq))")
    return said


def shows(page: Any, expected: list[int]) -> None:
    """Wait until the story has these numbers, in this order, each once."""
    page.wait_for_function(
        "wanted => JSON.stringify([...document.querySelectorAll('#updates li.item')].map((one) => "
        "Number(one.dataset.seq))) === wanted",
        arg=json.dumps(expected, separators=(",", ":")),
        timeout=120_000,
    )


def test_an_update_arrives_and_moves_nothing_that_is_read(page: Any, site: Site) -> None:
    site.tell(*(update(n, f"Sentence {n} of the story so far.") for n in range(1, 31)))
    with served(site, QUICK) as address:
        opened(page, address)
        site.tell(
            update(31, "<img src=x onerror=alert(1)> sinks", url="https://radio.example/1"),
            update(32, "", event="storm"),
            update(33, "It sank.", source="", url="javascript:alert(1)", time=NOON + 86400),
        )
        shows(page, [33, *range(31, 0, -1)])
        assert page.inner_text("#u31 .said") == "<img src=x onerror=alert(1)> sinks"
        assert page.get_attribute("#u31 .source a", "href") == "https://radio.example/1"
        assert page.get_attribute("#u31 a.when", "href") == "/events/ferry/updates/31"
        assert page.locator("#u33 .source a").count() == 0
        assert page.locator("#updates li").first.inner_text() == "Thursday 25 July 2013"
        page.locator("#u12").scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, document.getElementById('u12').offsetTop)")
        before = page.locator("#u12").bounding_box()
        site.tell(update(34), update(35), update(36))
        page.get_by_role("button", name="3 new").wait_for()
        assert page.locator("#u12").bounding_box() == before and len(numbers(page)) == 32
        page.keyboard.press("n")
        shows(page, [36, 35, 34, 33, *range(31, 0, -1)])
        assert page.evaluate("scrollY") == 0 and not page.locator("#show-new").is_visible()


@pytest.mark.long
def test_what_was_missed_comes_in_order_once(page: Any, site: Site) -> None:
    site.tell(update(1))
    with served(site, QUICK) as address:
        port = int(address.rpartition(":")[2])
        opened(page, address)
        page.context.set_offline(True)  # streams that are open stay so: what is new is lost with the next
        site.tell(update(2))
        page.context.set_offline(False)
        site.tell(update(3))
        shows(page, [3, 2, 1])
    site.tell(update(4), update(5))  # while no server runs
    page.wait_for_selector("#live-state.failed")
    with served(site, QUICK, port):
        shows(page, [5, 4, 3, 2, 1])
        page.wait_for_selector("#live-state:has-text('live')")
        site.tell(update(6))
        shows(page, [6, 5, 4, 3, 2, 1])
        page.reload()
        shows(page, [6, 5, 4, 3, 2, 1])
        page.wait_for_selector("#live-state:has-text('live')")
        site.tell(update(7))
        shows(page, [7, 6, 5, 4, 3, 2, 1])
        page.goto(f"{address}/search")
        site.tell(update(8))
        page.go_back()
        shows(page, [8, 7, 6, 5, 4, 3, 2, 1])
        site.tell(update(9))
        shows(page, [9, 8, 7, 6, 5, 4, 3, 2, 1])


@pytest.mark.long
def test_a_stream_that_fell_silent_is_opened_anew_after_what_came(page: Any, site: Site) -> None:
    site.tell(update(1))
    page.clock.install()
    asked: list[str] = []
    with served(site, QUICK) as address:
        page.on("request", lambda request: asked.append(request.url) if "/stream" in request.url else None)
        opened(page, address)
        site.tell(update(2))
        shows(page, [2, 1])
        page.clock.fast_forward(120_000)  # the laptop slept: no ping was heard for two minutes
        site.tell(update(3))
        page.clock.run_for(6000)
        shows(page, [3, 2, 1])
        page.clock.run_for(300)
    assert asked[0].endswith("after=1") and len(asked) == 2 and asked[-1].endswith(("after=2", "after=3")), (
        asked
    )


@pytest.mark.long
def test_a_stream_that_is_refused_is_asked_for_again(page: Any, site: Site) -> None:
    site.tell(update(1))
    with served(site, QUICK) as address:
        refused: list[int] = []

        def answer(route: Any) -> None:
            refused.append(1)
            route.fulfill(status=503, body="later") if len(refused) < 3 else route.continue_()

        page.route("**/stream?*", answer)
        page.goto(f"{address}/events/ferry")
        page.wait_for_selector("#live-state.failed")
        page.wait_for_selector("#live-state:has-text('live'):not(.failed)")
        site.tell(update(2))
        shows(page, [2, 1])
        assert len(refused) == 3


@pytest.mark.long
def test_a_run_that_is_begun_anew_is_shown_anew(page: Any, tmp_path: Path) -> None:
    from tidings.live.store import LIVE_RUN

    with live_in(str(tmp_path / "a.db")) as site:
        site.tell(*(update(n) for n in range(1, 6)))
        with served(site, QUICK) as address:
            opened(page, address)
            site.run.close()
            with site.live.store.begin(LIVE_RUN, {"streams": "test"}, events=[FERRY], restart=True) as run:
                run.commit((), {}, [update(6, "Told anew.")], (), events=[FERRY])
                shows(page, [1])
                assert page.inner_text("#u1 .said") == "Told anew."


@pytest.mark.long
def test_a_burst_and_what_is_held_stay_small(page: Any, site: Site) -> None:
    site.tell(update(1))
    with served(site, QUICK) as address:
        opened(page, address)
        for first in range(2, 1002, 100):
            site.tell(*(update(n) for n in range(first, first + 100)))
        page.wait_for_function(
            "() => document.querySelector('#updates li.item').dataset.seq === '1001'", timeout=120_000
        )
        shown = numbers(page)
        assert shown == list(range(1001, 1001 - len(shown), -1)) and len(shown) <= 400
        older = page.get_attribute("#older a", "href")
        assert older == f"?before={shown[-1]}"
        page.evaluate("scrollTo(0, 5000)")
        site.tell(*(update(n) for n in range(1002, 1502)))
        page.get_by_role("button", name="500 new").wait_for()
        assert numbers(page) == shown
        page.keyboard.press("n")  # so many are read from the store
        shows(page, list(range(1501, 1451, -1)))


@pytest.mark.long
def test_the_pages_are_used_by_keyboard_and_follow_the_clock(page: Any, site: Site) -> None:
    site.tell(*(update(n) for n in range(1, 6)))
    site.status = ServiceStatus(state="following", time=NOON)
    with served(site, QUICK) as address:
        opened(page, address)
        assert page.inner_text("#service-time") == "24 Jul 2013 12:00"
        site.status = ServiceStatus(state="failed", time=NOON + 3600, trouble="the disk is full")
        page.wait_for_selector("#service.failed:has-text('failed: the disk is full')")
        assert page.inner_text("#service-time").startswith("24 Jul 2013 13:")
        page.keyboard.press("j")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.id") == "u4"
        page.keyboard.press("k")
        assert page.evaluate("document.activeElement.id") == "u5"
        page.keyboard.press("l")
        page.wait_for_url("**/updates/5")
        page.go_back()
        page.wait_for_selector("#live-state:has-text('live')")
        page.keyboard.press("?")
        assert "show new updates" in page.inner_text("#keys")
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        page.wait_for_url("**/search")


@pytest.mark.long
def test_all_events_show_their_latest_as_it_is_told(page: Any, site: Site) -> None:
    site.tell(update(1))
    with served(site, QUICK) as address:
        opened(page, address, "/")
        site.tell(
            update(2, "It <b>sank</b>.", source="Post"), ValueUpdate("ferry", NOON + 120, "deaths", (4.0,))
        )
        site.tell(update(3, "It blows.", event="storm"))
        ferry, storm = page.locator(".card").nth(0), page.locator(".card").nth(1)
        ferry.get_by_text("It <b>sank</b>.").wait_for()
        storm.get_by_text("It blows.").wait_for()
        assert ferry.locator(".latest a").get_attribute("href") == "/events/ferry/updates/2"
        ferry.get_by_text("4 dead").wait_for()  # drawn by the server, a little later
        ferry.get_by_text("2 updates from 2 outlets").wait_for()


@pytest.mark.long
def test_what_stands_beside_the_story_is_drawn_again(page: Any, site: Site) -> None:
    site.tell(update(1))
    with served(site, QUICK) as address:
        opened(page, address)
        site.tell(
            ValueUpdate("ferry", NOON + 120, "deaths", (4.0,)),
            Support("ferry", NOON + 90, "d1", 0, Evidence("z", 1, "Ferry on fire.", NOON + 90, "Wire")),
        )
        page.locator("#first").get_by_text("4 dead").wait_for()
        page.locator("#s1").get_by_text("Repeated by Wire, 30 s later").wait_for()


PATHS = ["/", "/events/ferry", "/events/ferry?day=2013-07-24&outlet=Post", "/events/ferry/updates/1"]
PATHS += ["/search?q=sentence", "/search?q=nothing", "/sources", "/events/storm"]


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_no_page_is_wider_than_a_phone(browser: Any, site: Site, scheme: str) -> None:
    said = Evidence("x", 0, "Five are dead.", NOON, "Post", "Five dead", "https://post.example/1")
    site.tell(
        *(update(n, f"Sentence {n}: 5 people died {'in a very long place ' * 9}.") for n in range(1, 9)),
        ValueUpdate("ferry", NOON, "deaths", (2.0,), evidence=(said,)),
        ValueUpdate("ferry", NOON + 99, "deaths", (5.0,), evidence=(said,), reported=(2.0, 5.0)),
        EntityRanking("ferry", "2013-07-24", ("Port", "L" * 90), NOON, ("ORG", "PER"), evidence=(said, said)),
        Support("ferry", NOON + 90, "d1", 0, said),
    )
    site.status = ServiceStatus(state="failed", time=NOON, trouble="the disk is full " * 20)
    context = browser.browser.new_context(viewport=PHONE, color_scheme=scheme)
    page = context.new_page()
    with served(site, QUICK) as address:
        for path in PATHS:
            page.goto(address + path)
            ready(page)
            assert findings(page) == [], path
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()


def test_the_head_is_one_line_on_a_laptop(page: Any, site: Site) -> None:
    site.status = ServiceStatus(state="following", time=NOON)
    demo = "This is a demonstration: 24 to 31 July 2013, 600 times as fast"
    with served(site, LiveSiteSettings(requests_per_s=0, look_every_s=0.05, demo=demo)) as address:
        page.goto(address + "/sources")
        ready(page)
        assert page.evaluate("document.querySelector('header.frame').getBoundingClientRect().height") < 60


@pytest.mark.long
def test_the_story_is_printed_in_light_colours_without_tools(page: Any, site: Site) -> None:
    site.tell(*(update(n) for n in range(1, 6)))
    with served(site, QUICK) as address:
        page.emulate_media(color_scheme="dark")
        opened(page, address)
        page.emulate_media(media="print", color_scheme="dark")
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(27, 33, 39)"
        for hidden in ("#theme", ".filter", ".live-state", "header.frame nav ul"):
            assert not page.locator(hidden).first.is_visible(), hidden
        assert page.locator("#u3 .said").is_visible()
