"""Judgments taken away: against small cases counted by hand."""

from __future__ import annotations

from math import exp, isnan

import pytest

from tidings.core.errors import UsageError
from tidings.core.records import Event, Judgments, Match, Nugget, PooledUpdate, PossibleMatch, Run, Update
from tidings.evaluation.measures.trec_ts import prepare
from tidings.evaluation.measures.trec_ts.prepared import by_event
from tidings.evaluation.reuse import JudgedTexts, Taking, agreement, by_confidence, reuse

R1 = exp(-2)
JUDGED = Judgments(
    name="small",
    events=(Event(id="e", title="", query=""),),
    nuggets=(
        Nugget("e", "dead", 0, 3, "nine people died here"),
        Nugget("e", "fire", 0, 1, "a fire burned down"),
    ),
    pool=(
        PooledUpdate("e", "a", 0, "nine died"),
        PooledUpdate("e", "b", 0, "a fire"),
        PooledUpdate("e", "c", 0, "nothing"),
        PooledUpdate("e", "a2", 0, "nine died", "a-0"),
        PooledUpdate("e", "x", 0, "told by nobody"),
    ),
    matches=(Match("e", "a-0", "dead", 0, 4), Match("e", "b-0", "fire", 0, 3)),
)


def run(name: str, *docs: str, team: str = "") -> Run:
    confidences = (1.0, 0.9, 0.8, 0.7)
    updates = [Update("e", doc, 0, at, confidences[at]) for at, doc in enumerate(docs)]
    return Run(team or name, name, tuple(updates))


RUNS = (run("one", "a", "c"), run("two", "b", "c"), run("three", "c"))
PAIRS = (
    PossibleMatch("e", "a-0", "dead", 0.7, 0, 4),
    PossibleMatch("e", "b-0", "dead", 0.9, 0, 4),
    PossibleMatch("e", "c-0", "fire", 1.0, 0, 4),
)


def test_a_left_out_run_loses_what_nobody_else_tells() -> None:
    made = reuse(JUDGED, RUNS, measure="C", depths=())
    one, two, three = made.left
    assert (one.run, one.judged, one.lost) == ("one one", 2, 1)
    assert (one.full, one.people) == (pytest.approx(1 / (1 + R1)), 0)
    assert (one.rank, one.rank_people) == (1, 2), "below two, which keeps its own; equal with three"
    assert (two.full, two.rank, two.rank_people) == (pytest.approx(R1 / (1 + R1)), 2, 2)
    assert (three.judged, three.lost, three.full, three.rank) == (1, 0, 0, 3)
    assert made.automatic is None
    assert isnan(made.covered)
    assert (made.events, made.texts) == (1, 4)
    assert (made.people.moved, made.people.most) == (1, 1)
    assert made.people.absolute == pytest.approx(1 / 3)
    assert made.people.change == pytest.approx(-1 / 3)
    assert made.people.ranks == pytest.approx(1 / 3)


def test_a_copy_that_another_run_tells_saves_a_text() -> None:
    made = reuse(JUDGED, [*RUNS, run("copier", "a2")], measure="C", depths=())
    assert [one.lost for one in made.left] == [0, 1, 0, 0]
    assert made.left[0].people == made.left[0].full


def test_both_copies_go_together() -> None:
    made = reuse(JUDGED, [run("one", "a", "a2"), run("two", "c")], measure="C", depths=())
    assert (made.left[0].judged, made.left[0].lost, made.left[0].people) == (1, 1, 0)


def test_automatic_matches_mend_what_is_lost_and_only_that() -> None:
    made = reuse(JUDGED, RUNS, PAIRS, measure="C", depths=(), how=Taking(draws=200, spread=0.0))
    one, two, three = (left.mended for left in made.left)
    assert one is not None and two is not None and three is not None
    assert (one.decided, one.rank) == (pytest.approx(1 / (1 + R1)), 1)
    assert two.decided == pytest.approx(1 / (1 + R1)), "wrong, and believed"
    assert two.rank == 1, "equal to one"
    assert three.decided == 0, "people judged c, which two others tell"
    assert 0 == one.low < one.expected < one.high
    assert one.high == pytest.approx(one.decided)
    assert made.automatic is not None
    assert made.automatic.absolute == pytest.approx((1 - R1) / (1 + R1) / 3)
    assert made.automatic.moved == 1
    assert made.expected is not None
    changes = [left.mended.expected - left.full for left in made.left if left.mended]
    assert made.expected.change == pytest.approx(sum(changes) / 3)
    assert made.expected.moved == sum(
        left.mended.rank_expected != left.rank for left in made.left if left.mended
    )
    assert (two.rank_expected, three.rank_expected) == (2 if two.expected < made.left[0].full else 1, 3)
    assert made.covered == pytest.approx(2 / 3 if two.low > R1 / (1 + R1) else 1)


def test_how_matches_are_taken_is_heeded() -> None:
    made = reuse(JUDGED, RUNS, PAIRS, measure="C", depths=(1,), how=Taking(threshold=0.95))
    assert made.left[0].mended is not None
    assert made.left[0].mended.decided == 0
    certain = reuse(JUDGED, RUNS, PAIRS, measure="C", depths=(), how=Taking(draws=1, seed=3)).left[0].mended
    assert certain is not None
    assert certain.low == certain.high == certain.expected


def test_a_team_is_left_out_together() -> None:
    runs = [run("one", "a", "c", team="t"), run("two", "a", "b", team="t"), run("other", "c", team="u")]
    alone = reuse(JUDGED, runs, measure="C", depths=())
    assert [one.lost for one in alone.left] == [0, 1, 0]
    together = reuse(JUDGED, runs, measure="C", depths=(), by="team")
    assert [one.lost for one in together.left] == [1, 2, 0]
    assert [one.run for one in together.left] == ["t one", "t two", "u other"]
    with pytest.raises(UsageError, match="1 team to leave out"):
        reuse(JUDGED, runs[:2], by="team")
    with pytest.raises(UsageError, match="1 run to leave out"):
        reuse(JUDGED, runs[:1])


def test_the_order_of_runs_stays_whatever_their_teams() -> None:
    runs = [run("one", "a", team="t"), run("two", "b", team="u"), run("three", "c", team="t")]
    made = reuse(JUDGED, runs, measure="C", depths=(), by="team")
    assert [one.run for one in made.left] == ["t one", "u two", "t three"]
    twins = reuse(JUDGED, [RUNS[0], RUNS[0]], measure="C", depths=())
    assert [one.run for one in twins.left] == ["one one", "one one (2)"]


def test_a_shallow_pool_keeps_the_surest_of_each_run() -> None:
    sure_of_nothing = run("sure", "c", "a")
    made = reuse(JUDGED, [sure_of_nothing, run("two", "b")], PAIRS, measure="C", depths=(1, 2))
    shallow, deep = made.depths
    assert (shallow.depth, shallow.texts, deep.texts) == (1, 2, 3)
    assert shallow.people.absolute == pytest.approx(1 / (1 + R1) / 2)
    assert shallow.automatic is not None
    assert shallow.automatic.absolute == pytest.approx(0)
    assert deep.people.absolute == 0
    assert deep.people.tau == 1
    assert (shallow.people.moved, shallow.people.most) == (2, 1)
    with pytest.raises(UsageError, match=r"the depth 0 \(expected at least 1\)"):
        reuse(JUDGED, RUNS, depths=(5, 0))


def test_the_surest_come_first_and_each_once() -> None:
    told = [("low", 0.1), ("high", 0.9), ("also", 0.9), ("low", 0.95)]
    one = Run("t", "r", tuple(Update("e", doc, 0, 1, sure) for doc, sure in told))
    assert by_confidence(by_event(one)["e"]) == ["low-0", "high-0", "also-0"]


def test_what_is_matched_and_not_pooled_is_judged() -> None:
    judged = Judgments(
        name="unpooled",
        events=JUDGED.events,
        nuggets=JUDGED.nuggets,
        pool=JUDGED.pool[2:3],
        matches=JUDGED.matches,
    )
    texts = JudgedTexts(prepare(judged), RUNS)
    assert texts.all == {"e": frozenset({"a-0", "b-0", "c-0"})}
    assert texts.only_of([0]) == {"e": frozenset({"a-0"})}
    left, removed = texts.without({"e": {"a-0"}})
    assert removed == {"e": ["a-0"]}
    assert left.events["e"].matches.keys() == {"b-0"}


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(UsageError):
        reuse(JUDGED, RUNS, measure="nothing")


def test_progress_is_told() -> None:
    steps: list[tuple[int, int, str]] = []
    reuse(JUDGED, RUNS, measure="C", depths=(5,), progress=lambda *step: steps.append(step))
    assert [done for done, _, _ in steps] == [0, 1, 2, 3, 4]
    assert {total for _, total, _ in steps} == {4}


def test_agreement_by_hand() -> None:
    one = agreement([0.5, 0.3, 0.1], [0.1, 0.3, 0.2], [1, 2, 3], [3, 1, 2])
    assert (one.tau, one.moved, one.ranks, one.most) == (pytest.approx(-1 / 3), 3, pytest.approx(4 / 3), 2)
    assert (one.change, one.absolute) == (pytest.approx(-0.1), pytest.approx(0.5 / 3))
