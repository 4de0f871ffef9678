"""Which families name the events that a run is silent on: not those in which saying nothing may be right."""

from __future__ import annotations

from tests.evaluation.measures.test_crisisfacts import judgments as daily_facts, run as facts
from tests.evaluation.measures.test_rts import TestTelephones as Telephones, pushed
from tests.evaluation.measures.test_ttg import JUDGED, told
from tests.sweeps import every
from tidings.evaluation.measures import Measure, crisisfacts, ttg
from tidings.evaluation.measures.rts_mobile import prepare_mobile

DAY = 86400


def test_a_run_without_a_fact_is_silent_and_one_with_some_is_not() -> None:
    prepared = crisisfacts.prepare(daily_facts())
    assert prepared.score(facts()).silent == ("e",)
    assert prepared.score(facts(("e-r0", "u1", 0.9))).silent == ()


def test_timelines_of_tweets_and_pushes_to_telephones_name_none() -> None:
    assert ttg.prepare(JUDGED).score(told("a")).silent == ()
    assert prepare_mobile(Telephones.JUDGED).score(pushed()).silent == ()


@every("days, pushes", [(0, 1), (9, 1), (10, 0), (-1, 0)])
def test_pushes_count_within_the_ten_days(days, pushes) -> None:
    run = pushed(("a", days * DAY), start=Telephones.BEGIN)
    assert prepare_mobile(Telephones.JUDGED).score(run).mean(Measure("pushes")) == pushes


@every("sent, unjudged", [(10, 0), (11, 1), (13, 3)])
def test_pushes_beyond_ten_a_day_are_unjudged(sent, unjudged) -> None:
    run = pushed(*[("a", second) for second in range(sent)], start=Telephones.BEGIN)
    scores = prepare_mobile(Telephones.JUDGED).score(run)
    assert scores.mean(Measure("unjudged")) == unjudged
    assert scores.mean(Measure("pushes")) == sent
