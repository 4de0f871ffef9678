"""Where in a run a moment is."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ColumnElement, func, select

from tidings.core import Store, outputs, runs
from tidings.live.store.outputs import LiveOutputs

__all__ = ["cursor_before", "last_time"]


def cursor_before(store: Store, lists: LiveOutputs, time: int) -> int:
    """The number of the last output that was told before a time (seconds UTC); 0 where there is none."""
    return _greatest(store, lists, outputs.c.seq, outputs.c.time < time)


def last_time(store: Store, lists: LiveOutputs) -> int:
    """When the last of the outputs was told; 0 where there is none."""
    return _greatest(store, lists, outputs.c.time)


def _greatest(store: Store, lists: LiveOutputs, column: Column[Any], *conditions: ColumnElement[bool]) -> int:
    run = select(runs.c.id).where(runs.c.name == lists.run).scalar_subquery()
    with store.asking() as connection:
        found = connection.execute(
            select(func.max(column)).where(outputs.c.run_id == run, *conditions)
        ).scalar()
    return int(found or 0)
