"""`tidings experiment`: train and test systems as a plan says, and show the tables."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec
import typer
from msgspec import structs

from tidings.core import (
    InterruptedRunError,
    UsageError,
    clean,
    described,
    form_of,
    need_folders,
    refuse_overwriting,
    say,
    show,
    write_bytes,
    write_json,
)
from tidings.evaluation import Extras, Provenance, comparison_json, render_comparison
from tidings.following import steps_progress
from tidings.research.experiments.execution import make_folder
from tidings.research.experiments.experiment import Experiment, Report, Watch
from tidings.research.experiments.jobs import Job, TrainJob
from tidings.research.experiments.plan import asks_for_entities, read_entity_plan, read_plan, slug
from tidings.research.experiments.results import (
    Block,
    StreamResults,
    curves,
    gather,
    hold,
    notes,
    official_rows,
    print_block,
    print_official,
    write_merged_runs,
)
from tidings.research.report import curve_files
from tidings.research.training.labelled_events import load_events


def run_entity_plan(path: Path, out: str | None = None, *, dry_run: bool, so_far: bool, fresh: bool) -> None:
    """Make the tables that the plan asks for, and print them or write them to `out`; kept ones are not made again.

    Raises:
        FormatError, UsageError: the plan, or an event that it names, is not right.
        InterruptedRunError: it was stopped; the tables that were made are kept.
    """
    plan = read_entity_plan(path)
    refuse_overwriting(
        {"--out": out} | {f"output table-{table}.md": plan.path_of(table) for table in plan.tables},
        {"the plan": [path], "judgments": plan.folders},
    )
    kept = {table: None if fresh else plan.kept(table) for table in plan.tables}
    left = [table for table, text in kept.items() if text is None]
    if left and not so_far:
        say(f"{len(left)} of {len(kept)} tables to do" + _takes(plan.takes), prefix="")
    if dry_run:
        for table in plan.tables:
            print(f"{'to do' if table in left else 'done '}  table {table}")  # noqa: T201
        return
    if left and not so_far:
        from tidings.research.experiments.entity_tables import EntityTables

        events = load_events(list(plan.folders))
        ids = [event.event.id for event in events]
        chosen = plan.event or ids[-1]
        if chosen not in ids:
            raise UsageError(f"{path}: event {chosen!r} (expected one of {', '.join(ids)})")
        try:
            with steps_progress("entities") as watch:
                tables = EntityTables(events, watch)
                for line in tables.counts():
                    print(line, file=sys.stderr)  # noqa: T201
                for table in left:
                    kept[table] = plan.keep(table, tables.table(table, chosen, watch))
        except KeyboardInterrupt:
            raise InterruptedRunError(
                "interrupted; finished tables are kept, run the same command again to continue"
            ) from None
    title = f"{clean(plan.title)}\n\n" if plan.title else ""
    show(title + "\n".join(text for text in kept.values() if text is not None).removesuffix("\n"), out)


def show_tables(experiment: Experiment, plan_file: Path, form: str, out_file: str | None, draw: bool) -> None:
    """Print the tables, or write them to a file; all that they rest on goes into the plan's output folder."""
    out = Path(experiment.plan.output)
    results = gather(experiment)
    for result in results:
        if result.missing:
            say(f"{result.stream}: not done, and so not in the table: {', '.join(result.missing)}")
    blocks = [block for result in results if result.rows for block in hold(result, experiment.plan)]
    if not blocks:
        say("nothing is done yet")
        return
    measures = experiment.plan.wanted
    remarks = next((notes(block.comparison) for block in blocks if block.comparison), [])
    tested = dict.fromkeys(event for block in blocks for event in block.events)
    official = official_rows(experiment.plan, list(tested)) if experiment.plan.official else []

    def text(form: str) -> str:
        mark = {"table": "*", "markdown": "-"}.get(form, "%")
        footnotes = "\n".join(f"{mark} {remark}" for remark in remarks)
        parts = [*(print_block(block, measures, form) for block in blocks), footnotes]
        if official:
            parts.append(print_official(official, measures, form))
        return "\n\n".join(part for part in parts if part)

    show(text(form), out_file)
    make_folder(out)
    write_merged_runs(experiment, results)
    command = f"tidings experiment {plan_file}"
    page = f"## {experiment.plan.title or plan_file.stem}\n\n    {command}\n\n{text('markdown')}\n"
    write_bytes(out / "results.md", page.encode())
    write_json(out / "results.json", _json(experiment, command, blocks), indent=1)
    if draw:
        _write_curves(experiment, out / "curves")
        _write_pages(experiment, command, results, blocks)


def _write_curves(experiment: Experiment, folder: Path) -> None:
    by_system: dict[str, list[tuple[dict[str, float], ...]]] = {}
    for curve in curves(experiment):
        by_system.setdefault(curve.entry, []).append(curve.rows)
    for name, trainings in by_system.items():
        for ending, content in curve_files(name, trainings, str(experiment.plan.wanted[0])):
            make_folder(folder)
            write_bytes(folder / f"{slug(name)}{ending}", content)


def _write_pages(
    experiment: Experiment, command: str, results: list[StreamResults], blocks: list[Block]
) -> None:
    provenance = Provenance(command, " ".join(experiment.plan.folders), "trec-2014")
    for result in results:
        block = next((block for block in blocks if block.stream == result.stream and block.comparison), None)
        if block is None or block.comparison is None:
            continue
        rows = {row.name: row for row in block.rows}
        sizes = tuple(
            tuple(rows[run.name].scores[event]["updates"] for event in block.comparison.topics)
            for run in block.comparison.runs
        )
        path = Path(experiment.plan.output) / f"{result.stream}.html"
        write_bytes(path, render_comparison(block.comparison, provenance, Extras(sizes)).encode())
        say(f"the page is at {path}")


def _json(experiment: Experiment, command: str, blocks: list[Block]) -> dict[str, Any]:
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
            {"system": curve.entry, "fold": curve.fold, "seed": curve.seed, "steps": list(curve.rows)}
            for curve in curves(experiment)
        ],
    }


Form = Literal["table", "markdown", "latex"]


@described(__file__)
def experiment(
    plan: Path,
    only: list[str] | None = None,
    workers: int | None = None,
    dry_run: bool = False,
    so_far: bool = False,
    fresh: bool = False,
    form: Form | None = None,
    out: str | None = None,
    draw: bool = False,
) -> None:
    """Train and test systems according to PLAN.toml, and print one table for each stream.

    Finished work is kept in the plan's output folder; if interrupted, the same command continues. A system that fails
    is reported at the end (exit code 1), and the others continue.
    """
    need_folders(out)
    if asks_for_entities(plan):
        for option, given in (("--only", only), ("--draw", draw), ("--format", form not in (None, "table"))):
            if given:
                raise UsageError(
                    f"{plan}: {option} with a plan of entities (expected a plan of systems for it)"
                )
        run_entity_plan(plan, out, dry_run=dry_run, so_far=so_far, fresh=fresh)
        return
    asked = read_plan(plan, only or ())
    if workers is not None:
        asked = structs.replace(asked, workers=workers)
    refuse_overwriting({"--out": out}, {"the plan": [plan], "judgments": asked.folders})
    shape = form_of(out, form, Form)
    planned = Experiment.of(asked)
    left = planned.left(fresh)
    if dry_run or (left and not so_far):
        _say_what_is_to_do(planned, left)
    if dry_run:
        _list(planned, left)
        return
    report = None
    if left and not so_far:
        with _signals(), _progress(planned, len(left)) as watch:
            report = planned.run(asked.workers, fresh=fresh, watch=watch)

    show_tables(planned, plan, shape, out, draw)
    if report is not None and report.failed:
        _complain(planned, report)
        raise typer.Exit(1)


def _list(planned: Experiment, left: list[Job]) -> None:
    keys = {job.key for job in left}
    for job in planned.jobs:
        state = "to do" if job.key in keys else "done "
        print(clean(f"{state}  {_words(job)}"))  # noqa: T201


def _say_what_is_to_do(planned: Experiment, left: list[Job]) -> None:
    keys = {job.key for job in left}
    trainings = sum(job.key in keys for job in planned.trainings)
    kinds = f"{trainings} trainings, {len(left) - trainings} followings"
    takes = _takes(planned.plan.takes)
    say(f"{len(left)} of {len(planned.jobs)} pieces to do: {kinds}{takes}", prefix="")


def _takes(words: str) -> str:
    return f"; all of them take {clean(words)}" if words else ""


def _words(job: Job) -> str:
    if isinstance(job, TrainJob):
        return f"train   {job.entry}  without {job.fold.name}  seed {job.seed}"
    draw = f" draw {job.stream.seed}" if job.stream.keep < 1 else ""
    return f"follow  {job.entry}  {job.fold}  on {job.stream_name}{draw}  seed {job.seed}"


@contextmanager
def _progress(planned: Experiment, total: int) -> Iterator[Watch]:
    done = 0
    running: dict[str, str] = {}

    with steps_progress("") as move:

        def watch(what: str, job: Job, words: str) -> None:
            nonlocal done
            if what in ("begun", "progress"):
                running[job.key] = f"{_short(job)} {words}".strip()
            else:
                done += 1
                running.pop(job.key, None)
            if what == "failed":
                say(f"{_words(job)}: {words}")
            elif what == "done" and not sys.stderr.isatty():
                say(_words(job), prefix=f"{done}/{total}  ")
            move(done, total, "; ".join(running.values())[:100])

        yield watch


def _short(job: Job) -> str:
    return f"{job.entry} {job.fold.name if isinstance(job, TrainJob) else job.stream_name}"


@contextmanager
def _signals() -> Iterator[None]:
    """SIGTERM ends the work as Ctrl-C does, so that no worker is left behind."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if main else None
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedRunError(
            "interrupted; finished work is kept, run the same command again to continue"
        ) from None
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


def _complain(planned: Experiment, report: Report) -> None:
    jobs = {job.key: job for job in planned.jobs}
    folder = Path(planned.plan.output) / "failures"
    say(f"{len(report.failed)} pieces failed, and {len(report.skipped)} that need them were left out:")
    for failure in report.failed:
        say(f"{_words(jobs[failure.key])}: {failure.why}", prefix="  ")
        if failure.at_length:
            make_folder(folder)
            path = folder / f"{failure.key[:16]}.txt"
            path.write_text(f"{_words(jobs[failure.key])}\n{failure.at_length}", encoding="utf-8")
            say(f"at length: {path}", prefix="    ")
