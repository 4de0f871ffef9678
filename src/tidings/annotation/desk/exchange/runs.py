"""Runs whose updates are pooled, as items of a project: so that their scores can be seen while people judge.

A run is an item of kind `run` with topic 0. Of its updates what scorers look at is kept, as columns; columns that say
nothing (no update has a text, say) are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import copysign, isfinite
from typing import Any

import msgspec

from tidings.annotation.store import Desk
from tidings.core import DeskItem, Project, Run, RunCard, Update

__all__ = ["RUNS_TOPIC", "add_runs", "run_item", "run_of_item", "runs_of"]

RUNS_TOPIC = 0
"""Where runs stand: they tell of many topics."""
_ALWAYS = ("event_id", "doc_id", "sentence_index", "time", "confidence")
_WHERE_SAID = ("text", "published_time", "source", "title", "url")
_INFINITE = 1000.0
_ID_CHARS = 300


def run_item(project_id: int, run: Run) -> DeskItem:
    """A run as an item: its team, name, card and updates, but not its values, rankings and supports.

    A confidence that is no finite number becomes ±1000, as the official scorers have it.

    >>> run = Run("us", "one", (Update("storm", "d", 0, 60, float("inf"), text="It rains."),))
    >>> item = run_item(1, run)
    >>> item.id, item.kind, item.topic, item.content["updates"]["confidence"]
    ('us/one', 'run', 0, [1000.0])
    >>> run_of_item(item).updates[0].text
    'It rains.'
    """
    columns: dict[str, list[Any]] = {name: [] for name in (*_ALWAYS, *_WHERE_SAID)}
    for update in run.updates:
        for name, column in columns.items():
            column.append(getattr(update, name))
    columns["confidence"] = [
        value if isfinite(value) else copysign(_INFINITE, value) for value in columns["confidence"]
    ]
    kept = {name: column for name, column in columns.items() if name in _ALWAYS or any(column)}
    content = {
        "team": run.team,
        "name": run.name,
        "card": None if run.card is None else msgspec.to_builtins(run.card),
        "updates": kept,
    }
    first = min(columns["time"], default=0)
    return DeskItem(project_id, RUNS_TOPIC, "run", f"{run.team}/{run.name}"[:_ID_CHARS], 0, first, content)


def run_of_item(item: DeskItem) -> Run:
    """The run that `run_item` was given."""
    columns = item.content["updates"]
    names = list(columns)
    updates = tuple(
        Update(**dict(zip(names, row, strict=True))) for row in zip(*columns.values(), strict=True)
    )
    card = item.content["card"]
    return Run(
        item.content["team"],
        item.content["name"],
        updates,
        None if card is None else msgspec.convert(card, RunCard),
    )


def add_runs(desk: Desk, project: Project, runs: Iterable[Run]) -> int:
    """Add runs to a project; says how many were not there yet.

    Raises:
        StoreError: the project has another run of the same team and name.
    """
    return desk.projects.add_items(run_item(project.id, run) for run in runs)


def runs_of(desk: Desk, project: Project) -> list[Run]:
    """The runs of a project, as they were added."""
    return [run_of_item(item) for item in desk.projects.items(project.id, RUNS_TOPIC, "run")]
