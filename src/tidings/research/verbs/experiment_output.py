"""What `tidings experiment` prints and writes when its work is done: tables, JSON, pages, merged runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.research.experiments.experiment import Experiment
    from tidings.research.experiments.results import Block, StreamResults
    from tidings.research.report.experiment import ResultTable

__all__ = ["show"]


def show(experiment: Experiment, plan_file: Path, form: str, draw: bool) -> None:
    """Print the tables, and write them, with everything that they rest on, into the plan's output folder."""
    from tidings.core import say
    from tidings.research.experiments.execution import make_folder, write_json
    from tidings.research.experiments.results import gather, hold, write_merged_runs
    from tidings.research.report.experiment import notes, print_results

    out = Path(experiment.plan.output)
    results = gather(experiment)
    for one in results:
        if one.missing:
            say(f"{one.stream}: not done, and so not in the table: {', '.join(one.missing)}")
    blocks = [block for one in results if one.rows for block in hold(one, experiment.plan)]
    if not blocks:
        say("nothing is done yet")
        return
    tables = [_table(experiment, block) for block in blocks]
    remarks = next((notes(table.comparison) for table in tables if table.comparison), [])
    official = _official(experiment, blocks)

    def text(form: str) -> str:
        mark = {"table": "*", "markdown": "-"}.get(form, "%")
        said = "\n".join(f"{mark} {remark}" for remark in remarks)
        parts = [*(print_results(table, form) for table in tables), said, official(form)]
        return "\n\n".join(part for part in parts if part)

    print(text(form))  # noqa: T201
    make_folder(out)
    write_merged_runs(experiment, results)
    command = f"tidings experiment {plan_file}"
    page = f"## {experiment.plan.title or plan_file.stem}\n\n    {command}\n\n{text('markdown')}\n"
    _write(out / "results.md", page.encode())
    write_json(out / "results.json", _json(experiment, command, blocks))
    if draw:
        _write_curves(experiment, out / "curves")
        _write_pages(experiment, command, results, blocks)


def _official(experiment: Experiment, blocks: list[Block]) -> Callable[[str], str]:
    """The table of official scores in a form; nothing where the plan has none."""
    if not experiment.plan.official:
        return lambda form: ""
    from tidings.research.experiments.results import official_rows
    from tidings.research.report.experiment import OfficialLine, print_official

    measures = experiment.plan.wanted
    tested = dict.fromkeys(event for block in blocks for event in block.events)
    lines = [
        OfficialLine(
            row.team,
            row.run,
            tuple(row.means[str(one)] for one in measures),
            row.means["updates"],
            row.events,
        )
        for row in official_rows(experiment.plan, list(tested))
    ]
    return lambda form: print_official(measures, lines, form)


def _write_curves(experiment: Experiment, folder: Path) -> None:
    from tidings.research.experiments.execution import make_folder
    from tidings.research.experiments.plan import slug
    from tidings.research.experiments.results import curves
    from tidings.research.report.learning_curves import curve_files

    by_system: dict[str, list[tuple[dict[str, float], ...]]] = {}
    for one in curves(experiment):
        by_system.setdefault(one.entry, []).append(one.rows)
    for name, trainings in by_system.items():
        for ending, content in curve_files(name, trainings, str(experiment.plan.wanted[0])):
            make_folder(folder)
            _write(folder / f"{slug(name)}{ending}", content)


def _write_pages(
    experiment: Experiment, command: str, results: list[StreamResults], blocks: list[Block]
) -> None:
    from tidings.core import say
    from tidings.evaluation import Extras, Provenance, render_comparison

    provenance = Provenance(command, " ".join(experiment.plan.folders), "trec-2014")
    for one in results:
        block = next((block for block in blocks if block.stream == one.stream and block.comparison), None)
        if block is None or block.comparison is None:
            continue
        rows = {row.name: row for row in block.rows}
        sizes = tuple(
            tuple(rows[run.name].scores[event]["updates"] for event in block.comparison.topics)
            for run in block.comparison.runs
        )
        path = Path(experiment.plan.output) / f"{one.stream}.html"
        _write(path, render_comparison(block.comparison, provenance, Extras(sizes)).encode())
        say(f"the page is at {path}")


def _table(experiment: Experiment, block: Block) -> ResultTable:
    from tidings.research.report.experiment import ResultRow, ResultTable

    measures = experiment.plan.wanted
    rows = tuple(
        ResultRow(
            row.name,
            tuple(row.mean(str(measure), block.events) for measure in measures),
            row.mean("updates", block.events),
            row.mean("words", block.events),
            row.speed,
        )
        for row in block.rows
    )
    title = f"{block.stream} stream, {block.name} ({len(block.events)} events)"
    return ResultTable(title, measures, rows, block.comparison)


def _json(experiment: Experiment, command: str, blocks: list[Block]) -> dict[str, Any]:
    import msgspec

    from tidings.evaluation import Provenance, comparison_json
    from tidings.research.experiments.results import curves

    provenance = Provenance(command, " ".join(experiment.plan.folders), "trec-2014")
    return {
        "plan": msgspec.to_builtins(experiment.plan),
        "data": {event.year: event.digest for event in experiment.events},
        "tables": [
            {
                "stream": block.stream,
                "part": block.name,
                "events": list(block.events),
                "rows": [
                    {"system": row.name, "speed": row.speed, "seeds": row.runs, "scores": row.scores}
                    for row in block.rows
                ],
                "comparison": comparison_json(block.comparison, provenance) if block.comparison else None,
            }
            for block in blocks
        ],
        "curves": [
            {"system": one.entry, "fold": one.fold, "seed": one.seed, "steps": list(one.rows)}
            for one in curves(experiment)
        ],
    }


def _write(path: Path, content: bytes) -> None:
    from tidings.core import write_atomically

    with write_atomically(path) as file:
        file.write(content)
