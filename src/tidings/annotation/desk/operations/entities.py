"""What judges say of an entity of a day: a grade of four, or the two answers of the short form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from tidings.annotation.desk.notes import reopened_id
from tidings.annotation.desk.queue import assign
from tidings.annotation.store import ObjectView, Standing
from tidings.annotation.tasks import KINDS, TASKS, Task
from tidings.core import FINAL, Change, DeskItem, JudgedObject, UsageError

FORMS = {
    "scale": Task("entities", "Entities", (KINDS["grade"],), "day-entity"),
    "short": Task("entities-short", "Entities, two questions", (KINDS["answer"],), "day-entity"),
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
        """Those that are someone's."""
        return [work for work in self.work if work.whose == whose]

    @property
    def left(self) -> int:
        """How many the judge has and has not judged."""
        return sum(work.value is None or work.again for work in self.of("mine"))


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


_GRADES = range(1, 5)
_SENTENCE = range(1, 4)


def grade_item(
    view: ObjectView, layer: str, item_id: str, grade: int | None, expected: int | UnsetType = UNSET
) -> list[Change]:
    """A judge's grade of an item, 1 to 4; None takes it away.

    Raises:
        UsageError: there is no such item, or no such grade. ConflictError: the item is decided.
    """
    _check(view, "grade", item_id)
    if grade is not None and grade not in _GRADES:
        raise UsageError(f"The grade must be 1, 2, 3 or 4, not {grade}.")
    value = None if grade is None else {"grade": grade}
    return [Change(layer, "grade", item_id, _anew(view, layer, "grade", item_id, value), expected)]


def set_answers(
    view: ObjectView,
    layer: str,
    item_id: str,
    answers: tuple[int, bool] | None,
    expected: int | UnsetType = UNSET,
) -> list[Change]:
    """A judge's two answers about an item: its sentence 1 to 3, its entity important or not; None takes them away.

    Raises:
        UsageError: there is no such item, or no such answer. ConflictError: the item is decided.
    """
    _check(view, "answer", item_id)
    value: dict[str, Any] | None = None
    if answers is not None:
        sentence, important = answers
        if sentence not in _SENTENCE:
            raise UsageError(f"The answer on the sentence must be 1, 2 or 3, not {sentence}.")
        value = {"sentence": sentence, "important": important}
    return [Change(layer, "answer", item_id, _anew(view, layer, "answer", item_id, value), expected)]


def _anew(view: ObjectView, layer: str, kind: str, item_id: str, value: Any) -> Any:
    # Who judges what was opened again as before has judged it again: that is to be seen in the log.
    reopened, own = view.get(FINAL, "reopened", reopened_id(kind, item_id)), view.get(layer, kind, item_id)
    if value is None or reopened is None or own is None or own.version > reopened.version:
        return value
    return {**value, "again": reopened.value["times"]}


def _check(view: ObjectView, kind: str, item_id: str) -> None:
    if view.item("day-entity", item_id) is None:
        raise UsageError(f"no entity {item_id} in this topic")
    view.need_open(kind, item_id, "This one is decided. A project lead can reopen it.")


def shown_text(item: DeskItem) -> str:
    """What a judge sees of an item, of which the log keeps a digest."""
    content = item.content
    return "\n".join((content["entity"], content["sentence"], content["before"] or "NIL"))
