"""The measures of UMass's temporal summaries: `umass-2001`, and `umass-2001-linked`, of events with sentences alone."""

from __future__ import annotations

from dataclasses import replace

from tidings.core import Judgments, Run, SentenceLinks
from tidings.evaluation.measures import Measure, RunCounts
from tidings.evaluation.measures.novelty_2001 import INFO, links_of, prepare
from tidings.evaluation.scoring.counts import count_updates, periods_of, published_times
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judged_ids, judgments_of


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[Run]:
    """Linked sentences, ready for runs ranked by confidence."""
    links, pooled, judged = _read(judgments, options)
    prepared = prepare(links, listed=rules == "umass-2001")
    listed = {topic.topic_id: topic.sentences for topic in links}
    sentences = {name: {*listed[name], *topic.useful} for name, topic in prepared.topics.items()}
    periods, published = periods_of(judged.events), published_times(judged)

    def count(run: Run) -> RunCounts:
        return replace(
            count_updates(run, prepared.ids, sentences, periods, published),
            judged_words="are judged",
        )

    return Scorer(
        rules=rules,
        info=INFO,
        measures=tuple(map(Measure, INFO)),
        events=tuple(prepared.topics),
        takes=Run,
        read=read_runs,
        score=prepared.score,
        count=count,
        ranks=prepared.curve_values,
        pooled=pooled,
    )


def read_links(judgments: Source, options: ScoringOptions) -> list[SentenceLinks]:
    """A folder's links.tsv, or else its clusters or matched nuggets, as links."""
    return _read(judgments, options)[0]


def _read(
    judgments: Source, options: ScoringOptions
) -> tuple[list[SentenceLinks], dict[str, set[str]], Judgments]:
    if not isinstance(judgments, Judgments):
        from tidings.core import find, need_folder
        from tidings.evaluation.formats.registry import FORMATS

        path = find(need_folder(judgments), "links.tsv")
        if path is not None:
            return FORMATS["links"].read(path), {}, Judgments(name=str(judgments))
    judged = judgments_of(judgments, options)
    return links_of(judged), judged_ids(judged), judged
