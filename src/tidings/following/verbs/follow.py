"""`tidings follow`: follow events through streams and write down what is new."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tidings.following.hosting import DEFAULT_PACE, DEFAULT_SYSTEM
from tidings.following.verbs.live_run import LiveOptions
from tidings.following.verbs.options import (
    EventIds,
    Languages,
    NameOptions,
    Places,
    QueryOptions,
    Quiet,
    RunOptions,
    Streams,
    choose,
    run_settings,
    with_reading_options,
)
from tidings.following.verbs.progress import set_up_progress
from tidings.following.verbs.run_report import RunReport
from tidings.following.verbs.spark_run import EngineOptions

if TYPE_CHECKING:
    from tidings.core import ReadingOptions


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="follow")(follow)


@with_reading_options()
def follow(
    streams: Streams,
    out: Annotated[
        str,
        typer.Option(
            help="Where the run goes: updates where it ends in .jsonl, else a TREC run; - to print it."
        ),
    ],
    event: EventIds = None,
    story: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Follow a story that `tidings stories` found, in documents like it; --query and --title change its "
            "words.",
        ),
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
    places: Places = False,
    entities: Annotated[
        bool,
        typer.Option("--entities", help="Rank who and where matters on each day too; OUT is .jsonl then."),
    ] = False,
    wait: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Let what is new of whole articles wait so long for its best wording, as 2h (default: tell at once).",
        ),
    ] = None,
    asked: QueryOptions = QueryOptions(),
    languages: Languages = None,
    kept: RunOptions = RunOptions(),
    form: Annotated[
        Literal["trec", "jsonl"] | None,
        typer.Option("--format", help="How OUT is written (default: by its name; `-` is trec)."),
    ] = None,
    names: NameOptions = NameOptions(),
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
    polled: LiveOptions = LiveOptions(),
    carried: EngineOptions = EngineOptions(),
    quiet: Quiet = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Follow events through streams, deciding what is new, and write the updates to OUT.

    A run that was stopped, however it was, goes on where it was with the same command.
    """
    from msgspec.structs import replace

    from tidings.following.hosting.output import writes_jsonl
    from tidings.following.hosting.runs import Interrupt, host
    from tidings.following.hosting.settings import choose_pace

    began = perf_counter()
    interrupt = Interrupt(unhurried=carried.engine != "local")
    with interrupt.watching(), ExitStack() as stack:
        setting_up = stack.enter_context(set_up_progress(quiet=quiet))
        beside = {"values": values, "places": places, "entities": entities}
        _check_format(beside, out, form or "")
        polled.check()
        options = carried.on_spark(live=polled.live)
        reading = replace(reading, allow_private=polled.allow_private)
        if story is not None:
            asked, system, names = _of_story(story, streams, out, event, asked, system, kept, names, reading)
        settings = run_settings(
            streams,
            event,
            asked,
            kept,
            names,
            languages=languages,
            system=_with_options(system, beside, wait),
            about=choose_pace(about, system, on_the_spot=bool(asked.query) and not event),
            reading=reading,
            support=writes_jsonl(out, form or "") if support is None else support,
            out=out,
            format=form or "",
        )
        if options is not None:
            from tidings.following.verbs.spark_run import follow_on_spark

            setting_up()
            follow_on_spark(
                settings,
                options,
                interrupt,
                lambda: choose(event, asked, streams, languages),
                quiet=quiet,
                began=began,
            )
            return
        if polled.live:
            from tidings.following.verbs.live_run import follow_live

            setting_up()
            follow_live(settings, polled.settings(), interrupt, quiet=quiet, show=show, began=began)
            return
        run = stack.enter_context(host(settings, stop=interrupt))
        setting_up()
        RunReport(run, quiet, began).follow(show)


def _of_story(
    story: str,
    streams: list[str],
    out: str,
    event: list[str] | None,
    asked: QueryOptions,
    system: str,
    kept: RunOptions,
    names: NameOptions,
    reading: ReadingOptions,
) -> tuple[QueryOptions, str, NameOptions]:
    """The options that follow a story: its words as the query, and its profile."""
    from dataclasses import replace

    from tidings.core import UsageError
    from tidings.following.hosting.output import default_store
    from tidings.following.systems.registry import with_option
    from tidings.following.verbs.story_choice import find_story

    if event:
        raise UsageError("--story with --event: say one of the two; a story is an event of its own")
    store = kept.store or default_store(out)
    found = find_story(story, streams, store, reading, pool=kept.pool, lenient=names.lenient)
    query = asked.query or [found.query]
    return (
        replace(asked, query=query, title=asked.title or [found.title]),
        with_option(system, "profile", found.profile),
        replace(names, run_name=names.run_name or "story"),
    )


def _with_options(system: str, beside: Mapping[str, bool], wait: str | None) -> str:
    """The system with what --wait, --values, --places and --entities ask of it."""
    from tidings.following.systems.registry import with_option

    chosen = with_option(system, "wait", wait) if wait else system
    for option in (option for option, wanted in beside.items() if wanted):
        chosen = with_option(chosen, option, "yes")
    return chosen


def _check_format(beside: Mapping[str, bool], out: str, form: str) -> None:
    from tidings.core import UsageError
    from tidings.following.hosting.output import writes_jsonl

    for option in (option for option, wanted in beside.items() if wanted and not writes_jsonl(out, form)):
        more = "; see also `tidings values --format trec`" if option in ("values", "places") else ""
        raise UsageError(
            f"--{option} with --out {out} (expected a name ending in .jsonl or --format jsonl): a TREC run "
            f"holds updates alone{more}"
        )
