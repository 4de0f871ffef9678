"""Grades of relevance: 0 not, 1 fairly, 2 highly; what real-time summarization calls its qrels."""

from __future__ import annotations

from tidings.annotation.desk.operations.clusters import Placing, View, check_version, open_copies
from tidings.core import FINAL, Change, ConflictError, UsageError

__all__ = ["RELEVANCE", "grade"]

RELEVANCE = "relevance"
_HIGHEST = 2


def grade(view: View, placing: Placing, value: int | None) -> list[Change]:
    """Grade an update and, automatically, its exact copies; None takes the grade away.

    Raises:
        UsageError: another grade than 0, 1 or 2.
        ConflictError: the update's grade is decided, or is not what the page showed.
    """
    if value is not None and not 0 <= value <= _HIGHEST:
        raise UsageError(f"found the grade {value}, expected 0 (not relevant), 1 (relevant) or 2 (highly)")
    final = view.get(FINAL, RELEVANCE, placing.update)
    if final is not None and final.value is not None:
        raise ConflictError("this update is decided: who leads the project can reopen it", final)
    check_version(view.get(placing.layer, RELEVANCE, placing.update), placing.expected)
    given = None if value is None else {"grade": value}
    automatic = None if given is None else {**given, "automatic": True}
    return [
        Change(placing.layer, RELEVANCE, one, given if one == placing.update else automatic)
        for one in open_copies(view, RELEVANCE, placing)
    ]
