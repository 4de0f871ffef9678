"""The four rules by which one of an update's nuggets stands for it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tidings.core.records import Judgments, Match, Nugget
from tidings.evaluation.measures.agreement import adjusted_mutual_information
from tidings.evaluation.measures.projection import RULES, Candidate, choose, project

TOLL = Candidate(0, grade=3, time=50, popularity=1)
QUAKE = Candidate(1, grade=2, time=10, popularity=4)
PLACE = Candidate(2, grade=1, time=20, popularity=9)


def test_each_rule_has_its_own() -> None:
    assert choose("highest-grade", [PLACE, QUAKE, TOLL]) == TOLL
    assert choose("earliest", [PLACE, QUAKE, TOLL]) == QUAKE
    assert choose("most-popular", [TOLL, QUAKE, PLACE]) == PLACE
    assert choose("earliest", []) is None


def test_random_needs_something_to_draw_with() -> None:
    with pytest.raises(ValueError, match=r"give a random\.Random"):
        choose("random", [TOLL])
    drawn = Counter(choose("random", [TOLL, QUAKE, PLACE], Random(seed)).nugget for seed in range(90))
    assert set(drawn) == {0, 1, 2}
    assert min(drawn.values()) > 15


def test_ties_are_drawn_or_go_to_grade_time_and_order() -> None:
    early, late, same = Candidate(0, 2, 5, 3), Candidate(1, 2, 9, 3), Candidate(2, 2, 5, 3)
    low = Candidate(3, 1, 1, 3)
    for rule in ("highest-grade", "most-popular"):
        assert choose(rule, [low, late, early, same]) == early
        drawn = {choose(rule, [late, early], Random(seed)).nugget for seed in range(20)}
        assert drawn == {0, 1}
    assert {choose("earliest", [early, same, late], Random(seed)).nugget for seed in range(20)} == {0, 2}


NUGGETS = (Nugget("e", "toll", 50, 3, "Nine died"), Nugget("e", "quake", 10, 1, "A quake"))


def judged(*links: tuple[int, str], event: str = "e") -> Judgments:
    return Judgments(
        name="j",
        nuggets=tuple(Nugget(event, one.id, one.time, one.importance, one.text) for one in NUGGETS),
        matches=tuple(Match(event, f"d-{at}", nugget, 0, 1) for at, nugget in links),
    )


def test_updates_go_to_one_nugget_each() -> None:
    both = judged((0, "toll"), (0, "quake"), (1, "quake"), (2, "toll"), (2, "toll"), (3, "other"))
    shown = {rule: {one.id: one.update_ids for one in project(both, rule)} for rule in RULES}
    assert shown["highest-grade"] == {"toll": ("d-0", "d-2"), "quake": ("d-1",)}
    assert shown["earliest"] == {"toll": ("d-2",), "quake": ("d-0", "d-1")}
    assert sorted(update for of_cluster in shown["random"].values() for update in of_cluster) == [
        "d-0",
        "d-1",
        "d-2",
    ]
    assert {one.label for one in project(both, "earliest")} == {"Nine died", "A quake"}


def test_popularity_counts_relevant_updates_once() -> None:
    # The toll has three matches in two updates, the quake as many updates and one more.
    both = judged((0, "toll"), (0, "toll"), (0, "quake"), (1, "quake"), (2, "quake"), (3, "toll"))
    assert {one.id: one.update_ids for one in project(both, "most-popular")} == {
        "toll": ("d-3",),
        "quake": ("d-0", "d-1", "d-2"),
    }


def test_a_nugget_that_stands_for_nothing_is_no_cluster() -> None:
    assert [one.id for one in project(judged((0, "toll"), (0, "quake")), "earliest")] == ["quake"]


def test_lots_are_the_seeds_and_the_events_own() -> None:
    links = [(at, nugget) for at in range(40) for nugget in ("toll", "quake")]
    one = judged(*links)
    assert project(one, "random", 1) == project(one, "random", 1)
    assert project(one, "random", 1) != project(one, "random", 2)
    other = judged(*links, event="f")
    both = Judgments(name="both", nuggets=other.nuggets + one.nuggets, matches=other.matches + one.matches)
    drawn = {
        event: [one.update_ids for one in project(both, "random") if one.event_id == event] for event in "ef"
    }
    assert drawn["e"] != drawn["f"]
    assert [cluster for cluster in project(both, "random") if cluster.event_id == "e"] == list(
        project(one, "random")
    )


@pytest.mark.long
@pytest.mark.parametrize("average", ["max", "arithmetic", "geometric", "min"])
def test_normalisers_as_scikit_learn_has_them(average) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    draw = Random(8)
    one = [draw.randrange(6) for _ in range(60)]
    other = [draw.choice((label, draw.randrange(3))) for label in one]
    assert adjusted_mutual_information(one, other, average) == pytest.approx(
        metrics.adjusted_mutual_info_score(one, other, average_method=average)
    )


def test_normalisers_by_hand() -> None:
    # aabb against xxyz: I = ln 2, H = ln 2 and 1.5 ln 2, E[I] = .75 ln 2 − ... the same for all: orders must hold.
    values = {
        average: adjusted_mutual_information("aabbcc", "xxyyzw", average)
        for average in ("max", "arithmetic", "geometric", "min")
    }
    assert values["max"] < values["arithmetic"] < values["geometric"] < values["min"]
