"""Where nobody is assigned by name: others' lists and links are shown after a recorded opening, and not before."""

from __future__ import annotations

from typing import Any

import pytest

from tests.annotation.desk.event_desks import EventDesk
from tests.annotation.pages.test_events_in_browser import people_at
from tests.annotation.pages.test_events_pages import API, Client, clients
from tests.web.browser.chromium import findings
from tidings.annotation.desk.operations.events import add_event, leave_out, merge_events, unseen
from tidings.annotation.desk.operations.linking import link_group, link_sentence
from tidings.core.errors import ConflictError
from tidings.core.records.judgments import FINAL, Assignment, Change, judge_layer


def units(client: Client) -> set[str]:
    return {one["unit"] for one in client.get("verification")["links"]}


def everything(client: Client, *tasks: str) -> str:
    """What pages and JSON of tasks hold, whatever is answered."""
    paths = [*tasks, *(f"objects?layer=shared&kind={kind}" for kind in ("merged-event", "left-out"))]
    answers = [client.page(task).text for task in tasks]
    return "\n".join([*answers, *(client.client.get(f"{API}/{path}").text for path in paths)])


def decided(sentence: str) -> list[Change]:
    return [Change(FINAL, "links", sentence, {"events": ["1"]})]


class TestLists:
    @pytest.fixture
    def lists(self, ferry: EventDesk) -> tuple[Client, Client, Client]:
        people = ferry.people
        ferry.do(people.second, add_event, "Secret of the second")
        ferry.do(people.second, add_event, "Another secret")
        source = (judge_layer(people.second.id), "e1")
        ferry.do(people.lead, merge_events, [source], "Secret of the second", own=False)
        ferry.do(people.lead, leave_out, (judge_layer(people.second.id), "e2"), "A secret reason", own=False)
        return clients(ferry)

    def test_nothing_of_others_is_shown_before_the_opening(
        self, ferry: EventDesk, lists: tuple[Client, Client, Client]
    ) -> None:
        first, _, lead = lists
        first.post("events", text="Mine alone")
        source = {"layer": judge_layer(ferry.people.second.id), "event": "e1"}
        for one in (first, lead):
            assert "ecret" not in everything(one, "merging", "events")
            assert "Close my list and show the others" in one.page("merging").text
            one.get("merging", 403)
            for path, body in (
                ("merge", {"sources": [source], "text": "A fire"}),
                ("1/add", {"sources": [source], "expected": 1}),
                ("1/change", {"text": "A fire", "expected": 1}),
                ("1/take-out", {"source": source, "expected": 1}),
                ("1/dissolve", {"expected": 1}),
                ("leave-out", {"source": source, "reason": "No."}),
                ("put-back", {"source": source}),
            ):
                assert "ecret" not in str(one.post(f"merging/{path}", 403, **body))
        assert "Mine alone" in first.page("merging").text

    def test_who_was_shown_others_lists_has_finished_the_own(
        self, lists: tuple[Client, Client, Client]
    ) -> None:
        first, second, _ = lists
        first.post("events", text="Mine alone")
        assert first.get("events")["closed"] is False
        first.post("merging/open")
        assert first.get("merging")["open"] == 1 and first.get("merging")["finished"] == []
        assert "Secret of the second" in first.page("merging").text
        assert first.get("events")["closed"] is True and "Your list is closed" in first.page("events").text
        for path, body in (
            ("events", {"text": "Late"}),
            ("events/e1/change", {"text": "Late"}),
            ("events/e1/remove", {}),
            ("undo", {"task": "events"}),
        ):
            assert "A project lead can reopen it" in first.post(path, 409, **body)["message"]
        assert [one["text"] for one in first.get("events")["events"]] == ["Mine alone"]
        second.post("events", text="Still open to the second")

    def test_undo_does_not_take_the_opening_back(self, lists: tuple[Client, Client, Client]) -> None:
        first, _, _ = lists
        first.post("merging/open")
        first.post("undo", 409, task="merging")
        source = {"layer": first.get("merging")["left"][0]["layer"], "event": "e2"}
        first.post("merging/put-back", source=source)
        first.post("undo", task="merging")
        first.post("undo", 409, task="merging")
        first.post("events", 409, text="Late")

    def test_a_lead_opens_a_list_again(self, ferry: EventDesk, lists: tuple[Client, Client, Client]) -> None:
        first, _, lead = lists
        account = ferry.people.first.id
        lead.post("merging/give-back", 409, account=account)
        first.post("merging/open")
        lead.post("merging/open")
        first.post("merging/give-back", 403, account=account)
        finished = lead.get("merging")["finished"]
        assert [one["name"] for one in finished] == ["lead", "first"]
        lead.post("merging/give-back", account=account)
        first.post("events", text="One more")
        first.get("merging", 403)
        operations = [one.operation for one in ferry.desk.log.entries(ferry.project.id)]
        assert operations.count("open-lists") == 2 and "give-list-back" in operations

    def test_who_lists_nothing_or_merges_by_name_sees_them_at_once(
        self, ferry: EventDesk, lists: tuple[Client, Client, Client]
    ) -> None:
        first, second, lead = lists
        ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "events", ferry.people.second.id))
        assert first.get("merging")["total"] == lead.get("merging")["total"] == 2
        second.get("merging", 403)
        ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "merging", ferry.people.second.id))
        assert second.get("merging")["total"] == 2


class TestLinks:
    @pytest.fixture
    def linked(self, ferry: EventDesk) -> tuple[Client, Client, Client]:
        people = ferry.people
        for text in ("A fire", "Two are missing"):
            ferry.do(people.lead, merge_events, [], text, own=False)
        ferry.do(people.first, link_sentence, "b-2", ["2"])
        ferry.do(people.first, link_sentence, "a-1", [])
        ferry.do(people.first, link_group, ["a-2", "b-0"], ["1"])
        ferry.do(people.second, link_sentence, "b-1", ["1"])
        return clients(ferry)

    def test_no_link_is_shown_before_its_sentence_is_opened(
        self, linked: tuple[Client, Client, Client]
    ) -> None:
        _, _, lead = linked
        for _ in range(2):
            shown = lead.get("verification")
            assert (shown["links"], shown["own"], shown["opening"]) == ([], 0, True)
            assert '"links": []' in lead.page("verification").text.replace('"links":[]', '"links": []')
            assert lead.get("verification/statistics")["sentences"] == 0
            # Whether there is a link or none, made alone or by nobody, is answered alike.
            said = {
                (lead.post(path, 409, event=event, **body)["message"])
                for event in ("1", "2")
                for path, body in (
                    *(("verification/decide", {"unit": unit, "accepted": True}) for unit in ("b-2", "a-0")),
                    *(("verification/add", {"sentence": unit}) for unit in ("b-2", "a-0")),
                )
            }
            assert said == {"Open this sentence for verification first."}
        assert "judge-" not in everything(lead, "verification", "linking")

    def test_sentences_are_opened_one_after_the_other(
        self, ferry: EventDesk, linked: tuple[Client, Client, Client]
    ) -> None:
        _, second, lead = linked
        lead.post("verification/open")
        group = units(lead)
        assert len(group) == 1 and lead.get("verification/statistics")["sentences"] == 2
        assert set(lead.get("linking")["opened"]) == {"a-2", "b-0", *group}
        lead.post("verification/open")
        assert units(lead) == {"b-1", *group}
        lead.post("verification/open", sentence="a-0")
        lead.post("verification/add", sentence="a-0", event="1")
        assert units(lead) == {"a-0", "b-1", *group}
        lead.post("verification/open")
        lead.post("verification/open", 409)
        lead.post("verification/open", 422, sentence="nowhere")
        # The second has linked b-1, which is for others to verify.
        second.post("verification/open", 409, sentence="b-1")
        second.post("verification/open")
        second.post("verification/open")
        second.post("verification/open", 409)
        assert units(second) == {"b-2", *group}
        second.post("verification/decide", unit="b-2", event="2", accepted=True)

    def test_the_first_sentence_that_a_judge_linked_is_next(
        self, ferry: EventDesk, linked: tuple[Client, Client, Client]
    ) -> None:
        _, second, lead = linked
        ferry.do(ferry.people.lead, lambda view: decided("a-0"), own=False)
        ferry.do(ferry.people.first, link_sentence, "b-0", ["1"])
        lead.post("links", sentence="a-2", events=[])
        lead.post("verification/open")
        assert units(lead) == {"b-0"}
        # What one has linked oneself is passed over.
        second.post("links", sentence="b-0", events=[])
        second.post("verification/open")
        assert units(second) == {"b-2"}
        assert "No more links" in second.post("verification/open", 409)["message"]

    def test_what_is_verified_is_not_linked(
        self, ferry: EventDesk, linked: tuple[Client, Client, Client]
    ) -> None:
        _, second, lead = linked
        second.post("links", sentence="a-0", events=["1"])
        second.post("verification/open", sentence="b-2")
        second.post("verification/decide", unit="b-2", event="2", accepted=False)
        assert second.get("linking")["opened"] == ["b-2"]
        said = second.post("links", 409, sentence="b-2", events=["1"])
        assert "You verify this sentence, so you cannot link it" in said["message"]
        second.post("links/group", 409, sentences=["a-1", "b-2"], events=["1"])
        second.post("links/alike", sentences=["a-2", "b-2"], events=["1"])
        assert set(second.get("linking")["links"]) == {"a-0", "a-2", "b-1"}
        second.post("undo", task="verification")
        assert [one["accepted"] for one in second.get("verification")["links"]] == [None]
        second.post("links", 409, sentence="b-2", events=["1"])
        lead.post("links", sentence="b-2", events=["1"])
        links = [Change(judge_layer(ferry.people.second.id), "links", "b-2", {"events": ["1"]})]
        with pytest.raises(ConflictError, match="so you cannot link it"):
            ferry.do(ferry.people.second, lambda view: unseen(view, links), own=False)

    def test_what_was_linked_and_taken_back_is_not_linked_by_undo_once_it_is_verified(
        self, linked: tuple[Client, Client, Client]
    ) -> None:
        _, _, lead = linked
        lead.post("links/group", sentences=["a-1", "b-2"], events=["1"])
        lead.post("verification/open", 409, sentence="b-2")
        lead.post("links/group", sentences=["a-1", "b-2"], events=[])
        lead.post("verification/open", sentence="b-2")
        lead.post("undo", 409, task="linking")
        assert lead.get("linking")["groups"] == {}

    def test_a_group_with_an_own_sentence_is_for_others_to_verify(
        self, ferry: EventDesk, linked: tuple[Client, Client, Client]
    ) -> None:
        _, second, _ = linked
        second.post("links", sentence="b-0", events=[])
        second.post("verification/open", sentence="a-2")
        assert units(second) == set() and second.get("linking")["opened"] == ["a-2"]
        assert second.get("verification")["linked"] == ["b-0", "b-1"]

    def test_where_somebody_is_assigned_nothing_is_to_be_opened(
        self, ferry: EventDesk, linked: tuple[Client, Client, Client]
    ) -> None:
        first, second, lead = linked
        first.post("verification/open", sentence="a-0")
        ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "verification", ferry.people.lead.id))
        assert len(units(lead)) == 3
        lead.post("verification/open", 403, sentence="a-0")
        second.get("verification", 403)
        first.post("links", 409, sentence="a-0", events=["1"])

    def test_verdicts_of_before_without_an_opening_keep_their_judge_from_linking(
        self, ferry: EventDesk, linked: tuple[Client, Client, Client]
    ) -> None:
        _, _, lead = linked
        ferry.desk.projects.assign(Assignment(ferry.project.id, 1, "verification", ferry.people.lead.id))
        lead.post("verification/decide", unit="b-2", event="2", accepted=True)
        ferry.desk.projects.assign(
            Assignment(ferry.project.id, 1, "verification", ferry.people.lead.id), False
        )
        lead.get("linking", 403)
        lead.post("verification/open", sentence="b-2")
        lead.get("linking")


@pytest.mark.long
def test_lists_and_links_are_opened_by_keyboard(browser: Any, ferry: EventDesk) -> None:
    people = ferry.people
    ferry.do(people.second, add_event, "Secret of the second")
    ferry.do(people.lead, merge_events, [], "A fire", own=False)
    ferry.do(people.second, link_sentence, "b-1", ["1"])
    ferry.do(people.second, link_sentence, "a-2", ["1"])
    with people_at(browser, ferry, people.first, people.lead) as (first, lead):
        first.open("events")
        first.press("Enter")
        first.saved()
        first.open("merging")
        assert findings(first.page) == [] and "Secret" not in first.page.content()
        first.press("f")
        first.page.get_by_text("Secret of the second").first.wait_for()
        first.open("events")
        assert findings(first.page) == [] and "Your list is closed" in first.page.content()
        first.press("j", "Enter")
        assert first.texts("#event-count") == ["1"]
        lead.open("merging")
        lead.press("f")
        lead.page.get_by_text("Finished lists").click()
        lead.click("Reopen: first")
        lead.wait("!document.querySelector('#finished-lists').innerText.includes('first')")
        first.open("events")
        first.press("j", "Enter")
        first.saved()
        # Verification: two sentences one after the other, and a missing one.
        first.open("verification")
        assert first.texts("#progress-text") == ["0 of 0 links decided"]
        first.press("v")
        first.page.get_by_text("0 of 1 links decided").wait_for()
        assert first.texts(".link .said > p:not(.context)") == ["Officials deny it."]
        first.press("Enter", "v")
        first.page.get_by_text("1 of 2 links decided").wait_for()
        first.press("x", "m")
        first.page.keyboard.type("two missing")
        first.press("Enter")
        first.page.get_by_text("3 of 3 links decided").wait_for()
        assert findings(first.page) == []
        first.press("v")
        first.page.get_by_text("No more links to verify right now").wait_for()
        # Linking: what is verified is passed over.
        first.open("linking")
        assert first.texts(".sentence .chip") == ["verified by you"] * 3
        assert first.texts("#progress-text") == ["3 of 6 sentences judged"]
        first.press("1", "Enter", "Enter", "Enter", "Enter", "Enter")
        first.saved()
    verdicts = {one.id: one.value["accepted"] for one in ferry.objects() if one.kind == "verdict"}
    assert verdicts == {"a-2|1": True, "b-1|1": False, "b-2|1": True}
    own = {
        name: ferry.own(people.first, "links", name) for name in ("a-0", "a-1", "a-2", "b-0", "b-1", "b-2")
    }
    assert [name for name, value in own.items() if value] == ["a-0", "a-1", "b-0"]
