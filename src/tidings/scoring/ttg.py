"""Tweet timelines: `ttg-2014`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats.tweets.rts import read_tweet_judgments
from tidings.formats.tweets.ttg import read_timeline_run
from tidings.measures import Measure, RunScores
from tidings.measures.ttg import INFO, MEASURES, prepare
from tidings.scoring import Scorer, ScoringOptions

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Clusters and qrels of a folder, ready for runs of tweet timelines."""
    prepared = prepare(read_tweet_judgments(judgments, days=False), options.mode)

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        return [prepared.score(run, measures) for run in read_timeline_run(path, problems=problems)]

    return Scorer(
        info=INFO,
        measures=tuple(map(Measure, MEASURES)),
        events=len(prepared.topics),
        score_file=score_file,
    )
