"""Clusters and relevance in Chromium: by keyboard alone, by mouse, by dragging; two at once, two tabs, no line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import People, desk_with, served, sign_in_browser
from tests.sweeps import cases
from tests.web.browser.chromium import PATIENCE_MS, findings
from tidings.core.records import Cluster, Event, Judgments, PooledUpdate
from tidings.core.records.judgments import Account, judge_layer

TEXTS = cases(__file__, "texts")
IDS = [f"{1374684000 + 60 * number}-x-0" for number in range(len(TEXTS))]
LAPTOP, TABLET = {"width": 1366, "height": 768}, {"width": 820, "height": 1180}
CLUSTERS, RELEVANCE = "/projects/1/topics/1/clusters", "/projects/1/topics/1/relevance"


def ferry(clusters: tuple[Cluster, ...] = ()) -> Judgments:
    pool = tuple(
        PooledUpdate("E1", name.removesuffix("-0"), 0, text) for name, text in zip(IDS, TEXTS, strict=True)
    )
    event = Event(id="E1", title="Ferry <b>fire</b>", query="ferry fire")
    return Judgments(name="ferry", events=(event,), pool=pool, clusters=clusters)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with desk_with(tmp_path / "desk.db", ferry(), judges=2) as made:
        yield made


@contextmanager
def signed_in(browser: Any, people: People, account: Account, address: str, **look: Any) -> Iterator[Any]:
    context = browser.browser.new_context(**{"viewport": LAPTOP, **look})
    context.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    context.on("weberror", lambda error: problems.append(str(error.error)))
    context.on(
        "dialog", lambda dialog: problems.append(dialog.message) if dialog.message else dialog.accept()
    )
    try:
        sign_in_browser(context, people, account, address)
        yield context
        assert not problems
    finally:
        context.close()


def opened(context: Any, address: str) -> Any:
    page = context.new_page()
    page.goto(address)
    page.locator(".row[aria-current]").wait_for()
    return page


def saved(page: Any) -> None:
    page.locator("#saving", has_text="all saved").wait_for()


def press(page: Any, keys: str) -> None:
    for key in keys.split():
        page.keyboard.press(key)


def places(people: People, account: Account) -> list[str | None]:
    """Of each update the label of its cluster; `-` where it is not relevant, None where it has no place."""
    layer = judge_layer(account.id)
    objects = people.desk.log.objects(1, 1, layer=layer)
    labels = {one.id: one.value["label"] for one in objects if one.kind == "cluster"}
    of = {one.id: one.value["cluster"] for one in objects if one.kind == "membership"}
    return [None if name not in of else "-" if of[name] is None else labels[of[name]] for name in IDS]


def grades(people: People, account: Account) -> list[int | None]:
    objects = people.desk.log.objects(1, 1, layer=judge_layer(account.id), kind="relevance")
    of = {one.id: one.value["grade"] for one in objects}
    return [of.get(name) for name in IDS]


@pytest.mark.long
def test_updates_are_clustered_by_keyboard_alone(browser: Any, people: People) -> None:
    with served(people) as address, signed_in(browser, people, people.first, address) as context:
        page = opened(context, address + CLUSTERS)
        assert page.locator("#left").inner_text() == "6 left of 6"
        press(page, "c")
        page.locator(".suggestion", has_text="A ferry is on fire").wait_for()
        press(page, "y d d c 1 Enter")
        saved(page)
        fire, dead = TEXTS[0], TEXTS[5]
        assert places(people, people.first) == [fire, fire, "-", fire, "-", dead, fire]
        assert page.locator("#none").inner_text() == "Every update is clustered."
        press(page, "u")
        page.locator("#left", has_text="1 left").wait_for()
        page.locator(".suggestion", has_text="Nine people died").wait_for()
        press(page, "/")
        page.keyboard.type("people died")
        press(page, "Enter Enter r")
        page.locator("dialog textarea").fill("the dead")
        press(page, "Enter")
        page.locator(".card", has_text="the dead").wait_for()
        saved(page)
        press(page, "m Enter")
        page.locator(".card").nth(1).wait_for(state="detached")
        saved(page)
        assert places(people, people.first) == [fire, fire, "-", fire, "-", fire, fire]
        press(page, "u")
        page.locator(".card", has_text="the dead").wait_for()
        saved(page)
        assert places(people, people.first)[5:] == ["the dead", "the dead"]
        assisted = [entry.assisted for entry in people.desk.log.entries(1) if entry.operation == "add"]
        assert assisted == ["most-alike", "", ""]


@pytest.mark.long
def test_relevance_is_graded_by_keyboard_and_leads_to_the_clusters(browser: Any, people: People) -> None:
    with served(people) as address, signed_in(browser, people, people.first, address) as context:
        page = opened(context, address + RELEVANCE)
        for key, text in zip("0210", (0, 1, 2, 4), strict=True):
            page.locator(".row[aria-current]", has_text=TEXTS[text][-12:]).wait_for()
            press(page, key)
        saved(page)
        assert grades(people, people.first) == [0, 2, 1, 0, 0, None, None]
        page.locator(".row[aria-current]", has_text="Nine people died").wait_for()
        press(page, "k 1")
        saved(page)
        assert grades(people, people.first)[4] == 1
        press(page, "u")
        page.locator("[aria-pressed=true]", has_text="not relevant").wait_for()
        saved(page)
        assert grades(people, people.first)[4] == 0
        page.goto(address + CLUSTERS)
        assert page.locator(".row .text").all_inner_texts() == [TEXTS[1], TEXTS[2]]
        assert page.locator("#left").inner_text() == "2 left of 6"
        press(page, "h")
        assert page.locator(".row").count() == 6


@pytest.mark.long
class TestAtLength:
    def test_all_of_it_by_mouse(self, browser: Any, people: People) -> None:
        with served(people) as address, signed_in(browser, people, people.first, address) as context:
            page = opened(context, address + CLUSTERS)

            def row(number: int) -> Any:
                return page.locator(f'.row[data-id="{IDS[number]}"]')

            row(0).get_by_role("button", name="New").click()
            row(2).get_by_role("button", name="New").click()
            page.locator(".card .pick", has_text="A ferry is on fire").click()
            row(1).get_by_role("button", name="Add").click()
            row(4).get_by_role("button", name="Del").click()
            row(5).click()
            page.get_by_role("button", name="Accept").click()
            first, second = page.locator(".card").nth(0), page.locator(".card").nth(1)
            first.get_by_role("button", name="Sort by similarity").click()
            page.locator("#sorted:visible").wait_for()
            first.get_by_role("button", name="Back to time order").click()
            second.get_by_role("button", name="Rep").click()
            page.locator("dialog textarea").fill("weather")
            page.locator("dialog").get_by_role("button", name="Rename").click()
            page.locator(".card .label", has_text="weather").wait_for()
            saved(page)
            fire = TEXTS[0]
            assert places(people, people.first) == [fire, fire, "weather", fire, "-", fire, None]
            page.locator("#view").select_option("out")
            row(4).get_by_role("button", name="Put back").click()
            page.locator("#view").select_option("all")
            page.locator(".card .pick", has_text="weather").click()
            row(5).get_by_role("button", name="Move").click()
            second.locator("summary").click()
            second.get_by_role("button", name="Remove this update").first.click()
            saved(page)
            assert places(people, people.first) == [fire, fire, None, fire, None, "weather", None]
            second.get_by_role("button", name="Merge").click()
            page.locator("dialog").get_by_role("button", name="Merge").click()
            page.locator(".card").nth(1).wait_for(state="detached")
            page.locator(".card").get_by_role("button", name="Remove cluster").click()
            page.locator("#no-clusters:visible").wait_for()
            saved(page)
            assert places(people, people.first) == [None] * 7
            press(page, "u u")
            page.locator(".card", has_text="weather").wait_for()
            saved(page)
            assert places(people, people.first) == [fire, fire, None, fire, None, "weather", None]

    def test_all_of_it_by_dragging(self, browser: Any, people: People) -> None:
        with served(people) as address, signed_in(browser, people, people.first, address) as context:
            page = opened(context, address + CLUSTERS)

            def drag(source: Any, target: str) -> None:
                source.hover()
                page.mouse.down()
                page.mouse.move(600, 400, steps=3)
                page.locator(f"{target}:visible").first.wait_for()
                page.locator(target).first.hover()
                page.locator(target).first.hover()
                page.mouse.up()

            def row(number: int) -> Any:
                return page.locator(f'.row[data-id="{IDS[number]}"] .text')

            drag(row(0), "#drop-new")
            drag(row(1), ".card")
            drag(row(2), "#drop-out")
            drag(row(5), "#drop-new")
            saved(page)
            fire, dead = TEXTS[0], TEXTS[5]
            assert places(people, people.first) == [fire, fire, "-", fire, None, dead, None]
            page.locator(".card summary", has_text="members").first.click()
            drag(page.locator(f'[data-update="{IDS[1]}"]'), ".card:nth-child(2) .meta")
            saved(page)
            assert places(people, people.first)[1] == dead
            drag(page.locator(f'[data-update="{IDS[0]}"]'), "#updates")
            drag(page.locator(".card:nth-child(2) .pick"), ".card:nth-child(1) .meta")
            saved(page)
            assert places(people, people.first) == [None, fire, "-", None, None, fire, None]

    def test_two_judges_at_once_know_nothing_of_each_other(self, browser: Any, people: People) -> None:
        with (
            served(people) as address,
            signed_in(browser, people, people.first, address) as here,
            signed_in(browser, people, people.second, address) as there,
        ):
            one, other = opened(here, address + CLUSTERS), opened(there, address + CLUSTERS)
            press(one, "c y")
            press(other, "d c c d")
            saved(one)
            saved(other)
            one.reload()
            other.reload()
            assert one.locator(".card").count() == 1 and other.locator(".card").count() == 2
            fire = TEXTS[0]
            assert places(people, people.second)[:5] == ["-", TEXTS[1], TEXTS[2], "-", "-"]
            assert places(people, people.first)[:2] == [fire, fire]

    def test_two_tabs_of_one_judge_do_not_write_over_each_other(self, browser: Any, people: People) -> None:
        with served(people) as address, signed_in(browser, people, people.first, address) as context:
            one, other = opened(context, address + CLUSTERS), opened(context, address + CLUSTERS)
            press(one, "c")
            saved(one)
            press(other, "d")
            other.locator(".toast", has_text="Someone changed this").wait_for()
            other.locator(".card", has_text=TEXTS[0]).wait_for()
            assert places(people, people.first)[0] == TEXTS[0]
            press(other, "1 Enter")
            saved(other)
            assert places(people, people.first)[:2] == [TEXTS[0]] * 2

    def test_nothing_is_lost_without_a_connection_or_by_loading_again(
        self, browser: Any, people: People
    ) -> None:
        with served(people) as address, signed_in(browser, people, people.first, address) as context:
            page = opened(context, address + CLUSTERS)
            page.route("**/api/**", lambda route: route.abort())
            press(page, "c d 1 Enter Enter r")
            page.locator("dialog textarea").fill("half typ")
            page.locator("#saving", has_text="not saved").wait_for()
            assert places(people, people.first) == [None] * 7
            page.unroute("**/api/**")
            page.reload()
            page.locator("#left", has_text="2 left").wait_for()
            saved(page)
            fire = TEXTS[0]
            assert places(people, people.first) == [fire, "-", fire, fire, fire, None, None]
            press(page, "1 r")
            assert page.locator("dialog textarea").input_value() == "half typ"
            press(page, "Escape u")
            page.locator("#left", has_text="3 left").wait_for()

    def test_a_list_and_a_page_for_what_others_took(self, browser: Any, people: People) -> None:
        with (
            served(people) as address,
            signed_in(browser, people, people.first, address) as here,
            signed_in(browser, people, people.second, address) as there,
            signed_in(browser, people, people.lead, address) as third,
        ):
            for context in (here, there, third):
                context.add_init_script(
                    "location.host && localStorage.setItem('tidings-relevance-view', 'open')"
                )
            pages = [opened(context, address + RELEVANCE) for context in (here, there, third)]
            rows = pages[2].locator(".row")
            before = rows.count()
            for page in pages[:2]:
                page.locator(f'.row[data-id="{IDS[6]}"]').get_by_role("button", name="highly").click()
                saved(page)
            pages[2].locator(f'.row[data-id="{IDS[6]}"]').get_by_role("button", name="highly").click()
            pages[2].locator(".toast", has_text="Already taken by 2 others").wait_for()
            pages[2].locator(f'.row[data-id="{IDS[6]}"]').wait_for(state="detached")
            assert rows.count() == before - 1
            assert grades(people, people.lead) == [None] * 7

    @pytest.mark.parametrize("look", [LAPTOP, TABLET], ids=["laptop", "tablet"])
    @pytest.mark.parametrize("colours", ["light", "dark"])
    def test_both_pages_are_open_to_all(
        self, browser: Any, people: People, look: dict[str, int], colours: str
    ) -> None:
        with (
            served(people) as address,
            signed_in(browser, people, people.first, address, viewport=look, color_scheme=colours) as context,
        ):
            page = opened(context, address + CLUSTERS)
            press(page, "c c d 1 o")
            page.locator("#view").select_option("all")
            page.locator(".suggestion").wait_for()
            assert not findings(page)
            press(page, "r")
            page.locator("dialog textarea").wait_for()
            assert not findings(page)
            page = opened(context, address + RELEVANCE)
            press(page, "1 2 k")
            assert not findings(page)
            page.locator("#view").select_option("open")
            assert not findings(page)

    def test_what_is_decided_stays(self, browser: Any, tmp_path: Path) -> None:
        imported = (Cluster("E1", "17", (IDS[0], IDS[5]), "imported"),)
        with (
            desk_with(tmp_path / "decided.db", ferry(imported)) as people,
            served(people) as address,
            signed_in(browser, people, people.first, address) as context,
        ):
            page = opened(context, address + CLUSTERS)
            assert page.locator("#left").inner_text() == "4 left of 6"
            assert "decided" in page.locator(".card").inner_text()
            assert page.locator(".card").get_by_role("button", name="Rep").count() == 0
            press(page, "y")
            saved(page)
            page.locator("#view").select_option("placed")
            assert page.locator(".row .where").all_inner_texts() == ["in 1, decided", "in 1", "in 1, decided"]
            assert page.locator(".row").first.get_by_role("button").count() == 0
            press(page, "d")
            page.locator(".toast", has_text="decided").wait_for()
            objects = people.desk.log.objects(1, 1, layer=judge_layer(people.first.id))
            assert {one.id: one.value for one in objects}[IDS[1]] == {"cluster": "17"}
