"""The followers of one run: each begun, or taken up again, when its event is first offered something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from tidings.core import Event, Follower, Output, Sentence, TidingsError
from tidings.following.systems.decider import Decider
from tidings.following.systems.standing import EventSystems

_DIGEST_BYTES = 16


class FollowerError(TidingsError):
    """A system failed while deciding; what was committed before is kept."""


class Followers:
    """Events by number, each with its follower once that is needed; whatever it does wrong is named with its place.

    `saved` holds the states that an earlier attempt left. A follower that has been asked to `finish` for good is let
    go; its last state is among the next `states`, unless those are not kept at all (`keeps` False).

    The first of them is begun at once, so that a system that cannot be used says so before anything is read.
    """

    def __init__(
        self,
        system: Decider | EventSystems,
        events: Sequence[Event],
        saved: Mapping[str, bytes],
        *,
        keeps: bool,
    ) -> None:
        self._system, self._events, self._keeps = system, events, keeps
        self._saved = dict(saved)
        self._begun: dict[int, Follower] = {}
        self._changed: set[int] = set()
        self._last_states: dict[int, bytes] = {}
        self._digests: dict[int, bytes] = {}
        self._tried: tuple[int, Follower] | None = None
        if events:
            first = next((slot for slot, event in enumerate(events) if event.id in self._saved), 0)
            if events[first].id in self._saved:
                self._follower(first)
            else:
                self._tried = (first, self._start(first))

    def is_begun(self, slot: int) -> bool:
        """Whether the event was ever offered anything, in this attempt or in an earlier one."""
        return slot in self._begun or self._events[slot].id in self._saved

    @property
    def begun_count(self) -> int:
        """How many followers are in memory."""
        return len(self._begun)

    def push(self, slot: int, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the event's follower gives for these sentences."""
        follower = self._begun.get(slot) or self._follower(slot)
        self._changed.add(slot)
        try:
            outputs = follower.push(sentences, now)
        except TidingsError as error:  # it says itself what is to be mended
            raise FollowerError(f"{error}; what was committed before is kept") from error
        except Exception as error:
            raise self._failed(slot, sentences, now, f"{type(error).__name__}: {error}") from error
        if outputs:
            self._check(slot, outputs, sentences, now)
        return outputs

    def finish(self, slot: int, now: int, *, for_good: bool) -> Sequence[Output]:
        """What the event's follower gives at the end: that of the event (`for_good`) or that of the stream."""
        resident = slot in self._begun
        follower = self._follower(slot)
        self._changed.add(slot)
        try:
            outputs = follower.finish(now)
        except Exception as error:
            raise self._failed(slot, (), now, f"{type(error).__name__}: {error}") from error
        if outputs:
            self._check(slot, outputs, (), now)
        if for_good or not resident:
            if self._keeps:
                self._last_states[slot] = self._state(slot)
            del self._begun[slot]
        return outputs

    def states(self) -> dict[str, bytes]:
        """By event, each state that is another than at the last call."""
        states = {}
        for slot in self._changed:
            state = self._last_states.pop(slot) if slot in self._last_states else self._state(slot)
            digest = _digest(state)
            if digest != self._digests.get(slot):
                self._digests[slot] = digest
                states[self._events[slot].id] = state
        self._changed.clear()
        return states

    def _start(self, slot: int) -> Follower:
        event = self._events[slot]
        try:
            return self._system.start(event)
        except TidingsError:
            raise
        except Exception as error:
            raise FollowerError(
                f"system {self._system.name!r} cannot begin on event {event.id} ({type(error).__name__}: {error}); "
                "where it was given a model, train that anew with this version: it may be damaged"
            ) from error

    def _follower(self, slot: int) -> Follower:
        follower = self._begun.get(slot)
        if follower is not None:
            return follower
        if self._tried is not None and self._tried[0] == slot:
            follower, self._tried = self._tried[1], None
        else:
            follower = self._start(slot)
        event_id = self._events[slot].id
        state = self._saved.get(event_id)
        if state is not None:
            try:
                follower.restore(state)
            except Exception as error:
                raise FollowerError(
                    f"system {self._system.name!r} cannot take up what it remembered of event {event_id} "
                    f"({type(error).__name__}: {error}); was the run begun with another version of it? "
                    "Start anew with --restart"
                ) from error
            self._digests[slot] = _digest(state)
            del self._saved[event_id]
        self._begun[slot] = follower
        return follower

    def _state(self, slot: int) -> bytes:
        try:
            return self._begun[slot].state()
        except Exception as error:
            raise FollowerError(
                f"system {self._system.name!r} failed to give what it remembers of event "
                f"{self._events[slot].id} ({type(error).__name__}: {error}); what was committed before is kept"
            ) from error

    def _check(self, slot: int, outputs: Sequence[Output], sentences: Sequence[Sentence], now: int) -> None:
        event_id = self._events[slot].id
        for output in outputs:
            if output.time != now or output.event_id != event_id:
                raise self._failed(
                    slot,
                    sentences,
                    now,
                    f"it gave an output of event {output.event_id} at {output.time}, expected this event and now",
                )

    def _failed(self, slot: int, sentences: Sequence[Sentence], now: int, how: str) -> FollowerError:
        place = f"at document {sentences[0].doc_id}" if sentences else "at the end"
        return FollowerError(
            f"system {self._system.name!r} failed on event {self._events[slot].id} at stream time {now}, "
            f"{place}: {how}; what was committed before is kept, and the same "
            "command goes on from there once the system is mended"
        )


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=_DIGEST_BYTES).digest()
