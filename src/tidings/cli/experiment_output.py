"""What `tidings experiment` prints and writes when its work is done: tables, JSON, pages, merged runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tidings.report.experiment import ResultTable
    from tidings.training.experiment import Experiment
    from tidings.training.results import Block

__all__ = ["show"]


def show(found: Experiment, plan_file: Path, form: str, html: bool) -> None:
    """Print the tables, and write them, with everything that they rest on, into the plan's output folder."""
    from tidings.cli.output import say
    from tidings.report.experiment import notes, print_results
    from tidings.training.results import gather, hold, write_merged_runs
    from tidings.training.work import make_folder, write_json

    out = Path(found.plan.output)
    results = gather(found)
    blocks = [(one, hold(one, found.plan)) for one in results if one.rows]
    for one in results:
        if one.missing:
            say(f"{one.stream}: not done, and so not in the table: {', '.join(one.missing)}")
    if not blocks:
        say("nothing is done yet")
        return
    tables = [_table(found, block) for _, many in blocks for block in many]
    remarks = next((notes(table.comparison) for table in tables if table.comparison), [])
    texts = [print_results(table, form) for table in tables]
    print("\n\n".join(texts))  # noqa: T201
    for remark in remarks:
        print(f"* {remark}" if form == "table" else f"- {remark}" if form == "markdown" else f"% {remark}")  # noqa: T201
    make_folder(out)
    write_merged_runs(found, results)
    title = found.plan.title or plan_file.stem
    command = f"tidings experiment {plan_file}"
    page = "\n\n".join(print_results(table, "markdown") for table in tables)
    said = "\n".join(f"- {remark}" for remark in remarks)
    _write(out / "results.md", f"## {title}\n\n    {command}\n\n{page}\n\n{said}\n")
    write_json(out / "results.json", _json(found, command, [block for _, many in blocks for block in many]))


def _table(found: Experiment, block: Block) -> ResultTable:
    from tidings.report.experiment import ResultRow, ResultTable

    measures = found.plan.wanted
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


def _json(found: Experiment, command: str, blocks: list[Block]) -> dict[str, Any]:
    import msgspec

    from tidings.report.comparison_tables import as_json
    from tidings.report.comparison_words import Provenance
    from tidings.training.results import curves

    provenance = Provenance(command, " ".join(found.plan.folders), "trec-2014")
    return {
        "plan": msgspec.to_builtins(found.plan),
        "data": {event.year: event.digest for event in found.events},
        "tables": [
            {
                "stream": block.stream,
                "part": block.name,
                "events": list(block.events),
                "rows": [
                    {"system": row.name, "speed": row.speed, "seeds": row.runs, "scores": row.scores}
                    for row in block.rows
                ],
                "comparison": as_json(block.comparison, provenance) if block.comparison else None,
            }
            for block in blocks
        ],
        "curves": [
            {"system": one.entry, "fold": one.fold, "seed": one.seed, "steps": list(one.rows)}
            for one in curves(found)
        ],
    }


def _write(path: Path, text: str) -> None:
    from tidings.formats.files import write_atomically

    with write_atomically(path) as file:
        file.write(text.encode("utf-8"))
