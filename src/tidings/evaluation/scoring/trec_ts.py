"""TREC Temporal Summarization: `trec-2013`, `trec-2014`, `trec-2015`, and the paper behind them, `paper-2013`."""

from __future__ import annotations

from tidings.core import Judgments, Run, UsageError
from tidings.evaluation.measures import Measure, RunCounts, RunScores
from tidings.evaluation.measures.trec_ts import (
    INFO,
    Prepared,
    coverage,
    default_measures,
    prepare,
    rules_named,
)
from tidings.evaluation.scoring.counts import count_updates, periods_of, published_times
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Curve, Scorer, ScoringOptions, Source, judgments_of


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Nuggets, matches and the pool, ready for runs of seven columns, updates in JSON Lines, or a store's."""
    return scorer_of(*ready(judgments, rules, options), rules, options)


def ready(judgments: Source, rules: str, options: ScoringOptions) -> tuple[Judgments, Prepared]:
    """Judgments as they are, and made ready for scoring.

    Raises:
        UsageError: a mode that these rules do not have, or no nuggets.
    """
    if options.mode != "official":
        raise UsageError(
            f"--mode {options.mode} with {rules} (expected official): its rules are the script's; what its "
            "guidelines leave open is chosen by --unpooled, --relevance and --mean"
        )
    rule_set = rules_named(rules, unpooled=options.unpooled, relevance=options.relevance)
    judged = judgments_of(judgments, options)
    return judged, prepare(judged, rule_set)


def scorer_of(judged: Judgments, prepared: Prepared, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """The scorer of judgments that are ready."""

    def score(run: Run, measures: tuple[Measure, ...]) -> RunScores:
        return prepared.score(run, measures, mean=options.mean)

    def curve(run: Run) -> dict[str, Curve]:
        return coverage(prepared, run)

    periods, published = periods_of(judged.events), published_times(judged)

    def count(run: Run) -> RunCounts:
        return count_updates(run, prepared.ids, pooled, periods, published)

    pooled = {event_id: event.texts.keys() for event_id, event in prepared.events.items()}
    measures = default_measures(prepared.rules)
    return Scorer(
        rules=rules,
        info=INFO,
        measures=measures,
        short=tuple(measure for measure in measures if not measure.name.startswith("c")),
        events=tuple(prepared.events),
        takes=Run,
        read=read_runs,
        score=score,
        count=count,
        curve=curve if any(event.has_period for event in prepared.events.values()) else None,
        pooled={} if judged.pool_whole else pooled,
    )
