"""Runs of entity rankings against graded entities."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tidings.core import Judgments, RankingRun, UsageError
from tidings.evaluation.measures.entities.lists import average_precision, ndcg, precision, serendipity
from tidings.evaluation.measures.ids import EventIds
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.scores import RunScores, assemble

__all__ = ["DEFAULT", "Prepared", "prepare_rankings"]

DEFAULT = (
    *(Measure("P", k) for k in (1, 3, 10)),
    Measure("MAP"),
    Measure("NDCG", 10),
    *(Measure("SRDP", k) for k in (1, 3, 10)),
)
"""The columns of the paper's Table 2, and NDCG."""

Previous = Literal["returned", "judged"]
Day = tuple[str, str]


@dataclass(slots=True)
class Prepared:
    """Graded entities made ready; scores any number of runs.

    Attributes:
        grades: (event, date) to entity to grade.
        names: event to every name of its entities (in small letters) to the entity.
        relevant_from: the least grade that counts as relevant.
        previous: what "the day before" brought: what the run itself returned, or what was graded.
    """

    grades: dict[Day, dict[str, int]]
    names: dict[str, dict[str, str]]
    listed: tuple[str, ...]
    relevant_from: int
    previous: Previous

    @property
    def ids(self) -> EventIds:
        """The events that runs may tell of."""
        return EventIds((*self.listed, *self.names))

    def entity(self, event_id: str, name: str) -> str:
        """The graded entity that a name or alias means, whatever its capitals; the name itself where none does."""
        return self.names.get(event_id, {}).get(name.casefold(), name)

    def score(self, run: RankingRun, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run: a row for each graded event and day, means over all of them.

        Raises:
            UnknownEventError: the run ranks entities of an event that the judgments do not list.
        """
        wanted = DEFAULT if measures is None else tuple(measures)
        ranked = self._ranked(run)
        per_event = {}
        for day in self.grades:
            values = self._values(day, ranked, wanted)
            per_event[f"{day[0]}/{day[1]}"] = dict(zip(wanted, values, strict=True))
        days = [f"{event}/{date}" for event, date in ranked]
        return assemble(run.team, run.name, wanted, per_event, days)

    def _ranked(self, run: RankingRun) -> dict[Day, list[str]]:
        ranked = {}
        for event_id, rankings in self.ids.split(run, run.rankings).items():
            for one in rankings:
                ranked[event_id, one.date] = [self.entity(event_id, name) for name in one.entities]
        return ranked

    def _values(self, day: Day, ranked: dict[Day, list[str]], wanted: Sequence[Measure]) -> list[float]:
        grades = self.grades[day]
        relevant = {entity for entity, grade in grades.items() if grade >= self.relevant_from}
        eve = (day[0], _day_before(day[1]))
        before = set(ranked.get(eve, ())) if self.previous == "returned" else set(self.grades.get(eve, ()))
        emitted = ranked.get(day, [])
        values = []
        for measure in wanted:
            if measure.name == "P":
                values.append(precision(emitted, relevant, measure.at))
            elif measure.name == "NDCG":
                values.append(ndcg(emitted, {one: float(grade) for one, grade in grades.items()}, measure.at))
            elif measure.name == "SRDP":
                values.append(serendipity(emitted, relevant, before, measure.at))
            else:
                values.append(average_precision(emitted, relevant))
        return values


def _day_before(date: str) -> str:
    try:
        return (datetime.date.fromisoformat(date) - datetime.timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return ""


def prepare_rankings(
    judgments: Judgments, *, relevant_from: int = 3, previous: Previous = "returned"
) -> Prepared:
    """Make graded entities ready, once for many runs.

    Args:
        judgments: those with `entities`.
        relevant_from: the least grade that counts as relevant in P, MAP and SRDP (3: important, or new on that day).
        previous: whether an entity is expected because the run returned it the day before, or because it was graded
            then (the paper's "not appearing on the previous day" can mean either).

    Raises:
        UsageError: there are no graded entities, or an entity of a day is graded twice.
    """
    grades: dict[Day, dict[str, int]] = {}
    names: dict[str, dict[str, str]] = {}
    for graded in judgments.entities:
        day = grades.setdefault((graded.event_id, graded.date), {})
        if graded.entity in day:
            raise UsageError(
                f"{judgments.name}: entity {graded.entity!r} is graded twice on {graded.date} of {graded.event_id}"
            )
        day[graded.entity] = graded.grade
        names.setdefault(graded.event_id, {})[graded.entity.casefold()] = graded.entity
    for graded in judgments.entities:
        for alias in graded.aliases:
            names[graded.event_id].setdefault(alias.casefold(), graded.entity)
    if not grades:
        raise UsageError(
            f"{judgments.name}: found no graded entities, expected some; put entities.jsonl there"
        )
    listed = tuple(event.id for event in judgments.events)
    return Prepared(dict(sorted(grades.items())), names, listed, relevant_from, previous)
