"""Standing events: those that a store follows until further notice, and what people changed and said of them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tidings.core.records.documents import Event

__all__ = [
    "ChangeKind",
    "EventChange",
    "EventLogEntry",
    "MarkKind",
    "ReaderMark",
    "StandingEvent",
    "StandingState",
]

StandingState: TypeAlias = Literal["followed", "paused", "closed"]

MarkKind: TypeAlias = Literal["not-about", "known"]
"""What a reader says of an update: it is not about the event, or told nothing that the reader did not know."""


class StandingEvent(Struct, frozen=True, kw_only=True):
    """An event that a store follows until further notice, as people last wanted it.

    `system` decides (name and options as `tidings.following.systems.make` takes them), at the pace `about` ("" for
    none). `since` is the time from which what had been fetched before the event was added is told too (None: nothing).
    `number` counts the store's standing events from 1, and `version` is the number of the last entry of the log that
    changed this one.
    """

    event: Event
    system: str = "tidings"
    about: str = ""
    state: StandingState = "followed"
    since: int | None = None
    number: int = 0
    version: int = 0


class ReaderMark(Struct, frozen=True, kw_only=True):
    """What a reader said of an update, or, with `withdrawn`, does not say any more."""

    update_id: str
    text: str
    mark: MarkKind
    withdrawn: bool = False


EventChange: TypeAlias = StandingEvent | ReaderMark

ChangeKind: TypeAlias = Literal["added", "changed", "paused", "resumed", "closed", "reopened", "marked"]


class EventLogEntry(Struct, frozen=True, kw_only=True):
    """One change of a standing event, or one mark of a reader; never changed itself.

    `who` is an account's name, or where else it came from. `recorded_ms` is when (milliseconds UTC). `applied` is how
    many documents of the stream had been followed when it took effect; None while it has not, -1 where it never will,
    since the event's follower cannot take it up.
    """

    seq: int
    kind: ChangeKind
    event_id: str
    who: str
    recorded_ms: int
    event: StandingEvent | None = None
    mark: ReaderMark | None = None
    applied: int | None = None
