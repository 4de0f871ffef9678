"""Losses and coverage at their edges: what comes on time is not late, what has no word to spare is not wordy."""

from __future__ import annotations

import pytest

from tests.evaluation.measures.test_trec_ts import ALL_R, EVENT, HOUR, R, judgments, run
from tests.sweeps import every
from tidings.evaluation.measures.trec_ts import coverage, explain, prepare
from tidings.evaluation.measures.trec_ts.explanations import losses


def counts(*told: tuple[str, int], rules: str = "paper-2013") -> dict[str, int]:
    prepared = prepare(judgments(), rules)
    _, lost = losses(prepared.events["TS14.1"], explain(prepared, run(*told), "1"))
    return {loss.cause: loss.count for loss in lost}


@every("time, late", [(HOUR - 1, 0), (HOUR, 0), (HOUR + 1, 1)])
def test_a_nugget_told_at_its_time_is_not_late(time, late) -> None:
    assert counts(("a", time))["lateness"] == late


def test_an_update_of_nothing_but_nuggets_is_not_wordy() -> None:
    assert counts(("a", HOUR))["verbosity"] == 0
    assert counts(("b", HOUR))["verbosity"] == 1


@every("time", [-HOUR, 0])
def test_what_is_told_by_the_start_is_known_from_it(time) -> None:
    steps = coverage(prepare(judgments(), "trec-2014"), run(("a", time)))["TS14.1"]
    known = pytest.approx(R(3) / ALL_R)
    assert steps == [(0, known), (EVENT.end_time - EVENT.start_time, known)]


def test_coverage_steps_where_something_new_is_told() -> None:
    steps = coverage(prepare(judgments(), "trec-2014"), run(("a", 5), ("c", 6), ("b", 7)))["TS14.1"]
    assert [moment for moment, _ in steps] == [0, 5, 7, 10 * HOUR]
    assert [share for _, share in steps] == pytest.approx(
        [0, R(3) / ALL_R, (R(3) + R(1)) / ALL_R, (R(3) + R(1)) / ALL_R]
    )
