"""Entity rankings of each event and day: `entities-2015`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats import read_judgments
from tidings.formats.others.entity_rankings import read_entity_rankings
from tidings.measures import Measure, RunScores
from tidings.measures.entities import INFO, prepare
from tidings.measures.entities.scores import DEFAULT
from tidings.scoring import Scorer, ScoringOptions
from tidings.scoring.places import score_each

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Graded entities of a folder, ready for runs of rankings in JSON Lines."""
    prepared = prepare(read_judgments(judgments))

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = read_entity_rankings(path, problems=problems)
        return score_each(path, runs, lambda run: prepared.score(run, measures))

    return Scorer(info=INFO, measures=DEFAULT, events=len(prepared.grades), score_file=score_file)
