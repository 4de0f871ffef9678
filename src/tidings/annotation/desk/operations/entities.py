"""What judges say of an entity of a day: a grade of four, or the two answers of the short form."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from tidings.annotation.desk.operations.notes import reopened_id
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, Change, ConflictError, DeskItem, UsageError

__all__ = ["answered", "graded", "shown_text"]

_GRADES = range(1, 5)
_SENTENCE = range(1, 4)


def graded(
    view: ObjectView, layer: str, item_id: str, grade: int | None, expected: int | UnsetType = UNSET
) -> list[Change]:
    """A judge's grade of an item, 1 to 4; None takes it away.

    Raises:
        UsageError: there is no such item, or no such grade. ConflictError: the item is decided.
    """
    _check(view, "grade", item_id)
    if grade is not None and grade not in _GRADES:
        raise UsageError(f"found the grade {grade}, expected 1, 2, 3 or 4")
    value = None if grade is None else {"grade": grade}
    return [Change(layer, "grade", item_id, _anew(view, layer, "grade", item_id, value), expected)]


def answered(
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
            raise UsageError(f"found {sentence} for the sentence, expected 1, 2 or 3")
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
        raise UsageError(f"found no entity {item_id} in the topic, expected one of those that it shows")
    final = view.get(FINAL, kind, item_id)
    if final is not None and final.value is not None:
        raise ConflictError("this one is decided; whoever leads the project can open it again", final)


def shown_text(item: DeskItem) -> str:
    """What a judge sees of an item, of which the log keeps a digest."""
    content = item.content
    return "\n".join((content["entity"], content["sentence"], content["before"] or "NIL"))
