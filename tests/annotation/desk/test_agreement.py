"""How far the judges of a project agree, where they do not, and whose clusters are whose."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan
from typing import Any

import pytest

from tests.sweeps import cases, every
from tidings.annotation.desk.disagreements import (
    Clustering,
    agreement_of,
    align,
    apart,
    clusterings,
    compare_objects,
    sort_of,
)
from tidings.core.records.judgments import FINAL, SHARED, JudgedObject, judge_layer


def objects(kind: str, *judges: dict[str, Any], final: Iterable[str] = ()) -> list[JudgedObject]:
    """What judges 1, 2, … said of objects, and which of these are decided."""
    made = [
        JudgedObject(1, judge_layer(number), kind, name, 10 * number + at, value)
        for number, said in enumerate(judges, 1)
        for at, (name, value) in enumerate(said.items())
    ]
    return made + [JudgedObject(1, FINAL, kind, name, 99, {}) for name in final]


def matches(*spans: tuple[str, int, int], automatic: bool = False) -> dict[str, Any]:
    return {"matches": [{"nugget": n, "start": a, "end": b, "automatic": automatic} for n, a, b in spans]}


def grades(text: str) -> dict[str, Any]:
    return {f"u{at}": {"grade": int(letter)} for at, letter in enumerate(text) if letter != " "}


class TestDisagreements:
    def test_each_sort_is_told_from_the_others(self) -> None:
        one = {
            "same": matches(("n1", 0, 4)),
            "span": matches(("n1", 0, 4)),
            "link": matches(("n1", 0, 4)),
            "relevance": matches(("n1", 0, 4)),
            "alone": matches(),
        }
        other = {
            "same": matches(("n1", 0, 4), automatic=True),
            "span": matches(("n1", 0, 5)),
            "link": matches(("n1", 0, 4), ("n2", 0, 4)),
            "relevance": matches(),
        }
        compared = compare_objects(objects("matches", one, other))
        assert {judged.id: judged.sort for judged in compared.contested} == {
            name: name for name in ("span", "link", "relevance")
        }
        assert [judged.id for judged in compared.agreed] == ["same"]

    def test_the_order_of_links_is_no_disagreement(self) -> None:
        given = [matches(("a", 0, 1), ("b", 2, 3)), matches(("b", 2, 3), ("a", 0, 1))]
        assert sort_of("matches", given) == ""

    @every(
        "kind, one, other, sort",
        cases(__file__, "every kind has its sorts", lists=True),
    )
    def test_every_kind_has_its_sorts(self, kind: str, one: Any, other: Any, sort: str) -> None:
        assert sort_of(kind, [one, other]) == sort and sort_of(kind, [one, one]) == ""

    def test_what_is_decided_is_left_out_unless_asked_for(self) -> None:
        given = objects("relevance", grades("01"), grades("10"), final=["u0"])
        assert [one.id for one in compare_objects(given).contested] == ["u1"]
        assert [one.id for one in compare_objects(given, decided=True).contested] == ["u0", "u1"]

    def test_what_was_reopened_waits_until_all_have_judged_it_again(self) -> None:
        given = objects("relevance", grades("0"), grades("1"))
        reopened = JudgedObject(1, FINAL, "reopened", "relevance|u0", 15, {})
        assert compare_objects([*given, reopened]).contested == ()
        half = [given[0], JudgedObject(1, judge_layer(2), "relevance", "u0", 31, {"grade": 1})]
        assert compare_objects([*half, reopened]).contested == ()
        later = [JudgedObject(1, judge_layer(n), "relevance", "u0", 30 + n, {"grade": n}) for n in (1, 2)]
        assert len(compare_objects([*later, reopened]).contested) == 1


class TestAlignment:
    def test_most_updates_in_all_and_not_the_first_pair_decide(self) -> None:
        # a shares 3 with x and 2 with y, b shares 2 with x: a-y and b-x hold 4 together, a-x alone 3.
        one = Clustering(
            1, {}, dict.fromkeys("123", "a") | dict.fromkeys("45", "a") | dict.fromkeys("67", "b")
        )
        other = Clustering(2, {}, dict.fromkeys("12367", "x") | dict.fromkeys("45", "y"))
        assert align(one, other) == {"x": "b", "y": "a"}

    def test_clusters_that_share_nothing_are_not_aligned(self) -> None:
        # x and a share five, so that y and b are left, which share none.
        one = Clustering(1, {}, dict.fromkeys("123456", "a") | {"7": "b"})
        other = Clustering(2, {}, dict.fromkeys("123457", "x") | {"6": "y"})
        assert align(one, other) == {"x": "a"}

    def test_a_final_cluster_that_both_added_to_is_itself(self) -> None:
        one = Clustering(1, {}, {"1": "f", "2": "a", "3": "a"})
        other = Clustering(2, {}, {"1": "f", "2": "f", "3": "f"})
        assert align(one, other) == {"f": "f"}

    def test_the_same_clusters_by_other_names_are_no_disagreement(self) -> None:
        one = Clustering(1, {}, {"1": "a", "2": "a", "3": None})
        assert apart(one, Clustering(2, {}, {"1": "z", "2": "z", "3": None})) == []

    def test_not_relevant_and_in_a_cluster_is_one(self) -> None:
        one, other = Clustering(1, {}, {"1": None}), Clustering(2, {}, {"1": "z"})
        for pair in ((one, other), (other, one)):
            (placed,) = apart(*pair)
            assert (placed.update, placed.together_one, placed.together_other) == ("1", (), ())

    def test_only_what_both_placed_counts(self) -> None:
        one, other = Clustering(1, {}, {"1": "a", "2": "a"}), Clustering(2, {}, {"1": None, "3": "z"})
        (placed,) = apart(one, other)
        assert (placed.update, placed.together_one) == ("1", ())

    def test_clusterings_are_read_of_objects(self) -> None:
        given = objects("membership", {"u": {"cluster": "a"}}, {"u": {"cluster": None}})
        given.append(JudgedObject(1, judge_layer(1), "cluster", "a", 5, {"label": "Fire"}))
        first, second = clusterings(given)
        assert (first.labels, first.cluster_of, second.cluster_of) == ({"a": "Fire"}, {"u": "a"}, {"u": None})


class TestAgreement:
    def test_kappas_of_grades_are_those_of_the_measures(self) -> None:
        rows = agreement_of({1: objects("relevance", grades("2200"), grades("2000"))}, ["relevance"])
        overall, topic = rows
        assert (overall.topic, topic.topic, topic.judges, topic.items) == (0, 1, 2, 4)
        assert topic.same == pytest.approx(0.75) and topic.cohen == pytest.approx(0.5)
        assert topic.fleiss == pytest.approx(7 / 15)
        # Two values, so that ordinal distances are nominal ones: 1 - 7 · 2 / (2 · 3 · 5).
        assert topic.alpha == pytest.approx(1 - 7 * 2 / 30)

    def test_grades_are_ordinal(self) -> None:
        near = agreement_of({1: objects("grade", grades("1234"), grades("1233"))}, ["entities"])
        far = agreement_of({1: objects("grade", grades("1234"), grades("1231"))}, ["entities"])
        assert near[0].alpha > far[0].alpha + 0.1

    def test_items_of_three_judges_and_of_two_are_both_counted(self) -> None:
        given = objects("relevance", grades("0101"), grades("0110"), grades("01  "))
        overall = agreement_of({1: given}, ["relevance"])[0]
        assert (overall.judges, overall.items, overall.same) == (3, 4, 0.5)

    def test_over_all_topics_all_items_count_alike(self) -> None:
        long, short = grades("22222222"), grades("20")
        topics = {1: objects("relevance", long, long), 2: objects("relevance", short, grades("02"))}
        overall = agreement_of(topics, ["relevance"])[0]
        assert overall.items == 10 and overall.same == pytest.approx(0.8)

    def test_links_and_spans_are_compared_on_what_both_judged(self) -> None:
        one = {"u1": matches(("n1", 0, 4)), "u2": matches(("n1", 0, 4)), "mine": matches(("n9", 0, 4))}
        other = {"u1": matches(("n1", 2, 6)), "u2": matches(("n2", 0, 4))}
        overall = agreement_of({1: objects("matches", one, other)}, ["matching"])[0]
        assert (overall.links, overall.spans) == (pytest.approx(0.5), pytest.approx(0.5))
        assert isnan(overall.ari) and isnan(overall.ratio)

    def test_clusters_by_other_names_agree(self) -> None:
        one = {"1": {"cluster": "a"}, "2": {"cluster": "a"}, "3": {"cluster": "b"}, "4": {"cluster": None}}
        other = {"1": {"cluster": "x"}, "2": {"cluster": "x"}, "3": {"cluster": "y"}, "4": {"cluster": "y"}}
        overall = agreement_of({1: objects("membership", one, other)}, ["clusters"])[0]
        assert (overall.ari, overall.ami, overall.same) == (pytest.approx(1), pytest.approx(1), 0.75)

    def test_the_ratio_of_2001_is_what_was_accepted_of_what_either_linked(self) -> None:
        one = {"s1": {"events": ["e1"]}, "s2": {"events": ["e1", "e2"]}}
        other = {"s1": {"events": ["e1"]}, "s2": {"events": []}}
        given = objects("links", one, other)
        given += [
            JudgedObject(1, judge_layer(3), "verdict", f"s{n}|e1", 50 + n, {"accepted": n == 1})
            for n in (1, 2)
        ]
        given += [
            JudgedObject(1, SHARED, "merged-event", e, 1, {"text": e, "from": []}) for e in ("e1", "e2")
        ]
        overall = agreement_of({1: given}, ["linking"])[0]
        assert overall.ratio == pytest.approx(0.5)
        assert overall.links == pytest.approx(2 * 1 / (3 + 1))

    def test_tasks_that_are_not_done_and_items_of_one_judge_give_no_row(self) -> None:
        given = objects("relevance", grades("01"), grades("01"))
        assert agreement_of({1: given}, ["matching"]) == []
        assert agreement_of({1: given[:2]}, ["relevance"]) == []
