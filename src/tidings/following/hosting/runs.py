"""Hosting a run: sources, system, store and output set up from its settings, and the stream followed to its end."""

from __future__ import annotations

import gc
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import msgspec

from tidings.core import (
    EntityRanking,
    Event,
    LateStreamError,
    Output,
    Problems,
    RunCard,
    Support,
    System,
    Update,
    UsageError,
    ValueUpdate,
)
from tidings.following.hosting.output import RunWriter, check_files, default_store
from tidings.following.hosting.settings import RunSettings, absolute_name
from tidings.following.hosting.sources import Repeats, check_streams, choice_of, open_sources
from tidings.following.stream.loop import Tally, follow_stream
from tidings.following.systems.assembly import assemble
from tidings.following.systems.base import Understood
from tidings.following.systems.decider import Decider
from tidings.sources import Source

if TYPE_CHECKING:
    from tidings.core import StoredRun


_WITHOUT = ("unreadable", "timeout", "failed")


def judge_line(decider: Decider) -> str:
    """What came of the questions to the judge of a system, in words; "" where it has none."""
    if decider.judge is None:
        return ""
    counts = decider.judge.outcomes
    without = {name: counts[name] for name in _WITHOUT if counts.get(name)}
    words = f"{counts.get('yes', 0):,} yes, {counts.get('no', 0):,} no"
    if without:
        why = ", ".join(f"{count:,} {name}" for name, count in without.items())
        words += f", {sum(without.values()):,} without an answer ({why}); the last: {decider.judge.trouble}"
    asked = sum(counts.values())
    return f"the judge was asked about {asked:,} sentence{'' if asked == 1 else 's'}: {words}"


_PATIENCE_S = 0.5
"""How long a border may be away: with what unwinding takes, a signal is heeded within a second."""


class Interrupt:
    """Ctrl-C and SIGTERM ask to stop at the next border; a second one stops at once.

    Where no border comes within half a second (many events are set up, or a long document is decided on), the work is
    stopped in its middle by a KeyboardInterrupt; what was committed stays. An engine that stops its own work
    is `unhurried`: it is left the time it needs.

    >>> interrupt = Interrupt()
    >>> interrupt()
    False
    """

    def __init__(self, *, unhurried: bool = False) -> None:
        self._unhurried = unhurried
        self._asked = self._heeded = False
        self._alarm_before: Any = None

    def __call__(self) -> bool:
        """Whether someone asked to stop; who asks this then does so."""
        self._heeded = self._asked
        return self._asked

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        if not self._unhurried and hasattr(signal, "setitimer"):
            self._alarm_before = signal.signal(signal.SIGALRM, self._lose_patience)
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE_S)

    def _lose_patience(self, number: int, frame: FrameType | None) -> None:
        if not self._heeded:
            raise KeyboardInterrupt

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        """Take the signals while the block runs."""
        import threading

        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.signal(number, self._ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            if self._alarm_before is not None:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, self._alarm_before)
            for number, handler in before.items():
                signal.signal(number, handler)


LATE_SHARE = 0.05
"""The share of documents that may come too late; a stream of which more do is not in order, and is refused."""


@contextmanager
def host(
    settings: RunSettings,
    *,
    sources: Sequence[Source] | None = None,
    preview: Sequence[Source] | None = None,
    system: System | None = None,
    choice: str | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[HostedRun]:
    """Set up a run as its settings say; iterate over what the block is given to follow it.

    A run that was begun before goes on where it was stopped, unless the settings say `restart`.

    Args:
        settings: what is followed, by what, and where it goes.
        sources: instead of the settings' `streams`; the run remembers them by their names.
        preview: the same sources, to be looked at beforehand where the pace asks for their period; none of them may be
            one that `sources` then could not read any more. Without, `sources` are, unless they are live.
        system: instead of the settings' `system`; the run remembers its `spec`.
        choice: what the sources are, `pool` or `corpus`, where `streams` do not tell.
        stop: asked after every interval; True ends the iteration there, with what was decided kept.

    Raises:
        UsageError: the settings do not fit, or not to the run that is kept; StoreError: the store's.

    >>> from tidings.core.records import Document, Event
    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> stream = [Document(id="d1", published_time=60, text="A storm is near.")]
    >>> settings = RunSettings(events=(storm,), system="first:min_words=0")
    >>> with host(settings, sources=[Source("news", lambda: stream)]) as run:
    ...     [(now, [output.text for output in outputs]) for now, outputs in run]
    [(60, ['A storm is near.'])]
    """
    with ExitStack() as stack:
        stack.enter_context(_rare_collection())
        yield _set_up(stack, settings, sources, preview, system, choice, stop)


def _set_up(
    stack: ExitStack,
    settings: RunSettings,
    sources: Sequence[Source] | None,
    preview: Sequence[Source] | None,
    system: System | None,
    choice: str | None,
    stop: Callable[[], bool],
) -> HostedRun:
    from tidings.following.hosting.settings import know_period

    if not settings.events:
        raise UsageError("no events to follow (expected at least one)")
    decider = assemble(settings.system if system is None else system, about=settings.about)
    check_files(settings, decider)
    problems, repeats = Problems(lenient=settings.lenient), Repeats()
    if sources is None:
        check_streams(settings.streams)
        choice = choice_of(settings.streams) if choice is None else choice
        sources = open_sources(settings.streams, settings.pool, problems, settings.reading)
        # The same to be looked at beforehand: what is wrong in them is counted when they are followed.
        unsaid = Problems(lenient=settings.lenient)
        again = open_sources(settings.streams, settings.pool, unsaid, settings.reading)
        preview = [
            source if source.look is not None else other for source, other in zip(sources, again, strict=True)
        ]
    if not sources:
        raise UsageError("no streams to follow (expected at least one)")
    streams = settings.streams
    decider = know_period(
        decider, settings.events, sources if preview is None else preview, lateness_s=settings.lateness_s
    )
    settings = msgspec.structs.replace(
        settings, system=decider.spec, streams=tuple(source.name for source in sources)
    )
    card = RunCard(
        system=_as_text(decider.spec), model=decider.card, choice=choice or "", events=settings.events
    )
    if settings.support:
        decider = assemble(decider, support=True)
    hosted = HostedRun(settings, decider, card, problems, repeats, streams)
    hosted.begin(stack, [repeats.watch(source) for source in sources], stop)
    return hosted


class HostedRun:
    """A run that is set up: iterate over it once, to follow it; each step is (now, outputs), given when it is kept.

    `settings` are those given, with the system's whole spec and the sources' names; `streams` are those given, and
    `card` says where the run comes from. `tally` counts as it goes and says at the end whether the run is `complete`;
    `problems` are the bad lines skipped, `repeats` the ids that several documents share. `was_finished` says that the
    run had been followed to its end before, and `store` where it is kept, in words (empty where it is not). `emitted`
    counts the outputs in all, those of earlier attempts included, but for what supports them; `values` and `rankings`
    (of a day's entities) those of them that are such.

    When the streams have been followed to their end, the last step writes `settings.out`, unless more than one in
    twenty documents came too late: then it raises LateStreamError, and the store alone keeps what was decided.
    """

    def __init__(
        self,
        settings: RunSettings,
        system: Decider,
        card: RunCard,
        problems: Problems,
        repeats: Repeats,
        streams: Sequence[str],
    ) -> None:
        self.settings, self.system, self.card, self.streams = settings, system, card, streams
        self.problems, self.repeats = problems, repeats
        self.tally = Tally()
        self.was_finished = False
        self.store = ""
        self.emitted = self.values = self.rankings = 0
        self._run: StoredRun | None = None
        self._steps: Iterator[tuple[int, Sequence[Output]]] = iter(())
        self._writer = RunWriter(settings, card)

    def begin(self, stack: ExitStack, sources: Sequence[Source], stop: Callable[[], bool]) -> None:
        """Begin the run in its store, or take it up; called by `host`."""
        settings = self.settings
        self._run = self._begin(stack)
        self._steps = iter(
            follow_stream(
                sources,
                settings.events,
                self.system,
                self._run,
                interval_s=settings.interval_s,
                lateness_s=settings.lateness_s,
                mixed=settings.mixed,
                tally=self.tally,
                stop=stop,
                check_end=self._check_any,
            )
        )
        if self._run is not None:
            self.emitted = self._run.emitted - self._run.counts.get("support", 0)
            self.values = self._run.counts.get("value", 0)
            self.rankings = self._run.counts.get("entities", 0)

    def _begin(self, stack: ExitStack) -> StoredRun | None:
        settings = self.settings
        place = settings.store or default_store(settings.out)
        lasting = bool(place)
        if not place:
            if settings.out in ("", "-"):
                self.system = self.system.answering(None)
                return None  # what is given at once need not be kept
            place = stack.enter_context(tempfile.TemporaryDirectory(prefix="tidings-")) + "/run.db"
        from tidings.core import StoredAnswers, open_store

        keeper = stack.enter_context(open_store(place))
        name = settings.name or (
            absolute_name(settings.out or "run") if settings.store else Path(settings.out).name
        )
        run = stack.enter_context(
            keeper.begin(
                name,
                self._in_words(),
                events=settings.events,
                card=self.card,
                restart=settings.restart,
            )
        )
        self.was_finished = run.load().finished
        self.system = self.system.answering(StoredAnswers(keeper, run.created_time))
        self.store = str(keeper) if lasting else ""
        return run

    def _in_words(self) -> dict[str, str]:
        """The settings, and which weights decided: those that come along change from version to version."""
        model = self.card.model
        return self.settings.in_words() | (
            {"model": model.digest} if model is not None and model.digest else {}
        )

    def outputs(self) -> Iterator[Output]:
        """Everything that the run gave so far, in the order in which it was decided, as its store keeps it.

        Raises UsageError where no store was asked for.
        """
        if self._run is None:
            raise UsageError("a run that is not kept (expected settings with a store)")
        return (output for _, output in self._run.outputs())

    def understood(self, most: int) -> Iterator[tuple[Event, Understood]]:
        """How the first `most` events are understood, in words of their updates, where the run is kept and says so."""
        states = {} if self._run is None else self._run.load().states
        for event in [event for event in self.settings.events if event.id in states][:most]:
            found = self.system.understood(event, states[event.id])
            if found is not None:
                texts = (
                    one.text for one in self.outputs() if isinstance(one, Update) and one.event_id == event.id
                )
                yield event, found.in_words(chain([event.query], texts))

    def __iter__(self) -> Iterator[tuple[int, Sequence[Output]]]:
        printed = self.settings.out == "-"
        if printed:
            self._writer.begin_printing(self.outputs() if self._run is not None else ())
        for now, outputs in self._steps:
            self.emitted += sum(not isinstance(output, Support) for output in outputs)
            self.values += sum(isinstance(output, ValueUpdate) for output in outputs)
            self.rankings += sum(isinstance(output, EntityRanking) for output in outputs)
            if printed:
                self._writer.print(outputs)
            yield now, outputs
        if not self.tally.complete:
            return
        self._check_order()
        if self.settings.out and not printed:
            self._writer.write(self.outputs())

    def write_so_far(self) -> None:
        """Write `settings.out` as of now, of a run that was stopped and goes on later."""
        if self.settings.out not in ("", "-") and self._run is not None:
            self._writer.write(self.outputs())

    def _check_any(self) -> None:
        # A file may still be empty; a pipe that gave nothing is that of a command that failed.
        tally, live = self.tally, "-" in self.settings.streams
        if live and not (
            tally.documents or tally.skipped or tally.late_count or self.emitted or self.was_finished
        ):
            if self.problems.count:
                return
            raise UsageError(
                "-: no document on standard input (expected documents, one a line); "
                "check the command before the pipe"
            )

    def _check_order(self) -> None:
        tally = self.tally
        read = tally.late_count + tally.skipped + tally.documents
        if tally.late_count <= LATE_SHARE * read:
            return
        first = ""
        if tally.late:
            late = tally.late[0]
            first = f"; the first is document {late.ordinal} ({late.doc_id}) of {late.source}"
        raise LateStreamError(
            f"{tally.late_count:,} of {read:,} documents came too late, expected at most {LATE_SHARE:.0%}: "
            f"the stream is not in the order of its times{first}; sort it by published_time, or raise --lateness, "
            "and start over with --restart"
        )


def _as_text(words: str) -> str:
    # A path in an option may hold bytes that are no text.
    return words.encode("utf-8", "backslashreplace").decode()


@contextmanager
def _rare_collection() -> Iterator[None]:
    """Look for cyclic garbage seldom: records make none, and looking costs a sixth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
