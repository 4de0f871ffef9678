"""Value tracking of TREC Temporal Summarization 2013: `values-2013`."""

from __future__ import annotations

from pathlib import Path

from tidings.cli.scoring import Options, Scorer
from tidings.cli.scoring.places import score_each
from tidings.errors import Problems
from tidings.formats import read_judgments
from tidings.formats.value_runs import read_value_runs
from tidings.measures import Measure, RunScores
from tidings.measures.values import INFO, prepare

__all__ = ["load"]


def load(judgments: Path, rules: str, options: Options) -> Scorer:
    """Target values of a folder, ready for runs of nine columns."""
    prepared = prepare(read_judgments(judgments), official=options.mode == "official")

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = read_value_runs(path, problems=problems)
        return score_each(path, runs, lambda run: prepared.score(run, measures))

    return Scorer(
        info=INFO,
        measures=prepared.measures(base=True),
        events=len(prepared.events),
        score_file=score_file,
    )
