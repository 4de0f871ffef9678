"""Entity rankings of each event and day: `entities-2015`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tidings.core import EntityRanking, Problems, RankingRun, UsageError, is_store
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures.entities import DEFAULT, INFO, prepare_rankings
from tidings.evaluation.scoring.counts import count_entities
from tidings.evaluation.scoring.runs import printable_path, read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judgments_of


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[RankingRun]:
    """Graded entities, ready for runs of rankings in JSON Lines or in a store."""
    prepared = prepare_rankings(judgments_of(judgments, options))
    return Scorer(
        rules=rules,
        info=INFO,
        measures=DEFAULT,
        events=tuple(f"{event}/{date}" for event, date in prepared.grades),
        takes=RankingRun,
        read=_read,
        score=prepared.score,
        count=lambda run: count_entities(run, prepared.ids.find, prepared.entity, prepared.grades),
    )


def _read(path: str | Path, problems: Problems) -> list[RankingRun]:
    """The rankings of a run in JSON Lines, or in a store."""
    if not is_store(path):
        return FORMATS["rankings"].read(path, problems=problems)  # type: ignore[no-any-return]
    runs = read_runs(path)
    ranked = [RankingRun(run.team, run.name, _of_days(run.rankings)) for run in runs if run.rankings]
    if not ranked:
        raise UsageError(f"{printable_path(path)}: the run holds no entities; `tidings entities` ranks them")
    return ranked


def _of_days(rankings: Iterable[EntityRanking]) -> tuple[EntityRanking, ...]:
    # A day is ranked twice where the stream had ended and went on: the later ranking holds.
    return tuple({(ranking.event_id, ranking.date): ranking for ranking in rankings}.values())
