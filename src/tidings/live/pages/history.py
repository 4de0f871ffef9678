"""What people changed of a standing event, in words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tidings.core import EventLogEntry, StandingEvent
from tidings.live.hosting.changes import words_of
from tidings.live.store.events import REFUSED

__all__ = ["FIELDS", "Change", "Step", "changes_between", "history"]

FIELDS = {
    "title": "title",
    "query": "query",
    "languages": "languages",
    "about": "pace",
    "start": "start",
    "end": "end",
}
"""What people can change, and how it is called."""

_KINDS = {
    "added": "began it",
    "changed": "changed it",
    "paused": "paused it",
    "resumed": "went on with it",
    "closed": "closed it",
    "reopened": "reopened it",
}


class Change(Struct, frozen=True):
    """A field that has another value."""

    field: str
    before: str
    now: str


class Step(Struct, frozen=True):
    """An entry of the log: who did what and when (seconds UTC), and what came of it."""

    time: int
    who: str
    what: str
    changes: tuple[Change, ...]
    effect: str
    is_refused: bool


def changes_between(before: StandingEvent, now: StandingEvent) -> tuple[Change, ...]:
    """The fields in which two versions of a standing event differ."""
    old, new = words_of(before), words_of(now)
    return tuple(
        Change(name, getattr(old, field), getattr(new, field))
        for field, name in FIELDS.items()
        if getattr(old, field) != getattr(new, field)
    )


def history(entries: Sequence[EventLogEntry]) -> list[Step]:
    """What the log of one event says (its entries oldest first, marks left out), newest first."""
    steps: list[Step] = []
    before: StandingEvent | None = None
    for entry in entries:
        if entry.event is None:
            continue
        changes = () if before is None else changes_between(before, entry.event)
        steps.append(
            Step(
                entry.recorded_ms // 1000,
                entry.who,
                _KINDS.get(entry.kind, entry.kind),
                changes,
                _effect(entry),
                entry.applied == REFUSED,
            )
        )
        before = entry.event
    return steps[::-1]


def _effect(entry: EventLogEntry) -> str:
    if entry.applied is None:
        return "waits for the process that follows"
    if entry.applied == REFUSED:
        return "has no effect: the process that follows could not take it up"
    if not entry.applied:
        return "in effect from the first document on"
    return f"in effect after {entry.applied:,} document{'' if entry.applied == 1 else 's'}"
