"""Tweet timelines: `ttg-2014`."""

from __future__ import annotations

from tidings.core import Run
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.ttg import INFO, MEASURES, prepare
from tidings.evaluation.scoring.counts import count_tweets
from tidings.evaluation.scoring.runs import files_only
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, folder_of

__all__ = ["load"]


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Clusters and qrels of a folder, ready for runs of tweet timelines."""
    judged = FORMATS["tweets"].read(folder_of(judgments, rules), days=False)
    prepared = prepare(judged, options.mode)
    grades = {topic: judged.grades.get(topic, {}) for topic in prepared.topics}
    return Scorer(
        rules=rules,
        info=INFO,
        measures=tuple(map(Measure, MEASURES)),
        events=tuple(prepared.topics),
        takes=Run,
        read=files_only(
            rules, lambda path, problems: FORMATS["tweet-timelines"].read(path, problems=problems)
        ),
        score=prepared.score,
        count=lambda run: count_tweets(run, grades),
    )
