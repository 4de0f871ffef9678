"""Systems of standing events: each event is decided by one of its own, which may change while it is followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec

from tidings.core import Budget, Event, Follower, Interest, ModelCard, StandingEvent, System, UsageError
from tidings.following.systems.budget import BudgetedSystem
from tidings.following.systems.languages import with_languages
from tidings.following.systems.marks import WithMarks, apart, together
from tidings.following.systems.pace import PacedSystem, needs_period, with_pace
from tidings.following.systems.registry import make
from tidings.following.systems.support.system import WithSupport
from tidings.following.systems.wrapped import WrappedSystem

__all__ = ["EventSystems", "carried_state", "standing_system"]


_PARTS = tuple[bytes, bytes]
_LIMITED = tuple[msgspec.Raw, bytes]


class EventSystems:
    """Several systems as one, each for the event of that id."""

    name = "standing"
    spec = "standing"
    card: ModelCard | None = None
    budget = Budget()

    def __init__(self, systems: Mapping[str, System]) -> None:
        self._systems = systems

    def interest(self, event: Event) -> Interest | None:
        """What interests the event's system."""
        return self._systems[event.id].interest(event)

    def interest_in(self, event: Event, language: str) -> Interest | None:
        """What interests the event's system among documents of a language."""
        system = self._systems[event.id]
        if isinstance(system, WrappedSystem):
            return system.interest_in(event, language)
        return system.interest(event)

    def start(self, event: Event) -> Follower:
        """A fresh follower by the event's system."""
        return self._systems[event.id].start(event)


def standing_system(standing: StandingEvent) -> System:
    """What decides on a standing event, at its pace, heeding readers' marks, with the outlets that say it again.

    Raises:
        UsageError: there is no such system, or a pace of updates in all where nobody knows when the event ends.

    >>> from tidings.core.records import Event
    >>> storm = StandingEvent(event=Event(id="storm", title="", query="storm"), system="cosine", about="10/day")
    >>> standing_system(storm).spec
    'cosine:about=10/day'
    """
    paced = with_pace(with_languages(make(standing.system)), standing.about)
    event = standing.event
    if needs_period(paced) and (event.start_time is None or event.end_time is None):
        raise UsageError(
            f"found a pace of {standing.about} updates in all for event {event.id!r}, which has no start and end, "
            "expected both, or a pace such as 10/day"
        )
    return WithSupport(WithMarks(paced))


def carried_state(before: StandingEvent, now: StandingEvent, state: bytes) -> bytes:
    """The state of a follower of `before` as one of `now` takes it up: its memory stays, a new pace begins anew."""
    if before.about == now.about:
        return state
    system = make(before.system)
    is_budgeted = isinstance(system, BudgetedSystem)
    if isinstance(system.system if isinstance(system, BudgetedSystem) else system, PacedSystem):
        return state  # its own pace, and that alone: another one beside it is refused
    inner, counter = msgspec.msgpack.decode(state, type=_PARTS)
    inner, marks = apart(inner)
    room = msgspec.Raw()
    if is_budgeted:
        room, inner = msgspec.msgpack.decode(inner, type=_LIMITED)
    if before.about:
        _, inner = msgspec.msgpack.decode(inner, type=_LIMITED)
    if now.about:
        fresh = cast("WrappedSystem", standing_system(now)).system.start(now.event).state()
        if is_budgeted:
            _, fresh = msgspec.msgpack.decode(fresh, type=_LIMITED)
        limit, _ = msgspec.msgpack.decode(fresh, type=_LIMITED)
        inner = msgspec.msgpack.encode((limit, inner))
    if is_budgeted:
        inner = msgspec.msgpack.encode((room, inner))
    return msgspec.msgpack.encode((together(inner, marks), counter))
