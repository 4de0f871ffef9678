"""Value tracking of TREC Temporal Summarization 2013: `values-2013`."""

from __future__ import annotations

from tidings.formats.registry import FORMATS
from tidings.measures.values import INFO, prepare
from tidings.records import Judgments
from tidings.scoring.judged import Source, judgments_of
from tidings.scoring.options import ScoringOptions
from tidings.scoring.runs import files_only
from tidings.scoring.scorer import Scorer
from tidings.tasks import ValueRun

__all__ = ["load"]


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[ValueRun]:
    """Target values, ready for runs of nine columns."""
    prepared = prepare(_targets(judgments, options), official=options.mode == "official")
    return Scorer(
        rules=rules,
        info=INFO,
        measures=prepared.measures(base=True),
        events=tuple(prepared.events),
        takes=ValueRun,
        read=files_only(rules, lambda path, problems: FORMATS["values"].read(path, problems=problems)),
        score=prepared.score,
    )


def _targets(judgments: Source, options: ScoringOptions) -> Judgments:
    # Values are in the topics: a folder needs nothing else.
    from tidings.formats.files.layout import find, need_folder
    from tidings.formats.registry import is_own_folder
    from tidings.formats.trec_ts.folder import NAMES
    from tidings.formats.trec_ts.topics import read_topics_and_values

    if isinstance(judgments, Judgments):
        return judgments
    folder = need_folder(judgments)
    topics = find(folder, *NAMES["topics"])
    if is_own_folder(folder) or find(folder, *NAMES["nuggets"]) or topics is None:
        return judgments_of(folder, ScoringOptions())
    events, values = read_topics_and_values(topics)
    return Judgments(name=folder.name, events=tuple(events), values=tuple(values))
