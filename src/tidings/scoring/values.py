"""Value tracking of TREC Temporal Summarization 2013: `values-2013`."""

from __future__ import annotations

from pathlib import Path

from tidings.errors import Problems
from tidings.formats import read_judgments
from tidings.formats.others.value_runs import read_value_runs
from tidings.measures import Measure, RunScores
from tidings.measures.values import INFO, prepare
from tidings.records import Judgments
from tidings.scoring import Scorer, ScoringOptions
from tidings.scoring.places import score_each

__all__ = ["load"]


def load(judgments: Path, rules: str, options: ScoringOptions) -> Scorer:
    """Target values of a folder, ready for runs of nine columns."""
    prepared = prepare(_targets(judgments), official=options.mode == "official")

    def score_file(path: Path, measures: tuple[Measure, ...], problems: Problems) -> list[RunScores]:
        runs = read_value_runs(path, problems=problems)
        return score_each(path, runs, lambda run: prepared.score(run, measures))

    return Scorer(
        info=INFO,
        measures=prepared.measures(base=True),
        events=len(prepared.events),
        score_file=score_file,
    )


def _targets(folder: Path) -> Judgments:
    # Values are in the topics: a folder needs nothing else.
    from tidings.formats.files.layout import find, is_own_folder, need_folder
    from tidings.formats.trec_ts.folder import NAMES
    from tidings.formats.trec_ts.topics import read_topics_and_values

    topics = find(need_folder(folder), *NAMES["topics"])
    if is_own_folder(folder) or find(folder, *NAMES["nuggets"]) or topics is None:
        return read_judgments(folder)
    events, values = read_topics_and_values(topics)
    return Judgments(name=folder.name, events=tuple(events), values=tuple(values))
