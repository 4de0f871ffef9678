"""Timeline summarization: `tls` (as tilse: a topic's references together), `tls-each` (as news-tls: one by one)."""

from __future__ import annotations

from tidings.core import DailyTimeline, UsageError
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures import Measure, RunCounts, RunScores
from tidings.evaluation.measures.tls import HEADLINE, INFO, MEASURES, Prepared, prepare
from tidings.evaluation.measures.tls.topic import rules_named
from tidings.evaluation.scoring.counts import count_sentences
from tidings.evaluation.scoring.runs import files_only
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, folder_of
from tidings.following import TimelineRun


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[TimelineRun]:
    """Reference timelines, ready for timelines in text or JSON, or runs of updates with text."""
    prepared = prepare(
        FORMATS["references"].read(folder_of(judgments, rules)), rules_named(rules, options.mode)
    )

    def score(run: TimelineRun, measures: tuple[Measure, ...]) -> RunScores:
        timelines = _answers(run, prepared)
        return prepared.score(timelines, measures, team=run.team, run=run.name, mean=options.mean or "own")

    def count(run: TimelineRun) -> RunCounts:
        return count_sentences(
            [
                (timeline, {day for topic in prepared.topics_of(name) for day in days[topic]})
                for name, timeline in _answers(run, prepared).items()
            ]
        )

    days = {
        name: {day.date for reference in topic.timelines for day in reference.days}
        for name, topic in prepared.topics.items()
    }
    return Scorer(
        rules=rules,
        info=INFO,
        measures=MEASURES,
        short=HEADLINE,
        events=tuple(prepared.topics),
        takes=TimelineRun,
        read=files_only(rules, lambda path, problems: FORMATS["timeline-runs"].read(path, problems=problems)),
        score=score,
        count=count,
    )


def _answers(run: TimelineRun, prepared: Prepared) -> dict[str, DailyTimeline]:
    """Which timeline is for which topic; the only one is for the only topic, whatever their names."""
    is_alone = len(run.timelines) == 1 and len(prepared.names) == 1
    if is_alone:
        return {prepared.names[0]: run.timelines[0]}
    if run.by_topic:
        return {timeline.name: timeline for timeline in run.timelines}
    for topics in (prepared.names, tuple(prepared.topics)):
        if len(topics) == len(run.timelines):
            return dict(zip(topics, run.timelines, strict=True))
    raise UsageError(
        f"run {run.name}: timelines for {len(run.timelines)} of {len(prepared.topics)} topics (expected one "
        "for each in their order); or give a folder with a file named by each topic"
    )
