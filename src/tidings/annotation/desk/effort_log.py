"""What effort is counted from, kept at hand: of a log only what was added since is read again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from msgspec.structs import replace

from tidings.annotation.desk.effort import EffortReport, effort_of
from tidings.annotation.store import Desk
from tidings.core import LogEntry, Project

__all__ = ["EffortLog"]


class EffortLog:
    """The entries of some projects without the values that they changed, as far as they were read."""

    def __init__(self, most: int = 8) -> None:
        self._most, self._lock = most, Lock()
        self._read: OrderedDict[tuple[str, int], list[LogEntry]] = OrderedDict()

    def report(self, desk: Desk, project: Project, account_id: int | None = None) -> EffortReport:
        """The effort of a project as its log is now, of everybody or of one account."""
        key = (str(desk.store), project.id)
        with self._lock:
            entries = self._read.setdefault(key, [])
            last = entries[-1].seq if entries else 0
            entries += [_light(entry) for entry in desk.log.entries(project.id, after=last)]
            self._read.move_to_end(key)
            while len(self._read) > self._most:
                self._read.popitem(last=False)
            chosen = [one for one in entries if account_id is None or one.account_id == account_id]
        return effort_of(chosen, project.idle_s)


def _light(entry: LogEntry) -> LogEntry:
    after: Any = None
    if isinstance(entry.after, dict):
        flags = [{"automatic": one.get("automatic")} for one in entry.after.get("matches", [])]
        after = {"matches": flags}
    return replace(entry, before=None, after=after)
