"""Who asks for live pages: every route names `Reading` (may read) or `Editing` (may change) as a dependency."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, HTTPException, Request
from msgspec import Struct

from tidings.core import Event, StandingEvent
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.pages.tail import Tail
from tidings.live.store import LIVE_RUN, LiveStore
from tidings.web import SignInNeeded, Visitor, settings_of, visitor_or_none


def live_of(request: Request) -> LiveStore:
    """The store that is shown."""
    live: LiveStore = request.app.state.live
    return live


def live_settings_of(request: Request) -> LiveSiteSettings:
    """How it is served."""
    return cast("LiveSiteSettings", settings_of(request))


def tail_of(request: Request) -> Tail:
    """What watches the end of its run."""
    tail: Tail = request.app.state.tail
    return tail


async def reading(
    request: Request, visitor: Annotated[Visitor | None, Depends(visitor_or_none)]
) -> Visitor | None:
    """Who reads, None for someone without an account; SignInNeeded where only accounts may."""
    if visitor is None and not live_settings_of(request).open_reading:
        raise SignInNeeded
    return visitor


async def editing(request: Request, visitor: Annotated[Visitor | None, Depends(visitor_or_none)]) -> Visitor:
    """Who changes something: an account, and nobody where pages are for reading alone."""
    if live_settings_of(request).read_only:
        raise HTTPException(403, "These pages are read-only.")
    if visitor is None:
        raise SignInNeeded
    return visitor


async def watching(
    request: Request, visitor: Annotated[Visitor | None, Depends(visitor_or_none)]
) -> Visitor | None:
    """Who watches over the service: a program of this machine needs no account; what a proxy passes on does."""
    from tidings.web import is_own

    passed_on = "x-forwarded-for" in request.headers or "forwarded" in request.headers
    own = request.client is not None and is_own(request.client.host) and not passed_on
    return visitor if own else await reading(request, visitor)


Watching = Annotated[Visitor | None, Depends(watching)]
Reading = Annotated[Visitor | None, Depends(reading)]
Editing = Annotated[Visitor, Depends(editing)]


class KnownEvent(Struct, frozen=True):
    """An event, and how it is followed (None: by a run whose events do not change)."""

    event: Event
    standing: StandingEvent | None


def known_events(live: LiveStore) -> list[KnownEvent]:
    """Those that the run follows or has followed, and those that wait to be."""
    standing = {standing.event.id: standing for standing in live.events.all()} if live.run == LIVE_RUN else {}
    followed = [KnownEvent(event, standing.pop(event.id, None)) for event in live.outputs.events()]
    return followed + [KnownEvent(standing.event, standing) for standing in standing.values()]


def known_event(live: LiveStore, event_id: str) -> KnownEvent:
    """The one of this id; 404 where there is none."""
    for known in known_events(live):
        if known.event.id == event_id:
            return known
    raise HTTPException(404, "There is no such story.")
