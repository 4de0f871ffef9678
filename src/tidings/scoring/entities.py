"""Entity rankings of each event and day: `entities-2015`."""

from __future__ import annotations

from tidings.formats.registry import FORMATS
from tidings.measures.entities import INFO, prepare
from tidings.measures.entities.scores import DEFAULT
from tidings.scoring.judged import Source, judgments_of
from tidings.scoring.options import ScoringOptions
from tidings.scoring.runs import files_only
from tidings.scoring.scorer import Scorer
from tidings.tasks import RankingRun

__all__ = ["load"]


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[RankingRun]:
    """Graded entities, ready for runs of rankings in JSON Lines."""
    prepared = prepare(judgments_of(judgments, options))
    return Scorer(
        rules=rules,
        info=INFO,
        measures=DEFAULT,
        events=tuple(f"{event}/{date}" for event, date in prepared.grades),
        takes=RankingRun,
        read=files_only(rules, lambda path, problems: FORMATS["rankings"].read(path, problems=problems)),
        score=prepared.score,
    )
