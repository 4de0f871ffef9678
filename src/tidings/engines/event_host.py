"""The host of one event at a time: pairs that come in any order, decided in the order of time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tidings.engines.pairs import Pair
from tidings.engines.settings import EngineSettings
from tidings.engines.states import HostState, pack_state, unpack_state
from tidings.errors import TidingsError
from tidings.records import Event, Output
from tidings.stream.followers import Followers
from tidings.stream.intervals import interval_end

__all__ = ["Decision", "EventHost", "Order", "Place"]

_LAST = 1 << 62
"""After all times."""
_RESIDENT = 10_000
_PUSHED, _ENDED = 1, 2


class Place(NamedTuple):
    """Which of the events of a query an event is: its definition and its number."""

    number: int
    event: Event


class Order(NamedTuple):
    """Where an output stands among all of a run, as the follow loop gives them: sort by it."""

    decided: int
    phase: int
    ordinal: int
    doc_id: str
    number: int
    place: int


class Decision(NamedTuple):
    """What a call decided: the state to keep (None: nothing more), outputs in order, what came too late, and when next.

    `wakes` is the time at which the host is to be asked again though nothing came; `refused` says why a new definition
    of the event has no effect.
    """

    state: bytes | None
    outputs: list[tuple[Order, Output]]
    late: list[Pair]
    wakes: int | None
    refused: str = ""


class _Resident(NamedTuple):
    # A follower that stays in memory, with what it follows, and the state that it gave last.
    event: Event
    state: bytes
    followers: Followers


class EventHost:
    """Lets followers decide, one event at a time: a plain function of the state, the pairs, and how far time has come.

    Followers of the latest events stay in memory, so that most states need not be read anew; they are used only where
    the state is the very one that they gave, and the event the one that they follow: another host may have changed it.

    >>> from tidings.records import Document, Sentence
    >>> storm = Place(0, Event(id="storm", title="Storm", query="storm"))
    >>> host = EventHost(EngineSettings(system="first:min_words=0"))
    >>> said = Sentence("d1", 0, "A storm is near.", 60)
    >>> pair = Pair.of(Document(id="d1", published_time=60), 0, [said])
    >>> first = host.take(None, [pair], place=storm, watermark=60)
    >>> first.outputs, first.wakes
    ([], 61)
    >>> [output.text for _, output in host.take(first.state, [], watermark=61).outputs]
    ['A storm is near.']
    """

    def __init__(self, settings: EngineSettings) -> None:
        self._settings, self._system = settings, settings.decider()
        self._identity = settings.identity
        self._residents: OrderedDict[str, _Resident] = OrderedDict()

    def take(
        self,
        data: bytes | None,
        pairs: Sequence[Pair],
        *,
        place: Place | None = None,
        watermark: int = 0,
        change: Place | None = None,
        is_closed: bool = False,
        last_time: int | None = None,
    ) -> Decision:
        """Take what has come of an event, and decide what is due.

        Args:
            data: the state that the last call gave; None where there was none.
            pairs: what came, in any order.
            place: which event it is, where there is no state.
            watermark: everything older (seconds UTC) has come.
            change: the event's new definition, from here on.
            is_closed: nobody wants to hear of the event any more: what it still holds is told, and it is over.
            last_time: the stream has ended, and this was the time of its last document.

        Raises:
            StoreError: the state is of another version, or damaged; FollowerError: the system failed.
        """
        if data is not None:
            name = "a followed event"
            state = unpack_state(data, self._identity, name)
        elif place is not None and pairs:
            state = HostState(event=place.event, number=place.number, decided=-_LAST)
        else:
            return Decision(None, [], [], None)
        taking = _Taking(self._settings, state, lambda: self._followers(state))
        taking.add(pairs, watermark)
        refused = ""
        if change is not None and change != (state.number, state.event):
            refused = self._change(taking, change)
        taking.decide(watermark)
        is_over = taking.is_over(watermark)
        if is_over:
            taking.finish()
        elif last_time is not None:
            is_over = taking.end_stream(last_time)
        elif is_closed:
            taking.close()
            is_over = True
        if is_over:
            return Decision(None, taking.outputs, taking.late, None, refused)
        taking.keep()
        if state.follower is not None and taking.begun is not None:
            self._remember(_Resident(state.event, state.follower, taking.begun))
        kept = pack_state(state, self._identity)
        return Decision(kept, taking.outputs, taking.late, taking.next_due(), refused)

    def _followers(self, state: HostState) -> Followers:
        # What is taken up stays out of memory until it is done: a failure may leave it in the middle of something.
        resident = self._residents.pop(state.event.id, None)
        if resident is not None and (resident.event, resident.state) == (state.event, state.follower):
            return resident.followers
        return self._begun(state.event, state.follower)

    def _begun(self, event: Event, follower: bytes | None) -> Followers:
        saved = {} if follower is None else {event.id: follower}
        return Followers(self._system, [event], saved, keeps=True)

    def _remember(self, resident: _Resident) -> None:
        self._residents[resident.event.id] = resident
        if len(self._residents) > _RESIDENT:
            self._residents.popitem(last=False)

    def _change(self, taking: _Taking, change: Place) -> str:
        """Let the event be another from now on; says why where its follower cannot take that up."""
        state = taking.state
        if change.event != state.event:
            try:
                taking.begun = self._begun(change.event, state.follower)
            except TidingsError as error:
                return f"event {state.event.id}: what was changed there has no effect: {error}"
        state.event, state.number = change.event, change.number
        return ""


class _Taking:
    # One call: the state as it goes on, and what it gives.

    def __init__(self, settings: EngineSettings, state: HostState, begin: Callable[[], Followers]) -> None:
        self.state, self._begin = state, begin
        self.begun: Followers | None = None
        self.outputs: list[tuple[Order, Output]] = []
        self.late: list[Pair] = []
        self._interval_s = settings.interval_s

    @property
    def followers(self) -> Followers:
        """The event's follower, begun or taken up when it is first needed: most calls only let something wait."""
        if self.begun is None:
            self.begun = self._begin()
        return self.begun

    def add(self, pairs: Sequence[Pair], watermark: int) -> None:
        """Let pairs wait for their time; what is older than the watermark is too late."""
        if not pairs:
            return
        bound = max(watermark, self.state.decided)
        self.late = sorted(pair for pair in pairs if pair.time < bound)
        self.state.waiting = sorted([*self.state.waiting, *(pair for pair in pairs if pair.time >= bound)])

    def decide(self, watermark: int) -> None:
        """Push what is due."""
        waiting = self.state.waiting
        count = 0
        while count < len(waiting) and self._due(waiting[count].time) <= watermark:
            count += 1
        self._push(waiting[:count])
        self.state.waiting = waiting[count:]
        self.state.decided = max(self.state.decided, watermark)

    def _due(self, time: int) -> int:
        """From when on nothing can come any more that is decided together with what is of this time, or before it."""
        return interval_end(time, self._interval_s) if self._interval_s else time + 1

    def _within(self, time: int) -> int:
        end = self.state.event.end_time
        return time if end is None else min(time, end)

    def _push(self, pairs: Sequence[Pair]) -> None:
        if not self._interval_s:
            for pair in pairs:
                outputs = self.followers.push(0, pair.sentences, pair.time)
                self._emit(outputs, pair.time, _PUSHED, pair.ordinal, pair.doc_id)
            return
        at = 0
        while at < len(pairs):
            end = interval_end(pairs[at].time, self._interval_s)
            sentences = []
            while at < len(pairs) and pairs[at].time < end:
                sentences += pairs[at].sentences
                at += 1
            sentences.sort(key=lambda one: (one.published_time, one.doc_id, one.index))
            self._emit(self.followers.push(0, sentences, self._within(end)), end, _PUSHED)

    def is_over(self, watermark: int) -> bool:
        """Whether the event's end has passed for everybody."""
        end = self.state.event.end_time
        return end is not None and self._due(end) <= watermark

    def finish(self) -> None:
        """Ask for what the follower still holds at the event's end."""
        end = self.state.event.end_time
        assert end is not None
        self._push([pair for pair in self.state.waiting if pair.time <= end])
        decided = interval_end(end, self._interval_s) if self._interval_s else end
        self._emit(self.followers.finish(0, end, for_good=True), decided, _ENDED, end)

    def close(self) -> None:
        """The same for an event that nobody follows any more, at the time of the last thing that was offered."""
        self._push(self.state.waiting)
        times = [pair.time for pair in self.state.waiting]
        now = self._within(max([*times, min(self.state.decided, _LAST)]))
        self._emit(self.followers.finish(0, now, for_good=True), now, _ENDED, now)

    def end_stream(self, last_time: int) -> bool:
        """The same at the end of the stream; True where the event is over then."""
        self._push(self.state.waiting)
        self.state.waiting = []
        self.state.decided = max(self.state.decided, last_time)
        end = self.state.event.end_time
        if end is not None and end < last_time:
            self.finish()
            return True
        now = self._within(interval_end(last_time, self._interval_s) if self._interval_s else last_time)
        self._emit(self.followers.finish(0, now, for_good=False), _LAST, _PUSHED, now)
        return False

    def keep(self) -> None:
        """Note what the follower remembers now."""
        kept = None if self.begun is None else self.begun.states().get(self.state.event.id)
        if kept is not None:
            self.state.follower = kept

    def next_due(self) -> int | None:
        """When the host is to be asked again."""
        dues = [self._due(pair.time) for pair in self.state.waiting[:1]]
        if self.state.event.end_time is not None:
            dues.append(self._due(self.state.event.end_time))
        return min(dues, default=None)

    def _emit(
        self, outputs: Sequence[Output], decided: int, phase: int, ordinal: int = 0, doc_id: str = ""
    ) -> None:
        for at, output in enumerate(outputs):
            order = Order(decided, phase, ordinal, doc_id, self.state.number, at)
            self.outputs.append((order, output))
