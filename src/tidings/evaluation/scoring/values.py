"""Value tracking of TREC Temporal Summarization 2013: `values-2013`."""

from __future__ import annotations

from pathlib import Path

from tidings.core import Judgments, Problems, UsageError, ValueRun, is_jsonl, is_store
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures.values import INFO, prepare
from tidings.evaluation.scoring.counts import count_values, periods_of
from tidings.evaluation.scoring.runs import printable_path, read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judgments_of
from tidings.following import read_updates


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[ValueRun]:
    """Target values, ready for runs of values."""
    prepared = prepare(_targets(judgments, options), official=options.mode == "official")
    periods = periods_of(prepared.events.values())
    return Scorer(
        rules=rules,
        info=INFO,
        measures=prepared.measures(base=True),
        events=tuple(prepared.events),
        takes=ValueRun,
        read=_read,
        score=prepared.score,
        count=lambda run: count_values(run, prepared.ids, prepared.targets, periods),
    )


def _read(path: str | Path, problems: Problems) -> list[ValueRun]:
    """The values of a run in nine columns, in JSON Lines, or in a store."""
    if not is_store(path) and not is_jsonl(path):
        return FORMATS["values"].read(path, problems=problems)  # type: ignore[no-any-return]
    runs = read_runs(path) if is_store(path) else read_updates(path, problems=problems)
    if any(run.updates for run in runs) and not any(run.values for run in runs):
        raise UsageError(f"{printable_path(path)}: the run holds no values; `tidings values` tracks them")
    return [ValueRun(run.team, run.name, tuple(run.values)) for run in runs if run.values or not run.updates]


def _targets(judgments: Source, options: ScoringOptions) -> Judgments:
    # Values are in the topics, or in values.jsonl beside them: a folder needs nothing else.
    from tidings.core import find, need_folder
    from tidings.sources import NAMES, is_own_folder, read_topics_and_values, read_values_beside

    if isinstance(judgments, Judgments):
        return judgments
    folder = need_folder(judgments)
    topics = find(folder, *NAMES["topics"])
    if is_own_folder(folder) or find(folder, *NAMES["nuggets"]) or topics is None:
        return judgments_of(folder, ScoringOptions())
    events, values = read_topics_and_values(topics)
    values += read_values_beside(folder, events)
    return Judgments(name=folder.name, events=tuple(events), values=tuple(values))
