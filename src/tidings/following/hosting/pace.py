"""The pace of a run: what is asked for, what an event on the spot gets, and the period that a pace in all needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidings.core import Document, UsageError
from tidings.following.hosting import DEFAULT_PACE, DEFAULT_SYSTEM
from tidings.following.systems.pace import FREE, PacedSystem, needs_period, with_period
from tidings.following.systems.wrapped import WrappedSystem
from tidings.sources import Order

if TYPE_CHECKING:
    from tidings.core import Event, System
    from tidings.following.stream import Source

__all__ = ["choose_pace", "know_period", "period_of"]


def choose_pace(about: str | None, system: object, *, on_the_spot: bool) -> str:
    """The pace of a run, "" for none: the one asked for; where nothing is said, a limit for a query alone.

    Args:
        about: what was asked for: a pace, `free` for none, None where nothing was said.
        system: the system as it was named; one with options of its own keeps its own pace.
        on_the_spot: whether all events are queries, made for this run.

    >>> choose_pace(None, "tidings", on_the_spot=True), choose_pace("2/hour", "cosine", on_the_spot=False)
    ('up to 40/day', '2/hour')
    >>> choose_pace(None, "cosine", on_the_spot=True), choose_pace("free", "tidings", on_the_spot=True)
    ('', '')
    """
    if about is None:
        return DEFAULT_PACE if on_the_spot and system == DEFAULT_SYSTEM else ""
    if not about.strip():
        raise UsageError("found an empty pace, expected such as 10/day, 2/hour, 30 (in all), or free")
    return "" if about.strip().lower() == FREE else about


def know_period(
    system: System, events: Sequence[Event], sources: Sequence[Source], *, lateness_s: int = 0
) -> System:
    """The system, told the first and last time of the streams where its pace counts updates in all.

    Args:
        system: any; what is at no such pace is given back as it is.
        events: what it is to follow.
        sources: the streams; where all of them can be read twice they are read here, for their times alone.
        lateness_s: how much out of order they may be; a source that is looked ahead so need not be again.

    Raises:
        UsageError: an event has no period, and the streams give none.

    >>> from tidings.core.records import Event
    >>> from tidings.following.systems import make
    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> know_period(make("cosine:about=30"), [storm], [])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: found a pace of 30 updates in all for event 'storm', whose period is not ...
    """
    if not needs_period(system):
        return system
    period = period_of(sources, lateness_s=lateness_s)
    if period is not None:
        system = with_period(system, *period)
    _check_periods(system, events)
    return system


def period_of(sources: Sequence[Source], *, lateness_s: int = 0) -> tuple[int, int] | None:
    """The first and last time of streams, all of which can be read twice; None where that is not so, or they are empty.

    >>> from tidings.following.stream import Source
    >>> period_of([Source("news", lambda: [Document(id="d", published_time=60)])])
    (60, 60)
    """
    if any(source.live for source in sources):
        return None
    times = [time for source in sources if (time := _period(source, lateness_s)) is not None]
    return (min(first for first, _ in times), max(last for _, last in times)) if times else None


def _period(source: Source, lateness_s: int) -> tuple[int, int] | None:
    ahead = source.look(Order(lateness_s=lateness_s)) if source.look is not None else None
    if ahead is not None:
        return (
            None
            if ahead.first_time is None or ahead.last_time is None
            else (ahead.first_time, ahead.last_time)
        )
    first = last = None
    for document in source.open():
        if isinstance(document, Document):
            time = document.published_time
            first = time if first is None else min(first, time)
            last = time if last is None else max(last, time)
    return None if first is None or last is None else (first, last)


def _check_periods(system: System, events: Sequence[Event]) -> None:
    while isinstance(system, WrappedSystem):
        if isinstance(system, PacedSystem):
            for event in events:
                system.period_of(event)
        system = system.system
