"""`tidings assess progress`: how far a project is, how long it took, and what the pooled runs score so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.annotation.verbs.projects import project_named
from tidings.core import described, terminal_width
from tidings.web import VERB_OPTIONS

if TYPE_CHECKING:
    from tidings.annotation.desk.effort import EffortReport
    from tidings.annotation.desk.progress import RunStanding, TaskProgress
    from tidings.core import Cell, Table


@described(__file__, VERB_OPTIONS)
def assess_progress(
    project: str,
    store: str,
    rules: str = "trec-2014",
    as_json: bool = False,
) -> None:
    """Show how much of each task is judged and by whom, what is left, the time taken, and pooled runs' scores so far.

    The scores are not final: unjudged updates count as worthless. Each score comes with the share still unjudged.
    """
    import json

    import msgspec

    from tidings.annotation.desk.effort import effort_of
    from tidings.annotation.desk.progress import progress_of, run_scores
    from tidings.annotation.store import Desk
    from tidings.core import UsageError, open_store
    from tidings.evaluation import RULE_SETS

    if RULE_SETS.get(rules) != "trec_ts":
        known = ", ".join(name for name, family in RULE_SETS.items() if family == "trec_ts")
        raise UsageError(f"--rules {rules}: choose one of {known}.")
    with open_store(store, read_only=True) as opened:
        desk = Desk(opened)
        there = project_named(desk, project)
        done = progress_of(desk, there)
        effort = effort_of(desk.log.entries(there.id), there.idle_s)
        runs = run_scores(desk, there, rules)
    if as_json:
        made = {
            "project": there.name,
            "progress": msgspec.to_builtins(done),
            "effort": msgspec.to_builtins(effort),
            "rules": rules,
            "runs": msgspec.to_builtins(runs),
        }
        print(json.dumps(made, ensure_ascii=False, indent=2))  # noqa: T201
        return
    _show("Progress", _progress_table(done), "Nothing to judge yet.")
    _show("Effort", _effort_table(effort), "No judgments yet.")
    words = f"The pooled runs so far, by {rules}; not final: unjudged updates count as not relevant"
    _show(words, _runs_table(runs), "No runs in the project.")


def _show(title: str, table: Table, otherwise: str) -> None:
    from tidings.core import render

    text = render(table, width=terminal_width()) if table.rows else f"({otherwise})"
    print(f"{title}\n\n{text}\n")  # noqa: T201


def _progress_table(done: list[TaskProgress]) -> Table:
    from tidings.core import FINAL, SHARED, Table

    called = {FINAL: "decided", SHARED: "all together"}
    rows: list[tuple[Cell, ...]] = [
        (
            progress.title,
            progress.task,
            progress.judged,
            "-" if progress.items is None else str(progress.items),
            "-" if progress.left is None else str(progress.left),
            progress.decided,
            ", ".join(f"{called.get(name, name)} {count}" for name, count in progress.by.items()),
        )
        for progress in done
    ]
    return Table(("topic", "task", "judged", "of", "left", "decided", "by"), tuple(rows), right=(3, 4))


def _effort_table(effort: EffortReport) -> Table:
    from msgspec.structs import replace

    from tidings.annotation.desk.effort import sum_up
    from tidings.core import Table, duration_words

    lines = sum_up(effort.rows, "person", "task")
    if len(lines) > 1:
        lines += [replace(row, person="all") for row in sum_up(effort.rows)]
    rows: list[tuple[Cell, ...]] = [
        (
            line.person,
            line.task or ("all" if line.person == "all" else "other"),
            duration_words(round(line.estimated_s)),
            duration_words(round(line.observed_s)),
            line.assessments,
            "-" if line.per_minute is None else f"{line.per_minute:.1f}",
            line.assisted,
            line.undone,
        )
        for line in lines
    ]
    columns = ("person", "task", "time", "observed", "assessments", "a minute", "assisted", "taken back")
    return Table(columns, tuple(rows), right=(2, 3, 5))


def _runs_table(runs: list[RunStanding]) -> Table:
    from tidings.annotation.desk.progress import MEASURES
    from tidings.core import Table

    rows: list[tuple[Cell, ...]] = [
        (
            run.team,
            run.name,
            *(f"{run.scores[name]:.4f}" if name in run.scores else "-" for name in MEASURES),
            run.updates,
            run.judged,
            run.waiting,
            run.unpooled,
        )
        for run in runs
    ]
    columns = ("team", "run", *MEASURES, "updates", "judged", "to be judged", "not pooled")
    return Table(columns, tuple(rows), right=tuple(range(2, 2 + len(MEASURES))))
