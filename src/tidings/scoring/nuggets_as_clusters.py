"""Nuggets taken as clusters, scored as tweets are: `nuggets-as-clusters`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats import read_judgments, read_runs
from tidings.measures import Measure, RunScores
from tidings.measures.nuggets_as_clusters import INFO, MEASURES, prepare
from tidings.scoring import Scorer, ScoringOptions
from tidings.scoring.places import score_each

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Nuggets, matches and the pool of a folder, in the mode that is asked for."""
    prepared = prepare(read_judgments(judgments, pool=options.pool), options.mode)

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = read_runs(path, problems=problems)
        return score_each(path, runs, lambda run: prepared.score(run, measures))

    return Scorer(info=INFO, measures=MEASURES, events=len(prepared.events), score_file=score_file)
