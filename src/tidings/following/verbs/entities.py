"""`tidings entities`: rank who and where matters on each day of an event, through streams; write a line a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tidings.following.hosting import DEFAULT_ENTITIES
from tidings.following.verbs.options import (
    EventIds,
    NameOptions,
    QueryOptions,
    Quiet,
    RunOptions,
    Streams,
    run_settings,
    with_reading_options,
)
from tidings.following.verbs.run_report import follow_one_kind

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
    asked: QueryOptions = QueryOptions(),
    kept: RunOptions = RunOptions(interval="1h"),
    names: NameOptions = NameOptions(),
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
    from tidings.following.systems.registry import available_entities

    follow_one_kind(
        "day",
        system,
        available_entities(),
        lambda: run_settings(
            streams, event, asked, kept, names, system=system, reading=reading, out=out, format="jsonl"
        ),
        quiet=quiet,
        show=show,
    )
