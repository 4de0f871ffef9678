"""`tidings experiment`: train and test systems as a plan says, and show the tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from tidings.research.experiments.experiment import Experiment
    from tidings.research.experiments.jobs import Job
    from tidings.research.experiments.workers import Report, Watch

__all__ = ["register"]

Form = Literal["table", "markdown", "latex"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("experiment")(experiment)


def experiment(
    plan: Annotated[
        Path,
        typer.Argument(
            metavar="PLAN.toml",
            help="The plan (docs/training.md has its keys, plans/ examples).",
            show_default=False,
        ),
    ],
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="SYSTEM", help="Only these systems of the plan, separated by commas."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0, help="How many processes (default: the plan's); 0: all in this one.", show_default=False
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be done, and do nothing.")
    ] = False,
    so_far: Annotated[
        bool, typer.Option("--so-far", help="Do nothing; show the tables of what is done.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Do everything again, also what is done already.")
    ] = False,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to print.")] = "table",
    draw: Annotated[
        bool,
        typer.Option(
            "--draw", help="Also draw learning curves, and for each stream the page of `tidings compare`."
        ),
    ] = False,
) -> None:
    """Train and test systems as PLAN.toml says, and print one table for each stream.

    What is done is kept in the plan's output folder: stopped anywhere, the same command goes on.
    A system that fails is reported at the end (exit code 1), and the others go on.
    """
    from msgspec import structs

    from tidings.core import UsageError
    from tidings.research.experiments.entity_plan import asks_for_entities
    from tidings.research.experiments.experiment import Experiment
    from tidings.research.experiments.plan import read_plan

    if asks_for_entities(plan):
        from tidings.research.verbs.entity_experiment import run_entity_plan

        for option, given in (("--only", only), ("--draw", draw), ("--format", form != "table")):
            if given:
                raise UsageError(
                    f"{plan}: found {option} with a plan of entities, expected a plan of systems for it"
                )
        run_entity_plan(plan, dry_run=dry_run, so_far=so_far, fresh=fresh)
        return
    asked = read_plan(plan, only or ())
    if workers is not None:
        asked = structs.replace(asked, workers=workers)
    planned = Experiment.of(asked)
    left = planned.left(fresh)
    if dry_run:
        _list(planned, left)
        return
    report = None
    if left and not so_far:
        with _signals(), _progress(planned, len(left)) as watch:
            report = planned.run(asked.workers, fresh=fresh, watch=watch)
    from tidings.research.verbs.experiment_output import show

    show(planned, plan, form, draw)
    if report is not None and report.failed:
        _complain(planned, report)
        raise typer.Exit(1)


def _list(planned: Experiment, left: list[Job]) -> None:
    from tidings.core import clean

    keys = {job.key for job in left}
    for job in planned.jobs:
        state = "to do" if job.key in keys else "done "
        print(clean(f"{state}  {_words(job)}"))  # noqa: T201
    trainings = sum(job.key in keys for job in planned.trainings)
    print(  # noqa: T201
        f"{len(left)} of {len(planned.jobs)} pieces to do: {trainings} trainings, {len(left) - trainings} followings",
        file=sys.stderr,
    )


def _words(job: Job) -> str:
    from tidings.research.experiments.jobs import TrainJob

    if isinstance(job, TrainJob):
        return f"train   {job.entry}  without {job.fold.name}  seed {job.seed}"
    draw = f" draw {job.stream.seed}" if job.stream.keep < 1 else ""
    return f"follow  {job.entry}  {job.fold}  on {job.stream_name}{draw}  seed {job.seed}"


@contextmanager
def _progress(planned: Experiment, total: int) -> Iterator[Watch]:
    from tidings.core import say
    from tidings.following import steps_progress

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
    from tidings.research.experiments.jobs import TrainJob

    return f"{job.entry} {job.fold.name if isinstance(job, TrainJob) else job.stream_name}"


@contextmanager
def _signals() -> Iterator[None]:
    """SIGTERM ends the work as Ctrl-C does, so that no worker is left behind."""
    import signal
    import threading

    from tidings.core import InterruptedRunError

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if main else None
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedRunError("interrupted; what is done is kept, the same command goes on") from None
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


def _complain(planned: Experiment, report: Report) -> None:
    from tidings.core import say
    from tidings.research.experiments.execution import make_folder

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
