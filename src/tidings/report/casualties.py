"""The casualties so far: what the updates of a timeline say about the dead and the injured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.text.casualties import Casualties, find_casualties

__all__ = ["KINDS", "CasualtiesSoFar", "casualties_in"]

KINDS = {"deaths": "dead", "injuries": "injured"}
"""The kinds that a report marks, and the word by which it calls each."""

PARTIAL = 0.75
"""A figure below this share of the one that stands is taken for some of the casualties, not for all."""


@dataclass(frozen=True, slots=True)
class CasualtiesSoFar:
    """The figures that stand after an update; None where nothing has been said.

    The last figure told stands, so that corrections downward show; one below three quarters of what stands
    ("three of the dead") speaks of some of them and moves nothing.

    >>> stands = CasualtiesSoFar().after([Casualties("deaths", 80, "", 0, 2)])
    >>> stands.after([Casualties("deaths", 3, "", 0, 1)]).deaths
    80
    >>> stands.after([Casualties("deaths", 78, "", 0, 2)]).deaths
    78
    """

    deaths: int | None = None
    injuries: int | None = None

    def after(self, casualties: Sequence[Casualties]) -> CasualtiesSoFar:
        """What stands once an update has named `casualties`: of several figures of a kind, the highest counts."""
        figures: dict[str, int | None] = {"deaths": self.deaths, "injuries": self.injuries}
        for kind, standing in list(figures.items()):
            latest = max((one.value for one in casualties if one.kind == kind), default=None)
            if latest is not None and (standing is None or latest >= PARTIAL * standing):
                figures[kind] = latest
        return CasualtiesSoFar(figures["deaths"], figures["injuries"])

    def words(self, before: CasualtiesSoFar | None = None) -> list[tuple[str, str]]:
        """(kind, `80 dead`) for each figure that stands, or only those that differ from `before`."""
        pairs = (("deaths", self.deaths), ("injuries", self.injuries))
        old = {"deaths": before.deaths, "injuries": before.injuries} if before else {}
        return [
            (kind, f"{value:,} {KINDS[kind]}")
            for kind, value in pairs
            if value is not None and (before is None or value != old[kind])
        ]


def casualties_in(text: str) -> tuple[Casualties, ...]:
    """The numbers of dead and injured that `text` gives, in order and without overlaps.

    >>> [(one.kind, one.value) for one in casualties_in("At least 12 people were killed and 40 injured.")]
    [('deaths', 12), ('injuries', 40)]
    """
    casualties = [one for one in find_casualties(text) if one.kind in KINDS]
    casualties.sort(key=lambda one: (one.start, -one.end))
    apart: list[Casualties] = []
    for one in casualties:
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return tuple(apart)
