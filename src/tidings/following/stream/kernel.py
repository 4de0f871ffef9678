"""The kernel: one event is decided on here, whoever follows it: the loop, a tracker, the live service or an engine.

Time comes in moments: a document's own time, or the end of the interval in which it was published. At a moment all that
was offered in it is decided together; an event that has ended is asked once more for what it holds, and so is every
event at the end of the stream. An event that is changed while it is followed goes on as another version of itself,
from a moment on, with what it remembers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from tidings.core import Event, Output, Sentence, TidingsError, is_learned, shared_analyzer
from tidings.following.systems.decider import Decider

_DIGEST_BYTES = 16
_Key = TypeVar("_Key", int, str)
_DOCUMENT = attrgetter("doc_id")
_IN_ORDER = attrgetter("published_time", "doc_id", "index")


class FollowerError(TidingsError):
    """A system failed while deciding; what was committed before is kept."""


def moment_of(time: int, interval_s: int) -> int:
    """When what is of a time is decided: at the end of its interval, with none at once.

    >>> moment_of(1799, 900), moment_of(1799, 0)
    (1800, 1799)
    """
    return (time // interval_s + 1) * interval_s if interval_s else time


def within(event: Event, time: int) -> int:
    """A time of the stream as the event counts it: never after its end.

    >>> within(Event(id="storm", title="Storm", query="storm", end_time=1000), 1800)
    1000
    """
    end_time = event.end_time
    return time if end_time is None or time < end_time else end_time


def gather(
    offered: Iterable[tuple[_Key, Sequence[Sentence]]], interval_s: int
) -> Iterable[tuple[_Key, Sequence[Sentence]]]:
    """What is offered to events in one moment, event by event in their order, the sentences of each in time order.

    Args:
        offered: number or id of an event, and sentences for it, in the order of the events for each document.
        interval_s: length of an interval; with 0 this is one document, whose sentences are in order.
    """
    if not interval_s:
        return offered
    gathered: dict[_Key, list[Sentence]] = {}
    for number, sentences in offered:
        gathered.setdefault(number, []).extend(sentences)
    for own in gathered.values():
        own.sort(key=_IN_ORDER)
    return sorted(gathered.items())


class FollowedEvent:
    """One event at work: `decide` on what is offered at a moment, `finish` at an end; whatever goes wrong has a place.

    Args:
        system: decides.
        event: as it is from now on; a change is another one, with the state of the one before.
        state: what was remembered; None where nothing was ever offered.

    Raises:
        FollowerError: the system cannot begin, or not take up the state; TidingsError: its own.

    >>> from tidings.following.systems.assembly import assemble
    >>> storm = Event(id="storm", title="Storm", query="storm")
    >>> followed = FollowedEvent(assemble("cosine"), storm)
    >>> [update.text for update in followed.decide([Sentence("d1", 0, "A storm is near.", 60)], 60)]
    ['A storm is near.']
    >>> changed = FollowedEvent(assemble("cosine"), Event(id="storm", title="Storm", query="near"), followed.state())
    >>> changed.decide([Sentence("d2", 0, "A storm is near.", 90)], 90)
    []
    """

    __slots__ = ("_digest", "_system", "event", "follower", "is_begun")

    def __init__(self, system: Decider, event: Event, state: bytes | None = None) -> None:
        self._system, self.event = system, event
        self.is_begun = state is not None
        """Whether it was ever offered anything, in this attempt or in an earlier one."""
        self._digest = b"" if state is None else _digest(state)
        try:
            self.follower = system.start(event)
        except TidingsError:
            raise
        except Exception as error:
            raise FollowerError(
                f"system {system.name!r} cannot start on event {event.id} ({type(error).__name__}: {error}); "
                "if it was given a model, train it again with this version, as it may be damaged"
            ) from error
        if state is not None:
            try:
                self.follower.restore(state)
            except Exception as error:
                raise FollowerError(
                    f"system {system.name!r} cannot restore its state for event {event.id} "
                    f"({type(error).__name__}: {error}); was the run started with another version of it? "
                    "Start over with --restart"
                ) from error

    @property
    def learned(self) -> frozenset[str]:
        """The words of the story that the follower has learned."""
        return self.follower.learned

    def wanted(self, sentences: Sequence[Sentence]) -> Sequence[Sentence]:
        """Of documents that were offered whatever they hold, those that interest the event, as `Router` has it."""
        words = self.learned
        own: list[Sentence] = []
        for _, document in groupby(sentences, key=_DOCUMENT):
            texts = list(document)
            interest = self._system.interest_in(self.event, texts[0].language)
            if interest is None or not interest.learns:
                own += texts
                continue
            stems_of = shared_analyzer(interest.language).stems
            stems = [stems_of(sentence.text) for sentence in texts]
            asked = interest if texts[0].events is None else interest.pooled or interest
            is_known = texts[0].events is None and is_learned(words, frozenset().union(*stems))
            if is_known or any(map(asked.met_by, stems)):
                own += texts
        return own

    def decide(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the event's follower gives for what was offered up to now."""
        self.is_begun = True
        try:
            outputs = self.follower.push(sentences, now)
        except TidingsError as error:  # it says itself what is to be mended
            raise FollowerError(f"{error}; what was committed before is kept") from error
        except Exception as error:
            raise self._failure(sentences, now, f"{type(error).__name__}: {error}") from error
        if outputs:
            self._check(outputs, sentences, now)
        return outputs

    def finish(self, now: int) -> Sequence[Output]:
        """What the event's follower still holds at the end of the event or of the stream.

        Nothing where it was never offered anything.
        """
        if not self.is_begun:
            return ()
        try:
            outputs = self.follower.finish(now)
        except Exception as error:
            raise self._failure((), now, f"{type(error).__name__}: {error}") from error
        if outputs:
            self._check(outputs, (), now)
        return outputs

    def state(self) -> bytes:
        """What the follower remembers."""
        try:
            return self.follower.state()
        except Exception as error:
            raise FollowerError(
                f"system {self._system.name!r} failed to return its state for event "
                f"{self.event.id} ({type(error).__name__}: {error}); what was committed before is kept"
            ) from error

    def new_state(self) -> bytes | None:
        """The same; None where it is the one that it gave, or took up, last."""
        state = self.state()
        digest = _digest(state)
        if digest == self._digest:
            return None
        self._digest = digest
        return state

    def remembers(self, state: bytes) -> bool:
        """Whether it is the state that it gave, or took up, last."""
        return self._digest == _digest(state)

    def _check(self, outputs: Sequence[Output], sentences: Sequence[Sentence], now: int) -> None:
        event_id = self.event.id
        for output in outputs:
            if output.time != now or output.event_id != event_id:
                raise self._failure(
                    sentences,
                    now,
                    f"it gave an output of event {output.event_id} at {output.time}, expected this event and now",
                )

    def _failure(self, sentences: Sequence[Sentence], now: int, how: str) -> FollowerError:
        place = f"at document {sentences[0].doc_id}" if sentences else "at the end"
        return FollowerError(
            f"system {self._system.name!r} failed on event {self.event.id} at stream time {now}, "
            f"{place}: {how}; what was committed before is kept; "
            "fix the system, then run the same command again to continue"
        )


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=_DIGEST_BYTES).digest()


class FollowedEvents:
    """The events of a run by number: each is begun, or taken up again, when it is first offered something.

    `saved` holds the states that an earlier attempt left. An event that is over is let go; its last state is among the
    next `states`, unless those are not kept at all (`keeps` False).

    The first of them is begun at once, so that a system that cannot be used says so before anything is read.
    """

    def __init__(
        self,
        system_of: Callable[[Event], Decider],
        events: Sequence[Event],
        saved: Mapping[str, bytes],
        *,
        keeps: bool,
    ) -> None:
        self._system_of, self._events, self._keeps = system_of, events, keeps
        self._saved = dict(saved)
        self._begun: dict[int, FollowedEvent] = {}
        self._changed: set[int] = set()
        self._last_states: dict[str, bytes] = {}
        # Events by their end, the next one last.
        self._ending = sorted(
            ((event.end_time, slot) for slot, event in enumerate(events) if event.end_time is not None),
            reverse=True,
        )
        self._over: set[int] = set()
        if events:
            self._followed(next((slot for slot, event in enumerate(events) if event.id in self._saved), 0))

    def _is_begun(self, slot: int) -> bool:
        followed = self._begun.get(slot)
        return self._events[slot].id in self._saved if followed is None else followed.is_begun

    def pass_over(self, time: int) -> None:
        """Let go of the events that an earlier attempt has ended: those whose end lies before that time."""
        while self._ending and self._ending[-1][0] < time:
            self._over.add(self._ending.pop()[1])

    def decide(self, slot: int, sentences: Sequence[Sentence], moment: int) -> Sequence[Output]:
        """What an event gives for these sentences."""
        followed = self._begun.get(slot) or self._followed(slot)
        self._changed.add(slot)
        return followed.decide(sentences, within(followed.event, moment))

    def learned(self, slot: int) -> frozenset[str]:
        """The words of the story that an event's follower has learned; none of one that is over."""
        return frozenset() if slot in self._over else self._followed(slot).learned

    def end_before(self, time: int) -> Iterator[tuple[int, Sequence[Output]]]:
        """What the events give that the stream has passed at that time, each at its end."""
        while self._ending and self._ending[-1][0] < time:
            end_time, slot = self._ending.pop()
            self._over.add(slot)
            yield from self._finish(slot, end_time, for_good=True)

    def end_stream(self, moment: int) -> Iterator[tuple[int, Sequence[Output]]]:
        """What the events still give that are not over when the stream has ended; they may go on after it."""
        for slot, event in enumerate(self._events):
            if slot not in self._over:
                yield from self._finish(slot, within(event, moment), for_good=False)

    def _finish(self, slot: int, now: int, *, for_good: bool) -> Iterator[tuple[int, Sequence[Output]]]:
        if not self._is_begun(slot):
            return
        is_resident = slot in self._begun
        followed = self._followed(slot)
        outputs = followed.finish(now)
        self._changed.add(slot)
        if for_good or not is_resident:
            state = followed.new_state() if self._keeps else None
            if state is not None:
                self._last_states[followed.event.id] = state
            del self._begun[slot]
            self._changed.discard(slot)
        if outputs:
            yield now, outputs

    def states(self) -> dict[str, bytes]:
        """By event, each state that is another than at the last call."""
        states, self._last_states = self._last_states, {}
        for slot in self._changed:
            state = self._begun[slot].new_state()
            if state is not None:
                states[self._events[slot].id] = state
        self._changed.clear()
        return states

    def _followed(self, slot: int) -> FollowedEvent:
        followed = self._begun.get(slot)
        if followed is None:
            event = self._events[slot]
            followed = FollowedEvent(self._system_of(event), event, self._saved.pop(event.id, None))
            self._begun[slot] = followed
        return followed
