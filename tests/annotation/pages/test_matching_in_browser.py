"""Matching in Chromium: by keys alone, by mouse, through reloads, other tabs and lost connections."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.annotation.pages.desks import People, desk_with, served, sign_in_browser
from tests.annotation.pages.test_matching import TEXTS, collection, kept
from tests.web.browser.chromium import findings, ready
from tidings.annotation.desk.exchange.importing import import_suggestions
from tidings.annotation.store import Act
from tidings.core.records import Nugget, PossibleMatch
from tidings.core.records.judgments import SHARED, Account, Change, judge_layer

SCRIPT = "<script>document.title = 'stolen'</script><b>bold</b>"
PAGE = "/projects/1/topics/1/matching"


@pytest.fixture
def ferry(tmp_path: Path) -> Iterator[People]:
    judgments = collection()
    with desk_with(tmp_path / "desk.db", judgments) as people:
        change = Change(
            SHARED,
            "nugget",
            "N3",
            {"text": SCRIPT, "importance": 1, "time": 90, "needs": [], "listed_length": 0},
        )
        people.desk.log.record(
            people.project.id, Act(key="named-so", operation="add-nugget", topic=1), [change]
        )
        yield people


@pytest.fixture
def page(browser: Any, ferry: People) -> Iterator[Any]:
    with served(ferry) as address:
        made = opened(browser, ferry, ferry.first, address)
        made.address = address
        yield made
        made.goto("about:blank")
        made.close()


def opened(browser: Any, people: People, account: Account, address: str) -> Any:
    browser.clear_cookies()
    sign_in_browser(browser, people, account, address)
    page = browser.new_page()
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(address + PAGE)
    ready(page)
    return page


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def saved(page: Any) -> None:
    page.wait_for_selector("#saving:text-is('all saved')")


def hinted(page: Any) -> None:
    page.wait_for_selector("#nuggets q")


def own(people: People) -> dict[str, list[tuple[str, int, int, bool]]]:
    return kept(people, judge_layer(people.first.id))


def text_of(page: Any, selector: str) -> str:
    return str(page.text_content(selector))


def test_a_suggestion_is_compared_with_an_answer_and_never_shown_before(browser: Any, ferry: People) -> None:
    import_suggestions(ferry.desk, ferry.project, [PossibleMatch("e", "a-0", "N2", 0.9, 0, 5)], "oracle")
    with served(ferry) as address:
        page = opened(browser, ferry, ferry.first, address)
        hinted(page)
        assert page.is_hidden("#suggested")
        press(page, "1")
        saved(page)
        page.click("#compare")
        page.wait_for_selector("#suggested-title:text-is('Suggested by oracle')")
        assert text_of(page, "#suggested li") == "in port (you did not)"
        assert page.is_hidden("#compare")
        page.goto("about:blank")
        page.close()


class TestKeys:
    def test_a_topic_is_judged_by_keys_alone(self, page: Any, ferry: People) -> None:
        hinted(page)
        # The common judgment takes two keys: the likely nugget, and on; one more for the words that it quotes alone.
        press(page, "q", "1", "Enter")
        # Two spans of one update, one of them found by searching, then one taken away again.
        hinted(page)
        press(page, "ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "/")
        page.keyboard.type("in po")
        press(page, "Enter", "ArrowRight", "ArrowRight", "Shift+ArrowRight")
        press(page, "/")
        page.keyboard.type("bold")
        assert "<script>" in text_of(page, "#nuggets li")
        press(page, "1", "Delete", "Enter", "0")
        saved(page)
        judged = own(ferry)
        assert judged["a-0"] == [("N1", 3, 14, False)] and judged["b-0"] == [("N1", 2, 13, True)]
        assert judged["c-0"] == [("N2", 0, 13, False)]
        assert judged["d-0"] == []
        assert text_of(page, "#counted") == "3 of 3 judged"
        assert page.title().startswith("Matches")
        press(page, "u")
        page.wait_for_selector("#counted:text-is('2 of 3 judged')")
        saved(page)
        assert "d-0" not in own(ferry)

    @pytest.mark.long
    def test_what_was_typed_and_where_one_was_survive_a_reload(self, page: Any, ferry: People) -> None:
        press(page, "j", "/")
        page.keyboard.type("ferr")
        page.reload()
        ready(page)
        assert "2 of 3" in text_of(page, "#of")
        assert page.input_value("#search") == "ferr"
        assert text_of(page, "#nuggets h3") == "1 nugget"

    @pytest.mark.long
    def test_a_near_copy_that_is_judged_is_taken_by_one_key_and_said_so(
        self, page: Any, ferry: People
    ) -> None:
        press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "/")
        page.keyboard.type("a ferry")
        press(page, "Enter", "Enter")
        page.wait_for_selector("#near:not([hidden]) q")
        assert "ferry burns" in text_of(page, "#near q")
        press(page, "c")
        saved(page)
        assert own(ferry)["c-0"] == [("N1", 2, 13, False)]
        entries = ferry.desk.log.entries(ferry.project.id, account_id=ferry.first.id)
        assert [one.assisted for one in entries if one.object_id == "c-0"] == ["near a-0"]

    @pytest.mark.long
    def test_the_last_match_is_repeated_and_an_update_is_not_left_unjudged_by_mistake(
        self, page: Any, ferry: People
    ) -> None:
        press(page, "Enter")
        assert "Not judged yet" in text_of(page, ".toast") and "1 of 3" in text_of(page, "#of")
        press(page, "/")
        page.keyboard.type("port")
        press(page, "Enter", "Enter", "r", "j", "ArrowLeft", "r")
        saved(page)
        assert own(ferry)["c-0"] == [("N2", 0, 34, False)]
        # 🚢. is two characters to us, and three to the browser.
        assert own(ferry)["d-0"] == [("N2", 14, 16, False)]

    @pytest.mark.long
    def test_the_likeliest_come_first_where_one_asks_for_it(self, page: Any, ferry: People) -> None:
        press(page, "0")
        saved(page)
        page.select_option("#order", "yield")
        # What is judged stands behind what is to be judged.
        page.wait_for_selector("#pool li:last-child:has-text('Oran')")
        page.reload()
        page.wait_for_selector("#pool li:last-child:has-text('Oran')")
        assert page.input_value("#order") == "yield"

    @pytest.mark.long
    def test_what_was_opened_again_is_judged_once_more(self, page: Any, ferry: People) -> None:
        press(page, "0")
        saved(page)
        value = {"why": "look again"}
        change = Change("final", "reopened", "matches|a-0", value)
        ferry.desk.log.record(ferry.project.id, Act(key="reopening", operation="reopen", topic=1), [change])
        page.goto(page.address + PAGE + "?at=a-0")
        page.wait_for_selector("#notice:has-text('reopened')")
        press(page, "Enter")
        saved(page)
        entries = ferry.desk.log.entries(ferry.project.id, account_id=ferry.first.id)
        assert [one.object_id for one in entries] == ["a-0", "b-0", "a-0"]
        assert "reopened" not in text_of(page, "#pool")


class TestMouse:
    def test_words_are_marked_and_a_nugget_clicked(self, page: Any, ferry: People) -> None:
        page.dblclick("#text", position={"x": 60, "y": 20})
        page.wait_for_selector("#chosen:has-text('Selected:')")
        chosen = text_of(page, "#chosen")
        word = chosen.split("“")[1].split("”")[0]
        assert word in TEXTS["a"] and word.strip() == word
        page.click("#nuggets li:has-text('in port')")
        page.click("#following")
        page.click("#pool button[data-number='2']")
        page.click("#nothing")
        saved(page)
        start = TEXTS["a"].index(word)
        assert own(ferry)["a-0"] == [("N2", start, start + len(word), False)]
        assert own(ferry)["d-0"] == []
        page.click("#pool button[data-number='0']")
        page.click("#matches button")
        saved(page)
        assert own(ferry)["a-0"] == [] and own(ferry)["b-0"] == []

    @pytest.mark.long
    def test_the_back_button_returns_to_the_update_that_was_left(self, page: Any) -> None:
        page.click("#pool button[data-number='2']")
        page.go_back()
        page.wait_for_selector("#of:has-text('1 of 3')")
        page.go_forward()
        page.wait_for_selector("#of:has-text('3 of 3')")
        assert page.get_attribute("#pool button[data-number='2']", "aria-current") == "true"

    @pytest.mark.long
    def test_another_tab_is_not_written_over(self, browser: Any, page: Any, ferry: People) -> None:
        other = browser.new_page()
        other.goto(page.address + PAGE)
        ready(other)
        hinted(other)
        press(other, "q", "1")
        saved(other)
        press(page, "0")
        page.wait_for_selector(".toast:has-text('Someone changed this')")
        page.wait_for_selector("#matches q")
        assert text_of(page, "#matches q") == "ferry burns" and "1 of 3" in text_of(page, "#of")
        assert own(ferry)["a-0"] == [("N1", 3, 14, False)]
        other.close()

    @pytest.mark.long
    def test_what_another_judge_took_is_skipped(self, browser: Any, page: Any, ferry: People) -> None:
        # The first judge's page keeps what it shows and the next.
        second = opened(browser, ferry, ferry.second, page.address)
        assert "3 of 3" in text_of(second, "#of")
        assert "taken by others" in text_of(second, "#pool")
        second.close()


class TestLostConnection:
    @pytest.mark.long
    def test_what_could_not_be_sent_is_sent_when_the_server_is_there_again(
        self, browser: Any, page: Any, ferry: People
    ) -> None:
        hinted(page)
        browser.set_offline(True)
        press(page, "1", "Enter", "0", "0")
        page.wait_for_selector("#saving.failed")
        assert own(ferry) == {}
        browser.set_offline(False)
        saved(page)
        assert {name: len(found) for name, found in own(ferry).items()} == {
            "a-0": 1,
            "b-0": 1,
            "c-0": 0,
            "d-0": 0,
        }


class TestDecided:
    @pytest.mark.long
    def test_what_is_decided_is_shown_so(self, browser: Any, tmp_path: Path) -> None:
        from tidings.core.records import Match

        judged = collection(matches=(Match("e", "c-0", "N1", 2, 13),))
        with desk_with(tmp_path / "judged.db", judged) as people, served(people) as address:
            page = opened(browser, people, people.first, address)
            page.click("#pool button[data-number='1']")
            assert "Only a project lead can change it" in text_of(page, "#notice")
            press(page, "0")
            assert "read-only" in text_of(page, ".toast")
            page.close()
            lead = opened(browser, people, people.lead, address)
            lead.on("dialog", lambda dialog: dialog.accept())
            lead.click("#pool button[data-number='1']")
            press(lead, "0")
            saved(lead)
            assert kept(people, "final")["c-0"] == []
            lead.close()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    hinted(page)
    press(page, "1", "ArrowRight")
    saved(page)
    page.evaluate("document.querySelectorAll('.toast').forEach((one) => one.remove())")
    for width, height in ((1366, 768), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        assert findings(page) == []


def test_nuggets_of_the_fixture_are_what_the_tests_take_them_for() -> None:
    assert Nugget("e", "N1", 0, 3, "a ferry burns") in collection().nuggets
