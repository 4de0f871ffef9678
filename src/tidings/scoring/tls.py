"""Timeline summarization: `tls` (as tilse: a topic's references together), `tls-each` (as news-tls: one by one)."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems, UsageError
from tidings.formats.timelines.folders import TimelineRun, read_references, read_timeline_runs
from tidings.measures import Measure, RunScores, UnknownEventError
from tidings.measures.tls import HEADLINE, INFO, MEASURES, Prepared, named, prepare
from tidings.records import DailyTimeline
from tidings.scoring import Scorer, ScoringOptions

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Reference timelines, ready for timelines in text or JSON, or runs of updates with text."""
    prepared = prepare(read_references(judgments), named(rules, options.mode))

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        scored = []
        for run in read_timeline_runs(path, problems=problems):
            try:
                timelines = _answers(run, prepared)
                result = prepared.score(timelines, measures, team=run.team, run=run.name, mean=options.mean)
            except UnknownEventError as error:
                raise UsageError(f"{path}: {error}") from None
            scored.append(result)
        return scored

    return Scorer(
        info=INFO, measures=MEASURES, short=HEADLINE, events=len(prepared.topics), score_file=score_file
    )


def _answers(run: TimelineRun, prepared: Prepared) -> dict[str, DailyTimeline]:
    """Which timeline is for which topic; the only one is for the only topic, whatever their names."""
    one = len(run.timelines) == 1 and len(prepared.names) == 1
    if one:
        return {prepared.names[0]: run.timelines[0]}
    if run.by_topic:
        return {timeline.name: timeline for timeline in run.timelines}
    for topics in (prepared.names, tuple(prepared.topics)):
        if len(topics) == len(run.timelines):
            return dict(zip(topics, run.timelines, strict=True))
    raise UsageError(
        f"run {run.name}: found timelines for {len(run.timelines)} of {len(prepared.topics)} topics, expected one "
        "for each in their order; or give a folder with a file named by each topic"
    )
