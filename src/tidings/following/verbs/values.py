"""`tidings values`: track how many died, were hurt, are missing, … through streams; write what changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tidings.following.verbs.options import (
    EventIds,
    NameOptions,
    Places,
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
    asked: QueryOptions = QueryOptions(),
    kept: RunOptions = RunOptions(),
    form: Annotated[
        Literal["jsonl", "trec"],
        typer.Option("--format", help="JSON Lines with the evidence, or TREC's nine columns."),
    ] = "jsonl",
    names: NameOptions = NameOptions(),
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
    from tidings.following.systems.registry import available_values, with_option

    follow_one_kind(
        "value",
        system,
        available_values(),
        lambda: run_settings(
            streams,
            event,
            asked,
            kept,
            names,
            system=with_option(system, "places", "yes") if places else system,
            reading=reading,
            out=out,
            format="values" if form == "trec" else "jsonl",
        ),
        quiet=quiet,
        show=show,
    )
