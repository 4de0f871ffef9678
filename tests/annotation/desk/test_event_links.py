"""What links and verdicts add up to: the union, the final mapping, agreement and Table 3's numbers."""

from __future__ import annotations

from math import isnan

import pytest

from tidings.annotation.desk.operations.event_links import (
    event_links,
    event_verdicts,
    final_links,
    group_id,
    link_statistics,
    links_agreement,
)
from tidings.core.records.judgments import FINAL, SHARED, JudgedObject

# Khandelwal, Gupta and Allan 2001, Table 2: sentences linked to each event (as agreed) and agreement.
TABLE_2 = {"1": (43, 1.0), "2": (9, 1.0), "3": (33, 0.97), "4": (8, 1.0), "5": (4, 0.8), "6": (5, 1.0)} | {
    "7": (14, 1.0), "8": (19, 1.0), "9": (9, 1.0)
}  # fmt: skip


def made(layer: str, kind: str, name: str, value: object, version: int = 1) -> JudgedObject:
    return JudgedObject(1, layer, kind, name, version, value)


def merged(*names: str) -> list[JudgedObject]:
    return [made(SHARED, "merged-event", name, {"text": f"Event {name}", "from": []}) for name in names]


def links(layer: str, sentence: str, *events: str, version: int = 1) -> JudgedObject:
    return made(layer, "links", sentence, {"events": list(events)}, version)


def verdict(unit: str, event: str, accepted: bool, layer: str = "judge-9", **more: object) -> JudgedObject:
    return made(layer, "verdict", f"{unit}|{event}", {"accepted": accepted} | more, 50)


class TestAgreement:
    def test_it_gives_the_numbers_of_table_2(self) -> None:
        objects = merged(*TABLE_2)
        for event, (agreed, printed) in TABLE_2.items():
            union = round(agreed / printed)
            for number in range(union):
                sentence = f"d{event}-{number}"
                objects.append(links("judge-1" if number % 2 else "judge-2", sentence, event))
                objects.append(verdict(sentence, event, number < agreed))
        found = event_verdicts(objects)
        assert [one.accepted for one in found] == [agreed for agreed, _ in TABLE_2.values()]
        assert [round(one.agreement, 2) for one in found] == [printed for _, printed in TABLE_2.values()]
        # The mean of the nine as printed is .974; of the exact ratios (33 of 34 is .9706) it is .9745.
        assert sum(printed for _, printed in TABLE_2.values()) / 9 == pytest.approx(0.974, abs=5e-4)
        assert links_agreement(objects) == pytest.approx(0.97451, abs=1e-5)

    def test_what_both_mark_counts_once_and_what_the_verifier_adds_does_not(self) -> None:
        objects = [
            *merged("1"),
            links("judge-1", "d-0", "1"),
            links("judge-2", "d-0", "1"),
            links("judge-2", "d-1", "1"),
            verdict("d-0", "1", True),
            verdict("d-1", "1", False),
            verdict("d-7", "1", True, added=True),
        ]
        assert [(one.marked, one.accepted, one.undecided) for one in event_verdicts(objects)] == [(2, 1, 0)]
        assert links_agreement(objects) == pytest.approx(0.5)

    def test_there_is_none_before_anything_is_verified(self) -> None:
        assert isnan(links_agreement([*merged("1"), links("judge-1", "d-0", "1")]))

    def test_what_is_undecided_is_said(self) -> None:
        objects = [
            *merged("1"),
            links("judge-1", "d-0", "1"),
            links("judge-1", "d-1", "1"),
            verdict("d-0", "1", True),
        ]
        assert [(one.accepted, one.undecided) for one in event_verdicts(objects)] == [(1, 1)]

    def test_an_event_of_no_sentence_does_not_count(self) -> None:
        objects = [*merged("1", "2"), links("judge-1", "d-0", "1"), verdict("d-0", "1", False)]
        assert links_agreement(objects) == 0


class TestFinal:
    def test_groups_are_verified_whole_and_their_sentences_tell_the_event(self) -> None:
        group = group_id(["d-0", "d-3"])
        value = {"sentences": ["d-0", "d-3"], "events": ["1", "2"]}
        objects = [
            *merged("1", "2"),
            made("judge-1", "group", group, value),
            made("judge-2", "group", group, value | {"events": ["1"]}),
            verdict(group, "1", True),
            verdict(group, "2", False),
        ]
        union = event_links(objects)
        assert [(one.sentences, one.layers) for one in union] == [
            (("d-0", "d-3"), ("judge-1", "judge-2")),
            (("d-0", "d-3"), ("judge-1",)),
        ]
        assert final_links(objects) == {"d-0": ("1",), "d-3": ("1",)}

    def test_where_nobody_verifies_the_first_judge_counts(self) -> None:
        objects = [
            *merged("1", "2"),
            links("judge-4", "d-0", "1", version=7),
            links("judge-2", "d-0", "2", version=5),
            links("judge-4", "d-1", "1", version=8),
            links("judge-2", "d-1", version=9),
            links("judge-2", "d-2", version=10),
            links("judge-4", "d-2", "1", version=11),
        ]
        assert final_links(objects) == {"d-0": ("2",), "d-1": ("1",)}

    def test_what_was_decided_counts_before_verdicts(self) -> None:
        objects = [
            *merged("1", "2"),
            links("judge-1", "d-0", "1"),
            links("judge-1", "d-1", "1"),
            verdict("d-0", "1", True),
            verdict("d-1", "1", True),
            links(FINAL, "d-0", "2"),
            links(FINAL, "d-1"),
        ]
        assert final_links(objects) == {"d-0": ("2",)}

    def test_events_stand_in_the_order_of_the_list_and_those_that_went_are_left_out(self) -> None:
        late = made(SHARED, "merged-event", "1", {"text": "Late", "time": 90, "from": []})
        early = made(SHARED, "merged-event", "2", {"text": "Early", "time": 10, "from": []})
        gone = made(SHARED, "merged-event", "3", None)
        untimed = made(SHARED, "merged-event", "10", {"text": "Some time", "from": []})
        objects = [late, early, gone, untimed, links("judge-1", "d-0", "10", "3", "1", "2")]
        assert final_links(objects) == {"d-0": ("2", "1", "10")}

    def test_of_two_verifiers_the_first_counts_unless_it_was_decided(self) -> None:
        second = made("judge-8", "verdict", "d-0|1", {"accepted": True}, 60)
        objects = [*merged("1"), links("judge-1", "d-0", "1"), verdict("d-0", "1", False), second]
        assert final_links(objects) == {}
        objects.append(made(FINAL, "verdict", "d-0|1", {"accepted": True}, 70))
        assert final_links(objects) == {"d-0": ("1",)}


def test_the_statistics_of_table_3() -> None:
    found = link_statistics(
        [f"d-{n}" for n in range(100)], {f"d-{n}": ("1", "2")[: 1 + (n < 4)] for n in range(29)}
    )
    assert (found.sentences, found.off_event, found.single_event, found.multi_event) == (100, 71, 25, 4)
    assert [found.share(n) for n in (71, 25, 4)] == pytest.approx([0.71, 0.25, 0.04])
    assert isnan(link_statistics([], {}).share(0))
