"""Scoring as a library: runs in memory score as their files do, and what does not fit is said in one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.records import Run, Update
from tidings.core.records.outputs import ValueRun
from tidings.evaluation.measures import Measure
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
