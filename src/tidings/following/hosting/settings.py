"""The settings of a run: all that its outputs depend on, its pace included, and where these go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from zlib import crc32

import msgspec
from msgspec import Struct

from tidings.core import Document, Event, ReadingOptions, UsageError, default_of, format_duration
from tidings.following.hosting import DEFAULT_PACE, DEFAULT_SYSTEM
from tidings.following.run_options import RunOptions
from tidings.following.stream.loop import LATENESS_S, parse_interval
from tidings.following.systems.decider import Decider
from tidings.following.systems.pace.schedules import FREE
from tidings.sources import Order

if TYPE_CHECKING:
    from tidings.core import Event
    from tidings.sources import Source


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
        raise UsageError("an empty pace (expected such as 10/day, 2/hour, 30 (in all), or free)")
    return "" if about.strip().lower() == FREE else about


def know_period(
    decider: Decider, events: Sequence[Event], sources: Sequence[Source], *, lateness_s: int = 0
) -> Decider:
    """The decider, with the first and last time of the streams where its pace counts updates in all.

    Args:
        decider: any; what is at no such pace is given back as it is.
        events: what it is to follow.
        sources: the streams; where all of them can be read twice they are read here, for their times alone.
        lateness_s: how much out of order they may be; a source that is looked ahead so need not be again.

    Raises:
        UsageError: an event has no period, and the streams give none.

    >>> from tidings.core.records import Event
    >>> from tidings.following.systems.assembly import assemble
    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> know_period(assemble("cosine:about=30"), [storm], [])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.core.errors.UsageError: a pace of 30 updates in all for event 'storm', whose period is not ...
    """
    if not decider.needs_period:
        return decider
    period = period_of(sources, lateness_s=lateness_s)
    if period is not None:
        decider = decider.within(*period)
    decider.check_periods(events)
    return decider


def period_of(sources: Sequence[Source], *, lateness_s: int = 0) -> tuple[int, int] | None:
    """The first and last time of streams, all of which can be read twice; None where that is not so, or they are empty.

    >>> from tidings.sources import Source
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


_IN_WORDS = 12
"""Up to so many events are described each in words; of more, the ids of so many and one digest of all."""


class RunSettings(Struct, frozen=True, kw_only=True):
    """What to follow, through what, by which system, and where the run goes.

    Args:
        streams: paths of documents, pools or folders; `-` is standard input.
        events: what is followed.
        event_files: the files that events were read from; nothing is written over them.
        system: name and options, as `tidings.following.systems.make` takes them.
        about: about how many updates of each event: `10/day`, `2/hour`, `30` in all; "" leaves it to the system.
        interval_s: seconds of a decision interval; 0 decides after every document.
        lateness_s: how much out of order a stream may be, in seconds.
        mixed: offer pooled sentences to every event, not only to their own.
        pool: which pool of a TREC folder: `sampled` or `extended`.
        lenient: skip and count bad lines.
        reading: how the items of other people's files are understood.
        support: count beside the system which outlets say its updates again (the updates stay the same).
        store: path or URL of the store that keeps the run; "" keeps it beside `out`, as OUT.db.
        restart: begin again instead of going on.
        out: where the run is written when it is complete; `-` prints it as it comes, "" writes nothing.
        format: how `out` is written: `trec` (updates), `values` (TREC's nine columns) or `jsonl`; "" goes by its
            name, and `-` is trec.
        team, run_name: whose run the output says it is; without `run_name` the system with its options.
        name: what the run is called in the store; without, it goes by `out`.

    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> settings = RunSettings(streams=("-",), events=(storm,), system="first", interval_s=900)
    >>> settings.in_words()["interval"], settings.in_words()["event storm"]
    ('15m', "'storm', titled 'Storm', of all times")
    """

    streams: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    event_files: tuple[str, ...] = ()
    system: str = default_of(RunOptions, "system")
    about: str = ""
    interval_s: int = parse_interval(default_of(RunOptions, "interval"))
    lateness_s: int = LATENESS_S
    mixed: bool = default_of(RunOptions, "mixed")
    pool: Literal["sampled", "extended"] = default_of(RunOptions, "pool")
    lenient: bool = default_of(RunOptions, "lenient")
    reading: ReadingOptions = ReadingOptions()
    support: bool = False
    store: str = ""
    restart: bool = default_of(RunOptions, "restart")
    out: str = ""
    format: Literal["trec", "jsonl", "values", ""] = ""
    team: str = default_of(RunOptions, "team")
    run_name: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        if self.pool not in ("sampled", "extended"):
            raise UsageError(f"pool {self.pool!r} (expected sampled or extended)")
        if self.format not in ("trec", "jsonl", "values", ""):
            raise UsageError(f"format {self.format!r} (expected trec, jsonl or values)")
        for key in ("interval_s", "lateness_s"):
            if getattr(self, key) < 0:
                raise UsageError(f"{key} {getattr(self, key)} (expected seconds from 0)")
        ids = [event.id for event in self.events]
        if len(set(ids)) < len(ids):
            twice = next(event_id for event_id in ids if ids.count(event_id) > 1)
            raise UsageError(f"two events called {twice!r} (expected different ids)")

    def in_words(self) -> dict[str, str]:
        """Everything that the outputs depend on, as a run keeps it and messages show it."""
        return {
            "system": self.system,
            **_events_in_words(self.events),
            "streams": ", ".join(self.streams),
            "interval": format_duration(self.interval_s) if self.interval_s else "document",
            "lateness": format_duration(self.lateness_s),
            "mixed": "yes" if self.mixed else "no",
            "pool": self.pool,
            "lenient": "yes" if self.lenient else "no",
            **({"support": "counted"} if self.support else {}),
            **({"reading": words} if (words := self.reading.in_words()) else {}),
        }


def absolute_name(stream: str) -> str:
    """How a run remembers a stream: its absolute path, `-` for standard input."""
    return stream if stream == "-" else str(Path(stream).absolute())


def _events_in_words(events: tuple[Event, ...]) -> dict[str, str]:
    if len(events) <= _IN_WORDS:
        return {"events": _ids(events), **{f"event {event.id}": _in_words(event) for event in events}}
    return {"events": f"{_ids(events)} [{_digest(events):08x}]"}


def _digest(events: tuple[Event, ...]) -> int:
    # As it was before events had languages, where they have none.
    plain = [msgspec.to_builtins(event) for event in events]
    for event in plain:
        if not event["languages"]:
            del event["languages"]
    return crc32(msgspec.json.encode(plain))


def _ids(events: tuple[Event, ...]) -> str:
    more = len(events) - _IN_WORDS
    return " ".join(event.id for event in events[:_IN_WORDS]) + (f" and {more} more" if more > 0 else "")


def _in_words(event: Event) -> str:
    words = [repr(event.query)]
    if event.title != event.query:
        words.append(f"titled {event.title!r}")
    if event.type:
        words.append(f"of type {event.type!r}")
    if event.start_time is None and event.end_time is None:
        words.append("of all times")
    elif event.end_time is None:
        words.append(f"from {_day(event.start_time)}")
    elif event.start_time is None:
        words.append(f"until {_day(event.end_time)}")
    else:
        words.append(f"{_day(event.start_time)} to {_day(event.end_time)}")
    if event.languages:
        words.append(f"in {' '.join(event.languages)}")
    if event.description:
        words.append(
            f"described by {len(event.description):,} characters [{crc32(event.description.encode()):08x}]"
        )
    return ", ".join(words)


def _day(time: int | None) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(time or 0, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
