"""`tidings follow`: follow events through streams and write down what is new."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tidings.following.hosting import DEFAULT_PACE, DEFAULT_SYSTEM
from tidings.following.verbs.live_run import (
    AllowPrivate,
    Contact,
    Every,
    For,
    Keep,
    Live,
    Offline,
    Pages,
    Until,
    live_settings,
)
from tidings.following.verbs.options import (
    End,
    EventIds,
    Interval,
    Languages,
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
from tidings.following.verbs.progress import set_up_progress
from tidings.following.verbs.run_report import RunReport
from tidings.following.verbs.spark_run import (
    CheckpointFolder,
    Engine,
    FilesPerBatch,
    Master,
    Partitions,
    SparkConf,
    spark_options,
)

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
    query: Queries = None,
    title: Titles = None,
    start: Start = None,
    end: End = None,
    languages: Languages = None,
    interval: Interval = "document",
    lateness: Lateness = "10m",
    mixed: Mixed = False,
    pool: PoolName = "sampled",
    store: Store = None,
    restart: Restart = False,
    form: Annotated[
        Literal["trec", "jsonl"] | None,
        typer.Option("--format", help="How OUT is written (default: by its name; `-` is trec)."),
    ] = None,
    team: Team = "tidings",
    run_name: RunName = None,
    lenient: Lenient = False,
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
    live: Live = False,
    every: Every = None,
    pages: Pages = False,
    until: Until = None,
    for_: For = None,
    keep: Keep = None,
    offline: Offline = False,
    allow_private: AllowPrivate = False,
    contact: Contact = None,
    engine: Engine = "local",
    master: Master = None,
    checkpoint: CheckpointFolder = None,
    partitions: Partitions = None,
    files_per_batch: FilesPerBatch = None,
    conf: SparkConf = None,
    quiet: Quiet = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Follow events through streams, deciding what is new, and write the updates to OUT.

    A run that was stopped, however it was, goes on where it was with the same command.
    """
    from msgspec.structs import replace

    from tidings.core import parse_duration
    from tidings.following.hosting.output import writes_jsonl
    from tidings.following.hosting.runs import Interrupt, host
    from tidings.following.hosting.settings import RunSettings, choose_pace
    from tidings.following.stream.loop import parse_interval

    began = perf_counter()
    interrupt = Interrupt(unhurried=engine != "local")
    with interrupt.watching(), ExitStack() as stack:
        setting_up = stack.enter_context(set_up_progress(quiet=quiet))
        beside = {"values": values, "places": places, "entities": entities}
        _check_format(beside, out, form or "")
        polled = {
            "--every": every is not None,
            "--pages": pages,
            "--until": until is not None,
            "--for": for_ is not None,
            "--keep": keep is not None,
            "--offline": offline,
        }
        _check_live(live, polled)
        options = spark_options(engine, master, checkpoint, partitions, files_per_batch, conf, live=live)
        settings = RunSettings(
            streams=tuple(streams),
            events=tuple(choose(event, query, title, start, end, streams, languages)),
            event_files=tuple(name for name in event or () if Path(name).exists()),
            system=_with_options(system, beside, wait),
            about=choose_pace(about, system, on_the_spot=bool(query) and not event),
            interval_s=parse_interval(interval),
            lateness_s=parse_duration(lateness, "lateness"),
            mixed=mixed,
            pool=chosen_pool(pool),
            lenient=lenient,
            reading=replace(reading, allow_private=allow_private),
            support=writes_jsonl(out, form or "") if support is None else support,
            store=store or "",
            restart=restart,
            out=out,
            format=form or "",
            team=team,
            run_name=run_name or "",
        )
        if options is not None:
            from tidings.following.verbs.spark_run import follow_on_spark

            setting_up()
            follow_on_spark(
                settings,
                options,
                interrupt,
                lambda: choose(event, query, title, start, end, streams, languages),
                quiet=quiet,
                began=began,
            )
            return
        if live:
            from tidings.following.verbs.live_run import follow_live

            setting_up()
            polling = live_settings(
                every, keep, for_, until, contact, pages=pages, offline=offline, allow_private=allow_private
            )
            follow_live(settings, polling, interrupt, quiet=quiet, show=show, began=began)
            return
        run = stack.enter_context(host(settings, stop=interrupt))
        setting_up()
        RunReport(run, quiet, began).follow(show)


def _check_live(live: bool, polled: Mapping[str, bool]) -> None:
    from tidings.core import UsageError

    for option in (option for option, given in polled.items() if given and not live):
        raise UsageError(f"{option} without --live (expected it where feeds are polled)")


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
