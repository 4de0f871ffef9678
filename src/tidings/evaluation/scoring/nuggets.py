"""Nuggets and clusters by other measures than the track's: `clusters-2017`, `msu-2015`, `nuggets-as-clusters`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tidings.core import Judgments, Run
from tidings.evaluation.measures import Measure
from tidings.evaluation.scoring.counts import updates_counter
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judged_ids, judgments_of

if TYPE_CHECKING:
    from tidings.evaluation.measures import MeasureInfo, clusters_2017, msu, nuggets_as_clusters

    Prepared: TypeAlias = clusters_2017.Prepared | msu.Prepared | nuggets_as_clusters.Prepared


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Nuggets, clusters or both, with their matches and the pool that says what was judged."""
    judged = judgments_of(judgments, options)
    prepared, info, measures = _prepare(judged, rules, options)
    return Scorer(
        rules=rules,
        info=info,
        measures=measures,
        events=tuple(prepared.events),
        takes=Run,
        read=read_runs,
        score=prepared.score,
        count=updates_counter(judged, prepared.events, prepared.ids),
        pooled=judged_ids(judged),
    )


def _prepare(
    judged: Judgments, rules: str, options: ScoringOptions
) -> tuple[Prepared, dict[str, MeasureInfo], tuple[Measure, ...]]:
    """Judgments made ready by the rule set's family, which alone is loaded; its measures, and those shown unasked."""
    if rules == "clusters-2017":
        from tidings.evaluation.measures import clusters_2017

        prepared = clusters_2017.prepare(judged)
        return prepared, clusters_2017.INFO, prepared.measures()
    if rules == "msu-2015":
        from tidings.evaluation.measures import msu

        return msu.prepare(judged), msu.INFO, tuple(map(Measure, msu.INFO))
    from tidings.evaluation.measures import nuggets_as_clusters

    return (
        nuggets_as_clusters.prepare(judged, options.mode),
        nuggets_as_clusters.INFO,
        nuggets_as_clusters.MEASURES,
    )
