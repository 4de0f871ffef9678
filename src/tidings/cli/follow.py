"""`tidings follow`: follow events through streams and write down what is new."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Literal

import typer

from tidings.cli.chosen_events import choose
from tidings.cli.run_report import RunReport
from tidings.hosting import DEFAULT_PACE, DEFAULT_SYSTEM

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="follow")(follow)


def follow(
    streams: Annotated[
        list[str],
        typer.Argument(
            metavar="STREAM...",
            help="Folder of TREC data or of an event, a documents file (.jsonl, also .gz .xz .zst), or -.",
            show_default=False,
        ),
    ],
    out: Annotated[
        str,
        typer.Option(
            help="Where the run goes: updates where it ends in .jsonl, else a TREC run; - to print it."
        ),
    ],
    event: Annotated[
        list[str] | None,
        typer.Option(help="Id of a topic of the streams, an event file, or `all`; may be repeated."),
    ] = None,
    system: Annotated[
        str,
        typer.Option(metavar="NAME[:OPTION=VALUE,…]", help="Which system decides (see `tidings systems`)."),
    ] = DEFAULT_SYSTEM,
    about: Annotated[
        str | None,
        typer.Option(
            metavar="PACE",
            help="About how many updates of each event: 10/day, 2/hour, 30 (in all), up to 10/day, or free "
            f"(default: {DEFAULT_PACE} for a --query without --system, else free).",
        ),
    ] = None,
    values: Annotated[
        bool,
        typer.Option(
            "--values", help="Give the current numbers (deaths, injuries, …) too; OUT is .jsonl then."
        ),
    ] = False,
    wait: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Let what is new of whole articles wait so long for its best wording, as 2h (default: tell at once).",
        ),
    ] = None,
    query: Annotated[
        list[str] | None, typer.Option(help="Follow what these words are about; each one given is an event.")
    ] = None,
    title: Annotated[
        list[str] | None, typer.Option(help="What pages call the --query event (default: the query).")
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="TIME", help="Beginning of the --query event; seconds or ISO 8601.")
    ] = None,
    end: Annotated[str | None, typer.Option(metavar="TIME", help="End of the --query event.")] = None,
    interval: Annotated[
        str, typer.Option(help="Decide after every `document`, or every 15m, 1h, …")
    ] = "document",
    lateness: Annotated[
        str, typer.Option(help="How much out of order a stream may be; what is later is left out.")
    ] = "10m",
    mixed: Annotated[
        bool, typer.Option("--mixed", help="Offer pooled sentences to every event, not only to their own.")
    ] = False,
    pool: Annotated[str, typer.Option(help="Which pool of a TREC folder: sampled or extended.")] = "sampled",
    store: Annotated[
        str | None,
        typer.Option(metavar="URL|PATH", help="Where the run is kept meanwhile (default: OUT.db)."),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart/--resume", help="Begin anew, or go on where the run was stopped.")
    ] = False,
    form: Annotated[
        Literal["trec", "jsonl"] | None,
        typer.Option("--format", help="How OUT is written (default: by its name; `-` is trec)."),
    ] = None,
    team: Annotated[str, typer.Option(help="Team name in the run.")] = "tidings",
    run_name: Annotated[str | None, typer.Option(help="Run name (default: system and options).")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Skip and count bad lines.")] = False,
    support: Annotated[
        bool | None,
        typer.Option(
            "--support/--no-support",
            help="Count which outlets say the updates again (default: where OUT is .jsonl, which can hold it).",
        ),
    ] = None,
    show: Annotated[
        bool | None,
        typer.Option("--show/--no-show", help="Print updates as they are decided (default: on a terminal)."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing unless something is wrong.")
    ] = False,
) -> None:
    """Follow events through streams, deciding what is new, and write the updates to OUT.

    A run that was stopped, however it was, goes on where it was with the same command.
    """
    from tidings.errors import InterruptedRunError, UsageError
    from tidings.hosting import Interrupt, RunSettings, host
    from tidings.hosting.output import writes_jsonl
    from tidings.hosting.pace import choose_pace
    from tidings.stream import parse_duration, parse_interval

    began = perf_counter()
    interrupt = Interrupt()
    with interrupt.watching():
        if pool not in ("sampled", "extended"):
            raise UsageError(f"found --pool {pool!r}, expected sampled or extended")
        if values and out != "-" and not writes_jsonl(out, form or ""):
            raise UsageError(
                f"found --values with --out {out}, expected a name ending in .jsonl: a TREC run holds updates alone; "
                "give one, or see `tidings values --format trec`"
            )
        settings = RunSettings(
            streams=tuple(streams),
            events=tuple(choose(event, query, title, start, end, streams)),
            event_files=tuple(name for name in event or () if Path(name).exists()),
            system=_with_options(system, values, wait),
            about=choose_pace(about, system, on_the_spot=bool(query) and not event),
            interval_s=parse_interval(interval),
            lateness_s=parse_duration(lateness, "lateness"),
            mixed=mixed,
            pool="extended" if pool == "extended" else "sampled",
            lenient=lenient,
            support=writes_jsonl(out, form or "") if support is None else support,
            store=store or "",
            restart=restart,
            out=out,
            format=form or "",
            team=team,
            run_name=run_name or "",
        )
        with host(settings, stop=interrupt) as run:
            report = RunReport(run, quiet, began)
            report.begin()
            with report.showing(show) as shown:
                for _, outputs in run:
                    if shown is not None:
                        shown(outputs)
            if not run.tally.complete:
                raise InterruptedRunError(report.interrupted())
            report.end()


def _with_options(system: str, values: bool, wait: str | None) -> str:
    """The system with what --values and --wait ask of it."""
    from tidings.systems import with_option

    chosen = with_option(system, "wait", wait) if wait else system
    return with_option(chosen, "values", "yes") if values else chosen
