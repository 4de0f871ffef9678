"""Taking an act back: what it changed becomes what it was, unless somebody has changed it since."""

from __future__ import annotations

from collections.abc import Iterable

from tidings.records.assessment import Change, LogEntry

__all__ = ["last_act", "undone"]


def last_act(entries: Iterable[LogEntry]) -> str | None:
    """The key of the last act among entries in their order that was not taken back and takes none back itself."""
    standing: dict[str, None] = {}
    for entry in entries:
        if entry.undoes:
            standing.pop(entry.undoes, None)
        elif entry.operation != "import":
            standing.pop(entry.act, None)
            standing[entry.act] = None
    return next(reversed(standing), None)


def undone(entries: Iterable[LogEntry]) -> list[Change]:
    """The changes that take an act's entries back; each expects that its object was not changed since."""
    return [
        Change(entry.layer, entry.kind, entry.object_id, entry.before, expected=entry.seq)
        for entry in entries
    ]
