"""Scoring as a library: runs in memory score as their files do, and what does not fit is said in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.evaluation.measures.test_crisisfacts import judgments as daily_facts, run as facts
from tests.evaluation.measures.test_rts import TestTelephones as Telephones, pushed
from tests.evaluation.measures.test_ttg import JUDGED, told
from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.records import Run, Update
from tidings.core.records.outputs import ValueRun
from tidings.evaluation.measures import Measure, crisisfacts, ttg
from tidings.evaluation.measures.rts_mobile import prepare_mobile
from tidings.evaluation.measures.run_scores import assemble, choose_values
from tidings.evaluation.scoring import RULE_SETS, scorer_for
from tidings.evaluation.scoring.scorer import ScoringOptions
from tidings.following.outputs.runs import write_runs
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

OF_UPDATES = tuple(cases(__file__, "of updates"))


@pytest.fixture(scope="module")
def run() -> Run:
    pool = read_judgments(bundled.path()).pool
    updates = tuple(
        Update(one.event_id, one.doc_id, one.sentence_index, one.published_time, 0.5) for one in pool[5:40:3]
    )
    return Run("us", "some", updates)


@every("rules", OF_UPDATES)
def test_a_run_in_memory_scores_as_its_file_does(rules, run, tmp_path) -> None:
    folder = bundled.path()
    write_runs(tmp_path / "run.jsonl", [run])
    from_file = scorer_for(rules, folder).score_file(tmp_path / "run.jsonl")
    assert scorer_for(rules, folder).score_runs([run]) == from_file
    in_memory = scorer_for(rules, read_judgments(folder)).score_run(run)
    assert replace(in_memory, origin=None) == replace(from_file[0], origin=None)


def test_measures_can_be_chosen_and_options_count(run) -> None:
    wanted = (Measure("C", 3600), Measure("H"))
    assert scorer_for("trec-2014", bundled.path()).score_run(run, wanted).measures == wanted
    silent = Run("us", "silent", ())
    own, every = (
        scorer_for("trec-2014", bundled.path(), ScoringOptions(mean=mean)).score_run(silent).over
        for mean in ("own", "all")
    )
    assert (own, every) == ((), ("santiago-2013",))


def test_a_run_of_another_kind_is_refused_at_the_call() -> None:
    with pytest.raises(UsageError, match=r"trec-2014 scores a Run, not a ValueRun"):
        scorer_for("trec-2014", bundled.path()).score_run(ValueRun("us", "values", ()))


def test_judgments_in_memory_are_refused_where_a_folder_holds_more() -> None:
    with pytest.raises(UsageError, match="rts-2016-a takes no judgments in memory"):
        scorer_for("rts-2016-a", read_judgments(bundled.path()))


def test_every_rule_set_says_what_it_scores() -> None:
    for rules in ("entities-2015", "values-2013", "crisisfacts-2022", *OF_UPDATES):
        scorer = scorer_for(rules, bundled.path())
        assert scorer.rules == rules
        assert scorer.rules in RULE_SETS
        assert scorer.events
        assert scorer.of_updates == (rules in OF_UPDATES)


H, C = Measure("H"), Measure("C")
VALUES = {"a": {H: 0.4, C: 1.0}, "b": {H: 0.0, C: 0.0}, "c": {H: 0.2}}


def test_silent_and_unjudged_events_are_named_in_their_order() -> None:
    scores = assemble("t", "r", [H, C], VALUES, ["z", "a", "y"])
    assert scores.silent == ("b", "c")
    assert scores.unjudged == ("z", "y")
    assert scores.over == ("a", "b", "c")
    assert (scores.team, scores.run, scores.measures, scores.per_event) == ("t", "r", (H, C), VALUES)


def test_where_saying_nothing_may_be_right_silence_is_not_named() -> None:
    scores = assemble("t", "r", [H], VALUES, ["z"], silence=False)
    assert scores.silent == ()
    assert scores.unjudged == ("z",)


def test_means_go_over_what_is_asked_for() -> None:
    scores = assemble("t", "r", [H], VALUES, ["a"], over={"a"}.__contains__)
    assert scores.over == ("a",)
    assert scores.mean(H) == 0.4


def test_a_measure_that_an_event_lacks_leaves_it_out_of_the_mean() -> None:
    assert assemble("t", "r", [C], VALUES, ["a"]).mean(C) == 0.5


def test_means_that_are_no_means_are_kept() -> None:
    assert assemble("t", "r", [H], VALUES, ["a"], overall={H: 0.9}).mean(H) == 0.9


def test_values_are_chosen_by_name() -> None:
    assert choose_values({"C": 0.5, "H": 0.1, "x": 3.0}, [H, Measure("LC"), C]) == {H: 0.1, C: 0.5}


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
