"""The events that a store follows or has followed, whoever looks."""

from __future__ import annotations

from fastapi import HTTPException
from msgspec import Struct

from tidings.core import Event, StandingEvent
from tidings.live.store import LIVE_RUN, LiveStore

__all__ = ["KnownEvent", "known_event", "known_events"]


class KnownEvent(Struct, frozen=True):
    """An event, and how it is followed (None: by a run whose events do not change)."""

    event: Event
    standing: StandingEvent | None


def known_events(live: LiveStore) -> list[KnownEvent]:
    """Those that the run follows or has followed, and those that wait to be."""
    standing = {one.event.id: one for one in live.events.all()} if live.run == LIVE_RUN else {}
    followed = [KnownEvent(one, standing.pop(one.id, None)) for one in live.outputs.events()]
    return followed + [KnownEvent(one.event, one) for one in standing.values()]


def known_event(live: LiveStore, event_id: str) -> KnownEvent:
    """The one of this id; 404 where there is none."""
    for one in known_events(live):
        if one.event.id == event_id:
            return one
    raise HTTPException(404, "no such event")
