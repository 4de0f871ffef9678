"""`tidings demo`: the bundled event followed, shown, scored and put on a page, in a quarter of a minute."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from tidings.core import described
from tidings.following import DEFAULT_SYSTEM

if TYPE_CHECKING:
    from rich.console import Console

    from tidings.core import Document, Event, Output, System
    from tidings.following import LiveTimeline, Tally, TimelineReport

EVENT = "santiago-2013"
RULES = "trec-2014"
RUN_FILE = "run.jsonl"
PACED_S = 8.0
"""How long the unfolding takes on a terminal; in a pipe, or with --fast, it takes what it takes."""


@described(__file__)
def demo(
    system: str = DEFAULT_SYSTEM,
    out: Path = Path("demo-out"),
    show_page: bool = True,
    fast: bool = False,
) -> None:
    """Follow the bundled event, watch its timeline unfold, and see how it scores."""
    from rich.console import Console

    from tidings.core import EntityRanking, Run, Support, Update, UsageError, ValueUpdate
    from tidings.evaluation.measures import prepare
    from tidings.evaluation.report.page import save_page
    from tidings.evaluation.report.verdicts import judge
    from tidings.following import build_timeline, make
    from tidings.sources import bundled, read_events, read_judgments, read_stream

    decider = make(system)
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out}: this is a file, not a folder; choose another with --out")
    page = out / f"{EVENT}.html"
    _spare_inputs(out, page, bundled.path(EVENT), decider)
    out.mkdir(parents=True, exist_ok=True)
    folder = _copy(bundled.path(EVENT), out / EVENT)
    event = read_events(folder)[0]
    documents = list(read_stream(folder))

    console = Console(highlight=False)
    _open(console, event, documents, decider.spec)
    paced = console.is_terminal and not fast
    outputs, tally = follow_event(console, event, documents, decider, out, PACED_S if paced else 0.0)
    updates = [output for output in outputs if isinstance(output, Update)]

    with console.status("scoring, and drawing the page") if console.is_terminal else nullcontext():
        judgments = read_judgments(folder)
        shown = build_timeline(
            event,
            updates,
            system=decider.spec,
            values=[output for output in outputs if isinstance(output, ValueUpdate)],
            supports=[output for output in outputs if isinstance(output, Support)],
            rankings=[output for output in outputs if isinstance(output, EntityRanking)],
        )
        shown = judge(
            shown, Run("tidings", decider.name, tuple(updates)), judgments, prepare(judgments, RULES)
        )
        save_page(shown, str(page))
    _close(console, shown, documents, tally, folder, out / RUN_FILE, page, _learns_from(decider, event))
    from tidings.core import has_desktop

    if show_page and console.is_terminal and has_desktop():
        import webbrowser

        webbrowser.open(page.absolute().as_uri())


def follow_event(
    console: Console, event: Event, documents: Sequence[Document], system: System, out: Path, paced_s: float
) -> tuple[list[Output], Tally]:
    """Follow the event and its values, printing as they are decided; leave run.jsonl and run.db in the folder `out`.

    With `paced_s` the documents come over about so many seconds, else at once; the updates are the same.
    """
    from tidings.core import Update, ValueUpdate
    from tidings.following import (
        LiveTimeline,
        RunSettings,
        as_it_comes,
        assemble,
        host,
        show_value,
    )
    from tidings.sources import Source

    live = LiveTimeline(console, reads_casualties=False)  # what is reported is tracked
    if paced_s:
        source = Source(EVENT, lambda: as_it_comes(lambda: _pace(documents, paced_s)), live=True)
    else:
        source = Source(EVENT, lambda: documents)
    settings = RunSettings(
        events=(event,),
        out=str(out / RUN_FILE),
        run_name=system.name,
        store=str(out / "run.db"),
        name="demo",
        support=True,
        restart=True,
    )
    tracked = assemble(system, values=True, entities=True)
    with host(settings, sources=[source], system=tracked, choice="corpus") as run:
        progress = _progress(console, run.tally, len(documents), live, event) if paced_s else nullcontext()
        with progress:
            for _, outputs in run:
                for output in outputs:
                    if isinstance(output, Update):
                        live.show(event, output)
                    elif isinstance(output, ValueUpdate):
                        show_value(console, None, output)
        return list(run.outputs()), run.tally


def _pace(documents: Sequence[Document], paced_s: float) -> Iterator[Document]:
    """The documents over about `paced_s` seconds, with longer waits where the stream was silent for long."""
    from time import sleep

    times = [document.published_time for document in documents]
    weights = [1 + 4 * min(max(after - before, 0) / 7200, 1) for before, after in pairwise(times)]
    unit = paced_s / max(sum(weights), 1)
    for document, weight in zip(documents, [0, *weights], strict=True):
        sleep(weight * unit)
        yield document


@contextmanager
def _progress(
    console: Console, tally: Tally, documents: int, live: LiveTimeline, event: Event
) -> Iterator[None]:
    """A line below the timeline: how far the stream is, its clock, and the toll so far."""
    from rich.progress import BarColumn, Progress, ProgressColumn, Task
    from rich.table import Column
    from rich.text import Text

    from tidings.core import Clock

    clock = Clock()

    class Where(ProgressColumn):
        """The stream's clock and what stands, read from the tally at every refresh."""

        def render(self, task: Task) -> Text:
            """One line; it also moves the bar along."""
            task.completed = tally.documents
            emitted = sum(list(tally.updates.values()))
            at = f"{clock.short_day(tally.time)} {clock.hour(tally.time)}" if tally.time is not None else ""
            parts = [
                at,
                f"{tally.documents} of {documents} documents",
                f"{emitted} update{'s' if emitted != 1 else ''}",
            ]
            parts += [words for _, words in live.casualties(event).words()]
            return Text(" · ".join(part for part in parts if part), "dim")

    bar = BarColumn(18, complete_style="cyan", finished_style="cyan")
    with Progress(
        Where(table_column=Column(no_wrap=True)), bar, console=console, transient=True, refresh_per_second=12
    ) as progress:
        progress.add_task("following", total=documents)
        yield


def _open(console: Console, event: Event, documents: Sequence[Document], system: str) -> None:
    from rich.text import Text

    from tidings.core import Clock

    clock = Clock()
    outlets = len({document.source for document in documents})
    console.print()
    console.print(Text(event.title, "bold"))
    if event.start_time is not None and event.end_time is not None:
        period = f"{clock.moment(event.start_time)} – {clock.moment(event.end_time)} · times are UTC"
        console.print(Text(period, "dim"))
    console.print()
    console.print(
        f"{len(documents)} short documents by {outlets} outlets, in the order in which they came: a real event, retold "
        "in our own words by outlets that are invented. After each document the system",
        Text(system, "bold"),
        "decides which of its sentences, if any, are news. This is what its reader sees:",
    )


def _close(
    console: Console,
    shown: TimelineReport,
    documents: Sequence[Document],
    tally: Tally,
    folder: Path,
    run_file: Path,
    page: Path,
    learned: bool,
) -> None:
    from shlex import quote

    from rich.rule import Rule
    from rich.text import Text

    from tidings.core import Clock, duration_words
    from tidings.following import print_headlines

    read = sum(_words(document) for document in documents)
    update_words = sum(len(entry.text.split()) for entry in shown.entries)
    console.print()
    console.print(Rule("The result", align="left", style="dim"), width=min(console.width, 108))
    console.print(
        f"{len(documents)} documents became {len(shown.entries)} updates: {update_words:,} words to read instead of "
        f"{read:,}. "
        f"{len(shown.covered)} of the {len(shown.nuggets)} facts (nuggets) that a language model marked are among them."
    )
    for late in tally.late:
        console.print(
            f"One document was left out: published at {Clock().hour(late.published_time)}, it came "
            f"{duration_words(late.bound_time - late.published_time)} after the stream had moved on.",
            style="dim",
        )
    console.print()
    print_headlines(console, shown)
    if learned:
        console.print(
            f"{shown.system} learned from this event, among others: its score here is not a fair test.",
            style="dim",
        )
    console.print()
    console.print(
        Rule("Results, and what to try next", align="left", style="dim"), width=min(console.width, 108)
    )
    run, event = quote(str(run_file)), quote(str(folder))
    tidings = program()
    steps = (
        ("the page, with charts and every nugget", str(page)),
        ("the timeline again, with the gain of each update", f"{tidings} timeline {run} --judgments {event}"),
        ("all scores", f"{tidings} score {run} --judgments {event}"),
        ("another system, one without training", f"{tidings} demo --system cosine"),
        ("all systems", f"{tidings} systems"),
        ("an event of your own", f"{tidings} follow {event} --query 'train driver court' --out mine.jsonl"),
    )
    for words, command in steps:
        console.print(Text(f"  {words}", "dim"))
        console.print(Text(f"    {command}", "bold"), soft_wrap=True)


def _learns_from(system: System, event: Event) -> bool:
    """Whether the model of the system, if it has one, has learned from this event or was stopped by it."""
    return system.card is not None and any(event.id in data.events for data in system.card.data)


def program() -> str:
    """How this command line is called: `tidings` where the shell finds it, else the path that was given."""
    from shlex import quote
    from shutil import which

    given = sys.argv[0]
    return quote(given) if Path(given).name == "tidings" and which("tidings") is None else "tidings"


def _words(document: Document) -> int:
    texts = [sentence.text for sentence in document.sentences] or [document.text]
    return sum(len(text.split()) for text in texts)


def _spare_inputs(out: Path, page: Path, event: Path, system: System) -> None:
    """Raise UsageError where what the demo writes would replace the bundled event, or a model that is asked for."""
    from tidings.core import refuse_overwriting
    from tidings.following import option_files

    written = {path.name: out / EVENT / path.name for path in sorted(event.iterdir())}
    written |= {"the run": out / RUN_FILE, "the store": out / "run.db", "the page": page}
    refuse_overwriting(
        {f"{name} of --out": path for name, path in written.items()},
        {"the bundled event": [event], "a model of the system": list(option_files(system))},
    )


def _copy(source: Path, target: Path) -> Path:
    """The event's files beside the run, where they can be looked at and used by the next commands."""
    from tidings.core import write_bytes

    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir()):
        if path.suffix in {".json", ".jsonl"}:
            write_bytes(str(target / path.name), path.read_bytes())
    return target
