"""Which of several judgments of one thing counts."""

from __future__ import annotations

from collections.abc import Iterable

from tidings.core import FINAL, SHARED, JudgedObject

__all__ = ["decided"]


def decided(objects: Iterable[JudgedObject]) -> dict[str, JudgedObject]:
    """The judgment that counts of each object of one kind and topic: the final one; else the first judge's.

    >>> own = JudgedObject(1, "judge-2", "matches", "d-0", 5, {"matches": []})
    >>> final = JudgedObject(1, "final", "matches", "d-0", 9, None)
    >>> decided([own, final])["d-0"].version
    5
    """
    order = {SHARED: 0, FINAL: 1}
    chosen: dict[str, JudgedObject] = {}
    for one in sorted(objects, key=lambda one: (order.get(one.layer, 2), one.version)):
        if one.value is not None:
            chosen.setdefault(one.id, one)
    return chosen
