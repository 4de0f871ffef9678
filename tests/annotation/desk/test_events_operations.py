"""Listing, merging, linking and verifying events, without a browser."""

from __future__ import annotations

import pytest

from tests.annotation.desk.event_desks import EventDesk
from tidings.annotation.desk.operations.event_links import final_links, group_id, later_alike, proposed_merges
from tidings.annotation.desk.operations.events import (
    add_event,
    add_to_merged,
    dissolve,
    edit_event,
    edit_merged,
    leave_out,
    merge_events,
    merge_progress,
    put_back,
    remove_event,
    take_from_merged,
)
from tidings.annotation.desk.operations.linking import (
    add_missing,
    decide,
    link_alike,
    link_group,
    link_sentence,
    links_to_verify,
)
from tidings.core.errors import ConflictError, UsageError
from tidings.core.records.judgments import FINAL, SHARED, Change, JudgedObject, judge_layer


def lists(ferry: EventDesk) -> tuple[str, str]:
    """Two judges' lists: the fire in both, the deaths in the second's; their layers."""
    people = ferry.people
    ferry.do(people.first, add_event, "A ferry burned in the port")
    ferry.do(people.second, add_event, "Ferry burns in port of Oslo")
    ferry.do(people.second, add_event, "Two people are missing")
    return judge_layer(people.first.id), judge_layer(people.second.id)


def listed(ferry: EventDesk, *texts: str) -> None:
    """Merged events 1, 2, …"""
    for text in texts:
        ferry.do(ferry.people.lead, merge_events, [], text, own=False)


class TestEvents:
    def test_one_is_made_from_a_sentence_in_its_words_and_at_its_time(self, ferry: EventDesk) -> None:
        ferry.do(ferry.people.first, add_event, "", sentence="b-2")
        found = ferry.own(ferry.people.first, "event", "e1")
        assert found == {"text": "Two are missing.", "time": 2000, "sentence": "b-2"}

    def test_or_in_ones_own_words_and_at_another_time(self, ferry: EventDesk) -> None:
        first = ferry.people.first
        ferry.do(first, add_event, " Two people\n are missing ", time=1900, sentence="b-2")
        ferry.do(first, add_event, "Without time")
        assert ferry.own(first, "event", "e1") == {
            "text": "Two people are missing",
            "time": 1900,
            "sentence": "b-2",
        }
        assert ferry.own(first, "event", "e2") == {"text": "Without time"}

    def test_lists_are_kept_apart(self, ferry: EventDesk) -> None:
        lists(ferry)
        assert ferry.own(ferry.people.first, "event", "e2") is None
        assert ferry.own(ferry.people.second, "event", "e1")["text"] == "Ferry burns in port of Oslo"

    def test_one_can_be_changed_and_taken_away_and_its_number_is_not_given_again(
        self, ferry: EventDesk
    ) -> None:
        first = ferry.people.first
        ferry.do(first, add_event, "", sentence="b-2")
        ferry.do(first, edit_event, "e1", "Three are missing", time=2100)
        assert ferry.own(first, "event", "e1") == {
            "text": "Three are missing",
            "time": 2100,
            "sentence": "b-2",
        }
        ferry.do(first, edit_event, "e1", "Three are missing", time=None)
        assert "time" not in ferry.own(first, "event", "e1")
        ferry.do(first, remove_event, "e1")
        ferry.do(first, add_event, "Another")
        assert ferry.own(first, "event", "e1") is None and ferry.own(first, "event", "e2") == {
            "text": "Another"
        }
        for gone in (edit_event, remove_event):
            more = ["Words"] if gone is edit_event else []
            with pytest.raises(ConflictError, match="no longer in your list"):
                ferry.do(first, gone, "e1", *more)

    @pytest.mark.parametrize(
        ("text", "sentence", "words"),
        [("  ", "", "0 characters"), ("x" * 2001, "", "2001 characters"), ("", "z-9", "no sentence z-9")],
    )
    def test_nonsense_is_refused(self, ferry: EventDesk, text: str, sentence: str, words: str) -> None:
        with pytest.raises(UsageError, match=words):
            ferry.do(ferry.people.first, add_event, text, sentence=sentence)


class TestMerging:
    def test_alike_events_of_several_judges_are_proposed(self, ferry: EventDesk) -> None:
        first, second = lists(ferry)
        assert proposed_merges(ferry.objects()) == [[(first, "e1"), (second, "e1")]]
        assert proposed_merges(ferry.objects(), [(first, "e1")]) == []

    def test_never_two_of_one_judge_and_only_what_is_like_each(self) -> None:
        def event(judge: int, name: str, text: str) -> JudgedObject:
            return JudgedObject(1, f"judge-{judge}", "event", name, 1, {"text": text})

        same = "ferry burns port oslo"
        events = [event(1, "e1", same), event(1, "e2", same), event(2, "e1", same)]
        assert proposed_merges(events) == [[("judge-1", "e1"), ("judge-2", "e1")]]
        chain = [
            event(1, "e1", "ferry burns port"),
            event(2, "e1", "ferry burns port oslo night"),
            event(3, "e1", "oslo night ferry calm"),
        ]
        assert proposed_merges(chain) == [[("judge-1", "e1"), ("judge-2", "e1")]]

    def test_each_judges_event_is_merged_or_left_out_with_a_reason(self, ferry: EventDesk) -> None:
        first, second = lists(ferry)
        lead = ferry.people.lead
        ferry.do(lead, merge_events, [(first, "e1"), (second, "e1")], "A ferry burns", time=1500, own=False)
        assert ferry.merged("1") == {
            "text": "A ferry burns",
            "time": 1500,
            "from": [[first, "e1"], [second, "e1"]],
        }
        assert merge_progress(ferry.objects()).open == 1
        with pytest.raises(UsageError, match="reason has 0"):
            ferry.do(lead, leave_out, (second, "e2"), " ", own=False)
        ferry.do(lead, leave_out, (second, "e2"), "No sentence says it.", own=False)
        progress = merge_progress(ferry.objects())
        assert (progress.events, progress.merged, progress.left_out, progress.open) == (3, 2, 1, 0)
        ferry.do(lead, put_back, (second, "e2"), own=False)
        assert merge_progress(ferry.objects()).open == 1
        with pytest.raises(ConflictError, match="already been put back"):
            ferry.do(lead, put_back, (second, "e2"), own=False)

    def test_who_comes_second_is_told_what_the_first_did(self, ferry: EventDesk) -> None:
        first, second = lists(ferry)
        ferry.do(ferry.people.lead, merge_events, [(first, "e1")], "A fire", own=False)
        with pytest.raises(ConflictError, match="already been merged into event 1"):
            ferry.do(ferry.people.first, merge_events, [(first, "e1"), (second, "e1")], "Fire", own=False)
        with pytest.raises(ConflictError, match="already been merged"):
            ferry.do(ferry.people.first, leave_out, (first, "e1"), "No.", own=False)
        ferry.do(ferry.people.lead, leave_out, (second, "e2"), "Not important.", own=False)
        with pytest.raises(ConflictError, match="left out: Not important"):
            ferry.do(ferry.people.first, merge_events, [(second, "e2")], "Missing", own=False)
        ferry.do(ferry.people.second, remove_event, "e1")
        with pytest.raises(ConflictError, match="no longer in its judge's list"):
            ferry.do(ferry.people.first, merge_events, [(second, "e1")], "Fire", own=False)
        assert ferry.merged("2") is None

    def test_two_who_change_one_merged_event_do_not_overwrite_each_other(self, ferry: EventDesk) -> None:
        first, second = lists(ferry)
        ferry.do(ferry.people.lead, merge_events, [(first, "e1")], "A fire", own=False)
        shown = ferry.desk.log.object(ferry.project.id, 1, SHARED, "merged-event", "1").version  # type: ignore[union-attr]
        ferry.do(ferry.people.first, add_to_merged, "1", [(second, "e1")], own=False, expected=shown)
        for late in (
            lambda view: add_to_merged(view, "1", [(second, "e2")], expected=shown),
            lambda view: edit_merged(view, "1", "Other", time=None, expected=shown),
            lambda view: take_from_merged(view, "1", (second, "e1"), expected=shown),
            lambda view: dissolve(view, "1", [], expected=shown),
        ):
            with pytest.raises(ConflictError, match="Someone changed this"):
                ferry.do(ferry.people.second, late, own=False)
        assert ferry.merged("1")["from"] == [[first, "e1"], [second, "e1"]]

    def test_one_can_be_changed_parted_and_dissolved(self, ferry: EventDesk) -> None:
        first, second = lists(ferry)
        lead = ferry.people.lead
        ferry.do(lead, merge_events, [(first, "e1"), (second, "e1"), (second, "e2")], "A fire", own=False)
        ferry.do(lead, edit_merged, "1", "A great fire", time=7, own=False)
        assert (ferry.merged("1")["text"], ferry.merged("1")["time"]) == ("A great fire", 7)
        ferry.do(lead, take_from_merged, "1", (second, "e2"), own=False)
        with pytest.raises(UsageError, match="not part of the merged one"):
            ferry.do(lead, take_from_merged, "1", (second, "e2"), own=False)
        ferry.do(lead, take_from_merged, "1", (second, "e1"), own=False)
        with pytest.raises(UsageError, match="only event"):
            ferry.do(lead, take_from_merged, "1", (first, "e1"), own=False)
        ferry.do(lead, dissolve, "1", [], own=False)
        assert merge_progress(ferry.objects()).open == 3
        ferry.do(lead, merge_events, [(first, "e1")], "Again", own=False)
        assert ferry.merged("1") is None and ferry.merged("2")["text"] == "Again"
        with pytest.raises(ConflictError, match="no longer exists"):
            ferry.do(lead, edit_merged, "1", "Words", time=None, own=False)

    def test_one_that_sentences_are_linked_to_stays(self, ferry: EventDesk) -> None:
        listed(ferry, "A fire", "Two missing")
        ferry.do(ferry.people.first, link_sentence, "a-0", ["1"])
        ferry.do(ferry.people.second, link_group, ["a-0", "a-1"], ["1"])
        with pytest.raises(UsageError, match="2 links"):
            ferry.do(ferry.people.lead, dissolve, "1", ferry.judges, own=False)
        ferry.do(ferry.people.lead, dissolve, "2", ferry.judges, own=False)

    def test_an_event_twice_or_of_nobody_is_refused(self, ferry: EventDesk) -> None:
        first, _ = lists(ferry)
        with pytest.raises(UsageError, match="twice"):
            ferry.do(ferry.people.lead, merge_events, [(first, "e1")] * 2, "A fire", own=False)
        with pytest.raises(UsageError, match="not on a judge's list"):
            ferry.do(ferry.people.lead, merge_events, [(SHARED, "e1")], "A fire", own=False)


class TestLinking:
    def test_a_sentence_tells_of_none_one_or_several(self, ferry: EventDesk) -> None:
        listed(ferry, "A fire", "Two missing")
        first = ferry.people.first
        for sentence, events in (("a-0", ["1"]), ("a-1", []), ("b-2", ["1", "2"])):
            ferry.do(first, link_sentence, sentence, events)
            assert ferry.own(first, "links", sentence) == {"events": events}

    def test_what_is_not_there_is_refused(self, ferry: EventDesk) -> None:
        listed(ferry, "A fire", "Two missing")
        first = ferry.people.first
        ferry.do(ferry.people.lead, dissolve, "2", [], own=False)
        with pytest.raises(UsageError, match="no event 7"):
            ferry.do(first, link_sentence, "a-0", ["7"])
        with pytest.raises(ConflictError, match="has been removed from the list"):
            ferry.do(first, link_sentence, "a-0", ["2"])
        with pytest.raises(UsageError, match="no sentence z-0"):
            ferry.do(first, link_sentence, "z-0", ["1"])
        with pytest.raises(UsageError, match="twice"):
            ferry.do(first, link_sentence, "a-0", ["1", "1"])

    def test_a_decided_sentence_is_not_judged_again(self, ferry: EventDesk) -> None:
        listed(ferry, "A fire")
        decided = [Change(FINAL, "links", "a-0", {"events": []})]
        ferry.do(ferry.people.lead, lambda view: decided, own=False)
        with pytest.raises(ConflictError, match="already decided"):
            ferry.do(ferry.people.first, link_sentence, "a-0", ["1"])
        ferry.do(ferry.people.first, link_alike, ["a-0", "b-1"], ["1"])
        assert ferry.own(ferry.people.first, "links", "a-0") is None
        assert ferry.own(ferry.people.first, "links", "b-1") == {"events": ["1"]}

    def test_like_sentences_later_are_linked_too_and_keep_what_they_tell(self, ferry: EventDesk) -> None:
        listed(ferry, "A fire", "Oslo")
        first = ferry.people.first
        ferry.do(first, link_sentence, "b-1", ["2"])
        ferry.do(first, link_alike, ["b-1", "b-2"], ["1", "2"])
        assert ferry.own(first, "links", "b-1") == {"events": ["2", "1"]}
        assert ferry.own(first, "links", "b-2") == {"events": ["1", "2"]}
        with pytest.raises(UsageError, match="at least one event"):
            ferry.do(first, link_alike, ["b-1"], [])

    def test_several_sentences_tell_an_event_together(self, ferry: EventDesk) -> None:
        listed(ferry, "They contradict each other")
        first = ferry.people.first
        name = group_id(["a-1", "a-2"])
        ferry.do(first, link_group, ["a-2", "a-1"], ["1"])
        assert ferry.own(first, "group", name) == {"sentences": ["a-1", "a-2"], "events": ["1"]}
        ferry.do(first, link_group, ["a-1", "a-2"], [])
        assert ferry.own(first, "group", name) is None
        for few in (["a-1"], ["a-1", "a-1"], [f"a-{n}" for n in range(51)]):
            with pytest.raises(UsageError, match="needs 2 to 50"):
                ferry.do(first, link_group, few, ["1"])

    def test_later_sentences_that_repeat_one_are_found(self) -> None:
        found = later_alike(
            (
                ("a-0", "A ferry burns in the port of Oslo."),
                ("a-1", "And so?"),
                ("b-0", "A ferry burns in the port of Oslo, witnesses say!"),
                ("b-1", "Two people are missing."),
                ("c-0", "AND  so?"),
            )
        )
        assert found == {"a-0": ("b-0",)}
        # Sentences without a stem are alike where their words are the same.
        assert later_alike((("a", "?? !"), ("b", "! ??"), ("c", "?!"))) == {"a": ("b",)}


class TestVerification:
    def linked(self, ferry: EventDesk) -> None:
        listed(ferry, "A fire", "Two missing")
        ferry.do(ferry.people.first, link_sentence, "a-0", ["1"])
        ferry.do(ferry.people.second, link_sentence, "a-0", ["1"])
        ferry.do(ferry.people.second, link_sentence, "b-2", ["1", "2"])

    def test_another_judge_sees_the_union_and_not_whose_it_is(self, ferry: EventDesk) -> None:
        self.linked(ferry)
        links, own = links_to_verify(ferry.objects(), judge_layer(ferry.people.lead.id))
        assert [one.id for one in links] == ["a-0|1", "b-2|1", "b-2|2"] and own == 0
        assert not any("judge" in str(one) for one in links)

    def test_nobody_verifies_an_own_link(self, ferry: EventDesk) -> None:
        self.linked(ferry)
        links, own = links_to_verify(ferry.objects(), judge_layer(ferry.people.first.id))
        assert [one.id for one in links] == ["b-2|1", "b-2|2"] and own == 1
        with pytest.raises(UsageError, match="your own"):
            ferry.do(ferry.people.first, decide, "a-0", "1", True, ferry.judges)
        with pytest.raises(UsageError, match="your own"):
            ferry.do(ferry.people.first, add_missing, "a-0", "1", ferry.judges)

    def test_verdicts_make_the_final_mapping_and_can_be_taken_back(self, ferry: EventDesk) -> None:
        self.linked(ferry)
        lead = ferry.people.lead
        for unit, event, accepted in (("a-0", "1", True), ("b-2", "1", False), ("b-2", "2", True)):
            ferry.do(lead, decide, unit, event, accepted, ferry.judges)
        assert final_links(ferry.objects()) == {"a-0": ("1",), "b-2": ("2",)}
        ferry.do(lead, decide, "b-2", "2", None, ferry.judges)
        assert final_links(ferry.objects()) == {"a-0": ("1",)}
        shown = links_to_verify(ferry.objects(), judge_layer(lead.id))[0]
        assert [one.accepted for one in shown] == [True, False, None]
        assert shown[0].version

    def test_a_missing_link_can_be_added(self, ferry: EventDesk) -> None:
        self.linked(ferry)
        lead = ferry.people.lead
        ferry.do(lead, add_missing, "b-1", "1", ferry.judges)
        ferry.do(lead, add_missing, "a-0", "1", ferry.judges)
        assert ferry.own(lead, "verdict", "b-1|1") == {"accepted": True, "added": True}
        assert ferry.own(lead, "verdict", "a-0|1") == {"accepted": True}
        assert final_links(ferry.objects()) == {"a-0": ("1",), "b-1": ("1",)}
        links, _ = links_to_verify(ferry.objects(), judge_layer(lead.id))
        assert [one.id for one in links if one.added] == ["b-1|1"]
        ferry.do(lead, decide, "b-1", "1", False, ferry.judges)
        assert ferry.own(lead, "verdict", "b-1|1") == {"accepted": False, "added": True}
        with pytest.raises(UsageError, match="no event 9"):
            ferry.do(lead, add_missing, "b-1", "9", ferry.judges)
        with pytest.raises(UsageError, match="no sentence"):
            ferry.do(lead, add_missing, "z", "1", ferry.judges)

    def test_a_link_that_was_taken_back_is_not_decided(self, ferry: EventDesk) -> None:
        self.linked(ferry)
        ferry.do(ferry.people.second, link_sentence, "b-2", ["1"])
        with pytest.raises(ConflictError, match="has removed it"):
            ferry.do(ferry.people.lead, decide, "b-2", "2", True, ferry.judges)

    def test_groups_are_decided_whole(self, ferry: EventDesk) -> None:
        listed(ferry, "They contradict each other")
        ferry.do(ferry.people.first, link_group, ["a-1", "a-2"], ["1"])
        name = group_id(["a-1", "a-2"])
        ferry.do(ferry.people.lead, decide, name, "1", True, ferry.judges)
        assert final_links(ferry.objects()) == {"a-1": ("1",), "a-2": ("1",)}

    def test_another_verifiers_verdicts_are_not_seen(self, ferry: EventDesk) -> None:
        listed(ferry, "A fire")
        ferry.do(ferry.people.first, link_sentence, "a-0", ["1"])
        ferry.do(ferry.people.second, decide, "a-0", "1", True, ferry.judges)
        ferry.do(ferry.people.second, add_missing, "b-1", "1", ferry.judges)
        links, _ = links_to_verify(ferry.objects(), judge_layer(ferry.people.lead.id))
        assert [(one.id, one.accepted) for one in links] == [("a-0|1", None)]
