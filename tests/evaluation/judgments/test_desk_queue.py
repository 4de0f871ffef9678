"""The desk's next updates and suggestions: what is read, what is kept, and that judges stay blind to each other."""

from __future__ import annotations

from msgspec import to_builtins

from tests.evaluation.test_selection import NUGGETS, TEXTS, pool
from tidings.core.records import Event
from tidings.core.records.judgments import FINAL, SHARED, DeskItem, DeskTopic, JudgedObject, judge_layer
from tidings.evaluation.selection.next_updates import DeskSelection
from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.selection import Selection

TOPIC = DeskTopic(1, 1, Event(id="e", title="Ferry fire", query="ferry"))
OWN, OTHER = judge_layer(1), judge_layer(2)


class Desk:
    """Items and objects of a topic, and how often they were read."""

    def __init__(self) -> None:
        self.reads = [0, 0]
        self.kept = [
            JudgedObject(1, SHARED, "nugget", one.id, 1, {"text": one.text, "importance": 2, "time": 0})
            for one in NUGGETS
        ]

    def items(self) -> list[DeskItem]:
        self.reads[0] += 1
        return [
            DeskItem(1, 1, "update", row.id, number, row.published_time, to_builtins(row))
            for number, row in enumerate(pool())
        ]

    def objects(self) -> list[JudgedObject]:
        self.reads[1] += 1
        return self.kept

    def judge(self, layer: str, place: int, *nuggets: str, kind: str = "matches", value=None) -> None:
        text = TEXTS[place]
        matches = [{"nugget": one, "start": 0, "end": len(text), "automatic": False} for one in nuggets]
        self.kept.append(JudgedObject(1, layer, kind, f"{100 + place}-d-0", 9, value or {"matches": matches}))


def test_orders_are_those_of_the_judge_and_nobody_elses() -> None:
    desk, selection = Desk(), DeskSelection()
    desk.judge(OWN, 0, "N1")
    desk.judge(FINAL, 1)
    desk.judge(OTHER, 2, "N1", "N2")
    ranked = selection.next_updates(TOPIC, OWN, 7, desk.items, desk.objects)
    straight = Selection(PoolTexts(pool()), NUGGETS, "ferry Ferry fire")
    assert ranked == straight.order({"100-d-0": ("N1",), "101-d-0": ()})
    others = selection.next_updates(TOPIC, OTHER, 7, desk.items, desk.objects)
    assert {one.update_id for one in others} == {row.id for row in pool()} - {"101-d-0", "102-d-0"}


def test_nothing_is_read_again_while_nothing_was_written() -> None:
    desk, selection = Desk(), DeskSelection()
    first = selection.next_updates(TOPIC, OWN, 7, desk.items, desk.objects)
    assert selection.next_updates(TOPIC, OWN, 7, desk.items, desk.objects) is first
    assert desk.reads == [1, 1]
    desk.judge(OWN, 4, "N2")
    after = selection.next_updates(TOPIC, OWN, 8, desk.items, desk.objects)
    assert desk.reads == [1, 2]
    assert "104-d-0" not in {one.update_id for one in after}


def test_updates_that_came_later_are_taken_in() -> None:
    desk, selection = Desk(), DeskSelection()
    everything = desk.items()
    desk.judge(OWN, 0, "N1")
    few = selection.next_updates(TOPIC, OWN, 1, lambda: everything[:4], desk.objects, updates=4)
    # The same entries of the log: an import of a pool writes none.
    more = selection.next_updates(TOPIC, OWN, 1, lambda: everything, desk.objects, updates=len(everything))
    assert {one.update_id for one in few} == {item.id for item in everything[1:4]}
    assert more == DeskSelection().next_updates(TOPIC, OWN, 1, desk.items, desk.objects)


def test_a_changed_nugget_or_judgment_makes_the_order_anew() -> None:
    desk, selection = Desk(), DeskSelection()
    for place in range(4):
        desk.judge(OWN, place, *(["N1"] if place in (0, 2) else []))
    before = selection.next_updates(TOPIC, OWN, 1, desk.items, desk.objects)
    desk.kept[2] = JudgedObject(1, OWN, "matches", "100-d-0", 10, {"matches": []})
    after = selection.next_updates(TOPIC, OWN, 2, desk.items, desk.objects)
    assert before != after
    desk.kept[0] = JudgedObject(1, SHARED, "nugget", "N1", 11, {"text": "bread with olives"})
    assert selection.next_updates(TOPIC, OWN, 3, desk.items, desk.objects) != after


def test_a_large_order_holds_until_a_twentieth_more_is_judged() -> None:
    from tidings.evaluation.selection.next_updates import _little_new

    before = {str(number): () for number in range(100)}
    assert _little_new(before, before | {f"new {n}": ("N",) for n in range(4)})
    assert not _little_new(before, before | {f"new {n}": ("N",) for n in range(5)})
    assert not _little_new(before, before | {"7": ("N",)})
    assert not _little_new(before, {one: () for one in before if one != "7"})
    assert not _little_new({}, {"1": ()})


def test_grades_and_clusters_are_learned_from_too() -> None:
    desk, selection = Desk(), DeskSelection()
    desk.judge(OWN, 0, kind="relevance", value={"grade": 2})
    desk.judge(OWN, 1, kind="relevance", value={"grade": 0})
    ranked = selection.next_updates(TOPIC, OWN, 1, desk.items, desk.objects, kind="relevance")
    straight = Selection(PoolTexts(pool()), (), "ferry Ferry fire")
    assert ranked == straight.order({"100-d-0": ("a", "b"), "101-d-0": ()})
    desk.judge(OWN, 0, kind="membership", value={"cluster": "C1"})
    desk.judge(OWN, 1, kind="membership", value={"cluster": None})
    ranked = selection.next_updates(TOPIC, OWN, 1, desk.items, desk.objects, kind="membership")
    assert len(ranked) == 8  # of the same number of the log nothing is read again
    ranked = selection.next_updates(TOPIC, OWN, 2, desk.items, desk.objects, kind="membership")
    assert ranked == straight.order({"100-d-0": ("C1",), "101-d-0": ()})


def test_no_more_is_kept_than_said() -> None:
    desk, selection = Desk(), DeskSelection(most=2)
    for number in (1, 2, 3, 1):
        topic = DeskTopic(1, number, TOPIC.event)
        selection.next_updates(topic, OWN, 1, desk.items, desk.objects)
    assert desk.reads == [4, 4]
