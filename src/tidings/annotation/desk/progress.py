"""How far the judging of a project is: of each topic and task what is judged, by whom, and what is left."""

from __future__ import annotations

from msgspec import Struct

from tidings.annotation.store import Desk
from tidings.core import FINAL, SHARED, TASKS, DeskTopic, Project, Task, layer_account

__all__ = ["TaskProgress", "progress_of"]

_COUNTED_BY = {
    "clusters": ("update", "membership"),
    "linking": ("sentence", "links"),
}
"""Tasks that are done topic by topic, and the items by which one sees how far they are."""


class TaskProgress(Struct, frozen=True, kw_only=True):
    """How far a task of a topic is.

    Args:
        topic: its number.
        title: what it is called.
        task: a word of `TASKS`.
        items: how many there are to judge; None where that is not known beforehand, as of nuggets.
        judged: how many somebody judged, or, where their number is not known, how many there are now.
        decided: of these, those with a final judgment.
        left: how many still need a judge: neither decided nor judged by as many as are asked; None as for `items`.
        by: who judged how many; `FINAL` for those decided, `SHARED` for what all work on together.
    """

    topic: int
    title: str
    task: str
    items: int | None
    judged: int
    decided: int
    left: int | None
    by: dict[str, int]


def progress_of(desk: Desk, project: Project) -> list[TaskProgress]:
    """How far each task of a project is, by topic; tasks of which a topic has nothing are left out."""
    names = {one.account_id: one.name for one in desk.projects.members(project.id)}
    items = desk.projects.count_items(project.id)
    counts = desk.log.count_objects(project.id)
    found = []
    for topic in desk.projects.topics(project.id):
        for task in TASKS:
            if task.id in project.tasks:
                one = _task(desk, project, topic, task, items, counts, names)
                if one.items or one.judged:
                    found.append(one)
    return found


def _task(
    desk: Desk,
    project: Project,
    topic: DeskTopic,
    task: Task,
    items: dict[tuple[int, str], int],
    counts: dict[tuple[int, str, str], int],
    names: dict[int, str],
) -> TaskProgress:
    unit, kind = _COUNTED_BY.get(task.id, (task.unit, ""))
    kinds = (kind,) if kind else task.kinds
    by: dict[str, int] = {}
    for (number, layer, of_kind), count in counts.items():
        if number == topic.number and of_kind in kinds:
            account = layer_account(layer)
            name = layer if account is None else names.get(account, f"account {account}")
            by[name] = by.get(name, 0) + count
    title = topic.event.title or topic.event.id
    order = {SHARED: 0, FINAL: 2}
    by = dict(sorted(by.items(), key=lambda one: (order.get(one[0], 1), one[0])))
    if not unit:
        return TaskProgress(
            topic=topic.number,
            title=title,
            task=task.id,
            items=None,
            judged=sum(by.values()),
            decided=by.get(FINAL, 0),
            left=None,
            by=by,
        )
    standing = desk.claims.standing(
        project.id, topic.number, Task(task.id, task.title, kinds, unit, task.shared)
    )
    total = items.get((topic.number, unit), 0)
    enough = {item for item, judges in standing.judged.items() if len(judges) >= project.judges}
    return TaskProgress(
        topic=topic.number,
        title=title,
        task=task.id,
        items=total,
        judged=len(standing.decided | standing.judged.keys()),
        decided=len(standing.decided),
        left=max(0, total - len(standing.decided | enough)),
        by=by,
    )
