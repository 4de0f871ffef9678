"""What judging took, from where the desk's log is: a store, or the `judgments.jsonl` that a project was exported to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tidings.annotation.desk.effort import Effort, effort_of
from tidings.annotation.store import Desk
from tidings.core import is_store, open_store
from tidings.evaluation import EntryLine, ProjectLine, entry_of, read_desk_lines

__all__ = ["logged_effort"]


def logged_effort(path: str | Path, project: str = "") -> list[Effort]:
    """Effort for each person, topic and task of the project of that name; of all together where none is named.

    Raises:
        FormatError: the file is no export of a project. StoreError: the store cannot be read.
    """
    if not is_store(path):
        idle_s, entries = 0, []
        for line in read_desk_lines(path):
            if isinstance(line, ProjectLine):
                if project not in ("", line.name):
                    return []
                idle_s = line.idle_s
            elif isinstance(line, EntryLine):
                entries.append(entry_of(line))
        return list(effort_of(entries, idle_s).rows)
    with open_store(str(path), read_only=True) as opened:
        return list(_of_store(Desk(opened), project))


def _of_store(desk: Desk, project: str) -> Iterator[Effort]:
    for one in desk.projects.all():
        if project in ("", one.name):
            yield from effort_of(desk.log.entries(one.id), one.idle_s).rows
