"""What judging by nuggets took, and by clusters: the study's section 4.1."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

__all__ = ["EffortComparison", "TaskEffort", "compare_effort"]

_KINDS = {"extraction": "nuggets", "matching": "nuggets", "relevance": "clusters", "clusters": "clusters"}


class TaskEffort(Struct, frozen=True):
    """Seconds that a task took: observed in the log (a lower bound) and estimated; and how much was judged in them."""

    task: str
    kind: str
    observed_s: float
    estimated_s: float
    assessments: int
    people: int


class EffortComparison(Struct, frozen=True):
    """All tasks of both kinds, and how many times the nuggets took what the clusters did (estimated); 0: not known."""

    tasks: tuple[TaskEffort, ...]

    def seconds(self, kind: str) -> float:
        """The estimated seconds of `nuggets` or of `clusters`."""
        return sum(one.estimated_s for one in self.tasks if one.kind == kind)

    @property
    def ratio(self) -> float:
        """Nuggets' time over clusters' time; 0 where one of them is not known."""
        clusters = self.seconds("clusters")
        return self.seconds("nuggets") / clusters if clusters else 0.0


def compare_effort(tasks: Iterable[TaskEffort]) -> EffortComparison | None:
    """What there is of tasks that make nuggets or clusters; None where there is none.

    >>> taken = [("extraction", 300.0), ("matching", 600.0), ("clusters", 200.0), ("entities", 50.0)]
    >>> compared = compare_effort(TaskEffort(task, "", 0.0, seconds, 1, 1) for task, seconds in taken)
    >>> [(one.task, one.kind) for one in compared.tasks], compared.ratio
    ([('extraction', 'nuggets'), ('matching', 'nuggets'), ('clusters', 'clusters')], 4.5)
    """
    kept = tuple(
        TaskEffort(one.task, _KINDS[one.task], one.observed_s, one.estimated_s, one.assessments, one.people)
        for one in tasks
        if one.task in _KINDS
    )
    return EffortComparison(kept) if kept else None
