"""`tidings follow`: follow events through streams and write down what is new."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tidings.cli.output import say
from tidings.hosting import DEFAULT_PACE, DEFAULT_SYSTEM

if TYPE_CHECKING:
    from tidings.hosting import HostedRun
    from tidings.records import Event, Output

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
            help="About how many updates of each event: 10/day, 2/hour, 30 (in all), or free "
            f"(default: {DEFAULT_PACE} for a --query without --system, else free).",
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
    from tidings.hosting.pace import choose_pace
    from tidings.stream import parse_duration, parse_interval

    began = perf_counter()
    interrupt = Interrupt()
    with interrupt.watching():
        if pool not in ("sampled", "extended"):
            raise UsageError(f"found --pool {pool!r}, expected sampled or extended")
        settings = RunSettings(
            streams=tuple(streams),
            events=tuple(_events(event, query, title, start, end, streams)),
            event_files=tuple(name for name in event or () if Path(name).exists()),
            system=system,
            about=choose_pace(about, system, on_the_spot=bool(query) and not event),
            interval_s=parse_interval(interval),
            lateness_s=parse_duration(lateness, "lateness"),
            mixed=mixed,
            pool="extended" if pool == "extended" else "sampled",
            lenient=lenient,
            store=store or "",
            restart=restart,
            out=out,
            format=form or "",
            team=team,
            run_name=run_name or "",
        )
        with host(settings, stop=interrupt) as run:
            report = _Report(run, quiet, began)
            report.begin()
            with report.showing(show) as shown:
                for _, outputs in run:
                    if shown is not None:
                        shown(outputs)
            if not run.tally.complete:
                raise InterruptedRunError(report.interrupted())
            report.end()


def _events(
    names: Sequence[str] | None,
    queries: Sequence[str] | None,
    titles: Sequence[str] | None,
    start: str | None,
    end: str | None,
    streams: Sequence[str],
) -> list[Event]:
    """The events that `--event` and `--query` ask for."""
    from tidings.errors import UsageError
    from tidings.hosting import choose_events, query_events
    from tidings.hosting.events import check_words, event_time
    from tidings.hosting.sources import check_streams

    check_streams(streams)
    for option, value in (("--start", start), ("--end", end), ("--title", titles)):
        if value and not queries:
            raise UsageError(f"found {option} without --query, expected an event to have it")
    if not queries:
        return choose_events(names or (), streams)
    events = choose_events(names, streams) if names else []
    times = event_time(start, "--start"), event_time(end, "--end")
    made = query_events(queries, titles or (), *times, taken=[event.id for event in events])
    check_words(queries)
    return [*events, *made]


class _Report:
    """Everything that is said on stderr and shown on stdout."""

    def __init__(self, run: HostedRun, quiet: bool, began: float) -> None:
        self.run, self.tally, self.settings = run, run.tally, run.settings
        self.quiet, self.began = quiet, began

    def say(self, line: str) -> None:
        if not self.quiet:
            say(line, prefix="")

    def begin(self) -> None:
        emitted = _count(self.run.emitted, "update")
        if self.run.was_finished:
            self.say(f"this run is finished ({emitted}): looking for anything new in its streams")
        elif self.run.emitted or self.tally.skipped:
            self.say(f"going on with this run, after {emitted}")

    @contextmanager
    def showing(self, show: bool | None) -> Iterator[Callable[[Sequence[Output]], None] | None]:
        """A progress line on stderr, and what prints updates on stdout; each where there is a terminal."""
        import sys

        if show is None:
            show = sys.stdout.isatty() and self.settings.out != "-" and not self.quiet
        printer = self._printer() if show else None
        if self.quiet or not sys.stderr.isatty():
            yield printer
            return
        from tidings.cli.progress import following_progress

        with following_progress(self.tally):
            yield printer

    def _printer(self) -> Callable[[Sequence[Output]], None]:
        from rich.console import Console

        from tidings.records import Update
        from tidings.report.terminal import LiveTimeline

        events = self.settings.events
        timeline = LiveTimeline(Console(), names_events=len(events) > 1)
        by_id = {event.id: event for event in events}

        def show(outputs: Sequence[Output]) -> None:
            for output in outputs:
                if isinstance(output, Update):
                    timeline.show(by_id[output.event_id], output)

        return show

    def interrupted(self) -> str:
        from tidings.report.clock import Clock

        tally = self.tally
        where = f", at {Clock().moment(tally.time)} of the stream" if tally.time is not None else ""
        more = "the same command goes on from here" if self.run.store else "nothing is kept without --store"
        done = _count(tally.skipped + tally.documents, "document")
        return f"stopped after {done}{where}, {_count(self.run.emitted, 'update')}; {more}"

    def end(self) -> None:
        tally, run = self.tally, self.run
        took = perf_counter() - self.began
        before = f" ({tally.skipped:,} more were followed before)" if tally.skipped else ""
        self.say(
            f"{_count(tally.documents, 'document')}{before}, {_count(tally.sentences, 'sentence')} in {took:.1f} s "
            f"({tally.sentences / took:,.0f} sentences/s)"
        )
        counts = [f"{event_id} {count:,}" for event_id, count in tally.updates.items()][:30]
        self.say(
            f"{_count(run.emitted, 'update')}: {', '.join(counts)}"
            + (" in this part" if tally.skipped else "")
        )
        silent = [event.id for event in self.settings.events if event.id not in tally.offered]
        if silent and tally.documents and not tally.skipped:
            pooled = (
                ", or its sentences were pooled for other events only (--mixed offers them to every event)"
            )
            self.say(
                f"nothing was offered to {', '.join(silent[:10])}: no document is of their time and speaks of them"
                + ("" if self.settings.mixed else pooled)
            )
        for line in [*self._late_lines(), *self._repeat_lines()]:
            say(line, prefix="")
        if run.problems.count:
            say(run.problems.summary(), prefix="")
        if self.settings.out != "-":
            self.say(f"written to {self.settings.out}" + (f"; kept in {run.store}" if run.store else ""))

    def _late_lines(self) -> list[str]:
        from tidings.report.clock import Clock

        tally, clock = self.tally, Clock()
        if not tally.late_count:
            return []
        several = "they came" if tally.late_count > 1 else "it came"
        lines = [f"{_count(tally.late_count, 'document')} left out, because {several} too late:"]
        lines += [
            f"  {late.source}: document {late.ordinal} ({late.doc_id}) of {clock.iso(late.published_time)}, "
            f"expected {clock.iso(late.bound_time)} or later"
            for late in tally.late[:3]
        ]
        if tally.late_count > 3:
            lines.append(f"  … and {tally.late_count - 3:,} more; the store lists the first 1,000")
        return [*lines, "  raise --lateness, or sort the stream by time, and begin with --restart"]

    def _repeat_lines(self) -> list[str]:
        repeats = self.run.repeats
        if not repeats.count:
            return []
        examples = ", ".join(f"{doc_id} in {name}" for name, doc_id in repeats.examples)
        several = "documents have" if repeats.count > 1 else "document has"
        return [
            f"{repeats.count:,} {several} the id of another one, but other words ({examples}): "
            "their updates cannot be told apart by their ids; give each document its own"
        ]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
