"""The host of a shard of events: offers that come in any order, decided in the order of time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct

from tidings.core import Event, Output, Sentence, TidingsError
from tidings.following.engines.offers import Offer
from tidings.following.engines.settings import EngineSettings, NumberedEvents, VersionedEvents
from tidings.following.engines.shards import EventState, Shard
from tidings.following.stream.kernel import FollowedEvent, gather, moment_of, within

_Offered = tuple[Offer, Iterable[tuple[str, list[Sentence]]]]
"""An offer, and what of it goes to whom."""

_LAST = 1 << 62
"""After all times."""
_RESIDENT_BYTES = 512 << 20
_FOLLOWER_BYTES, _STATE_FACTOR = 4096, 8
"""What a follower takes in memory beyond its state, and how many times its state (rough: cosine 5 kB, tidings 14)."""
_PUSHED, _ENDED = 1, 2  # the phases of a moment, in their order


class Order(NamedTuple):
    """Where an output stands among all of a run, as the follow loop gives them: sort by it."""

    decided: int
    phase: int
    ordinal: int
    doc_id: str
    number: int
    place: int


class Arrivals(Struct):
    """What came for the events of a shard, in any order.

    `changes` has the events that are other than before, each with the version that says how (it is closed where that
    has none of this id); `last_time` says that the stream has ended, and what the time of its last document was.
    """

    offers: list[Offer] = []
    changes: dict[str, int] = {}
    last_time: int | None = None


class Decisions(Struct):
    """What a call decided: outputs, the offers that came too late by event, and changes of events without effect.

    `bound` is the earliest time that was not too late.
    """

    outputs: list[tuple[Order, Output]] = []
    late: list[tuple[str, Offer]] = []
    refused: list[tuple[str, str]] = []
    bound: int = 0


class ShardHost:
    """Lets followers decide: a function of a shard, of what has come for it, and of how far time has come.

    Followers of the latest events stay in memory, so that most states need not be read again; they are used only where
    the state is the very one that they gave, and the event the one that they follow: another host may have changed it.

    >>> from tidings.following.engines.settings import FixedEvents
    >>> from tidings.core.records import Document
    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> host, shard = ShardHost(EngineSettings(system="first:min_words=0")), Shard()
    >>> events = FixedEvents.of([storm])
    >>> said = Sentence("d1", 0, "A storm is near.", 60)
    >>> offer = Offer.of(Document(id="d1", published_time=60), 0, 0, [("storm", [said])])
    >>> host.take(shard, Arrivals([offer]), events=events, watermark=60).outputs
    []
    >>> [output.text for _, output in host.take(shard, events=events, watermark=61).outputs]
    ['A storm is near.']
    """

    def __init__(self, settings: EngineSettings) -> None:
        self.settings, self.system = settings, settings.decider()
        self.identity = settings.identity
        self._residents: OrderedDict[str, tuple[FollowedEvent, int]] = OrderedDict()
        self._resident_bytes = 0

    def take(
        self, shard: Shard, arrivals: Arrivals | None = None, *, events: VersionedEvents, watermark: int
    ) -> Decisions:
        """Take what has come, and decide what is due; the shard is changed with it, in part where this fails.

        Args:
            shard: where the events stand.
            arrivals: what came.
            events: all that are followed.
            watermark: everything older (seconds UTC) has come.

        Raises:
            FollowerError: the system failed.
        """
        taking = _Taking(self, shard, events)
        came = arrivals or Arrivals()
        taking.add(came.offers, watermark)
        if came.changes:
            taking.change(came.changes)
        taking.decide(watermark)
        if came.last_time is not None:
            taking.end_stream(came.last_time)
        taking.keep()
        return taking.decisions

    def due(self, time: int) -> int:
        """From when on nothing can come any more that is decided together with what is of this time, or before it."""
        return moment_of(time, self.settings.interval_s) if self.settings.interval_s else time + 1

    def taken_up(self, event: Event, state: bytes | None) -> FollowedEvent:
        """An event being followed: the one in memory, or one that goes on from the state.

        It stays out of memory until it is given back: a failure may leave it in the middle of something.
        """
        followed, size = self._residents.pop(event.id, (None, 0))
        self._resident_bytes -= size
        if (
            followed is not None
            and state is not None
            and followed.event == event
            and followed.remembers(state)
        ):
            return followed
        return FollowedEvent(self.system, event, state)

    def give_back(self, followed: FollowedEvent, size: int) -> None:
        """Keep an event with a state of this size in memory, where there is room."""
        size = _FOLLOWER_BYTES + _STATE_FACTOR * size
        event_id = followed.event.id
        self._resident_bytes += size - self._residents.pop(event_id, (None, 0))[1]
        self._residents[event_id] = followed, size
        while self._resident_bytes > _RESIDENT_BYTES:
            self._resident_bytes -= self._residents.popitem(last=False)[1][1]


class _Taking:
    # One call: the followers that it needed, and what it gives.

    def __init__(self, host: ShardHost, shard: Shard, events: VersionedEvents) -> None:
        self._host, self._shard, self._events = host, shard, events
        self._interval_s = host.settings.interval_s
        self._begun: dict[str, FollowedEvent] = {}
        self._last: dict[int, Order] = {}
        self._versions: dict[int, NumberedEvents] = {}
        self.decisions = Decisions()

    def add(self, offers: Sequence[Offer], watermark: int) -> None:
        """Let offers wait for their time; what is older than the watermark is too late."""
        bound = max(watermark, self._shard.decided)
        self.decisions.bound = bound
        late = sorted(offer for offer in offers if offer.time < bound)
        self.decisions.late = [(event_id, offer) for offer in late for event_id in offer.events]
        self._shard.wait([offer for offer in offers if offer.time >= bound])

    def change(self, changes: Mapping[str, int]) -> None:
        """Let events be others from now on, or none; what was offered to one before is decided as it was."""
        shard, versions = self._shard, dict[str, int]()
        for offer in shard.waiting:
            for event_id in offer.events:
                versions.setdefault(event_id, offer.version)
        closed: dict[str, int] = {}
        ends: dict[str, int] = {}
        for event_id, version in sorted(changes.items()):
            old = shard.events.get(event_id)
            if old is None and event_id in versions:
                old = self._event(event_id, versions[event_id])
            if old is None:
                continue
            new = self._event(event_id, version)
            # One of another number was closed in between: it starts over, however the stream is cut.
            if new is None or new.number != old.number:
                closed[event_id] = old.number
            elif self._define(event_id, new) and new.event.end_time is not None:
                ends[event_id] = new.event.end_time
        shard.withdraw(ends, lambda offer, event_id: offer.time > ends[event_id])
        self._close(closed)

    def _define(self, event_id: str, new: EventState) -> bool:
        state = self._shard.events.get(event_id)
        if state is not None:
            if new.event != state.event:
                try:
                    self._begun[event_id] = FollowedEvent(self._host.system, new.event, state.follower)
                except TidingsError as error:
                    words = f"event {event_id}: the change has no effect: {error}"
                    self.decisions.refused.append((event_id, words))
                    return False
            new.follower = state.follower
        if new != state:
            self._shard.put(event_id, new)
        return True

    def _close(self, numbers: Mapping[str, int]) -> None:
        """Tell what events still hold, at the time of the last thing offered: nobody follows them any more."""

        def is_own(offer: Offer, event_id: str) -> bool:
            state = self._event(event_id, offer.version)
            return state is None or state.number == numbers[event_id]

        shard = self._shard
        own: dict[str, list[_Offered]] = {}
        for offer in shard.withdraw(numbers, is_own):
            for part in offer.parts():
                if part[0] in numbers and is_own(offer, part[0]):
                    own.setdefault(part[0], []).append((offer, [part]))
        for event_id in numbers:
            offers = own.get(event_id, [])
            self._push(offers)
            state = shard.events.get(event_id)
            if state is not None:
                last = max([shard.decided, *(offer.time for offer, _ in offers[-1:])])
                now = within(state.event, moment_of(last, self._interval_s))
                self._end(state, now, now)

    def decide(self, watermark: int) -> None:
        """Push what is due, and finish the events that are over."""
        shard, every = self._shard, self._interval_s
        self._push(
            (offer, offer.parts())
            for offer in shard.release(watermark // every * every if every else watermark)
        )
        shard.decided = max(shard.decided, watermark)
        if shard.ends:
            for event_id in [
                event_id for event_id, end in shard.ends.items() if self._host.due(end) <= watermark
            ]:
                self._finish(event_id)

    def _finish(self, event_id: str) -> None:
        """Ask for what is still held of an event at its end."""
        end = self._shard.ends[event_id]
        self._end(self._shard.events[event_id], end, moment_of(end, self._interval_s))

    def _end(self, state: EventState, now: int, decided: int) -> None:
        self._emit(state, self._follow_event(state, state.event).finish(now), decided, _ENDED, now)
        event_id = state.event.id
        self._begun.pop(event_id, None)
        self._shard.drop(event_id)

    def end_stream(self, last_time: int) -> None:
        """Push what waits, and ask all followers for what they still hold at the end of the stream."""
        shard = self._shard
        self._push((offer, offer.parts()) for offer in shard.release(_LAST))
        shard.decided = max(shard.decided, last_time)
        for event_id, state in list(shard.events.items()):
            if shard.ends.get(event_id, last_time) < last_time:
                self._finish(event_id)
                continue
            now = within(state.event, moment_of(last_time, self._interval_s))
            self._emit(state, self._follow_event(state, state.event).finish(now), _LAST, _PUSHED, now)

    def keep(self) -> None:
        """Note what the followers remember now, and keep them for the next call."""
        for event_id, followed in self._begun.items():
            self._remember(followed)
            state = self._shard.events[event_id].follower
            if state is not None:
                self._host.give_back(followed, len(state))

    def _remember(self, followed: FollowedEvent) -> None:
        kept = followed.new_state() if followed.is_begun else None
        if kept is not None:
            self._shard.remember(followed.event.id, kept)

    def _push(self, offers: Iterable[_Offered]) -> None:
        every = self._interval_s
        moments: Iterable[tuple[int, Iterable[_Offered]]]
        if every:
            moments = groupby(offers, key=lambda own: moment_of(own[0].time, every))
        else:
            moments = ((own[0].time, (own,)) for own in offers)
        for moment, together in moments:
            versions: dict[str, int] = {}
            parts: list[tuple[str, list[Sentence]]] = []
            for offer, own_parts in together:
                for event_id, offered in own_parts:
                    parts.append((event_id, offered))
                    versions[event_id] = max(offer.version, versions.get(event_id, offer.version))
            place = () if every else (offer.ordinal, offer.doc_id)
            for event_id, sentences in gather(parts, every):
                state = self._state(event_id, versions[event_id])
                if state is None:
                    continue
                followed = self._follow_event(state, self._offer_to(state, versions[event_id]))
                now = within(state.event, moment)
                wanted = followed.wanted(sentences)
                if wanted:
                    self._emit(state, followed.decide(wanted, now), moment, _PUSHED, *place)

    def _state(self, event_id: str, version: int) -> EventState | None:
        state = self._shard.events.get(event_id)
        if state is None:
            state = self._event(event_id, version)
            if state is not None:
                self._shard.put(event_id, state)
        return state

    def _event(self, event_id: str, version: int) -> EventState | None:
        own = self._of_version(version).by_id.get(event_id)
        return None if own is None else EventState(*own)

    def _offer_to(self, state: EventState, version: int) -> Event:
        """The event as it was when something was offered to it."""
        own = self._of_version(version).by_id.get(state.event.id)
        return own[1] if own is not None and own[0] == state.number else state.event

    def _of_version(self, version: int) -> NumberedEvents:
        numbered = self._versions.get(version)
        if numbered is None:
            numbered = self._versions[version] = self._events.of_version(version)
        return numbered

    def _follow_event(self, state: EventState, event: Event) -> FollowedEvent:
        """An event being followed as it is, or was: begun or taken up when it is first needed."""
        followed = self._begun.get(event.id)
        if followed is not None:
            if followed.event is event or followed.event == event:
                return followed
            self._remember(followed)
        if event == state.event:
            followed = self._host.taken_up(event, state.follower)
        else:
            try:
                followed = FollowedEvent(self._host.system, event, state.follower)
            except TidingsError:  # a change without effect
                return self._follow_event(state, state.event)
        self._begun[event.id] = followed
        return followed

    def _emit(
        self,
        state: EventState,
        outputs: Sequence[Output],
        decided: int,
        phase: int,
        ordinal: int = 0,
        doc_id: str = "",
    ) -> None:
        if not outputs:
            return
        where = Order(decided, phase, ordinal, doc_id, state.number, 0)
        # Documents of one id and time follow each other.
        before = self._last.get(state.number)
        first = before.place + 1 if before is not None and before[:-1] == where[:-1] else 0
        for place, output in enumerate(outputs, start=first):
            self.decisions.outputs.append((where._replace(place=place), output))
        self._last[state.number] = self.decisions.outputs[-1][0]
