"""The casualties so far: what the updates of a timeline say about the dead and the injured."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tidings.analysis import Casualties, find_casualties

__all__ = ["KINDS", "CasualtiesSoFar", "casualties_in", "whole_casualties"]

KINDS = {"deaths": "dead", "injuries": "injured"}
"""The kinds that a report marks, and the word by which it calls each."""

PARTIAL = 0.75
"""A figure up to this share of the one that stands is taken for some of the casualties, not for all."""

SMALL = {"deaths": 15, "injuries": 45}
"""A figure up to twice this one is believed to the first who says it."""

_CLAIMS = 20
_YEAR = re.compile(r"(?<![\w.,$€£])(?:19|20)\d\d(?![\w,.]*\d)(?:s\b)?")
_OTHERS = re.compile(
    r"\b(?:(?:years?|decades?|centur(?:y|ies)) (?:ago|earlier|before)|anniversary|deadliest|in history|history's|"
    r"could|might|would|may|(?:each|every|per|a) year|annually|a day|per day|hypothe\w+|simulat\w+|estimates? that)\b"
)
_SOME = re.compile(
    r"\b(?:(?:in|from) (?:an? |the )?(?:hospitals?|intensive)|critical\w*|serious condition)\b"
)
_TOLL = re.compile(r"\b(?:toll|confirmed|officially)\b", re.IGNORECASE)


def whole_casualties(
    casualties: Sequence[Casualties], text: str, years: Collection[int]
) -> tuple[Casualties, ...]:
    """Those that may count the whole event: none where the text speaks of another year, a rate, what could happen.

    Injured people who are in hospital, or in a critical state, are some of them.

    >>> [len(whole_casualties(casualties_in(text), text, {2013})) for text in ("In 1972 70 died.", "80 died.")]
    [0, 1]
    """
    text = text[:10_000]
    if _OTHERS.search(text) or any(int(year.group()[:4]) not in years for year in _YEAR.finditer(text)):
        return ()
    if _SOME.search(text):
        return tuple(one for one in casualties if one.kind != "injuries")
    return tuple(casualties)


@dataclass(frozen=True, slots=True)
class CasualtiesSoFar:
    """The figures that stand after an update; None where nothing has been said.

    A figure above twice the one that stands (30 dead, 90 injured at the beginning) needs two documents with different
    words, one above three times three; what says that it is the toll counts double. Until then it is a claim among
    `claims`: (kind, value, document, text).

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
    claims: tuple[tuple[str, int, str, str], ...] = ()

    def after(
        self, casualties: Sequence[Casualties], reports: Sequence[tuple[str, str]] | None = None
    ) -> CasualtiesSoFar:
        """What stands once an update has named `casualties`: of several figures of a kind, the highest counts.

        Args:
            casualties: what the update counts.
            reports: (document, text) of the update and of what supports it; None believes every figure.
        """
        figures: dict[str, int | None] = {"deaths": self.deaths, "injuries": self.injuries}
        claims = self.claims
        for kind, standing in list(figures.items()):
            latest = max((one.value for one in casualties if one.kind == kind), default=None)
            if latest is None or (standing is not None and latest <= PARTIAL * standing):
                continue
            if reports is not None:
                claims = (*claims, *((kind, latest, doc_id, text) for doc_id, text in reports))[-_CLAIMS:]
                if _witnesses(claims, kind, latest) < _needed(kind, latest, standing):
                    continue
            figures[kind] = latest
        return CasualtiesSoFar(figures["deaths"], figures["injuries"], claims)

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


def _needed(kind: str, value: int, standing: int | None) -> int:
    base = max(standing or 0, SMALL[kind])
    return 1 if value <= 2 * base else 2 if value <= 3 * base else 3


def _witnesses(claims: Sequence[tuple[str, int, str, str]], kind: str, value: int) -> int:
    # Documents with different words that give about this value, and one more where one of them calls it the toll.
    near = [claim for claim in claims if claim[0] == kind and abs(claim[1] - value) <= 0.1 * value]
    documents, texts = {claim[2] for claim in near}, {claim[3] for claim in near}
    return min(len(documents), len(texts)) + any(_TOLL.search(text) for text in texts)
