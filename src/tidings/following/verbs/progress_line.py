"""A line of progress on stderr while a stream is followed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.following.stream.loop import Tally
    from tidings.sources import PollingStatus, Reading


_PATIENCE_S = 2.0  # before a line of progress is shown


def how_far(tally: Tally) -> tuple[str, int, int]:
    """What is being done (empty: documents are decided on), for how many it is done, and of how many (0: unknown).

    >>> from tidings.following.stream.loop import Tally
    >>> how_far(Tally(documents=7, skipped=2))
    ('', 9, 0)
    """
    for ordered in tally.sources:
        gathered = ordered.source.gathered
        if ordered.gathering:
            return "sorting", ordered.gathering, ordered.total
        if gathered is not None and not ordered.read and gathered():
            return "reading", gathered(), 0
    totals = [ordered.total for ordered in tally.sources]
    return "", tally.skipped + tally.documents, sum(totals) if all(totals) else 0


@contextmanager
def following_progress(tally: Tally) -> Iterator[None]:
    """Show documents, rate, stream time and updates of `tally` until the block is left."""
    from tidings.core import Clock, how_many

    clock, began = Clock(), perf_counter()

    def counts() -> str:
        doing, done, total = how_far(tally)
        documents = f"{done:,} of {total:,} documents" if total else f"{done:,} documents"
        if doing:
            return f"{doing}: {documents}"
        rate = tally.sentences / max(perf_counter() - began, 0.001)
        at = clock.moment(tally.time) if tally.time is not None else "…"
        updates = sum(list(tally.updates.values()))
        return f"{documents}  {how_many(round(rate), 'sentence')}/s  {how_many(updates, 'update')}  {at}"

    with line_progress(counts, lambda: how_far(tally)[1:]):
        yield


@contextmanager
def live_progress(tally: Tally, status: Callable[[], PollingStatus]) -> Iterator[None]:
    """Show feeds, the next request, documents and updates until the block is left."""
    from tidings.core import Clock

    clock = Clock()

    def counts() -> str:
        polled = status()
        failing = f", {len(polled.failing):,} failing" if polled.failing else ""
        due = f"next at {clock.moment(polled.next_time)}" if polled.next_time else "…"
        done, updates = tally.skipped + tally.documents, sum(list(tally.updates.values()))
        return f"{polled.feeds:,} feeds{failing}  {due}  {done:,} documents  {updates:,} updates"

    with line_progress(counts):
        yield


@contextmanager
def line_progress(
    line: Callable[[], str], share: Callable[[], tuple[int, int]] = lambda: (0, 0)
) -> Iterator[None]:
    """Show on stderr what `line` says, again and again until the block is left.

    Before it stands a bar where `share`, how much is done and of how much, knows the latter.
    """
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task
    from rich.text import Text

    class Bar(BarColumn):
        """How much of the whole is done."""

        def render(self, task: Task) -> RenderableType:  # type: ignore[override]
            """A bar, or nothing."""
            task.completed, task.total = share()
            return super().render(task) if task.total else Text("")

    class Counts(ProgressColumn):
        """The counts so far, asked for at every refresh."""

        def render(self, task: Task) -> Text:
            """One line."""
            return Text(line())

    console = Console(stderr=True)
    with Progress(
        SpinnerColumn(),
        Bar(bar_width=20),
        Counts(),
        console=console,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    ) as progress:
        progress.add_task("following", total=None)
        yield


@contextmanager
def steps_progress(words: str) -> Iterator[Callable[[int, int, str], None]]:
    """A bar on stderr, where that is a terminal, that is moved by calling with (done, total, words)."""
    if not sys.stderr.isatty():
        yield lambda done, total, said: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(words, total=None)

        def move(done: int, total: int, said: str) -> None:
            progress.update(task, completed=done, total=total or None, description=f"{words} {said}".strip())

        yield move


@contextmanager
def reading_progress(reading: Reading, *, quiet: bool) -> Iterator[None]:
    """Show on stderr, where that is a terminal, how many items were read, once this takes longer than a moment."""

    def counts() -> str:
        ordered = f", {reading.documents:,} documents in order" if reading.documents else ""
        return f"{reading.items:,} items read{ordered}"

    with _patient_progress(counts, quiet=quiet):
        yield


@contextmanager
def set_up_progress(*, quiet: bool) -> Iterator[Callable[[], None]]:
    """Show on stderr, where that is a terminal, that a run is set up, once this takes longer than a moment.

    Until what the block is given is called, or the block is left.
    """
    with _patient_progress(lambda: "setting up the run", quiet=quiet) as done:
        yield done


@contextmanager
def _patient_progress(line: Callable[[], str], *, quiet: bool) -> Iterator[Callable[[], None]]:
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from threading import Timer

    from rich.console import Console
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TimeElapsedColumn
    from rich.text import Text

    class Line(ProgressColumn):
        """What is said now, asked for at every refresh."""

        def render(self, task: Task) -> Text:
            """One line."""
            return Text(line())

    progress = Progress(
        SpinnerColumn(), Line(), TimeElapsedColumn(), console=Console(stderr=True), transient=True
    )
    progress.add_task("", total=None)
    waiting = Timer(_PATIENCE_S, progress.start)
    waiting.daemon = True
    waiting.start()

    def end() -> None:
        waiting.cancel()
        waiting.join()
        progress.stop()

    try:
        yield end
    finally:
        end()
