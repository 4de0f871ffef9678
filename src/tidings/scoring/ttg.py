"""Tweet timelines: `ttg-2014`."""

from __future__ import annotations

from tidings.formats.registry import FORMATS
from tidings.measures import Measure
from tidings.measures.ttg import INFO, MEASURES, prepare
from tidings.records import Run
from tidings.scoring.counts import count_tweets
from tidings.scoring.judged import Source, folder_of
from tidings.scoring.options import ScoringOptions
from tidings.scoring.runs import files_only
from tidings.scoring.scorer import Scorer

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
