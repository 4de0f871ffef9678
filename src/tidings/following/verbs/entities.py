"""`tidings entities`: rank who and where matters on each day of an event, through streams; write a line a day."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.following.hosting import DEFAULT_ENTITIES
from tidings.following.verbs.options import (
    End,
    EventIds,
    Interval,
    Lateness,
    Lenient,
    Mixed,
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
    app.command(name="entities")(entities)


@with_reading_options()
def entities(
    streams: Streams,
    out: Annotated[
        str, typer.Option(help="Where the rankings go, a line for each day with news; - to print.")
    ],
    event: EventIds = None,
    system: Annotated[
        str,
        typer.Option(
            metavar="NAME[:OPTION=VALUE,…]",
            help="Which system ranks them; docs/following/entities.md says which there are.",
        ),
    ] = DEFAULT_ENTITIES,
    query: Queries = None,
    title: Titles = None,
    start: Start = None,
    end: End = None,
    interval: Interval = "1h",
    lateness: Lateness = "10m",
    mixed: Mixed = False,
    pool: PoolName = "sampled",
    store: Store = None,
    restart: Restart = False,
    team: Team = "tidings",
    run_name: RunName = None,
    lenient: Lenient = False,
    show: Annotated[
        bool | None,
        typer.Option("--show/--no-show", help="Print each day as it ends (default: on a terminal)."),
    ] = None,
    quiet: Quiet = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Rank the persons, organizations and places that matter on each day of an event, new and salient ones first.

    A day (UTC) is told when it has ended; each entity with its type, a sentence that names it, and whether it is new.

    A run that was stopped, however it was, goes on where it was with the same command.
    """
    from tidings.core import UsageError, parse_duration
    from tidings.following.hosting.runs import Interrupt, host
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.stream.loop import parse_interval
    from tidings.following.systems.registry import available_entities

    began = perf_counter()
    if system.partition(":")[0].strip() not in available_entities():
        raise UsageError(f"system {system!r} (expected one of {', '.join(available_entities())})")
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
            pool=chosen_pool(pool),
            lenient=lenient,
            reading=reading,
            store=store or "",
            restart=restart,
            out=out,
            format="jsonl",
            team=team,
            run_name=run_name or "",
        )
        with host(settings, stop=interrupt) as run:
            RunReport(run, quiet, began, "day").follow(show)
