"""Nuggets taken as clusters, scored as tweets are: `nuggets-as-clusters`."""

from __future__ import annotations

from tidings.core import Run
from tidings.evaluation.measures.nuggets_as_clusters import INFO, MEASURES, prepare
from tidings.evaluation.scoring.counts import updates_counter
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judged_ids, judgments_of

__all__ = ["load"]


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Nuggets, matches and the pool, in the mode that is asked for."""
    judged = judgments_of(judgments, options)
    prepared = prepare(judged, options.mode)
    return Scorer(
        rules=rules,
        info=INFO,
        measures=MEASURES,
        events=tuple(prepared.events),
        takes=Run,
        read=read_runs,
        score=prepared.score,
        count=updates_counter(judged, prepared.events, prepared.ids),
        pooled=judged_ids(judged),
    )
