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
from tidings.following.stream.followers import Followers
from tidings.following.stream.loop import interval_end

_LAST = 1 << 62
"""After all times."""
_RESIDENT_BYTES = 512 << 20
_FOLLOWER_BYTES, _STATE_FACTOR = 4096, 8
"""What a follower takes in memory beyond its state, and how many times its state (rough: cosine 5 kB, tidings 14)."""
_PUSHED, _ENDED = 1, 2


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


class _Resident(NamedTuple):
    # A follower that stays in memory, with what it follows, and the state that it gave last.
    event: Event
    state: bytes
    followers: Followers


class ShardHost:
    """Lets followers decide: a function of a shard, of what has come for it, and of how far time has come.

    Followers of the latest events stay in memory, so that most states need not be read anew; they are used only where
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
        self._residents: OrderedDict[str, _Resident] = OrderedDict()
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
        every = self.settings.interval_s
        return interval_end(time, every) if every else time + 1

    def taken_up(self, event: Event, state: bytes | None) -> Followers:
        """The follower of an event: the one in memory, or one begun from the state.

        It stays out of memory until it is given back: a failure may leave it in the middle of something.
        """
        resident = self._residents.pop(event.id, None)
        if resident is not None:
            self._resident_bytes -= _size(resident)
            if (resident.event, resident.state) == (event, state):
                return resident.followers
        return self.begun(event, state)

    def begun(self, event: Event, state: bytes | None) -> Followers:
        """A follower begun from a state."""
        saved = {} if state is None else {event.id: state}
        return Followers(self.system, [event], saved, keeps=True)

    def give_back(self, event: Event, state: bytes, followers: Followers) -> None:
        """Keep a follower in memory, where there is room."""
        resident = _Resident(event, state, followers)
        before = self._residents.pop(event.id, None)
        if before is not None:
            self._resident_bytes -= _size(before)
        self._residents[event.id] = resident
        self._resident_bytes += _size(resident)
        while self._resident_bytes > _RESIDENT_BYTES:
            self._resident_bytes -= _size(self._residents.popitem(last=False)[1])


def _size(resident: _Resident) -> int:
    return _FOLLOWER_BYTES + _STATE_FACTOR * len(resident.state)


class _Taking:
    # One call: the followers that it needed, and what it gives.

    def __init__(self, host: ShardHost, shard: Shard, events: VersionedEvents) -> None:
        self._host, self._shard, self._events = host, shard, events
        self._interval_s = host.settings.interval_s
        self._begun: dict[str, tuple[Event, Followers]] = {}
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
            # One of another number was closed in between: it begins anew, however the stream is cut.
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
                    self._begun[event_id] = new.event, self._host.begun(new.event, state.follower)
                except TidingsError as error:
                    words = f"event {event_id}: what was changed there has no effect: {error}"
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
        own: dict[str, list[tuple[Offer, list[tuple[str, list[Sentence]]]]]] = {}
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
                now = self._within(state, self._decided_at(last))
                self._emit(state, self._end(state, now, for_good=True), now, _ENDED, now)
                self._over(event_id)

    def decide(self, watermark: int) -> None:
        """Push what is due, and finish the events that are over."""
        shard, every = self._shard, self._interval_s
        self._push(
            (offer, offer.parts())
            for offer in shard.release(watermark // every * every if every else watermark)
        )
        shard.decided = max(shard.decided, watermark)
        if shard.ends:
            for event_id in [one for one, end in shard.ends.items() if self._host.due(end) <= watermark]:
                self._finish(event_id)

    def _finish(self, event_id: str) -> None:
        """Ask for what the follower of an event still holds at the event's end."""
        state, end = self._shard.events[event_id], self._shard.ends[event_id]
        self._emit(state, self._end(state, end, for_good=True), self._decided_at(end), _ENDED, end)
        self._over(event_id)

    def end_stream(self, last_time: int) -> None:
        """Push what waits, and ask all followers for what they still hold at the end of the stream."""
        shard = self._shard
        self._push((offer, offer.parts()) for offer in shard.release(_LAST))
        shard.decided = max(shard.decided, last_time)
        now = self._decided_at(last_time)
        for event_id, state in list(shard.events.items()):
            if shard.ends.get(event_id, last_time) < last_time:
                self._finish(event_id)
                continue
            at = self._within(state, now)
            self._emit(state, self._end(state, at, for_good=False), _LAST, _PUSHED, at)

    def keep(self) -> None:
        """Note what the followers remember now, and keep them for the next call."""
        for event_id, (event, followers) in self._begun.items():
            self._remember(event_id, followers)
            state = self._shard.events[event_id]
            if state.follower is not None:
                self._host.give_back(event, state.follower, followers)

    def _remember(self, event_id: str, followers: Followers) -> None:
        kept = followers.states().get(event_id)
        if kept is not None:
            self._shard.remember(event_id, kept)

    def _push(self, offers: Iterable[tuple[Offer, Iterable[tuple[str, list[Sentence]]]]]) -> None:
        if not self._interval_s:
            for offer, parts in offers:
                time = offer.time
                for event_id, sentences in parts:
                    state = self._state(event_id, offer.version)
                    if state is None:
                        continue
                    outputs = self._followers(state, self._offered_to(state, offer.version)).push(
                        0, sentences, time
                    )
                    if outputs:
                        self._emit(state, outputs, time, _PUSHED, offer.ordinal, offer.doc_id)
            return
        for end, together in groupby(offers, key=lambda one: interval_end(one[0].time, self._interval_s)):
            gathered: dict[str, list[Sentence]] = {}
            versions: dict[str, int] = {}
            for offer, parts in together:
                for event_id, sentences in parts:
                    gathered.setdefault(event_id, []).extend(sentences)
                    versions[event_id] = max(offer.version, versions.get(event_id, offer.version))
            for event_id, sentences in gathered.items():
                state = self._state(event_id, versions[event_id])
                if state is None:
                    continue
                sentences.sort(key=lambda one: (one.published_time, one.doc_id, one.index))
                now = self._within(state, end)
                followers = self._followers(state, self._offered_to(state, versions[event_id]))
                self._emit(state, followers.push(0, sentences, now), end, _PUSHED)

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

    def _offered_to(self, state: EventState, version: int) -> Event:
        """The event as it was when something was offered to it."""
        own = self._of_version(version).by_id.get(state.event.id)
        return own[1] if own is not None and own[0] == state.number else state.event

    def _of_version(self, version: int) -> NumberedEvents:
        numbered = self._versions.get(version)
        if numbered is None:
            numbered = self._versions[version] = self._events.of_version(version)
        return numbered

    def _followers(self, state: EventState, event: Event) -> Followers:
        """The follower of an event as it is, or was: begun or taken up when it is first needed."""
        begun = self._begun.get(event.id)
        if begun is not None:
            if begun[0] is event or begun[0] == event:
                return begun[1]
            self._remember(event.id, begun[1])
        if event == state.event:
            followers = self._host.taken_up(event, state.follower)
        else:
            try:
                followers = self._host.begun(event, state.follower)
            except TidingsError:  # a change without effect
                return self._followers(state, state.event)
        self._begun[event.id] = event, followers
        return followers

    def _end(self, state: EventState, now: int, *, for_good: bool) -> Sequence[Output]:
        """What a follower still holds; nothing where it was never offered anything."""
        followers = self._followers(state, state.event)
        return followers.finish(0, now, for_good=for_good) if followers.is_begun(0) else ()

    def _decided_at(self, time: int) -> int:
        return interval_end(time, self._interval_s) if self._interval_s else time

    def _within(self, state: EventState, time: int) -> int:
        end = state.event.end_time
        return time if end is None else min(time, end)

    def _over(self, event_id: str) -> None:
        self._begun.pop(event_id, None)
        self._shard.drop(event_id)

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
