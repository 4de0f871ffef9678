"""What `tidings follow` is given, turned into what the library takes: streams, events, settings."""

from __future__ import annotations

import gc
import glob
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import FrameType
from zlib import crc32

import msgspec

from tidings.errors import Problems, UsageError
from tidings.records import Event, Run, Update, bare_event_id
from tidings.stream import Source

__all__ = [
    "Interrupt",
    "Writer",
    "check_out",
    "check_pool",
    "check_streams",
    "choose",
    "choose_events",
    "default_store",
    "describe_events",
    "is_live",
    "make_event",
    "open_source",
    "rare_collection",
    "resolve",
]

_LISTED = 12
_PAGE = 5000


def is_live(stream: str) -> bool:
    """Whether a stream can be read only once: standard input, a pipe, a device."""
    from tidings.formats.files.reading import is_regular

    return stream == "-" or (not Path(stream).is_dir() and Path(stream).exists() and not is_regular(stream))


def open_source(stream: str, pool: str, problems: Problems) -> Source:
    """The source that a STREAM argument names."""
    from tidings.formats import read_stream
    from tidings.formats.own.documents import read_documents
    from tidings.stream.live import as_it_comes

    if is_live(stream):
        # A pipe has no name that tells its format, and a pool cannot be told before all of it is there.
        return Source(
            resolve(stream), lambda: as_it_comes(lambda: read_documents(stream, problems=problems)), live=True
        )
    return Source(resolve(stream), lambda: read_stream(stream, pool=pool, problems=problems))


def resolve(stream: str) -> str:
    """How a run remembers a stream: its absolute path, `-` for standard input."""
    return stream if stream == "-" else str(Path(stream).absolute())


def choose(
    wanted: Sequence[str] | None,
    query: str | None,
    start: str | None,
    end: str | None,
    streams: Sequence[str],
) -> list[Event]:
    """The events that `--event` and `--query` ask for."""
    if query is None:
        if start is not None or end is not None:
            raise UsageError("found --start or --end without --query, expected an event to have them")
        return choose_events(wanted or (), streams)
    made = make_event(query, _time(start, "--start"), _time(end, "--end"))
    return [*(choose_events(wanted, streams) if wanted else ()), made]


def check_pool(pool: str) -> None:
    """Raise UsageError unless `pool` is one there is."""
    if pool not in ("sampled", "extended"):
        raise UsageError(f"found --pool {pool!r}, expected sampled or extended")


def check_streams(streams: Sequence[str]) -> None:
    """Raise UsageError for a live stream that is named twice: it can be read only once."""
    for stream in streams:
        if streams.count(stream) > 1 and is_live(stream):
            raise UsageError(
                f"found {stream} as a stream more than once, expected once; it can be read only once"
            )


def check_out(out: str, streams: Sequence[str], store: str | None) -> None:
    """Raise UsageError for an `--out` that could not be written in the end, or would overwrite what is read."""
    if out == "-":
        return
    target = Path(out)
    if target.is_dir():
        raise UsageError(f"{out}: found a folder, expected the name of a file for --out")
    if not target.parent.is_dir():
        raise UsageError(f"{out}: {target.parent} does not exist; make the folder, or choose another --out")
    for stream in streams:
        if target.exists() and Path(stream).exists() and target.samefile(stream):
            raise UsageError(f"{out}: found the stream itself as --out, expected another file")
    if store is not None and Path(store).resolve() == target.resolve():
        raise UsageError(f"{out}: found the same file as --store and --out, expected two")


def choose_events(wanted: Sequence[str], streams: Sequence[str]) -> list[Event]:
    """The events that `--event` names: an id, an event file, or `all` of the streams' topics.

    Without any, all of the streams' topics. Raises UsageError for an event that is not there.
    """
    from tidings.formats import read_events

    known = [event for stream in streams if Path(stream).is_dir() for event in read_events(stream)]
    chosen: dict[str, Event] = {}
    for name in wanted or ["all"]:
        if name == "all":
            found = known
            if not known:
                raise UsageError(
                    f"found no events: {', '.join(streams)} come without topics, expected "
                    + "--event with an event file, or --query with words to look for"
                )
        elif Path(name).exists():
            found = read_events(name)
        else:
            found = [event for event in known if _answers_to(event.id, name)]
            if not found:
                raise _unknown(name, known)
        for event in found:
            if chosen.setdefault(event.id, event) != event:
                raise UsageError(f"found two different events called {event.id!r}, expected different ids")
    return list(chosen.values())


def make_event(query: str, start: int | None, end: int | None) -> Event:
    """An event on the spot, from what to look for; without times it has no beginning or end."""
    if not query.strip():
        raise UsageError("found an empty --query, expected words to look for")
    if start is not None and end is not None and start > end:
        raise UsageError(f"found --start {start} after --end {end}, expected it before")
    return Event(id="query", title=query, query=query, start_time=start, end_time=end)


def describe_events(events: Sequence[Event]) -> str:
    """Ids and a digest of the definitions, short enough for a message."""
    digest = crc32(msgspec.json.encode(events))
    ids = [event.id for event in events]
    if len(ids) > _LISTED:
        ids = [*ids[:_LISTED], f"and {len(ids) - _LISTED} more"]
    return f"{' '.join(ids)} [{digest:08x}]"


def _answers_to(event_id: str, name: str) -> bool:
    return event_id == name or (bare_event_id(event_id) == name)


def _unknown(name: str, known: Sequence[Event]) -> UsageError:
    from difflib import get_close_matches

    ids = [event.id for event in known]
    close = get_close_matches(name, ids, 1, 0.5)
    expected = ", ".join(ids[:30]) if ids else "none: the streams come without topics"
    return UsageError(
        f"found event {name!r}, expected the path of an event file, `all`, or one of: {expected}"
        + (f"; did you mean {close[0]}?" if close else "")
    )


def _time(text: str | None, option: str) -> int | None:
    if text is None:
        return None
    from tidings.formats.files.jsonl import BadRecordError, seconds

    try:
        return seconds(int(text) if text.lstrip("-").isdigit() else text, option)
    except BadRecordError as error:
        mend = f"; {error.mend}" if error.mend else ""
        raise UsageError(f"found {error.found}, expected {error.expected}{mend}") from None


class Interrupt:
    """Ctrl-C and SIGTERM ask to stop at the next border; a second one stops at once.

    >>> interrupt = Interrupt()
    >>> interrupt()
    False
    """

    def __init__(self) -> None:
        self._asked = False

    def __call__(self) -> bool:
        """Whether somebody asked to stop."""
        return self._asked

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True

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
            for number, handler in before.items():
                signal.signal(number, handler)


def default_store(out: str) -> str | None:
    """Where a run is kept unless `--store` says: beside its output, with `.db` added to the name."""
    if out == "-" or (os.path.exists(out) and not os.path.isfile(out)):  # noqa: PTH110, PTH113
        return None
    return f"{out}.db"


@contextmanager
def rare_collection() -> Iterator[None]:
    """Look for cyclic garbage seldom: records make none, and looking costs a sixth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Writer:
    """Writes a run where `--out` says, as updates or as a TREC run: as `--format` says, else by the name."""

    def __init__(self, out: str, team: str, run_name: str, form: str | None = None) -> None:
        self._out, self._team, self._name, self._form = out, team, run_name, form

    def whole(self, updates: Iterable[Update]) -> None:
        """Put the whole run in place at once; what was there before stays until then."""
        from tidings.formats import write_runs

        self._sweep()
        write_runs(self._out, self._paged(updates), form=self._form)

    def pass_on(self, updates: Iterable[Update]) -> None:
        """Write these updates now, after the ones before."""
        self.whole(updates)

    def _paged(self, updates: Iterable[Update]) -> Iterator[Run]:
        # A page after the other, so that a long run needs no more memory than a short one.
        rest = iter(updates)
        while page := tuple(islice(rest, _PAGE)):
            yield Run(self._team, self._name, page)

    def _sweep(self) -> None:
        # A process killed while it wrote leaves its unfinished file behind; the run is ours now.
        if self._out == "-":
            return
        target = Path(self._out).resolve()
        for part in target.parent.glob(f".{glob.escape(target.name[:60])}.????????.tmp"):
            part.unlink(missing_ok=True)
