"""Taking an act back: what it changed becomes what it was, unless somebody has changed it since."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from msgspec import Struct

from tidings.core import Change, LogEntry

__all__ = ["StandingAct", "last_standing", "undone"]


class StandingAct(Struct, frozen=True):
    """An act that was not taken back.

    Args:
        key: the act's.
        entries: its entries, in their order.
        since: the entries that were read behind them, in their order.
    """

    key: str
    entries: list[LogEntry]
    since: list[LogEntry]


def last_standing(
    latest: Iterable[LogEntry], counts: Callable[[LogEntry], bool] = lambda first: True
) -> StandingAct | None:
    """The last act that was not taken back and takes none back itself, nor came from a file.

    Args:
        latest: entries of the log, the latest first, of which no more are read than are needed. Those of an act stand
            together.
        counts: whether an act is looked for at all, by its first entry.
    """
    taken_back: set[str] = set()
    since: list[LogEntry] = []
    for key, group in groupby(latest, key=lambda entry: entry.act):
        entries = list(group)[::-1]
        first = entries[0]
        if first.undoes:
            taken_back.add(first.undoes)
        elif first.operation != "import" and key not in taken_back and counts(first):
            return StandingAct(key, entries, since[::-1])
        since += reversed(entries)
    return None


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
