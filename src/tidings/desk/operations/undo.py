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


def undone(entries: Iterable[LogEntry], since: Iterable[LogEntry] = ()) -> list[Change]:
    """The changes that take an act's entries back; each expects that its object was not changed since.

    Args:
        entries: of the act.
        since: later entries, in their order. Those that took later acts back, and so left an object as the act had
            made it, are no changes: one can take back several acts one after the other.
    """
    restored = {(one.layer, one.kind, one.object_id): one for one in since if one.undoes}
    changes = []
    for entry in entries:
        latest = restored.get((entry.layer, entry.kind, entry.object_id), entry)
        same = latest.seq > entry.seq and latest.after == entry.after
        expected = latest.seq if same else entry.seq
        changes.append(Change(entry.layer, entry.kind, entry.object_id, entry.before, expected=expected))
    return changes
