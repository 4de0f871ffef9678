"""Which events a document's sentences go to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, itemgetter

from tidings.core import Document, Event, Interest, Sentence, bare_event_id
from tidings.following.stream.interests import InterestIndex

__all__ = ["Router"]

_MOST_REMEMBERED = 4096
_INDEX = attrgetter("index")
_TEXT = attrgetter("text")
_SLOT = itemgetter(0)
_EARLIEST, _LATEST = -(1 << 62), 1 << 62

Routed = list[tuple[int, Sequence[Sentence]]]
InterestIn = Callable[[Event, str], Interest | None]


class Router:
    """Sends sentences to the events in whose period they were published and that they interest.

    An event wants what was published from start_time to end_time, both included. A sentence that was pooled
    for certain events goes to those only, unless `mixed`. The ids of events may be written with
    or without the year's prefix: a sentence pooled for `TS14.11` goes to event `11`.

    `interests` holds, by an event's number, what interests it; an event that is not there wants everything. A document
    interests an event if one of the sentences that are offered to the event does; then it gets all of those, or where
    the event does not ask for `whole` documents, those that do. `interest_in` says what does among documents of one
    language; events that read certain languages get documents in these only, and those whose language nobody knows.

    >>> fire = Event(id="11", title="Fire", query="fire", start_time=100, end_time=200)
    >>> router = Router([fire], {0: Interest(stems=frozenset({"fire"}))})
    >>> sentence = Sentence("d", 0, "Fire in the port.", 150, events=("TS14.11",))
    >>> [slot for slot, _ in router.route(150, [sentence])]
    [0]
    >>> router.route(201, [sentence]), router.route(150, [Sentence("d", 0, "The weather.", 150)])
    ([], [])
    """

    def __init__(
        self,
        events: Sequence[Event],
        interests: Mapping[int, Interest] | None = None,
        *,
        mixed: bool = False,
        interest_in: InterestIn | None = None,
    ) -> None:
        self._events = tuple(events)
        self._interest_in = interest_in
        self._own = _Demand(dict(interests or {}))
        self._by_language = {"": self._own}
        self.has_languages = any(event.languages for event in self._events)
        self._refusing: dict[str, frozenset[int]] = {}
        self._mixed = mixed
        self._periods = _Periods(self._events)
        self._by_id: dict[str, list[int]] = {}
        for slot, event in enumerate(self._events):
            self._by_id.setdefault(bare_event_id(event.id), []).append(slot)
        self._slots_by_ids: dict[tuple[str, ...], frozenset[int]] = {}

    def wants(self, document: Document) -> bool:
        """Whether any event is in its period at the document's time."""
        self._periods.move(document.published_time)
        return bool(self._periods.active)

    def route(self, time: int, sentences: Sequence[Sentence]) -> Routed:
        """(number of the event, its sentences) for a document of this time, in the order of the events.

        The sentences of each are in the order of their index.
        """
        self._periods.move(time)
        if not self._periods.active or not sentences:
            return []
        if not self.has_languages:
            return self._routed(time, sentences)
        refusing = self._refused(sentences[0].language)
        routed = self._routed(time, sentences)
        return [one for one in routed if one[0] not in refusing] if refusing else routed

    def reads(self, language: str) -> bool:
        """Whether any event that is in its period reads documents of this language."""
        return not self._periods.active <= self._refused(language)

    def _refused(self, language: str) -> frozenset[int]:
        slots = self._refusing.get(language)
        if slots is None:
            slots = frozenset(slot for slot, event in enumerate(self._events) if not event.reads(language))
            self._refusing[language] = slots
        return slots

    def _demand(self, language: str) -> _Demand:
        """What interests the events among documents of a language."""
        demand = self._by_language.get(language)
        if demand is None:
            demand = self._by_language[language] = self._demand_in(language)
        return demand

    def _demand_in(self, language: str) -> _Demand:
        own, interest_in, events = self._own, self._interest_in, self._events
        first = next(iter(own.interests), None)
        # The first says whether it is the system's own language: then all of them are the same as without one.
        if interest_in is None or (
            first is not None and interest_in(events[first], language) == own.interests[first]
        ):
            return own
        numbered = ((slot, interest_in(event, language)) for slot, event in enumerate(events))
        return _Demand({slot: interest for slot, interest in numbered if interest is not None})

    def _routed(self, time: int, sentences: Sequence[Sentence]) -> Routed:
        pooled_for, alike, last = sentences[0].events, True, -1
        for sentence in sentences:
            if sentence.events != pooled_for:
                alike = False
            if sentence.index < last:
                return self._routed(time, sorted(sentences, key=_INDEX))
            last = sentence.index
        if self._mixed or (alike and pooled_for is None):
            return self._interested(sentences)
        if alike and pooled_for is not None:
            active = self._periods.active
            slots = sorted(slot for slot in self._slots(pooled_for) if slot in active)
            return [(slot, own) for slot in slots if (own := self._of_interest(slot, sentences))]
        return self._route_each(sentences)

    def _interested(self, sentences: Sequence[Sentence]) -> Routed:
        """For all events in their period, in their order, what they get of sentences that are offered to them all."""
        periods, demand = self._periods, self._demand(sentences[0].language)
        if demand.undemanding_of != periods.version:
            demand.undemanding = tuple(sorted(periods.active.difference(demand.interests)))
            demand.undemanding_of = periods.version
        routed: Routed = [(slot, sentences) for slot in demand.undemanding]
        if not demand.interests:
            return routed
        matches = demand.index.matches(map(_TEXT, sentences))
        if matches:
            active = periods.active
            routed += [
                (slot, demand.part(slot, places, sentences))
                for slot, places in matches.items()
                if slot in active
            ]
            routed.sort(key=_SLOT)
        return routed

    def _of_interest(self, slot: int, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """What an event gets of sentences that are offered to it."""
        demand = self._demand(sentences[0].language)
        if slot not in demand.interests:
            return sentences
        places = demand.index.places(slot, [sentence.text for sentence in sentences])
        return demand.part(slot, places, sentences) if places else ()

    def _route_each(self, sentences: Sequence[Sentence]) -> Routed:
        # Some are offered to all, some to certain events: what an event is offered must hold what interests it.
        active = self._periods.active
        open_to_all = [sentence for sentence in sentences if sentence.events is None]
        slots = {slot for slot, _ in self._interested(open_to_all)} if open_to_all else set()
        for sentence in sentences:
            if sentence.events is not None:
                slots |= active & self._slots(sentence.events)
        routed: Routed = []
        for slot in sorted(slots):
            offered = [one for one in sentences if one.events is None or slot in self._slots(one.events)]
            own = self._of_interest(slot, offered)
            if own:
                routed.append((slot, own))
        return routed

    def _slots(self, pooled_for: tuple[str, ...]) -> frozenset[int]:
        slots = self._slots_by_ids.get(pooled_for)
        if slots is None:
            slots = frozenset(
                slot
                for event_id in pooled_for
                for slot in self._by_id.get(bare_event_id(event_id), ())
                if _same(self._events[slot].id, event_id)
            )
            if len(self._slots_by_ids) >= _MOST_REMEMBERED:
                self._slots_by_ids.clear()
            self._slots_by_ids[pooled_for] = slots
        return slots


class _Demand:
    """What interests the events, by their numbers, among documents of one language."""

    def __init__(self, interests: Mapping[int, Interest]) -> None:
        self.interests = interests
        self.index = InterestIndex(interests)
        # Those that want everything, and the version of the periods that they were found for.
        self.undemanding: tuple[int, ...] = ()
        self.undemanding_of = -1

    def part(self, slot: int, places: Sequence[int], sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """What an event gets of sentences of which those at `places` interest it."""
        if self.interests[slot].whole or len(places) == len(sentences):
            return sentences
        return [sentences[place] for place in places]


class _Periods:
    """The events that are in their period at the stream's time, kept up as that moves on.

    `version` is another whenever `active` may be another.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        numbered = list(enumerate(events))
        self._starts = sorted((_or(event.start_time, _EARLIEST), slot) for slot, event in numbered)
        # From this moment on an event is over.
        self._ends = sorted((_or(event.end_time, _LATEST - 1) + 1, slot) for slot, event in numbered)
        self._events = events
        self.version = 0
        self.active: set[int] = set()
        self._started = self._ended = 0
        # An empty time: the first move goes on from here.
        self._from = self._until = _EARLIEST

    def move(self, time: int) -> None:
        """Make `active` what it is at `time`."""
        if self._from <= time < self._until:
            return
        if time < self._from:
            self.active.clear()
            self._started = self._ended = 0
        starts, ends, active = self._starts, self._ends, self.active
        while self._started < len(starts) and starts[self._started][0] <= time:
            slot = starts[self._started][1]
            self._started += 1
            # One that is over by now never comes in.
            if self._events[slot].covers(time):
                active.add(slot)
        while self._ended < len(ends) and ends[self._ended][0] <= time:
            active.discard(ends[self._ended][1])
            self._ended += 1
        self._from = time
        self._until = min(
            starts[self._started][0] if self._started < len(starts) else _LATEST,
            ends[self._ended][0] if self._ended < len(ends) else _LATEST,
        )
        self.version += 1


def _or(time: int | None, otherwise: int) -> int:
    return otherwise if time is None else time


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    bare = bare_event_id(one)
    return bare == bare_event_id(other) and bare in (one, other)
