"""Modeled stream utility: `msu-2015`."""

from __future__ import annotations

from tidings.core import Run
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.msu import INFO, prepare
from tidings.evaluation.scoring.counts import updates_counter
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judged_ids, judgments_of

__all__ = ["load"]


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Nuggets, matches and pool, read by a thousand readers."""
    judged = judgments_of(judgments, options)
    prepared = prepare(judged)
    return Scorer(
        rules=rules,
        info=INFO,
        measures=tuple(map(Measure, INFO)),
        events=tuple(prepared.events),
        takes=Run,
        read=read_runs,
        score=prepared.score,
        count=updates_counter(judged, prepared.events, prepared.ids),
        pooled=judged_ids(judged),
    )
