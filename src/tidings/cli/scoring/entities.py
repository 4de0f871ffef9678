"""Entity rankings of each event and day: `entities-2015`."""

from __future__ import annotations

from pathlib import Path

from tidings.cli.scoring import Options, Scorer
from tidings.errors import Problems, UsageError
from tidings.formats import read_judgments
from tidings.formats.entity_rankings import read_entity_rankings
from tidings.measures import Measure, RunScores, UnknownEventError
from tidings.measures.entities import INFO, prepare
from tidings.measures.entities.scores import DEFAULT

__all__ = ["load"]


def load(judgments: Path, rules: str, options: Options) -> Scorer:
    """Graded entities of a folder, ready for runs of rankings in JSON Lines."""
    prepared = prepare(read_judgments(judgments))

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        try:
            return [prepared.score(run, measures) for run in read_entity_rankings(path, problems=problems)]
        except UnknownEventError as error:
            raise UsageError(f"{path}: {error}") from None

    return Scorer(info=INFO, measures=DEFAULT, events=len(prepared.grades), score_file=score_file)
