"""The pages on events in Chromium: listed, merged, linked and verified by keyboard alone and by mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.desk.event_desks import EventDesk
from tests.annotation.pages.desks import served, sign_in_browser
from tests.web.browser.chromium import findings, ready, until
from tidings.annotation.desk.exchange.event_links import import_stream, sentences_of_topic
from tidings.annotation.desk.operations.event_links import event_links, final_links, links_agreement
from tidings.annotation.desk.operations.events import merge_events, merge_progress, open_lists
from tidings.annotation.desk.operations.linking import link_sentence
from tidings.core.records.judgments import Account, Assignment, judge_layer
from tidings.sources import bundled
from tidings.sources.own.documents import read_documents
from tidings.sources.own.events import read_event_file

SAVED = "document.getElementById('saving').textContent === 'all saved'"


class Person:
    """Somebody at a page of the topic, with a browser of their own."""

    def __init__(
        self, browser: Any, ferry: EventDesk, account: Account, address: str, **options: Any
    ) -> None:
        self.context = browser.browser.new_context(**options)
        sign_in_browser(self.context, ferry.people, account, address)
        self.page, self.topic = self.context.new_page(), f"{address}/projects/1/topics/1"
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def open(self, task: str, item: str = "") -> None:
        self.page.goto(f"{self.topic}/{task}{f'#item={item}' if item else ''}")
        ready(self.page)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def wait(self, expression: str) -> None:
        until(self.page, lambda: self.page.evaluate(expression))

    def saved(self) -> None:
        self.wait(SAVED)

    def click(self, name: str, nth: int = 0) -> None:
        self.page.get_by_role("button", name=name).nth(nth).click()

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.page.locator(selector).all_inner_texts()]

    def close(self) -> None:
        self.context.close()
        assert self.faults == []


@contextmanager
def people_at(browser: Any, ferry: EventDesk, *accounts: Account, **options: Any) -> Iterator[list[Person]]:
    with served(ferry.people) as address:
        there = [Person(browser, ferry, account, address, **options) for account in accounts]
        yield there
        for one in there:
            one.close()


def listed(ferry: EventDesk, *texts: str) -> None:
    for number, text in enumerate(texts):
        ferry.do(ferry.people.lead, merge_events, [], text, time=1500 + number, own=False)


def lead_verifies(ferry: EventDesk) -> None:
    ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "verification", ferry.people.lead.id))


def sees_lists(ferry: EventDesk, *accounts: Account) -> None:
    for account in accounts:
        ferry.do(account, lambda view, layer: open_lists(layer))


def test_sentences_are_linked_and_verified_by_keyboard(browser: Any, ferry: EventDesk) -> None:
    listed(ferry, "A ferry burns", "Two are missing", "Owner and officials contradict each other")
    lead_verifies(ferry)
    people = ferry.people
    with people_at(browser, ferry, people.first, people.lead) as (first, lead):
        first.open("linking")
        first.page.wait_for_selector("body[data-alike]", state="attached")
        # a-0: event 1, and the like sentence b-1 too; a-1 and a-2 together: event 3; b-0: none; b-2: 1 and 2.
        first.press("1", "l", "Enter", "Shift+ArrowDown", "g", "3", "Enter", "k", "Enter", "Enter", "Enter")
        first.press("j", "1", "2", "Enter")
        first.saved()
        lead.open("verification")
        assert lead.texts("#progress-text") == ["0 of 5 links decided"]
        lead.press("Enter", "Enter", "x", "Enter", "Enter")
        lead.saved()
        assert lead.texts("#done")[0].startswith("All links are decided")
    own = {
        name: ferry.own(people.first, "links", name) for name in ("a-0", "a-1", "a-2", "b-0", "b-1", "b-2")
    }
    assert {name: value["events"] for name, value in own.items()} == {
        "a-0": ["1"],
        "a-1": [],
        "a-2": [],
        "b-0": [],
        "b-1": ["1"],
        "b-2": ["1", "2"],
    }
    assert final_links(ferry.objects()) == {
        "a-0": ("1",),
        "a-1": ("3",),
        "a-2": ("3",),
        "b-1": ("1",),
        "b-2": ("2",),
    }
    assert ferry.desk.log.count_objects(ferry.project.id)[1, judge_layer(people.lead.id), "verdict"] == 5


@pytest.mark.long
class TestListing:
    def test_by_keyboard(self, browser: Any, ferry: EventDesk) -> None:
        with people_at(browser, ferry, ferry.people.first) as (first,):
            first.open("events")
            first.press("Enter", "j", "]", "j", "j", "Enter", "e")
            first.page.keyboard.type("Officials deny that it was old")
            first.press("Enter", "Enter", "Enter")
            first.saved()
            first.press("u")
            first.saved()
            first.wait("document.querySelectorAll('#own-events button').length === 6")
            first.press("/")
            first.page.keyboard.type("owner old")
            first.press("Enter", "Escape")
            assert first.texts("[aria-current] > span:first-child")[-1].startswith("The owner says")
        events = [one.value for one in ferry.objects()]
        assert [(one["text"], one["time"]) for one in events] == [
            ("A ferry burns in the port of Oslo.", 1500),
            ("Two are missing.", 2000),
        ]

    def test_by_mouse(self, browser: Any, ferry: EventDesk) -> None:
        with people_at(browser, ferry, ferry.people.first) as (first,):
            first.open("events")
            first.page.get_by_text("Two are missing.").click()
            first.click("Make this sentence an event")
            first.saved()
            first.click("Change: Two are missing.")
            first.page.get_by_label("In your own words").fill("Two people are missing")
            first.page.get_by_label("When (UTC)").fill("1970-01-01T00:40")
            first.click("Change event")
            first.page.get_by_text("1 Jan 1970 00:40").wait_for()
            assert ferry.own(ferry.people.first, "event", "e1") == {
                "text": "Two people are missing",
                "time": 2400,
                "sentence": "b-2",
            }
            first.click("Remove: Two people are missing")
            first.saved()
            first.wait("!document.querySelector('#own-events li')")
            first.click("Undo")
            first.page.wait_for_selector("#own-events li")
        assert ferry.own(ferry.people.first, "event", "e1")["text"] == "Two people are missing"

    def test_what_is_typed_and_what_is_not_sent_survives_a_reload(
        self, browser: Any, ferry: EventDesk
    ) -> None:
        with people_at(browser, ferry, ferry.people.first) as (first,):
            first.open("events", "b-2")
            first.page.route("**/api/**", lambda route: route.abort())
            first.press("Enter", "e")
            first.page.keyboard.type("Half a sent")
            first.page.wait_for_selector(".saving.failed")
            first.page.on("dialog", lambda dialog: dialog.accept())
            first.page.reload()
            assert first.page.get_by_label("In your own words").input_value() == "Half a sent"
            first.page.unroute("**/api/**")
            first.page.evaluate("dispatchEvent(new Event('online'))")
            first.page.wait_for_selector("#own-events li button")
            assert first.page.locator("[aria-current]").last.inner_text().startswith("Two are missing.")
        assert ferry.own(ferry.people.first, "event", "e1")["sentence"] == "b-2"


@pytest.mark.long
class TestMerging:
    def lists(self, ferry: EventDesk) -> None:
        from tidings.annotation.desk.operations.events import add_event

        people = ferry.people
        ferry.do(people.first, add_event, "A ferry burned in the port", time=1500)
        ferry.do(people.first, add_event, "Two missing", time=2000)
        ferry.do(people.second, add_event, "Ferry burns in port of Oslo", time=1500)
        ferry.do(people.second, add_event, "The owner speaks", time=1600)
        ferry.do(people.second, add_event, "Weather was fine", time=1700)
        sees_lists(ferry, people.lead, people.first)

    def test_by_keyboard(self, browser: Any, ferry: EventDesk) -> None:
        self.lists(ferry)
        with people_at(browser, ferry, ferry.people.lead) as (lead,):
            lead.open("merging")
            lead.press("p", "e")
            lead.page.keyboard.type("A ferry burns in Oslo")
            lead.press("Enter")
            lead.wait("document.querySelectorAll('#merged > li').length === 1")
            lead.press("Enter")  # The owner speaks
            lead.wait("document.querySelectorAll('#merged > li').length === 2")
            lead.press("o")
            lead.page.keyboard.type("No sentence of it matters.")
            lead.press("Enter")
            lead.page.get_by_text("1 open").wait_for()
            lead.press("/")
            lead.page.keyboard.type("owner")
            lead.press("Enter")
            lead.page.get_by_text("All events are merged or left out").wait_for()
        progress = merge_progress(ferry.objects())
        assert (progress.merged, progress.left_out, progress.open) == (4, 1, 0)
        assert [ferry.merged(n)["text"] for n in "12"] == ["A ferry burns in Oslo", "The owner speaks"]
        assert len(ferry.merged("1")["from"]) == len(ferry.merged("2")["from"]) == 2
        assisted = {one.assisted for one in ferry.desk.log.entries(1) if one.operation == "merge-events"}
        assert assisted == {"likeness", ""}

    def test_two_at_once_by_mouse(self, browser: Any, ferry: EventDesk) -> None:
        self.lists(ferry)
        with people_at(browser, ferry, ferry.people.lead, ferry.people.first) as (lead, first):
            lead.open("merging")
            first.open("merging")
            lead.page.get_by_label("A ferry burned in the port").check()
            lead.page.get_by_label("Ferry burns in port of Oslo").check()
            first.page.get_by_label("Ferry burns in port of Oslo").check()
            lead.click("Merge into one event")
            lead.saved()
            first.click("Make an event")
            first.page.get_by_text("already been merged into event 1").wait_for()
            # What the other did is shown, without asking for it.
            first.page.locator("#merged > li").wait_for()
            first.click("Change: A ferry burned in the port")
            lead.click("Change: A ferry burned in the port")
            lead.page.get_by_label("Words").fill("A ferry burns")
            lead.click("Change event")
            lead.page.locator("#merged").get_by_text("A ferry burns", exact=True).wait_for()
            first.page.get_by_label("Words").fill("A ship burns")
            lead.page.get_by_label("Two missing").check()
            lead.click("Add selected: A ferry burns")
            lead.page.get_by_text("2 open").wait_for()
            lead.click("Remove: Two missing")
            lead.page.get_by_text("3 open").wait_for()
            lead.page.get_by_label("Weather was fine").check()
            lead.page.get_by_label("Reason for leaving it out").fill("Not about it.")
            lead.click("Leave out")
            lead.click("Put back: Weather was fine")
            lead.page.get_by_text("3 open").wait_for()
            lead.click("Dissolve: A ferry burns")
            lead.page.get_by_text("5 open").wait_for()
        assert merge_progress(ferry.objects()).open == 5


@pytest.mark.long
class TestLinking:
    def test_by_mouse(self, browser: Any, ferry: EventDesk) -> None:
        listed(ferry, "A ferry burns", "Two are missing")
        with people_at(browser, ferry, ferry.people.second) as (second,):
            second.open("linking")
            second.page.wait_for_selector("body[data-alike]", state="attached")
            second.page.locator("#events button").nth(0).click()
            second.click("Link these too")
            second.click("Next")
            second.click("No event")
            second.page.get_by_text("Officials deny it.").click()
            second.click("Mark")
            second.page.locator(".sentence", has_text="Two are missing.").click(modifiers=["Shift"])
            second.click("Group the marked")
            second.page.locator("#events button").nth(1).click()
            second.click("Leave the group")
            second.page.get_by_text("Two are missing.", exact=True).first.click()
            second.page.locator("#events button").nth(1).click()
            second.saved()
            second.click("Undo")
            second.saved()
            second.wait("document.querySelectorAll('.chip.marked').length === 0")
        assert ferry.own(ferry.people.second, "links", "b-1") == {"events": ["1"]}
        assert ferry.own(ferry.people.second, "links", "a-1") == {"events": []}
        assert ferry.own(ferry.people.second, "links", "b-2") is None
        groups = [one.value for one in ferry.objects() if one.kind == "group"]
        assert groups == [{"sentences": ["a-2", "b-0", "b-1", "b-2"], "events": ["2"]}]

    def test_numbers_above_nine_and_the_search(self, browser: Any, ferry: EventDesk) -> None:
        listed(ferry, *(f"Thing {n}" for n in range(1, 12)), "The one about harbours")
        with people_at(browser, ferry, ferry.people.first) as (first,):
            first.open("linking")
            first.press("1", "0", "Enter", "1", "Enter", "1", " ", "2", "Enter", "/")
            first.page.keyboard.type("harb")
            first.press("Enter", "Enter", "9", "9", "Enter", "u")
            first.saved()
        found = {one.id: one.value["events"] for one in ferry.objects() if one.kind == "links"}
        assert found == {"a-0": ["10"], "a-1": ["1"], "a-2": ["1", "2"], "b-0": ["12"], "b-1": ["9"]}

    def test_lost_connection_reload_and_another_tab(self, browser: Any, ferry: EventDesk) -> None:
        listed(ferry, "A ferry burns")
        with people_at(browser, ferry, ferry.people.first) as (first,):
            first.open("linking")
            first.page.route("**/api/**", lambda route: route.abort())
            first.press("1", "Enter", "Enter")
            first.page.wait_for_selector(".saving.failed")
            assert ferry.own(ferry.people.first, "links", "a-0") is None
            first.page.on("dialog", lambda dialog: dialog.accept())
            first.page.unroute("**/api/**")
            first.page.reload()
            print(
                first.faults,
                first.texts("#saving"),
                first.texts(".sentence .chip"),
                first.page.url,
                first.page.evaluate("JSON.stringify(localStorage)"),
                [(o.id, o.value) for o in ferry.objects()],
            )
            first.wait("document.querySelectorAll('.sentence.judged').length === 2")
            assert first.texts("#progress-text") == ["2 of 6 sentences judged"]
            assert first.texts(".sentence.judged .chip") == ["1", "no event"]
        assert ferry.own(ferry.people.first, "links", "a-0") == {"events": ["1"]}

    def test_an_event_that_went_meanwhile_is_said_and_the_page_mended(
        self, browser: Any, ferry: EventDesk
    ) -> None:
        from tidings.annotation.desk.operations.events import dissolve

        listed(ferry, "A ferry burns")
        with people_at(browser, ferry, ferry.people.first) as (first,):
            first.open("linking")
            ferry.do(ferry.people.lead, dissolve, "1", [], own=False)
            first.press("1")
            first.page.get_by_text("has been removed from the list").wait_for()
            first.wait("!document.querySelector('.sentence .chip')")


@pytest.mark.long
class TestVerification:
    def test_by_mouse_with_a_missing_link(self, browser: Any, ferry: EventDesk) -> None:
        listed(ferry, "A ferry burns", "Two are missing")
        for sentence in ("a-0", "b-2"):
            ferry.do(ferry.people.first, link_sentence, sentence, ["1"])
        lead_verifies(ferry)
        with people_at(browser, ferry, ferry.people.lead) as (lead,):
            lead.open("verification")
            lead.click("Accept")
            lead.click("Reject", 1)
            lead.click("Add a missing sentence to event 2")
            lead.page.get_by_label("Words of the sentence").fill("two missing")
            lead.page.locator("#missing-hits button").click()
            lead.page.get_by_text("added by you").wait_for()
            lead.page.get_by_text("Statistics").click()
            lead.page.get_by_text("Of 6 sentences, 4 report no event (67 %)").wait_for()
            assert final_links(ferry.objects()) == {"a-0": ("1",), "b-2": ("2",)}
            lead.press("m")
            lead.page.keyboard.type("owner")
            lead.press("Enter")
            lead.wait("document.querySelectorAll('.chip.group').length === 2")
            lead.click("Undo")
            lead.wait("document.querySelectorAll('.chip.group').length === 1")
        assert final_links(ferry.objects()) == {"a-0": ("1",), "b-2": ("2",)}


SIZES = {"laptop": (1366, 768), "tablet": (820, 1180)}


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_wrong_for_those_who_cannot_see_well(
    browser: Any, ferry: EventDesk, size: str, scheme: str
) -> None:
    from tidings.annotation.desk.operations.events import add_event, leave_out

    people = ferry.people
    listed(ferry, "A ferry burns", "Two are missing")
    ferry.do(people.first, add_event, "", sentence="b-2")
    ferry.do(people.second, add_event, "Nobody knows")
    ferry.do(people.lead, leave_out, (judge_layer(people.second.id), "e1"), "Not said.", own=False)
    lead_verifies(ferry)
    sees_lists(ferry, people.lead)
    for sentence in ("a-0", "b-1"):
        ferry.do(people.first, link_sentence, sentence, ["1"])
    width, height = SIZES[size]
    options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    with people_at(browser, ferry, people.first, people.lead, **options) as (first, lead):
        first.open("events")
        assert findings(first.page) == []
        first.open("linking")
        first.page.wait_for_selector("body[data-alike]", state="attached")
        first.press("x", "j", "x", "g")
        assert findings(first.page) == []
        lead.open("merging")
        assert findings(lead.page) == []
        lead.open("verification")
        lead.press("Enter")
        assert findings(lead.page) == []
        lead.press("m")
        assert findings(lead.page) == []
        for person in (first, lead):
            wide = person.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width


@pytest.mark.long
def test_three_judges_from_stories_to_a_final_mapping(browser: Any, ferry: EventDesk, tmp_path: Path) -> None:
    """The bundled event: two list and link (one by keyboard, one by mouse), the third merges and verifies."""
    from tests.annotation.pages.desks import desk_with
    from tidings.annotation.desk.exchange.event_links import export_event_links
    from tidings.evaluation.scoring.novelty_2001 import load
    from tidings.evaluation.scoring.scorer import ScoringOptions

    with desk_with(tmp_path / "whole.db") as people:
        folder = bundled.path()
        events = read_event_file(folder / "event.json")
        import_stream(people.desk, people.project, read_documents(folder / "documents.jsonl"), events)
        desk = EventDesk(people)
        items = sentences_of_topic(people.desk, people.project.id, 1)
        read = 24
        lead_verifies(desk)
        sees_lists(desk, people.lead)
        with people_at(browser, desk, people.first, people.second, people.lead) as (first, second, lead):
            _listing(first, second)
            _merging(lead)
            merged = [one.id for one in desk.objects() if one.kind == "merged-event"]
            assert merged == ["1", "2", "3"] and merge_progress(desk.objects()).open == 0
            _linking(first, second, read)
            counted = people.desk.log.count_objects(1)
            assert counted[1, judge_layer(people.first.id), "links"] >= read
            assert counted[1, judge_layer(people.second.id), "links"] >= 3
            links = event_links(desk.objects())
            _verifying(lead, [link.event != "3" for link in links])
        objects = desk.objects()
        assert all(link.accepted is not None for link in event_links(objects))
        assert 0 < links_agreement(objects) < 1
        export_event_links(people.desk, people.project, tmp_path)
        scorer = load(tmp_path, "umass-2001", ScoringOptions())
        assert scorer.events == (items[0].content["event_id"],)
        before = people.desk.log.objects(1)
        people.desk.log.replay(1)
        assert people.desk.log.objects(1) == before


def _listing(first: Person, second: Person) -> None:
    first.open("events")
    first.press("Enter", "j", "j", "j", "Enter", "j", "j", "Enter")
    first.saved()
    second.open("events")
    for number in (0, 3):
        second.page.locator(".sentence").nth(number).click()
        second.click("Make this sentence an event")
    second.saved()


def _merging(lead: Person) -> None:
    lead.open("merging")
    for count in (1, 2):
        lead.press("p", "Enter")
        lead.wait(f"document.querySelectorAll('#merged > li').length === {count}")
    lead.press("Enter")
    lead.page.get_by_text("All events are merged or left out").wait_for()


def _linking(first: Person, second: Person, read: int) -> None:
    first.open("linking")
    first.page.wait_for_selector("body[data-alike]", state="attached")
    for number in range(read):
        wanted: dict[int, Callable[[], None]] = {
            0: lambda: first.press("1"),
            3: lambda: first.press("2", "l"),
            5: lambda: first.press("3"),
        }
        wanted.get(number, lambda: None)()
        first.press("Enter")
    first.saved()
    second.open("linking")
    for number, event in ((0, 0), (3, 1), (4, 1)):
        second.page.locator(".sentence").nth(number).click()
        second.page.locator("#events button").nth(event).click()
    second.saved()


def _verifying(lead: Person, verdicts: list[bool]) -> None:
    lead.open("verification")
    for accepted in verdicts:
        lead.press("Enter" if accepted else "x")
    lead.saved()
    lead.page.get_by_text("All links are decided").wait_for()
