"""Deciding where judges differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.annotation.pages.desks import People, bundled_judgments, desk_with
from tests.sweeps import cases
from tidings.annotation.desk.disagreements import clusterings, compare_objects
from tidings.annotation.desk.notes import reopen
from tidings.annotation.desk.operations.adjudication import (
    agreed_clusters,
    cluster_adjudication,
    decide,
    decide_agreed,
    decide_membership,
    to_decide,
)
from tidings.annotation.desk.queue import task_named
from tidings.annotation.store import Act
from tidings.core.errors import ConflictError, UsageError
from tidings.core.records.judgments import FINAL, Change, judge_layer

NUGGETS = ("n1", "n2")


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    with desk_with(tmp_path / "d.db", bundled_judgments(judged=False), judges=2) as made:
        changes = [Change("shared", "nugget", one, {"text": one.upper()}) for one in NUGGETS]
        made.desk.log.record(1, Act(key="nuggets", operation="import", topic=1), changes)
        yield made


def updates(people: People) -> list[str]:
    return [item.id for item in people.desk.projects.items(1, 1, "update")]


def judge(people: People, account: int, kind: str, values: dict[str, Any]) -> None:
    changes = [Change(judge_layer(account), kind, name, value) for name, value in values.items()]
    key = f"{account}-{kind}-{people.desk.projects.get(1).last_seq}"  # type: ignore[union-attr]
    people.desk.log.record(1, Act(key=key, operation="judge", topic=1, account_id=account), changes)


def adjudicate(people: People, make: Callable[[Any], list[Change]], key: str = "decide") -> None:
    act = Act(key=key, operation="adjudicate", topic=1, account_id=people.lead.id)
    people.desk.log.record(1, act, make)


def final(people: People, kind: str) -> dict[str, Any]:
    return {one.id: one.value for one in people.desk.log.objects(1, 1, layer=FINAL, kind=kind)}


def matches(*spans: tuple[str, int, int]) -> dict[str, Any]:
    return {"matches": [{"nugget": n, "start": a, "end": b, "automatic": False} for n, a, b in spans]}


def seen(people: People, kind: str, name: str) -> dict[int, int]:
    found = {}
    for account in (people.first.id, people.second.id):
        one = people.desk.log.object(1, 1, judge_layer(account), kind, name)
        assert one is not None
        found[account] = one.version
    return found


class TestDecide:
    @pytest.fixture
    def update(self, people: People) -> str:
        name = updates(people)[0]
        judge(people, people.first.id, "matches", {name: matches(("n1", 0, 4))})
        judge(people, people.second.id, "matches", {name: matches(("n1", 0, 5), ("n2", 1, 3))})
        return name

    def test_what_is_decided_is_final_and_no_longer_contested(self, people: People, update: str) -> None:
        task, topic = task_named("matching"), people.desk.projects.topics(1)[0]
        assert task is not None
        objects = people.desk.log.objects(1, 1)
        (card,) = to_decide(people.desk, people.project, topic, task, objects).cards
        assert (card["id"], card["sort"], len(card["both"]["matches"])) == (
            update,
            "which nuggets it matches",
            3,
        )
        adjudicate(people, decide("matches", update, card["both"], seen=seen(people, "matches", update)))
        assert final(people, "matches") == {update: card["both"]}
        assert to_decide(people.desk, people.project, topic, task, people.desk.log.objects(1, 1)).cards == []

    def test_a_judge_who_changed_their_answer_meanwhile_is_asked_about_again(
        self, people: People, update: str
    ) -> None:
        shown = seen(people, "matches", update)
        judge(people, people.first.id, "matches", {update: matches()})
        with pytest.raises(ConflictError, match="changed an answer"):
            adjudicate(people, decide("matches", update, matches(), seen=shown))
        assert final(people, "matches") == {}

    def test_what_another_lead_decided_is_not_written_over(self, people: People, update: str) -> None:
        shown = seen(people, "matches", update)
        adjudicate(people, decide("matches", update, matches(), seen=shown), "one")
        with pytest.raises(ConflictError):
            adjudicate(people, decide("matches", update, matches(("n1", 0, 4)), seen=shown), "two")

    def test_copies_are_decided_with_it_and_their_spans_moved(self, people: People, update: str) -> None:
        copies = {update: "A ferry burns.", "copy": "A  ferry burns."}
        value = matches(("n1", 2, 7))
        adjudicate(
            people, decide("matches", update, value, seen=seen(people, "matches", update), copies=copies)
        )
        (moved,) = final(people, "matches")["copy"]["matches"]
        assert (moved["start"], moved["end"], moved["automatic"]) == (3, 8, True)

    def test_copies_that_are_decided_already_stay_as_they_are(self, people: People, update: str) -> None:
        grades = {"copy": {"grade": 2}}
        judged = [Change(FINAL, "relevance", "copy", grades["copy"])]
        people.desk.log.record(1, Act(key="before", operation="import", topic=1), judged)
        copies = {update: "A fire.", "copy": "A fire."}
        adjudicate(people, decide("relevance", update, {"grade": 0}, seen={}, copies=copies))
        assert final(people, "relevance") == {update: {"grade": 0}, **grades}

    def test_what_was_reopened_can_be_decided_anew(self, people: People, update: str) -> None:
        adjudicate(people, decide("matches", update, matches(), seen=seen(people, "matches", update)), "one")
        act = Act(key="again", operation="reopen", topic=1, account_id=people.lead.id)
        people.desk.log.record(1, act, reopen("matches", update, "Look again."))
        with pytest.raises(UsageError, match="answers of the judges"):
            adjudicate(people, decide("matches", update, matches(("n1", 0, 4)), seen={}), "two")
        shown = seen(people, "matches", update)
        adjudicate(people, decide("matches", update, matches(("n1", 0, 4)), seen=shown), "two")
        assert final(people, "matches")[update]["matches"][0]["nugget"] == "n1"

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("matches", matches(("nowhere", 0, 4))),
            ("matches", matches(("n1", 4, 4))),
            ("matches", matches(("n1", 0, 99_999))),
            ("matches", {"matches": [{"nugget": "n1", "start": True, "end": 4}]}),
            ("matches", {"matches": "abc"}),
            ("matches", {}),
            ("links", {"events": ["nowhere"]}),
            ("relevance", {"grade": 3}),
            ("relevance", {"grade": True}),
            ("grade", {"grade": 0}),
            ("verdict", {"accepted": 1}),
            ("answer", {"sentence": 4, "important": True}),
            ("answer", {"sentence": 1}),
            ("nugget", {"text": "x"}),
        ],
    )
    def test_what_is_no_judgment_is_refused(self, people: People, update: str, kind: str, value: Any) -> None:
        with pytest.raises(UsageError):
            adjudicate(people, decide(kind, update, value, seen={}))

    @pytest.mark.parametrize(
        ("kind", "value"),
        cases(__file__, "every kind can be decided", lists=True),
    )
    def test_every_kind_can_be_decided(self, people: People, kind: str, value: Any) -> None:
        adjudicate(people, decide(kind, "object", value, seen={}))
        assert final(people, kind) == {"object": value}


class TestAgreed:
    def test_what_is_agreed_is_made_final_at_once_and_nothing_else(self, people: People) -> None:
        names = updates(people)[:3]
        for account, given in ((people.first.id, (0, 1, 2)), (people.second.id, (0, 1, 1))):
            grades = {name: {"grade": grade} for name, grade in zip(names, given, strict=True)}
            judge(people, account, "relevance", grades)
        judges = [people.first.id, people.second.id]
        with pytest.raises(ConflictError, match="There are now 2 of these"):
            adjudicate(people, decide_agreed(judges, ["relevance"], 3))
        adjudicate(people, decide_agreed(judges, ["relevance"], 2))
        assert final(people, "relevance") == {names[0]: {"grade": 0}, names[1]: {"grade": 1}}
        left = compare_objects(people.desk.log.objects(1, 1))
        assert [one.id for one in left.contested] == [names[2]] and left.agreed == ()


def test_what_fewer_have_judged_than_are_asked_waits(people: People) -> None:
    names, task, judges = updates(people)[:4], task_named("relevance"), (people.first.id, people.second.id)
    topic, project = people.desk.projects.topics(1)[0], replace(people.project, judges=3)
    assert task is not None

    def shown(asked: int) -> tuple[list[str], int, int]:
        found = to_decide(
            people.desk, replace(project, judges=asked), topic, task, people.desk.log.objects(1, 1)
        )
        return [card["id"] for card in found.cards], found.agreed, found.waiting

    for account, given in zip(judges, ((0, 1, 2, 2), (0, 1, 1)), strict=True):
        values = {name: {"grade": grade} for name, grade in zip(names, given, strict=False)}
        judge(people, account, "relevance", values)
    assert shown(3) == ([], 0, 4)
    assert shown(2) == ([names[2]], 2, 1)
    assert shown(1) == ([names[2]], 2, 0)
    third = people.lead.id
    judge(people, third, "relevance", {names[0]: {"grade": 0}, names[2]: {"grade": 1}})
    assert shown(3) == ([names[2]], 1, 2)
    with pytest.raises(ConflictError, match="There are now 1 of these"):
        adjudicate(people, decide_agreed([*judges, third], ["relevance"], 2, asked=3))
    adjudicate(people, decide_agreed([*judges, third], ["relevance"], 1, asked=3))
    assert final(people, "relevance") == {names[0]: {"grade": 0}}
    assert shown(3) == ([names[2]], 0, 2)
    adjudicate(people, reopen("relevance", names[0], "another look"), "reopen")
    assert shown(3) == ([names[2]], 0, 3)


class TestClusters:
    @pytest.fixture
    def names(self, people: People) -> list[str]:
        names = updates(people)[:5]
        places = {people.first.id: ("a", "a", "b", "b", None), people.second.id: ("x", "x", "x", "b", "b")}
        labels = {people.first.id: {"a": "Fire", "b": "Rain"}, people.second.id: {"x": "Flames", "b": "Wet"}}
        for account, given in places.items():
            clusters = {name: {"label": label, "number": 1} for name, label in labels[account].items()}
            judge(people, account, "cluster", clusters)
            members = {name: {"cluster": place} for name, place in zip(names, given, strict=True)}
            judge(people, account, "membership", members)
        return names

    def both(self, people: People) -> tuple[list[int], int, int]:
        one, other = people.first.id, people.second.id
        return [one, other], one, other

    def test_the_page_counts_what_differs_and_what_is_the_same(
        self, people: People, names: list[str]
    ) -> None:
        objects, topic = people.desk.log.objects(1, 1), people.desk.projects.topics(1)[0]
        shown = cluster_adjudication(people.desk, people.project, topic, objects, *clusterings(objects))
        assert [card["id"] for card in shown.cards] == sorted([names[2], names[4]])
        assert (shown.agreed, shown.whole) == (3, 5)
        assert shown.pairs == [("Fire", "Flames", 2), ("Rain", "Wet", 1)]
        # Together for both: 0-1. For one: 2-3 of the first; 0-2, 1-2, 3-4 of the second.
        assert (shown.pairs_together, shown.pairs_apart) == (1, 4)

    def test_agreed_updates_stand_in_the_first_judges_clusters(
        self, people: People, names: list[str]
    ) -> None:
        adjudicate(people, agreed_clusters(*self.both(people), 3))
        assert final(people, "membership") == {
            names[0]: {"cluster": "a"},
            names[1]: {"cluster": "a"},
            names[3]: {"cluster": "b"},
        }
        labels = {name: (one["label"], one["number"]) for name, one in final(people, "cluster").items()}
        assert sorted(labels) == ["a", "b"] and labels["a"][0] == "Fire" and labels["b"][0] == "Rain"
        assert sorted(number for _, number in labels.values()) == [1, 2]

    def test_what_is_decided_is_not_decided_again_with_the_rest(
        self, people: People, names: list[str]
    ) -> None:
        judges, one, other = self.both(people)
        adjudicate(people, agreed_clusters(judges, one, other, 3), "agreed")
        with pytest.raises(ConflictError, match="There are now 2 of these"):
            adjudicate(people, agreed_clusters(judges, other, one, 5, whole=True), "whole")
        adjudicate(people, agreed_clusters(judges, other, one, 2, whole=True), "rest")
        assert final(people, "membership")[names[0]] == {"cluster": "a"}
        assert len(final(people, "membership")) == 5

    def test_an_update_goes_where_either_judge_had_it_or_nowhere(
        self, people: People, names: list[str]
    ) -> None:
        judges, one, other = self.both(people)
        adjudicate(people, agreed_clusters(judges, one, other, 3), "agreed")
        adjudicate(people, decide_membership(judges, one, other, names[2], other), "second")
        adjudicate(people, decide_membership(judges, one, other, names[4], 0), "nobody")
        placed = final(people, "membership")
        # The second judge's Flames is the first one's Fire.
        assert (placed[names[2]], placed[names[4]]) == ({"cluster": "a"}, {"cluster": None})
        with pytest.raises(ConflictError, match="has been decided"):
            adjudicate(people, decide_membership(judges, one, other, names[2], one), "again")

    def test_one_judges_clusters_can_be_taken_as_they_are(self, people: People, names: list[str]) -> None:
        judges, one, other = self.both(people)
        adjudicate(people, agreed_clusters(judges, other, one, 5, whole=True))
        placed = [final(people, "membership")[name]["cluster"] for name in names]
        assert placed == ["x", "x", "x", "b", "b"] and final(people, "cluster")["b"]["label"] == "Wet"

    def test_clusters_of_the_same_id_that_are_others_stay_apart(
        self, people: People, names: list[str]
    ) -> None:
        judges, one, other = self.both(people)
        moved = {names[3]: {"cluster": None}, names[4]: {"cluster": "b"}}
        judge(people, other, "membership", moved)
        adjudicate(people, decide_membership(judges, one, other, names[4], other))
        cluster = final(people, "membership")[names[4]]["cluster"]
        assert cluster != "b" and final(people, "cluster")[cluster]["label"] == "Wet"

    def test_two_judges_are_needed(self, people: People, names: list[str]) -> None:
        judges, one, _ = self.both(people)
        with pytest.raises(UsageError, match="two judges who have both made clusters"):
            adjudicate(people, agreed_clusters(judges, one, one, 5))
