"""Which events a document's sentences go to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from tidings.records import Document, Event, Sentence, bare_event_id

__all__ = ["Router"]

_MOST_REMEMBERED = 4096
_INDEX = attrgetter("index")


class Router:
    """Sends sentences to the events in whose period they were published.

    An event wants what was published from start_time to end_time, both included. A sentence that was pooled
    for certain events goes to those only, unless `mixed`. The ids of events may be written with
    or without the year's prefix: a sentence pooled for `TS14.11` goes to event `11`.

    >>> fire = Event(id="11", title="Fire", query="fire", start_time=100, end_time=200)
    >>> router = Router([fire])
    >>> sentence = Sentence("d", 0, "Fire in the port.", 150, events=("TS14.11",))
    >>> [slot for slot, _ in router.route(150, [sentence])]
    [0]
    >>> router.route(201, [sentence])
    []
    """

    def __init__(self, events: Sequence[Event], *, mixed: bool = False) -> None:
        self._events = tuple(events)
        self._mixed = mixed
        starts = {event.start_time for event in events if event.start_time is not None}
        ends = {event.end_time + 1 for event in events if event.end_time is not None}
        self._borders = sorted(starts | ends)
        self._from, self._until = 1, 0
        self._active: tuple[int, ...] = ()
        self._wanted: dict[tuple[str, ...], tuple[int, ...]] = {}

    def wants(self, document: Document) -> bool:
        """Whether any event is in its period at the document's time."""
        time = document.published_time
        if not self._from <= time < self._until:
            self._move(time)
        return bool(self._active)

    def route(self, time: int, sentences: Sequence[Sentence]) -> list[tuple[int, Sequence[Sentence]]]:
        """(number of the event, its sentences) for a document of this time, in the order of the events.

        The sentences of each are in the order of their index.
        """
        if not self._from <= time < self._until:
            self._move(time)
        active = self._active
        if not active or not sentences:
            return []
        pooled_for, alike, last = sentences[0].events, True, -1
        for sentence in sentences:
            if sentence.events != pooled_for:
                alike = False
            if sentence.index < last:
                return self.route(time, sorted(sentences, key=_INDEX))
            last = sentence.index
        if self._mixed:
            return [(slot, sentences) for slot in active]
        if not alike:
            return self._route_each(sentences)
        return [(slot, sentences) for slot in self._slots(pooled_for)]

    def _route_each(self, sentences: Sequence[Sentence]) -> list[tuple[int, Sequence[Sentence]]]:
        routed: dict[int, list[Sentence]] = {}
        for sentence in sentences:
            for slot in self._slots(sentence.events):
                routed.setdefault(slot, []).append(sentence)
        return sorted(routed.items())

    def _slots(self, pooled_for: tuple[str, ...] | None) -> tuple[int, ...]:
        if pooled_for is None:
            return self._active
        slots = self._wanted.get(pooled_for)
        if slots is None:
            slots = tuple(
                slot
                for slot in self._active
                if any(_same(self._events[slot].id, event_id) for event_id in pooled_for)
            )
            if len(self._wanted) >= _MOST_REMEMBERED:
                self._wanted.clear()
            self._wanted[pooled_for] = slots
        return slots

    def _move(self, time: int) -> None:
        # Between two borders the events in their period stay the same.
        borders = self._borders
        after = bisect_right(borders, time)
        self._from = borders[after - 1] if after else -(1 << 62)
        self._until = borders[after] if after < len(borders) else 1 << 62
        self._active = tuple(slot for slot, event in enumerate(self._events) if event.covers(time))
        self._wanted.clear()


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    bare = bare_event_id(one)
    return bare == bare_event_id(other) and bare in (one, other)
