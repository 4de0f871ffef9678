"""TREC Temporal Summarization: `trec-2013`, `trec-2014`, `trec-2015`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems, UsageError
from tidings.formats import read_judgments, read_runs
from tidings.measures import Measure, RunScores
from tidings.measures.trec_ts import INFO, coverage, default_measures, named, prepare
from tidings.scoring import Curve, Scorer, ScoringOptions
from tidings.scoring.places import score_each

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Nuggets, matches and the pool of a folder, ready for runs of seven columns or updates in JSON Lines."""
    if options.mode != "official":
        raise UsageError(
            f"found --mode {options.mode} with {rules}, expected official: its rules are the script's; what its "
            "guidelines leave open is chosen by --unpooled, --relevance and --mean"
        )
    rule_set = named(rules, unpooled=options.unpooled, relevance=options.relevance)
    prepared = prepare(read_judgments(judgments, pool=options.pool), rule_set)

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = read_runs(path, problems=problems)
        return score_each(path, runs, lambda run: prepared.score(run, measures, mean=options.mean))

    def curves(path: Path) -> list[dict[str, Curve]]:
        return [coverage(prepared, run) for run in read_runs(path)]

    measures = default_measures(rule_set)
    return Scorer(
        info=INFO,
        measures=measures,
        short=tuple(measure for measure in measures if not measure.name.startswith("c")),
        events=len(prepared.events),
        score_file=score_file,
        curves=curves if all(event.event for event in prepared.events.values()) else None,
    )
