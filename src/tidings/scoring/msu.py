"""Modeled stream utility: `msu-2015`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats import read_judgments, read_runs
from tidings.measures import Measure, RunScores
from tidings.measures.msu import INFO, prepare
from tidings.scoring import Scorer, ScoringOptions
from tidings.scoring.places import score_each

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Nuggets, matches and pool of a folder, read by a thousand readers."""
    prepared = prepare(read_judgments(judgments, pool=options.pool))

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = read_runs(path, problems=problems)
        return score_each(path, runs, lambda run: prepared.score(run, measures))

    return Scorer(
        info=INFO, measures=tuple(map(Measure, INFO)), events=len(prepared.events), score_file=score_file
    )
