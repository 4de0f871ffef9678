"""The work on entities as one judge sees it: days with their items, and which of these are whose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from tidings.annotation.desk.queue import assign
from tidings.annotation.store import Standing
from tidings.core import TASKS, DeskItem, JudgedObject, Task

__all__ = ["CLAIMED", "FORMS", "EntityDay", "EntityWork", "Whose", "day_to_show", "entity_days"]

FORMS = {
    "scale": Task("entities", "Entities", ("grade",), "day-entity"),
    "short": Task("entities-short", "Entities, two questions", ("answer",), "day-entity"),
}
"""The two ways of judging: each asks as many people for itself."""

CLAIMED = {task.id: task for task in (*TASKS, *FORMS.values())}
"""What items are given out for, by its word: the tasks of a project, and each form of judging entities."""

Whose = Literal["mine", "free", "others", "decided"]


class EntityWork(Struct, frozen=True):
    """One item for one judge: what they said of it (None: nothing yet) at which version, or what was decided.

    `again` says that it was opened again since.
    """

    item: DeskItem
    whose: Whose
    value: Any = None
    version: int = 0
    again: bool = False


class EntityDay(Struct, frozen=True):
    """All items of an (event, day)."""

    date: str
    work: tuple[EntityWork, ...]

    def of(self, whose: Whose) -> list[EntityWork]:
        """Those that are somebody's."""
        return [one for one in self.work if one.whose == whose]

    @property
    def left(self) -> int:
        """How many the judge has and has not judged."""
        return sum(one.value is None or one.again for one in self.of("mine"))


def entity_days(
    items: Iterable[DeskItem],
    own: Mapping[str, JudgedObject],
    final: Mapping[str, JudgedObject],
    standing: Standing,
    account_id: int,
    *,
    limit: int,
    now: int,
) -> list[EntityDay]:
    """Days in their order, each with its items by name.

    Args:
        items: of kind `day-entity`, of one topic.
        own: the judge's grades or answers, by item.
        final: those that are decided, by item.
        standing: who has and has judged which item.
        account_id: the judge.
        limit: how many may have an item.
        now: the time (seconds), which says which claims have lapsed.
    """
    days: dict[str, list[EntityWork]] = {}
    ordered = sorted(items, key=lambda item: (item.content["date"], item.content["entity"].casefold()))
    for item in ordered:
        said, decided = own.get(item.id), final.get(item.id)
        value, version = (None, 0) if said is None else (said.value, said.version)
        again = value is not None and account_id not in standing.judged.get(item.id, ())
        whose: Whose
        if decided is not None and decided.value is not None:
            whose, value, version, again = "decided", decided.value, decided.version, False
        elif account_id in standing.holders.get(item.id, ()) or value is not None:
            whose = "mine"
        else:
            free = assign([item.id], standing, account_id, limit=limit, now=now)
            whose = "others" if free is None else "free"
        days.setdefault(item.content["date"], []).append(EntityWork(item, whose, value, version, again))
    return [EntityDay(date, tuple(work)) for date, work in days.items()]


def day_to_show(days: list[EntityDay], asked: str = "") -> EntityDay | None:
    """The day that was asked for; else the first that the judge has begun, that is free, or at all."""
    named = [day for day in days if day.date == asked]
    begun = [day for day in days if day.left]
    free = [day for day in days if day.of("free")]
    return next(iter([*named, *begun, *free, *days]), None)
