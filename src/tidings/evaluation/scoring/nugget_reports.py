"""Reports against nuggets, as nuggetizer and ARGUE count: `nuggetizer`."""

from __future__ import annotations

from pathlib import Path

from tidings.core import Judgments, Problems, Run, is_store, read_lines
from tidings.evaluation.formats.nugget_banks import (
    LEAST_VITAL,
    AssignedRun,
    JudgedSentence,
    ListedNugget,
    NuggetList,
)
from tidings.evaluation.formats.registry import FORMATS
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.nugget_reports import INFO, prepare
from tidings.evaluation.measures.run_scores import EventIds, RunCounts
from tidings.evaluation.scoring.counts import updates_counter
from tidings.evaluation.scoring.runs import read_runs
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source, judgments_of


def load(judgments: Source, rules: str, options: ScoringOptions) -> Scorer[AssignedRun]:
    """A folder of judgments, or a file of nuggets; a run is what was found of the nuggets, or updates with matches."""
    if isinstance(judgments, Judgments) or not Path(judgments).is_file():
        judged = judgments_of(judgments, options)
    else:
        judged = FORMATS["nuggetizer"].read(judgments)
    prepared = prepare(judged)
    ids = EventIds(event.id for event in judged.events)

    def read(path: str | Path, problems: Problems) -> list[AssignedRun]:
        if not is_store(path) and _is_assigned(path):
            runs: list[AssignedRun] = FORMATS["assigned-nuggets"].read(path, problems=problems)
            return runs
        return [as_report(run, judged, ids) for run in read_runs(path, problems)]

    updates = updates_counter(judged, prepared.counts, ids)

    def count(run: AssignedRun) -> RunCounts:
        if run.updates is not None:
            return updates(run.updates)
        judged_nuggets, others = (
            sum(len(found.nuggets) for found in run.topics if (found.qid in prepared.counts) is known)
            for known in (True, False)
        )
        return RunCounts(
            judged_nuggets + others, judged_nuggets, 0, 0, 0, others, "assignments", "are of judged topics"
        )

    return Scorer(
        rules=rules,
        info=INFO,
        measures=tuple(map(Measure, INFO)),
        events=tuple(prepared.counts),
        takes=AssignedRun,
        read=read,
        score=prepared.score,
        count=count,
    )


def _is_assigned(path: str | Path) -> bool:
    return any(b'"assignment"' in line for _, line in read_lines(path))


def as_report(run: Run, judged: Judgments, ids: EventIds) -> AssignedRun:
    """A run of updates as reports: an update that matches a nugget supports it, and is supported itself."""
    held: dict[str, set[str]] = {}
    for match in judged.matches:
        held.setdefault(match.update_id, set()).add(match.nugget_id)
    topics = []
    by_event = ids.split(run, run.updates)
    for event in judged.events:
        updates = by_event.get(event.id, ())
        nuggets = set().union(*(held.get(update.id, set()) for update in updates))
        topics.append(
            NuggetList(
                event.id,
                tuple(
                    ListedNugget(
                        nugget.text,
                        "vital" if nugget.importance >= LEAST_VITAL else "okay",
                        "support" if nugget.id in nuggets else "not_support",
                    )
                    for nugget in judged.nuggets
                    if nugget.event_id == event.id
                ),
                sentences=tuple(
                    JudgedSentence(update.text, "full" if update.id in held else "none") for update in updates
                ),
            )
        )
    return AssignedRun(run.team, run.name, tuple(topics), run)
