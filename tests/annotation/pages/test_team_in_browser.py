"""A team in Chromium: from an invitation to the first judgment, adjudication, and two people at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import People, bundled_judgments, desk_with, served, sign_in_browser
from tests.web.browser.chromium import PATIENCE_MS, findings
from tidings.annotation.store import Act
from tidings.core.records.judgments import FINAL, Account, Change, judge_layer

LAPTOP = {"width": 1366, "height": 768}
ADJUDICATION = "/projects/1/topics/1/adjudication"


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with desk_with(tmp_path / "d.db", bundled_judgments(judged=False), judges=2) as made:
        judge_twice(made)
        yield made


def judge_twice(people: People) -> None:
    """What two judges make of the first updates: one agreed, three contested, and clusters that overlap."""
    desk = people.desk
    pool = desk.projects.items(1, 1, "update")
    nuggets = [one.id for one in desk.log.objects(1, 1, layer="shared", kind="nugget")]
    spans = {
        people.first.id: [[(0, 0, 9)], [(1, 0, 9)], [(2, 0, 9)], [(3, 0, 9)], []],
        people.second.id: [[(0, 0, 9)], [(1, 0, 14)], [(2, 0, 9), (4, 5, 14)], [], []],
    }
    places = {people.first.id: "aabb-", people.second.id: "xxxyy"}
    labels = {"a": "The fire begins", "b": "Who is dead", "x": "The fire", "y": "The dead and the injured"}
    for account, given in spans.items():
        layer = judge_layer(account)
        changes = [
            Change(
                layer,
                "matches",
                item.id,
                {
                    "matches": [
                        {"nugget": nuggets[n], "start": start, "end": end, "automatic": False}
                        for n, start, end in each
                    ]
                },
            )
            for item, each in zip(pool, given, strict=False)
        ]
        used = dict.fromkeys(places[account].replace("-", ""))
        changes += [
            Change(layer, "cluster", name, {"label": labels[name], "number": at})
            for at, name in enumerate(used, 1)
        ]
        changes += [
            Change(layer, "membership", item.id, {"cluster": None if place == "-" else place})
            for item, place in zip(pool, places[account], strict=False)
        ]
        act = Act(key=f"judged-{account}", operation="match", topic=1, account_id=account)
        desk.log.record(1, act, changes)


@contextmanager
def opened(
    browser: Any, people: People, account: Account | None, address: str, path: str, **look: Any
) -> Any:
    context = browser.browser.new_context(**{"viewport": LAPTOP, **look})
    context.set_default_timeout(PATIENCE_MS)
    try:
        if account is not None:
            sign_in_browser(context, people, account, address)
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(address + path)
        yield page
        assert not problems
    finally:
        context.close()


def saved(page: Any) -> None:
    page.locator("#saving", has_text="all saved").wait_for()


def final(people: People, kind: str = "matches") -> dict[str, Any]:
    return {one.id: one.value for one in people.desk.log.objects(1, 1, layer=FINAL, kind=kind)}


@pytest.mark.long
def test_contested_matches_are_decided_by_keyboard_alone(browser: Any, people: People) -> None:
    names = [item.id for item in people.desk.projects.items(1, 1, "update")[:5]]
    with (
        served(people) as address,
        opened(browser, people, people.lead, address, f"{ADJUDICATION}?task=matching") as page,
    ):
        page.wait_for_selector(".contest.current")
        page.keyboard.press("2")
        page.keyboard.press("b")
        page.keyboard.press("e")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.get_by_text("0 of 3 disagreements to decide.").wait_for()
        saved(page)
        decided = final(people)
        assert decided[names[1]]["matches"][0]["end"] == 14
        assert len(decided[names[2]]["matches"]) == 2
        assert decided[names[3]] == {"matches": []}
        assert findings(page) == []
        page.locator("h1").click()
        page.keyboard.press("A")  # asks first; the browser of the test says no
        assert page.locator("#agreed").is_enabled() and len(final(people)) < len(names)
        page.once("dialog", lambda dialog: dialog.accept())
        page.keyboard.press("A")
        page.locator("#agreed-count", has_text=re.compile("^0$")).wait_for()
        assert final(people).keys() == set(names)


@pytest.mark.long
def test_contested_clusters_are_decided_by_mouse_and_taken_back(browser: Any, people: People) -> None:
    names = [item.id for item in people.desk.projects.items(1, 1, "update")[:5]]
    with (
        served(people) as address,
        opened(browser, people, people.lead, address, f"{ADJUDICATION}?task=clusters") as page,
    ):
        assert findings(page) == []
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Make agreed judgments final").click()
        page.locator("#agreed-count", has_text=re.compile("^0$")).wait_for()
        page.get_by_role("button", name="second 2").first.click()
        page.get_by_role("button", name="Not relevant").last.click()
        saved(page)
        placed = final(people, "membership")
        assert placed[names[2]] == {"cluster": "a"} and placed[names[4]] == {"cluster": None}
        page.keyboard.press("u")
        page.get_by_text("1 of 1 disagreements to decide.").wait_for()
        assert names[4] not in final(people, "membership")


@pytest.mark.long
def test_a_span_is_marked_anew_by_mouse(browser: Any, people: People) -> None:
    name = people.desk.projects.items(1, 1, "update")[1].id
    with (
        served(people) as address,
        opened(browser, people, people.lead, address, f"{ADJUDICATION}?task=matching") as page,
    ):
        page.get_by_role("button", name="Another answer").first.click()
        page.evaluate(
            """() => { const text = document.querySelector(".contest .text").firstChild;
                getSelection().setBaseAndExtent(text, 2, text, 7); }"""
        )
        page.get_by_role("button", name="Use the marked text").first.click()
        page.get_by_role("button", name="Decide this").click()
        saved(page)
        assert [(m["start"], m["end"]) for m in final(people)[name]["matches"]] == [(2, 7)]


@pytest.mark.long
def test_two_leads_at_once_decide_an_item_once(browser: Any, people: People) -> None:
    people.desk.projects.set_member(1, people.stranger.id, "lead")
    path = f"{ADJUDICATION}?task=matching"
    with (
        served(people) as address,
        opened(browser, people, people.lead, address, path) as one,
        opened(browser, people, people.stranger, address, path) as other,
    ):
        one.keyboard.press("1")
        saved(one)
        before = final(people)
        other.keyboard.press("2")
        other.locator(".toast", has_text="Someone changed this").wait_for()
        other.get_by_text("3 of 3 disagreements to decide.").wait_for()
        assert final(people) == before


@pytest.mark.long
def test_from_an_invitation_to_the_first_judgment(browser: Any, people: People) -> None:
    with served(people) as address:
        with opened(browser, people, people.lead, address, "/projects/1/team") as page:
            assert findings(page) == []
            page.get_by_label("Name", exact=True).fill("newcomer")
            page.get_by_role("button", name="Add member").click()
            link = page.locator("#link").input_value()
            assert findings(page) == []
        with opened(browser, people, None, address, link.removeprefix(address)) as page:
            page.keyboard.type("correct horse")
            page.keyboard.press("Tab")
            page.keyboard.type("correct horse")
            page.keyboard.press("Enter")
            page.get_by_role("link", name="collection").click()
            page.get_by_role("link", name="Matches").click()
            page.wait_for_url("**/matching**")
            page.keyboard.press("0")
            saved(page)
            account = people.desk.accounts.find("newcomer")
            assert account is not None
            assert people.desk.log.objects(1, 1, layer=judge_layer(account.id), kind="matches")


@pytest.mark.long
def test_guidelines_survive_a_reload_and_stand_beside_the_data(browser: Any, people: People) -> None:
    with (
        served(people) as address,
        opened(browser, people, people.lead, address, "/projects/1/team") as page,
    ):
        page.locator("#guidelines-typed").fill("# How to judge\n\n- *Matches*: what is **said**.")
        page.reload()
        assert "How to judge" in page.locator("#guidelines-typed").input_value()
        page.get_by_role("button", name="Save guidelines").click()
        page.wait_for_url("**#guidelines-saved")
        page.goto(f"{address}{ADJUDICATION}")
        page.locator(".guidelines summary").click()
        page.locator(".guidelines-text strong", has_text="said").wait_for()
        assert findings(page) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_other_pages_have_nothing_wrong(browser: Any, people: People, scheme: str) -> None:
    paths = ("", "/team", "/notes", "/corrections", "/log", "/agreement", "/topics/1/adjudication")
    with (
        served(people) as address,
        opened(browser, people, people.lead, address, "/projects/1", color_scheme=scheme) as page,
    ):
        for path in paths:
            page.goto(f"{address}/projects/1{path}")
            assert findings(page) == []
