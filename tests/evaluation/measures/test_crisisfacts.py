"""Comprehensiveness and redundancy in their two meanings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tidings.core.errors import UsageError
from tidings.core.records import Event, Judgments, Match, Nugget
from tidings.core.records.outputs import Fact, FactRun, Request
from tidings.evaluation.measures import Measure, UnknownEventError
from tidings.evaluation.measures.crisisfacts import daily_requests, prepare
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

C22, R22, C23, R23 = map(Measure, ("C-2022", "redundancy-2022", "C-2023", "redundancy-2023"))


def judgments() -> Judgments:
    """Two days: facts a and b on the first, c on the second; u1 tells a, u2 tells a and b, u3 tells c."""
    return Judgments(
        name="test",
        events=(Event(id="e", title="", query="", start_time=100, end_time=100_000),),
        nuggets=(
            Nugget("e", "a", 200, 3, ""),
            Nugget("e", "b", 300, 1, ""),
            Nugget("e", "c", 90_000, 1, ""),
            Nugget("e", "d", 90_000, 0, ""),
        ),
        matches=tuple(
            Match("e", update, nugget, 0, 1)
            for update, nugget in (("u1", "a"), ("u2", "a"), ("u2", "b"), ("u3", "c"), ("u4", "d"))
        ),
    )


def run(*told: tuple[str, str, float]) -> FactRun:
    return FactRun(
        "-", "r", tuple(Fact(request, "x", 0, importance, (update,)) for request, update, importance in told)
    )


def test_by_hand() -> None:
    """Day 0: a told twice, b once, one idle line. Day 1: nothing."""
    told = run(("e-r0", "u1", 0.9), ("e-r0", "u2", 0.5), ("e-r0", "other", 0.1))
    scores = prepare(judgments()).score(told).per_event["e"]
    assert scores[C22] == scores[C23] == (1.0 + 0.0) / 2
    assert scores[R22] == pytest.approx(
        1 - 2 / 3
    )  # two facts in three matches; the silent day repeats nothing
    assert scores[R23] == pytest.approx((2 / 3 + 0) / 2)


def test_the_k_most_important() -> None:
    told = run(("e-r0", "other", 0.1), ("e-r0", "u1", 0.5), ("e-r0", "u2", 0.9))
    scores = prepare(judgments()).score(told, [Measure("C-2022", 1), Measure("redundancy-2023", 2)])
    assert list(scores.per_event["e"].values()) == [0.5, 0.5]


def test_a_stream_id_is_a_source_too() -> None:
    told = FactRun("-", "r", (Fact("e-r1", "x", 0, 1.0, (), "u3"),))
    assert prepare(judgments()).score(told).per_event["e"][C22] == 0.5


def test_a_fact_counts_on_its_own_day_only() -> None:
    scores = prepare(judgments()).score(run(("e-r1", "u1", 1.0))).per_event["e"]
    assert scores[C22] == 0 and R22 not in scores


def test_requests_of_ones_own() -> None:
    prepared = prepare(judgments(), [Request("all", "e", 0, 10**6)])
    assert prepared.score(run(("all", "u2", 1.0), ("all", "u3", 1.0))).mean(C22) == 1.0
    assert prepared.score(run(("all", "u3", 1.0))).per_event["e"][C23] == 1 / 3


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(UnknownEventError, match="e-r9"):
        prepare(judgments()).score(run(("e-r9", "u1", 1.0)))
    with pytest.raises(UsageError, match="no nugget"):
        prepare(judgments(), [Request("early", "e", 0, 1)])
    with pytest.raises(UsageError, match="days"):
        daily_requests(Event(id="e", title="", query="", start_time=0, end_time=253402300799))


lines = st.lists(
    st.tuples(
        st.sampled_from(["e-r0", "e-r1"]), st.sampled_from(["u1", "u2", "u3", "u4", "x"]), st.floats(0, 1)
    ),
    max_size=8,
)


@given(lines, lines)
def test_more_facts_never_tell_less(told: list, more: list) -> None:
    prepared = prepare(judgments())
    before, after = (prepared.score(run(*one)).per_event["e"] for one in (told, told + more))
    assert 0 <= before[C22] <= after[C22] <= 1
    assert before[C22] == before[C23]
    assert 0 <= after.get(R22, 0) < 1
    assert after[R23] <= 2


@given(lines.filter(bool))
def test_saying_everything_twice_halves_what_is_called_redundancy(told: list) -> None:
    prepared = prepare(judgments())
    once, twice = (prepared.score(run(*one)).per_event["e"] for one in (told, told + told))
    assert twice[R23] == pytest.approx(once[R23] / 2)
    if R22 in once:
        assert twice[R22] > once[R22] and twice[R22] >= 0.5


def test_the_bundled_event_day_by_day() -> None:
    own = read_judgments(Path(bundled.path()))
    prepared = prepare(own)
    assert len(prepared.requests) == 8
    told = tuple(
        Fact(request, "x", 0, 1.0, tuple(sorted(updates)[:1]))
        for request, facts in prepared.facts.items()
        for updates in facts
        if updates
    )
    scores = prepared.score(FactRun("-", "r", told))
    found = sum(bool(updates) for facts in prepared.facts.values() for updates in facts)
    assert found == len(told)
    assert 0.5 < scores.mean(C22) <= 1
