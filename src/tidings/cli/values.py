"""`tidings values`: track how many died, were hurt, are missing, … through streams; write what changes."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Literal

import typer

from tidings.cli.chosen_events import choose
from tidings.cli.run_report import RunReport

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="values")(values)


def values(
    streams: Annotated[
        list[str],
        typer.Argument(
            metavar="STREAM...",
            help="Folder of TREC data or of an event, a documents file (.jsonl, also .gz .xz .zst), or -.",
            show_default=False,
        ),
    ],
    out: Annotated[str, typer.Option(help="Where the values go, one line whenever one changes; - to print.")],
    event: Annotated[
        list[str] | None,
        typer.Option(help="Id of a topic of the streams, an event file, or `all`; may be repeated."),
    ] = None,
    system: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTION=VALUE,…]",
            help="values, or a baseline: last-value, largest-value, daily-value, no-value.",
        ),
    ] = "values",
    query: Annotated[
        list[str] | None, typer.Option(help="Track what these words are about; each one given is an event.")
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
        Literal["jsonl", "trec"],
        typer.Option("--format", help="JSON Lines with the evidence, or TREC's nine columns."),
    ] = "jsonl",
    team: Annotated[str, typer.Option(help="Team name in the run.")] = "tidings",
    run_name: Annotated[str | None, typer.Option(help="Run name (default: system and options).")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Skip and count bad lines.")] = False,
    show: Annotated[
        bool | None,
        typer.Option("--show/--no-show", help="Print values as they change (default: on a terminal)."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say nothing unless something is wrong.")
    ] = False,
) -> None:
    """Track the current numbers of events through streams: deaths, injuries, missing, displaced, arrested, damage.

    A run that was stopped, however it was, goes on where it was with the same command.
    """
    from tidings.errors import InterruptedRunError, UsageError
    from tidings.hosting import Interrupt, RunSettings, host
    from tidings.stream import parse_duration, parse_interval
    from tidings.systems import available_values

    began = perf_counter()
    if system.partition(":")[0].strip() not in available_values():
        raise UsageError(f"found system {system!r}, expected one of {', '.join(available_values())}")
    if pool not in ("sampled", "extended"):
        raise UsageError(f"found --pool {pool!r}, expected sampled or extended")
    interrupt = Interrupt()
    with interrupt.watching():
        settings = RunSettings(
            streams=tuple(streams),
            events=tuple(choose(event, query, title, start, end, streams)),
            event_files=tuple(name for name in event or () if Path(name).exists()),
            system=system,
            interval_s=parse_interval(interval),
            lateness_s=parse_duration(lateness, "lateness"),
            mixed=mixed,
            pool="extended" if pool == "extended" else "sampled",
            lenient=lenient,
            store=store or "",
            restart=restart,
            out=out,
            format="values" if form == "trec" else "jsonl",
            team=team,
            run_name=run_name or "",
        )
        with host(settings, stop=interrupt) as run:
            report = RunReport(run, quiet, began, "value")
            report.begin()
            with report.showing(show) as shown:
                for _, outputs in run:
                    if shown is not None:
                        shown(outputs)
            if not run.tally.complete:
                raise InterruptedRunError(report.interrupted())
            report.end()
