"""Nuggets against clusters: `clusters-2017`."""

from __future__ import annotations

from tidings.core import Run
from tidings.evaluation.measures.clusters_2017 import INFO, prepare
from tidings.evaluation.scoring.counts import updates_counter
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judged_ids, judgments_of

__all__ = ["load"]


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Nuggets, clusters or both, with the pool that says what was judged."""
    judged = judgments_of(judgments, options)
    prepared = prepare(judged)
    return Scorer(
        rules=rules,
        info=INFO,
        measures=prepared.measures(),
        events=tuple(prepared.events),
        takes=Run,
        read=read_runs,
        score=prepared.score,
        count=updates_counter(judged, prepared.events, prepared.ids),
        pooled=judged_ids(judged),
    )
