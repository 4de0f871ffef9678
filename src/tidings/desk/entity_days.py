"""The work on entities as one judge sees it: days with their items, and which of these are whose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from tidings.records.assessment import DeskItem, JudgedObject

__all__ = ["EntityDay", "EntityWork", "Whose", "day_to_show", "entity_days"]

Whose = Literal["mine", "free", "others", "decided"]


class EntityWork(Struct, frozen=True):
    """One item for one judge: what they said of it (None: nothing yet) at which version, or what was decided."""

    item: DeskItem
    whose: Whose
    value: Any = None
    version: int = 0


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
        return sum(one.value is None for one in self.of("mine"))


def entity_days(
    items: Iterable[DeskItem],
    objects: Mapping[str, JudgedObject],
    final: Mapping[str, JudgedObject],
    holders: Mapping[str, tuple[int, ...]],
    account_id: int,
    limit: int,
) -> list[EntityDay]:
    """Days in their order, each with its items by name.

    Args:
        items: of kind `day-entity`, of one topic.
        objects: the judge's own grades or answers, by item.
        final: those that are decided, by item.
        holders: who has which item.
        account_id: the judge.
        limit: how many may have an item.
    """
    days: dict[str, list[EntityWork]] = {}
    ordered = sorted(items, key=lambda item: (item.content["date"], item.content["entity"].casefold()))
    for item in ordered:
        own, decided = objects.get(item.id), final.get(item.id)
        value, version = (None, 0) if own is None else (own.value, own.version)
        who = holders.get(item.id, ())
        whose: Whose
        if decided is not None and decided.value is not None:
            whose, value, version = "decided", decided.value, decided.version
        elif account_id in who or value is not None:
            whose = "mine"
        else:
            whose = "free" if len(who) < limit else "others"
        days.setdefault(item.content["date"], []).append(EntityWork(item, whose, value, version))
    return [EntityDay(date, tuple(work)) for date, work in days.items()]


def day_to_show(days: list[EntityDay], asked: str = "") -> EntityDay | None:
    """The day that was asked for; else the first that the judge has begun, that is free, or at all."""
    named = [day for day in days if day.date == asked]
    begun = [day for day in days if day.left]
    free = [day for day in days if day.of("free")]
    return next(iter([*named, *begun, *free, *days]), None)
