"""`tidings.follow`: events followed through documents, by the system that a caller names, outputs as they come."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from tidings.core import (
    Document,
    EntityRanking,
    Event,
    LateStreamError,
    Output,
    Problems,
    Run,
    RunCard,
    Support,
    System,
    TidingsError,
    Update,
    ValueUpdate,
    document_call,
    fill_defaults,
    format_duration,
)
from tidings.following.hosting.output import run_name_of
from tidings.following.hosting.settings import absolute_name, choose_pace, know_period
from tidings.following.hosting.sources import is_live, open_source
from tidings.following.library.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    Duration,
    as_duration,
    as_interval,
    as_reading_options,
    kind_of,
)
from tidings.following.library.documents import Documents, as_documents, as_events
from tidings.following.run_options import FollowOptions, RunOptions, TrackerOptions
from tidings.following.stream.loop import Tally, follow_stream
from tidings.following.systems.assembly import assemble
from tidings.following.systems.decider import Decider
from tidings.following.systems.registry import make, with_option, with_terms
from tidings.sources import Source

if TYPE_CHECKING:
    from tidings.core import ReadingOptions
    from tidings.following.hosting.settings import RunSettings


def as_system(system: str | System) -> System:
    """A system, from its name with options (`cosine:similarity=0.4`), or as it is.

    Raises:
        UsageError: no such system or option.
        ArgumentTypeError: neither text nor a system; a class of systems, where one made of it is meant.

    >>> as_system("first").name
    'first'
    >>> as_system(3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentTypeError: system: an int (expected a name such as ...)
    """
    if isinstance(system, str):
        return make(system)
    if isinstance(system, type):
        raise ArgumentTypeError(
            f"system: the class {system.__name__} (expected a system such as {system.__name__}())"
        )
    if not isinstance(system, System):
        raise ArgumentTypeError(f'system: {kind_of(system)} (expected a name such as "tidings", or a system)')
    return system


def at_pace(
    system: str | System,
    about: object,
    wait: Duration | None = None,
    story_terms: str | None = None,
    *,
    on_the_spot: bool,
) -> Decider:
    """The system at the pace that a caller asks for; on the spot, of a query, at the usual one where nothing is said.

    With `wait` what is new waits so long for its best wording; `story_terms` are words of the story, added and struck.

    Raises:
        ArgumentTypeError: the pace is neither text nor a number; the wait is no length of time; and what `as_system`
            raises.
        ArgumentValueError: a wait, or terms, for a system that is made already.
        UsageError: no pace, or the system has another one; it cannot wait.

    >>> at_pace("cosine", 30, on_the_spot=True).spec, at_pace("tidings", None, on_the_spot=True).spec
    ('cosine:about=30', 'tidings:about=up to 40/day')
    >>> at_pace("tidings", "free", "2h", on_the_spot=True).spec
    'tidings:wait=2h'
    """
    if isinstance(about, bool) or not isinstance(about, str | int | float | None):
        raise ArgumentTypeError(f'about: {kind_of(about)} (expected a pace such as "10/day", or 30)')
    said = None if about is None else str(about)
    if story_terms is not None and not isinstance(story_terms, str):
        raise ArgumentTypeError(
            f'story_terms: {kind_of(story_terms)} (expected words such as "enron -energy")'
        )
    chosen = system
    for option, value, example in (("wait", wait, "2h"), ("story_terms", story_terms, "enron")):
        if value and not isinstance(system, str):
            with_it = f'make("tidings:{option}={example}")'
            raise ArgumentValueError(
                f"{option}: given with a system object (expected a name); put it into the system: {with_it}"
            )
    if story_terms:
        chosen = with_terms(str(chosen), story_terms)
    if wait:
        chosen = with_option(str(chosen), "wait", format_duration(as_duration(wait, "wait")))
    return assemble(as_system(chosen), about=choose_pace(said, system, on_the_spot=on_the_spot))


class OutputStream(Iterator[Output]):
    """The outputs of a run, each available as soon as it is decided. Can be iterated over once.

    Attributes:
        events: what is followed.
        system: the system with its options, as `system=` takes it.
        tally: running counts of documents, sentences and late documents, and the stream's time.

    `close()` ends the run early; a store keeps what it has by then.
    """

    def __init__(
        self, outputs: Callable[[OutputStream], Iterator[Output]], events: Sequence[Event], card: RunCard
    ) -> None:
        self.events = tuple(events)
        self.system = card.system
        self.tally = Tally()
        self._card = card
        self._outputs = outputs(self)

    def __next__(self) -> Output:
        return next(self._outputs)

    def __repr__(self) -> str:
        ids = ", ".join(event.id for event in self.events[:3]) + (", …" if len(self.events) > 3 else "")
        return f"<OutputStream of {self.system!r} on {ids}: {self.tally.documents:,} documents so far>"

    def close(self) -> None:
        """End the run."""
        close = getattr(self._outputs, "close", None)
        if close is not None:
            close()

    def to_run(self, name: str = "", team: str = "") -> Run:
        """Collect the remaining outputs into a run that records where it comes from. `name` defaults to the system's
        name.

        >>> from tidings import Document
        >>> documents = [Document(id="d", published_time=60, text="A storm is near.")]
        >>> stream = follow(documents, query="storm", system="first")
        >>> stream.to_run("mine").updates[0].text
        'A storm is near.'
        """
        outputs = list(self)
        return Run(
            team,
            name or run_name_of(self.system),
            tuple(output for output in outputs if isinstance(output, Update)),
            self._card,
            tuple(output for output in outputs if isinstance(output, ValueUpdate)),
            tuple(output for output in outputs if isinstance(output, EntityRanking)),
            tuple(output for output in outputs if isinstance(output, Support)),
        )


@document_call(RunOptions, "library")
def follow(documents: Documents, **options: Unpack[FollowOptions]) -> OutputStream:
    """Follow events through documents and return updates as they are decided.

    Args:
        documents: an iterable of `Document` records or dicts (`id`, `published_time`, and `text` or `sentences`;
            `title`, `source` and `url` are optional); a table of pandas, Polars or Arrow with such columns; or the
            path of a stream, a feed, a page, a table (CSV, JSON, …), an archive, or a folder of these. Documents must
            come roughly in order of time (see `lateness`); files may be in any order.
        {options}

    Returns:
        An iterator over the outputs in the order in which they were decided: `Update`s, and whatever else the system
        emits. Its `to_run()` collects the remaining outputs into a `Run` that can be scored. Reading begins when the
        first output is requested.

    Raises:
        ArgumentTypeError (a TypeError), ArgumentValueError (a ValueError): an argument is invalid. Raised by the call
            itself, except for documents of an iterator, which are checked when they are reached.
        UsageError: there is no such system or option. FollowerError: the system failed. StoreError: the store failed.
        LateStreamError: more than one document in twenty arrived too late. Raised after the last output.

    All of these are `TidingsError`s. If your program receives documents one by one, use `Tracker`.

    >>> from datetime import datetime, timezone
    >>> noon = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)
    >>> documents = [
    ...     {"id": "a", "published_time": 1714550400, "text": "Fire breaks out on a ferry near the port."},
    ...     {"id": "b", "published_time": "2024-05-01T08:05:00Z", "text": "It is sunny."},
    ...     {"id": "c", "published_time": noon, "text": "Divers found two people in the wreck of the ferry."},
    ... ]
    >>> for update in follow(documents, query="ferry", system="cosine"):
    ...     print(update.time, update.text)
    1714550400 Fire breaks out on a ferry near the port.
    1714564800 Divers found two people in the wreck of the ferry.
    >>> follow(documents)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentTypeError: neither query nor events (expected one): ...
    """
    given: RunOptions = fill_defaults(RunOptions, "library", options, "follow")  # type: ignore[assignment]
    chosen = events_of(given)
    decider = decider_of(given)
    read = as_documents(documents, reading=given["reading"], query=given["query"])
    understood = as_reading_options(given["reading"])
    interval_s, lateness_s = as_interval(given["interval"]), as_duration(given["lateness"], "lateness")
    card = RunCard(system=decider.spec, model=decider.card, events=tuple(chosen))
    source, once = _source_of(documents, read, understood)
    preview = [replace(source, live=once)]
    store = given["store"]
    if store is None:
        return OutputStream(
            lambda stream: _in_order(
                lambda: follow_stream(
                    [source],
                    chosen,
                    know_period(decider, chosen, preview, lateness_s=lateness_s),
                    interval_s=interval_s,
                    lateness_s=lateness_s,
                    mixed=given["mixed"],
                    tally=stream.tally,
                ),
                stream.tally,
            ),
            chosen,
            card,
        )
    from tidings.following.hosting.settings import RunSettings

    if not isinstance(store, str | os.PathLike):
        raise ArgumentTypeError(f"store: {kind_of(store)} (expected the path or URL of a database)")
    settings = RunSettings(
        events=tuple(chosen),
        interval_s=interval_s,
        lateness_s=lateness_s,
        mixed=given["mixed"],
        store=os.fspath(store),
        name=given["name"],
        restart=given["restart"],
        reading=understood,
    )
    return OutputStream(
        lambda stream: _keep(stream, settings, source, preview, decider),
        chosen,
        card,
    )


def events_of(options: TrackerOptions) -> list[Event]:
    """The events that a call asks for."""
    return as_events(
        options["query"],
        options["events"],
        options["title"],
        options["start"],
        options["end"],
        options["reading"],
    )


def decider_of(options: TrackerOptions) -> Decider:
    """The system that a call asks for, at its pace."""
    on_the_spot = options["query"] is not None and options["events"] is None
    return at_pace(
        options["system"], options["about"], options["wait"], options["story_terms"], on_the_spot=on_the_spot
    )


def _source_of(
    documents: Documents, read: Iterable[Document], reading: ReadingOptions
) -> tuple[Source, bool]:
    """Where the documents come from, and whether they can be gone through only once."""
    if not isinstance(documents, str | os.PathLike):
        return Source("documents", lambda: read), isinstance(documents, Iterator)
    path = os.fspath(documents)
    if is_live(path):
        return Source(absolute_name(path), lambda: read), True
    return open_source(path, "sampled", Problems(), reading), False


def _outputs(steps: Iterable[tuple[int, Sequence[Output]]]) -> Iterator[Output]:
    for _, decided in steps:
        yield from decided


def _in_order(steps: Callable[[], Iterable[tuple[int, Sequence[Output]]]], tally: Tally) -> Iterator[Output]:
    from tidings.following.hosting.runs import LATE_SHARE

    yield from _outputs(steps())
    number = tally.late_count + tally.documents
    if tally.late_count > LATE_SHARE * number:
        raise LateStreamError(
            f"documents: {tally.late_count:,} of {number:,} came too late, expected at most {LATE_SHARE:.0%}: they are "
            "not in the order of their times; sort them by published_time, or give a longer lateness"
        )


def _keep(
    stream: OutputStream, settings: RunSettings, source: Source, preview: Sequence[Source], decider: Decider
) -> Iterator[Output]:
    from tidings.following.hosting.runs import host

    try:
        with host(settings, sources=[source], preview=preview, system=decider, choice="") as run:
            stream.tally = run.tally
            yield from run.outputs()
            yield from _outputs(run)
    except TidingsError as error:
        error.args = tuple(map(_in_arguments, error.args))
        raise


def _in_arguments(said: object) -> object:
    """Words that name options of the command line, naming this function's arguments."""
    if not isinstance(said, str):
        return said
    for option, argument in (
        ("--restart", "restart=True"),
        ("--lateness", "lateness="),
        ("another --out", "another store="),
        ("--store", "store="),
    ):
        said = said.replace(option, argument)
    return said
