"""The toll so far: what the updates of a timeline say about the dead and the injured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.text.numbers import Toll, find_tolls

__all__ = ["KINDS", "TollSoFar", "tolls_in"]

KINDS = {"deaths": "dead", "injuries": "injured"}
"""The kinds that a report marks, and the word by which it calls each."""

PARTIAL = 0.75
"""A figure below this share of the one that stands is taken for a part of the toll, not for all of it."""


@dataclass(frozen=True, slots=True)
class TollSoFar:
    """The figures that stand after an update; None where nothing has been said.

    The last figure told stands, so that corrections downward show; one below three quarters of what stands
    ("three of the dead") is a part of the toll and moves nothing.

    >>> stands = TollSoFar().after([Toll("deaths", 80, "", 0, 2)])
    >>> stands.after([Toll("deaths", 3, "", 0, 1)]).deaths, stands.after([Toll("deaths", 78, "", 0, 2)]).deaths
    (80, 78)
    """

    deaths: int | None = None
    injuries: int | None = None

    def after(self, tolls: Sequence[Toll]) -> TollSoFar:
        """What stands once an update has named `tolls`: of several figures of a kind, the highest counts."""
        figures: dict[str, int | None] = {"deaths": self.deaths, "injuries": self.injuries}
        for kind, standing in list(figures.items()):
            named = max((toll.value for toll in tolls if toll.kind == kind), default=None)
            if named is not None and (standing is None or named >= PARTIAL * standing):
                figures[kind] = named
        return TollSoFar(figures["deaths"], figures["injuries"])

    def words(self, before: TollSoFar | None = None) -> list[tuple[str, str]]:
        """(kind, `80 dead`) for each figure that stands, or only those that differ from `before`."""
        pairs = (("deaths", self.deaths), ("injuries", self.injuries))
        old = {"deaths": before.deaths, "injuries": before.injuries} if before else {}
        return [
            (kind, f"{value:,} {KINDS[kind]}")
            for kind, value in pairs
            if value is not None and (before is None or value != old[kind])
        ]


def tolls_in(text: str) -> tuple[Toll, ...]:
    """The numbers of dead and injured that `text` gives, in order and without overlaps.

    >>> [(toll.kind, toll.value) for toll in tolls_in("At least 12 people were killed and 40 injured.")]
    [('deaths', 12), ('injuries', 40)]
    """
    found = [toll for toll in find_tolls(text) if toll.kind in KINDS]
    found.sort(key=lambda toll: (toll.start, -toll.end))
    apart: list[Toll] = []
    for toll in found:
        if not apart or toll.start >= apart[-1].end:
            apart.append(toll)
    return tuple(apart)
