"""Scoring by possible matches, as programs call it."""

from __future__ import annotations

import pytest

from tests.evaluation.measures.test_trec_ts_automatic import JUDGED, pair, pooled, run
from tidings.core.errors import UsageError
from tidings.evaluation.measures import Measure
from tidings.evaluation.scoring import RULE_SETS
from tidings.evaluation.scoring.automatic import AutomaticOptions, automatic_scorer, need_nuggets
from tidings.evaluation.scoring.scorer import ScoringOptions

C = Measure("C")


def test_options_of_scoring_hold_for_all_figures() -> None:
    told = [pooled("new", "nine died")]
    pairs = [pair("new", "dead", 1.0)]
    own, over_all = (
        automatic_scorer("trec-2014", JUDGED, pairs, told, ScoringOptions(mean=mean)).score_run(
            run("new"), [C]
        )
        for mean in ("own", "all")
    )
    assert over_all.decided.mean(C) == pytest.approx(own.decided.mean(C) / 2)
    assert over_all.overall[C].mean == pytest.approx(own.overall[C].mean / 2)
    assert own.people.origin is not None, "as a scorer gives them"
    binary = ScoringOptions(relevance="binary")
    assert (
        automatic_scorer("trec-2014", JUDGED, pairs, told, binary).score_run(run("new"), [C]).decided.mean(C)
        == 0.5
    )


def test_options_of_matches_are_passed_on() -> None:
    pairs = [pair("seen", "dead", 0.3), pair("dull", "dead", 0.3)]

    def decided(**how: float) -> float:
        options = AutomaticOptions(**how)  # type: ignore[arg-type]
        return (
            automatic_scorer("trec-2014", JUDGED, pairs, options=options)
            .score_run(run("dull"), [C])
            .decided.mean(C)
        )

    assert decided() == 0, "people judged it"
    assert decided(instead=True) > 0
    assert decided(instead=True, threshold=0.31) == 0


def test_only_rules_by_which_updates_tell_nuggets_will_do() -> None:
    for rules, family in RULE_SETS.items():
        if family == "trec_ts":
            need_nuggets(rules)
        else:
            with pytest.raises(
                UsageError, match=rf"possible matches with the rules {rules} \(expected paper-2013"
            ):
                need_nuggets(rules)
    with pytest.raises(UsageError, match="the rules nonsense"):
        automatic_scorer("nonsense", JUDGED, [])
