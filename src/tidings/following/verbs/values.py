"""`tidings values`: track how many died, were hurt, are missing, … through streams; write what changes."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tidings.following.verbs.options import (
    End,
    EventIds,
    Interval,
    Lateness,
    Lenient,
    Mixed,
    Places,
    PoolName,
    Queries,
    Quiet,
    Restart,
    RunName,
    Start,
    Store,
    Streams,
    Team,
    Titles,
    choose,
    chosen_pool,
    with_reading_options,
)
from tidings.following.verbs.run_report import RunReport

if TYPE_CHECKING:
    from tidings.core import ReadingOptions


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="values")(values)


@with_reading_options()
def values(
    streams: Streams,
    out: Annotated[str, typer.Option(help="Where the values go, one line whenever one changes; - to print.")],
    event: EventIds = None,
    system: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTION=VALUE,…]",
            help="values, or a baseline: last-value, largest-value, daily-value, no-value.",
        ),
    ] = "values",
    places: Places = False,
    query: Queries = None,
    title: Titles = None,
    start: Start = None,
    end: End = None,
    interval: Interval = "document",
    lateness: Lateness = "10m",
    mixed: Mixed = False,
    pool: PoolName = "sampled",
    store: Store = None,
    restart: Restart = False,
    form: Annotated[
        Literal["jsonl", "trec"],
        typer.Option("--format", help="JSON Lines with the evidence, or TREC's nine columns."),
    ] = "jsonl",
    team: Team = "tidings",
    run_name: RunName = None,
    lenient: Lenient = False,
    show: Annotated[
        bool | None,
        typer.Option("--show/--no-show", help="Print values as they change (default: on a terminal)."),
    ] = None,
    quiet: Quiet = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Track the current numbers of events through streams: deaths, injuries, missing, displaced, arrested, damage.

    A run that was stopped, however it was, goes on where it was with the same command.
    """
    from tidings.core import UsageError, parse_duration
    from tidings.following.hosting.runs import Interrupt, host
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.stream.loop import parse_interval
    from tidings.following.systems.registry import available_values, with_option

    began = perf_counter()
    if system.partition(":")[0].strip() not in available_values():
        raise UsageError(f"system {system!r} (expected one of {', '.join(available_values())})")
    interrupt = Interrupt()
    with interrupt.watching():
        settings = RunSettings(
            streams=tuple(streams),
            events=tuple(choose(event, query, title, start, end, streams)),
            event_files=tuple(name for name in event or () if Path(name).exists()),
            system=with_option(system, "places", "yes") if places else system,
            interval_s=parse_interval(interval),
            lateness_s=parse_duration(lateness, "lateness"),
            mixed=mixed,
            pool=chosen_pool(pool),
            lenient=lenient,
            reading=reading,
            store=store or "",
            restart=restart,
            out=out,
            format="values" if form == "trec" else "jsonl",
            team=team,
            run_name=run_name or "",
        )
        with host(settings, stop=interrupt) as run:
            RunReport(run, quiet, began, "value").follow(show)
