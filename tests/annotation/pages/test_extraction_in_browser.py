"""Extraction in Chromium: by keys and by mouse, reload and lost connection, two people at once, and long lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import Struct

from tests.annotation.desk.histories import HISTORY
from tests.annotation.pages.desks import People, served, sign_in_browser
from tests.web.browser.chromium import findings, ready, until
from tidings.annotation.desk.exchange.importing import import_revisions
from tidings.annotation.store import Act
from tidings.core.records.documents import Revision
from tidings.core.records.judgments import SHARED, Change, judge_layer

NOW = "#nuggets > li.now"


class Desk(Struct):
    """A served desk and a page of the first judge's."""

    people: People
    address: str
    page: Any
    faults: list[str]

    def nuggets(self) -> dict[str, Any]:
        return {one.id: one.value for one in self.people.desk.log.objects(1, layer=SHARED, kind="nugget")}

    def made(self, before: set[str]) -> list[Any]:
        return [value for name, value in self.nuggets().items() if name not in before]

    def press(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def until(self, holds: Callable[[], bool]) -> None:
        until(self.page, holds)

    def saved(self) -> None:
        box = "() => JSON.parse(localStorage.getItem('tidings-outbox') ?? '[]').length"
        self.until(lambda: self.page.evaluate(box) == 0)

    def open(self) -> None:
        self.page.goto(f"{self.address}/projects/1/topics/1/extraction")
        ready(self.page)
        self.page.wait_for_selector("#text [data-start]")


@pytest.fixture
def desk(people: People, browser: Any) -> Iterator[Desk]:
    topic = people.desk.projects.topics(1)[0]
    import_revisions(people.desk, people.project, topic, HISTORY)
    with served(people) as address:
        browser.clear_cookies()
        sign_in_browser(browser, people, people.first, address)
        page = browser.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        made = Desk(people, address, page, faults)
        made.open()
        yield made
        page.close()
        assert not faults


def test_by_keys_alone(desk: Desk) -> None:
    page, before = desk.page, set(desk.nuggets())
    desk.press("ArrowRight")
    page.wait_for_selector("text=Revision 2 of 4")
    desk.press("ArrowRight")
    page.wait_for_selector("text=Revision 3 of 4")
    desk.press("j", "3", "2")
    desk.saved()
    (made,) = desk.made(before)
    words = "At least ten people have died, the regional government said."
    start = HISTORY[3].text.index(words)
    assert (made["text"], made["importance"], made["time"]) == (words, 2, HISTORY[3].time)
    assert made["source"] == {"revision": "r3", "start": start, "end": start + len(words)}
    # The next change, less its last words, written before it is saved.
    desk.press("j", *["Shift+ArrowLeft"] * 4, "a")
    field = page.locator("#editor textarea")
    page.wait_for_selector("#editor[open]")
    assert field.input_value() == "The train was on its way from"
    field.fill("The train was bound from Madrid to Ferrol")
    page.wait_for_selector("#editor .alike:has-text('Already there? route')")
    page.reload()
    page.wait_for_selector("#editor[open]")
    assert field.input_value() == "The train was bound from Madrid to Ferrol"
    assert not page.locator("#editor [name=importance]:checked").count()  # nobody has said it yet
    page.check("#editor [name=importance][value='1']")
    desk.press("Control+Enter")
    page.wait_for_selector("#editor:not([open])", state="attached")
    desk.saved()
    assert {one["text"] for one in desk.made(before)} == {words, "The train was bound from Madrid to Ferrol"}
    page.wait_for_selector(f"{NOW}:has-text('The train was bound from Madrid to Ferrol')")
    desk.press("u")
    desk.until(lambda: "bound from Madrid" not in page.inner_text("#nuggets"))
    assert [one["text"] for one in desk.made(before)] == [words]
    read = desk.people.desk.log.objects(1, 1, layer=judge_layer(desk.people.first.id), kind="read")
    assert [one.id for one in read] == ["r1", "r2"]


@pytest.mark.long
def test_by_mouse_with_merging_and_splitting(desk: Desk) -> None:
    page, people, before = desk.page, desk.people, set(desk.nuggets())
    matches = [{"nugget": "bang", "start": 0, "end": 4, "automatic": False}]
    update = people.desk.projects.items(1, 1, "update")[0].id
    layer = judge_layer(people.first.id)
    people.desk.log.record(
        1, Act(key="m", operation="match", topic=1), [Change(layer, "matches", update, {"matches": matches})]
    )
    page.reload()
    page.wait_for_selector("#nuggets >> text=1 matched")
    page.select_option("#which", "1")
    page.wait_for_selector("text=Revision 2 of 4")
    came = page.locator("#text ins", has_text="Residents")
    last_line = {"x": 30, "y": came.bounding_box()["height"] - 6}
    came.click(click_count=3, position=last_line)
    page.click("#selected [data-importance='1']")
    desk.saved()
    (made,) = desk.made(before)
    assert made["text"] == "Residents heard a bang and ran to help."
    page.wait_for_selector(".like:has-text('Already there?')")
    page.click(".like >> text=Merge")
    page.click("#editor button.main")
    page.wait_for_selector("#editor:not([open])", state="attached")
    assert desk.made(before) == [] and "bang" in desk.nuggets()
    page.click(f"{NOW} >> text=Split")
    page.locator("#choices textarea").nth(0).fill("Residents heard a bang")
    page.locator("#choices textarea").nth(1).fill("Residents ran to help")
    page.click("#choices .shares >> text=part 1")
    page.click("#choices button.main")
    page.wait_for_selector("#choices:not([open])", state="attached")
    (part,) = desk.made(before)
    assert part["text"] == "Residents ran to help"
    now = people.desk.log.object(1, 1, layer, "matches", update)
    assert now is not None and [one["nugget"] for one in now.value["matches"]] == list(
        set(desk.nuggets()) - before
    )


@pytest.mark.long
class TestMore:
    def test_two_people_at_one_nugget(self, desk: Desk, browser: Any) -> None:
        page = desk.page
        page.click("#nuggets >> text=Residents heard a bang")
        desk.press("e")
        page.fill("#editor textarea", "Residents heard a loud bang")
        there = desk.people.desk.log.object(1, 1, SHARED, "nugget", "bang")
        assert there is not None
        value = {**there.value, "text": "People heard a bang", "importance": 0}
        desk.people.desk.log.record(
            1, Act(key="k", operation="edit-nugget", topic=1), [Change(SHARED, "nugget", "bang", value)]
        )
        desk.press("Control+Enter")
        page.wait_for_selector("#editor .theirs >> text=People heard a bang")
        assert page.locator("#editor textarea").input_value() == "Residents heard a loud bang"
        assert desk.nuggets()["bang"]["text"] == "People heard a bang"
        desk.press("Control+Enter")
        desk.saved()
        assert desk.nuggets()["bang"]["text"] == "Residents heard a loud bang"
        # What somebody else adds comes by itself.
        desk.people.desk.log.record(
            1, Act(key="l", operation="add-nugget", topic=1), [Change(SHARED, "nugget", "n7", value)]
        )
        page.wait_for_selector("#nuggets > li.theirs:has-text('People heard a bang')")

    def test_a_lost_connection_loses_nothing(self, desk: Desk) -> None:
        page, before = desk.page, set(desk.nuggets())
        desk.press("ArrowRight")
        page.wait_for_selector("text=Revision 2 of 4")
        page.context.set_offline(True)
        desk.press("j", "3", "1")
        page.wait_for_selector("#saving.failed")
        page.context.set_offline(False)
        page.reload()
        desk.saved()
        (made,) = desk.made(before)
        assert made["importance"] == 1
        page.wait_for_selector(f"#nuggets >> text={made['text'][:40]}")

    def test_what_is_no_longer_selected_is_not_offered(self, desk: Desk) -> None:
        page, before = desk.page, set(desk.nuggets())
        desk.press("j")
        page.wait_for_selector("#selected:visible")
        desk.press("a")
        page.wait_for_selector("#editor[open]")
        desk.press("Escape")
        page.wait_for_selector("#selected", state="hidden")
        page.click("#nuggets >> text=Residents heard a bang")
        desk.press("0")
        desk.saved()
        assert desk.nuggets()["bang"]["importance"] == 0 and not desk.made(before)

    def test_needs_and_deleting(self, desk: Desk) -> None:
        page = desk.page
        page.click("#nuggets >> text=Residents heard a bang")
        desk.press("p")
        page.fill("#choices input[type=search]", "passenger derailed")
        page.click("#choices .pick label:visible >> nth=0")
        page.click("#choices button.main")
        desk.saved()
        assert desk.nuggets()["bang"]["needs"] == ["derail"]
        page.click("#nuggets >> text=A passenger train derailed")
        desk.press("d", "Enter")
        page.wait_for_selector("#choices:not([open])", state="attached")
        assert "derail" not in desk.nuggets() and desk.nuggets()["bang"]["needs"] == []

    def test_what_others_matched_is_not_deleted(self, desk: Desk) -> None:
        people, page = desk.people, desk.page
        layer = judge_layer(people.second.id)
        value = {"matches": [{"nugget": "derail", "start": 0, "end": 4, "automatic": False}]}
        people.desk.log.record(
            1, Act(key="match-others", operation="match", topic=1), [Change(layer, "matches", "d-0", value)]
        )
        page.click("#nuggets >> text=A passenger train derailed")
        desk.press("d")
        page.wait_for_selector("#choices >> text=matches of others")
        assert page.text_content("#choices h2") == "You cannot delete nugget derail"
        desk.press("Enter")
        page.wait_for_selector("#choices:not([open])", state="attached")
        assert "derail" in desk.nuggets()

    def test_axe_finds_nothing(self, desk: Desk) -> None:
        page = desk.page
        page.click("#nuggets >> text=Residents heard a bang")
        for opened in ("", "a", "s", "p", "d", "?"):
            if opened:
                desk.press(opened)
                page.wait_for_selector("dialog[open]")
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                assert findings(page) == [], opened
            desk.press("Escape")
            desk.until(lambda: not page.query_selector("dialog[open]"))

    def test_long_lists_stay_whole(self, desk: Desk) -> None:
        people = desk.people
        text = " ".join(f"Sentence {n} of a long page about the derailment." for n in range(4000))
        revisions = [
            Revision(
                time=1374700000 + n,
                id=f"long-{n}",
                text=f"{text} Line {n} is new." if n % 50 == 0 else f"Line {n}.",
            )
            for n in range(500)
        ]
        import_revisions(people.desk, people.project, people.desk.projects.topics(1)[0], revisions)
        value = {"text": "", "importance": 1, "time": 0, "needs": [], "listed_length": 0}
        changes = [
            Change(SHARED, "nugget", f"x{n}", {**value, "text": f"Fact number {n}", "time": n})
            for n in range(400)
        ]
        people.desk.log.record(1, Act(key="many", operation="import", topic=1), changes)
        desk.page.goto(f"{desk.address}/projects/1/topics/1/extraction?at=long-50")
        desk.page.wait_for_selector("text=Revision 55 of 504")
        assert desk.page.locator("#nuggets > li").count() == len(desk.nuggets())
        before = set(desk.nuggets())
        desk.press("j", "2")
        desk.saved()
        assert [one["time"] for one in desk.made(before)] == [1374700050]


@pytest.mark.long
def test_a_nugget_is_written_where_no_revision_is(people: People, browser: Any) -> None:
    with served(people) as address:
        browser.clear_cookies()
        sign_in_browser(browser, people, people.first, address)
        page = browser.new_page()
        desk = Desk(people, address, page, [])
        before = set(desk.nuggets())
        page.goto(f"{address}/projects/1/topics/1/extraction")
        page.wait_for_selector("#nuggets > li")
        # What is pooled stands there instead; importance is asked, the time is the update's.
        page.click("#pool li:first-child button")
        page.wait_for_selector("#editor[open]")
        page.fill("#editor textarea", "Thirteen carriages left the rails")
        desk.press("Control+Enter")
        assert page.evaluate("document.getElementById('editor').open") and not desk.made(before)
        page.check("#editor [name=importance][value='2']")
        desk.press("Control+Enter")
        desk.until(lambda: bool(desk.made(before)))
        first = min(people.desk.projects.items(1, 1, "update"), key=lambda item: (item.time, item.number))
        (made,) = desk.made(before)
        assert (made["importance"], made["time"]) == (2, first.time)
        # By hand nothing is known of it beforehand.
        desk.press("a")
        page.wait_for_selector("#editor[open]")
        assert page.input_value("#editor [name=time]") == ""
        page.keyboard.press("Escape")
        page.close()
