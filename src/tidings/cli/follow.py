"""`tidings follow`: follow events through streams and write down what is new."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tidings.cli.output import say

if TYPE_CHECKING:
    from tidings.errors import Problems
    from tidings.records import Event, Update
    from tidings.store import StoredRun
    from tidings.stream import Tally

__all__ = ["DEFAULT_SYSTEM", "register"]

DEFAULT_SYSTEM = "tidings"


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
    query: Annotated[str | None, typer.Option(help="Follow what these words are about.")] = None,
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
    from tidings.cli import following
    from tidings.errors import InterruptedRunError, Problems
    from tidings.records import Update
    from tidings.store import open_store
    from tidings.stream import Tally, format_duration, parse_duration, parse_interval
    from tidings.stream import follow as follow_stream
    from tidings.systems import make, spec_of

    began = perf_counter()
    interrupt = following.Interrupt()
    with ExitStack() as stack:
        stack.enter_context(interrupt.watching())
        stack.enter_context(following.rare_collection())
        chosen = following.choose(event, query, start, end, streams)
        following.check_pool(pool)
        following.check_streams(streams)
        following.check_out(out, streams, store)
        decider = make(system)
        interval_s, lateness_s = parse_interval(interval), parse_duration(lateness, "lateness")
        problems = Problems(lenient=lenient)
        settings = {
            "system": spec_of(decider),
            "events": following.describe_events(chosen),
            "streams": ", ".join(following.resolve(stream) for stream in streams),
            "interval": format_duration(interval_s) if interval_s else "document",
            "lateness": format_duration(lateness_s),
            "mixed": "yes" if mixed else "no",
            "pool": pool,
            "lenient": "yes" if lenient else "no",
        }
        kept = following.default_store(out) if store is None else store
        lasting = kept is not None
        if kept is None:
            kept = stack.enter_context(tempfile.TemporaryDirectory(prefix="tidings-")) + "/run.db"
        name = following.resolve(out) if store is not None else Path(out).name
        keeper = stack.enter_context(open_store(kept))
        run = stack.enter_context(keeper.begin(name, settings, restart=restart))
        begun = run.load()
        tally = Tally()
        write = following.Writer(out, team, run_name or "_".join(spec_of(decider).split()), form)
        report = _Report(tally, chosen, quiet, began, mixed=mixed)
        report.begin(begun.finished, run.told)
        if out == "-":
            write.pass_on(run.updates())
        with report.showing(show, out) as shown:
            for _, outputs in follow_stream(
                [following.open_source(stream, pool, problems) for stream in streams],
                chosen,
                decider,
                run,
                interval_s=interval_s,
                lateness_s=lateness_s,
                mixed=mixed,
                tally=tally,
                stop=interrupt,
            ):
                updates = [output for output in outputs if isinstance(output, Update)]
                if out == "-":
                    write.pass_on(updates)
                if shown is not None:
                    shown(updates)
        if not tally.complete:
            raise InterruptedRunError(report.interrupted(run.told, lasting))
        if out != "-":
            write.whole(run.updates())
        report.end(run, out, str(keeper) if lasting else "", problems)


class _Report:
    """Everything that is said on stderr and shown on stdout."""

    def __init__(
        self, tally: Tally, events: Sequence[Event], quiet: bool, began: float, *, mixed: bool = False
    ) -> None:
        self.tally, self.events, self.quiet, self.began = tally, events, quiet, began
        self.mixed = mixed

    def say(self, line: str) -> None:
        if not self.quiet:
            say(line, prefix="")

    def begin(self, finished: bool, told: int) -> None:
        if finished:
            self.say(
                f"this run is finished ({_count(told, 'update')}): looking for anything new in its streams"
            )
        elif told or self.tally.skipped:
            self.say(f"going on with this run, after {_count(told, 'update')}")

    @contextmanager
    def showing(self, show: bool | None, out: str) -> Iterator[Callable[[list[Update]], None] | None]:
        """A progress line on stderr, and what prints updates on stdout; each where there is a terminal."""
        import sys

        if show is None:
            show = sys.stdout.isatty() and out != "-" and not self.quiet
        printer = self._printer() if show else None
        if self.quiet or not sys.stderr.isatty():
            yield printer
            return
        from tidings.cli.progress import following_progress

        with following_progress(self.tally):
            yield printer

    def _printer(self) -> Callable[[list[Update]], None]:
        from rich.console import Console

        from tidings.report.terminal import LiveTimeline

        timeline = LiveTimeline(Console(), names_events=len(self.events) > 1)
        by_id = {event.id: event for event in self.events}

        def show(updates: list[Update]) -> None:
            for update in updates:
                timeline.show(by_id[update.event_id], update)

        return show

    def interrupted(self, told: int, kept: bool) -> str:
        from tidings.report.clock import Clock

        tally = self.tally
        where = f", at {Clock().moment(tally.time)} of the stream" if tally.time is not None else ""
        more = "the same command goes on from here" if kept else "nothing is kept without --store"
        done = _count(tally.skipped + tally.documents, "document")
        return f"stopped after {done}{where}, {_count(told, 'update')}; {more}"

    def end(self, run: StoredRun, out: str, kept: str, problems: Problems) -> None:
        tally = self.tally
        took = perf_counter() - self.began
        before = f" ({tally.skipped:,} more were followed before)" if tally.skipped else ""
        self.say(
            f"{_count(tally.documents, 'document')}{before}, {_count(tally.sentences, 'sentence')} in {took:.1f} s "
            f"({tally.sentences / took:,.0f} sentences/s)"
        )
        counts = [f"{event_id} {count:,}" for event_id, count in tally.updates.items()][:30]
        self.say(
            f"{_count(run.told, 'update')}: {', '.join(counts)}" + (" in this part" if tally.skipped else "")
        )
        silent = [event.id for event in self.events if event.id not in tally.offered]
        if silent and tally.documents and not tally.skipped:
            pooled = (
                ", or its sentences were pooled for other events only (--mixed offers them to every event)"
            )
            self.say(
                f"nothing was offered to {', '.join(silent[:10])}: no document is of their time"
                + ("" if self.mixed else pooled)
            )
        for line in self._late_lines():
            say(line, prefix="")
        if problems.count:
            say(problems.summary(), prefix="")
        if out != "-":
            self.say(f"written to {out}" + (f"; kept in {kept}" if kept else ""))

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


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
