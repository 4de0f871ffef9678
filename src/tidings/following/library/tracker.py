"""`tidings.Tracker`: the same as `tidings.follow`, for programs that get their documents one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush, nsmallest
from typing import Any, Unpack

import msgspec
from msgspec import Struct

from tidings.core import (
    Document,
    Event,
    Output,
    Position,
    Saved,
    StoreError,
    UsageError,
    document_call,
    fill_defaults,
)
from tidings.following.library.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    as_duration,
    as_interval,
    kind_of,
)
from tidings.following.library.documents import as_document
from tidings.following.library.following import decider_of, events_of
from tidings.following.run_options import RunOptions, TrackerOptions
from tidings.following.stream.loop import Decided, StreamRun, Tally
from tidings.sources import Source

_SOURCE = "pushed documents"


class _TrackerState(Struct, frozen=True):
    """What a tracker remembers: whom it serves, its followers, and the documents that still wait for their turn."""

    system: str
    events: tuple[Event, ...]
    interval_s: int
    lateness_s: int
    mixed: bool
    followers: dict[str, bytes]
    waiting: list[Document]
    decided: int
    last_id: str
    last_time: int
    finished: bool


@document_call(RunOptions, "tracker")
class Tracker:
    """Follow events document by document: `push` each document as it arrives, then call `finish`.

    Together the outputs equal those of `tidings.follow` over the same documents, in the same order. A document is
    decided on once no earlier one can arrive any more, so `push` may return outputs that belong to earlier documents.
    With `lateness=0` it returns those of the pushed document at once.

    Args:
        {options}

    Attributes:
        events: what is followed.
        system: the system with its options.
        tally: running counts.

    >>> tracker = Tracker(query="ferry fire", system="cosine", lateness=0)
    >>> [update.text for update in tracker.push({"id": "a", "published_time": 60, "text": "A ferry is on fire."})]
    ['A ferry is on fire.']
    >>> tracker.push({"id": "b", "published_time": 120, "text": "A ferry is on fire."})
    []
    >>> tracker.finish()
    []

    Its state can be saved and restored by another tracker with the same arguments:

    >>> later = Tracker(query="ferry fire", system="cosine", lateness=0)
    >>> first = Tracker(query="ferry fire", system="cosine", lateness=0)
    >>> _ = first.push({"id": "a", "published_time": 60, "text": "A ferry is on fire."})
    >>> later.restore(first.state())
    >>> later.push({"id": "b", "published_time": 120, "text": "A ferry is on fire."})
    []
    """

    def __init__(self, **options: Unpack[TrackerOptions]) -> None:
        given: TrackerOptions = fill_defaults(RunOptions, "tracker", options, "Tracker")  # type: ignore[assignment]
        self.events: tuple[Event, ...] = tuple(events_of(given))
        self._decider = decider_of(given)
        self.system = self._decider.spec
        self._interval_s = as_interval(given["interval"])
        self._lateness_s = as_duration(given["lateness"], "lateness")
        self._mixed = given["mixed"]
        self._begin(Saved(), [], 0)

    def __repr__(self) -> str:
        ids = ", ".join(event.id for event in self.events[:3]) + (", …" if len(self.events) > 3 else "")
        return f"<Tracker of {self.system!r} on {ids}: {self.tally.skipped + self.tally.documents:,} documents decided>"

    def push(self, document: Document | Mapping[str, Any]) -> list[Output]:
        """Add a document and return the outputs that can now be decided, often none.

        A document that arrives too late (see `lateness`) is skipped and counted in `tally`.

        Raises:
            ArgumentTypeError, ArgumentValueError: this is not a document. The tracker is unchanged.
            UsageError: the tracker is already finished.
            FollowerError: the system failed; the tracker cannot go on.
        """
        self._check_open()
        checked = as_document(document)
        late = self.tally.late_count
        self._queue.append(checked)
        outputs = self._advance()
        if self.tally.late_count == late:
            heappush(self._waiting, (checked.published_time, self._pushed, checked))
            self._forget_decided()
        self._pushed += 1
        return outputs

    def finish(self) -> list[Output]:
        """Decide on all waiting documents, as no more will arrive, and return the remaining outputs.

        Raises:
            UsageError: the tracker is already finished.
        """
        self._check_open()
        self._closed = True
        outputs = self._advance()
        outputs += _outputs(self._run.count(self._run.finish_stream()))
        self._forget_decided()
        self.tally.complete = True
        return outputs

    def state(self) -> bytes:
        """The tracker's whole state as msgpack, which holds no code; pass it to `restore`."""
        if self._broken:
            raise UsageError("a tracker whose system has failed (expected one that works); make a new one")
        self._followers.update(self._run.followed.states())
        last_id, last_time = self._run.last[0]
        state = _TrackerState(
            self.system,
            self.events,
            self._interval_s,
            self._lateness_s,
            self._mixed,
            self._followers,
            [document for _, _, document in nsmallest(len(self._waiting), self._waiting)],
            self.tally.skipped + self.tally.documents,
            last_id,
            last_time,
            self._closed,
        )
        return msgspec.msgpack.encode(state)

    def restore(self, data: bytes) -> None:
        """Restore the state returned by `state()` of a tracker that was made with the same arguments.

        Raises:
            ArgumentTypeError, ArgumentValueError: this is not a tracker's state.
            StoreError: the state belongs to other events, or to another system, interval or lateness.
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise ArgumentTypeError(f"{kind_of(data)} (expected the bytes that state() gave)")
        try:
            state = msgspec.msgpack.decode(data, type=_TrackerState)
        except (msgspec.MsgspecError, ValueError) as error:
            raise ArgumentValueError(
                f"bytes that are not a tracker's state ({error}) (expected one)"
            ) from None
        for name, was, now in (
            ("system", state.system, self.system),
            ("interval", state.interval_s, self._interval_s),
            ("lateness", state.lateness_s, self._lateness_s),
            ("mixed", state.mixed, self._mixed),
            ("events", [event.id for event in state.events], [event.id for event in self.events]),
        ):
            if was != now:
                raise StoreError(
                    f"a state with {name} {was!r} (expected {now!r}); make the tracker with the same arguments"
                )
        if state.events != self.events:
            raise StoreError("a state of other events (expected the same ones)")
        saved = Saved(states=state.followers)
        if state.decided:
            # What was decided on is not there to be read again: a source that begins here, not before its last time.
            position = Position(
                source=_SOURCE,
                released=state.decided,
                last_id=state.last_id,
                last_time=state.last_time,
                ends=((0, state.last_time),),
            )
            saved = msgspec.structs.replace(saved, positions=(position,))
        self._begin(saved, state.waiting, state.decided)
        self._closed = state.finished

    def _begin(self, saved: Saved, waiting: list[Document], decided: int) -> None:
        self._queue: deque[Document] = deque()
        self._waiting: list[tuple[int, int, Document]] = []
        self._followers = dict(saved.states)
        self._closed = self._broken = False
        self._pushed, self._decided = 0, decided
        self.tally = Tally()
        self._run = StreamRun(
            [Source(_SOURCE, self._feed, live=True)],
            self.events,
            self._decider,
            saved,
            self._interval_s,
            self._lateness_s,
            self._mixed,
            self.tally,
        )
        self._steps: Iterator[list[Decided] | None] = self._run.steps()
        for document in waiting:
            self.push(document)

    def _feed(self) -> Iterator[Document | None]:
        while not (self._closed and not self._queue):
            yield self._queue.popleft() if self._queue else None

    def _advance(self) -> list[Output]:
        outputs: list[Output] = []
        try:
            for step in self._steps:
                if step is None and not self._queue:
                    break
                outputs += _outputs(self._run.count(step or []))
        except BaseException:
            self._broken = True
            raise
        return outputs

    def _forget_decided(self) -> None:
        decided = self.tally.skipped + self.tally.documents
        while self._decided < decided:
            heappop(self._waiting)
            self._decided += 1

    def _check_open(self) -> None:
        if self._broken:
            raise UsageError("a tracker whose system has failed (expected one that works); make a new one")
        if self._closed:
            raise UsageError("a tracker that has finished (expected one to push to); make a new one")


def _outputs(decided: list[Decided]) -> list[Output]:
    return [output for _, outputs in decided for output in outputs]
