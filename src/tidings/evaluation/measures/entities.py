"""Rankings of entities by event and day (2015): precision, average precision, NDCG and serendipity.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores, one row for each event and day
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from tidings.core import Judgments, RankingRun, UsageError
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import EventIds, RunScores, assemble

INFO = read_infos("entities")


def precision(ranked: Sequence[str], relevant: Set[str], k: int | None = None) -> float:
    """P@k = relevant ones among the first k, over k (a shorter list loses); without k, over the list.

    >>> precision(["a", "b", "c"], {"a", "c"}, 2), precision(["a"], {"a"}, 2)
    (0.5, 0.5)
    """
    top = _firsts(ranked, k)
    places = len(ranked) if k is None else k
    return sum(name in relevant for name in top) / places if places else 0.0


def average_precision(ranked: Sequence[str], relevant: Set[str]) -> float:
    """AP = the sum of P@rank at each relevant one, over all relevant ones.

    >>> average_precision(["a", "x", "b"], {"a", "b"})
    0.8333333333333333
    """
    hits = 0
    total = 0.0
    for rank, name in enumerate(_firsts(ranked), start=1):
        if name in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def ndcg(ranked: Sequence[str], grades: Mapping[str, float], k: int | None = None) -> float:
    """NDCG@k with the grade as gain, discounted by log2(rank + 1). Grades below 0 count as 0.

    >>> ndcg(["a", "b"], {"a": 3, "b": 1}), round(ndcg(["b", "a"], {"a": 3, "b": 1}), 4)
    (1.0, 0.7967)
    """
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    ideal = _discount(best[:k])
    gain = _discount([max(0.0, grades.get(name, 0.0)) for name in _firsts(ranked, k)])
    return gain / ideal if ideal else 0.0


def serendipity(ranked: Sequence[str], relevant: Set[str], before: Set[str], k: int | None = None) -> float:
    """SRDP@k = the share of relevant ones among those of the first k that the day `before` did not bring; 0 if none.

    It divides by the unexpected ones and not by k, so it can exceed P@k.

    >>> serendipity(["old", "new"], {"new"}, {"old"}, 2), precision(["old", "new"], {"new"}, 2)
    (1.0, 0.5)
    """
    unexpected = [name for name in _firsts(ranked, k) if name not in before]
    return sum(name in relevant for name in unexpected) / len(unexpected) if unexpected else 0.0


def _discount(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _firsts(ranked: Sequence[str], k: int | None = None) -> list[str]:
    # A repeated entity keeps its place but is nobody there: it can earn only once.
    listed: set[str] = set()
    firsts = []
    for item in ranked[:k]:
        firsts.append("" if item in listed else item)
        listed.add(item)
    return firsts


DEFAULT = (
    *(Measure("P", k) for k in (1, 3, 10)),
    Measure("MAP"),
    Measure("NDCG", 10),
    *(Measure("SRDP", k) for k in (1, 3, 10)),
)
"""The columns of the paper's Table 2, and NDCG."""

Previous = Literal["returned", "judged"]
Day = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Graded entities made ready; scores any number of runs.

    Attributes:
        grades: (event, date) to entity to grade.
        names: event to every name of its entities (in lower case) to the entity.
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
        """The events that runs may cover."""
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
        ranked = self._rank(run)
        per_event = {}
        for day in self.grades:
            values = self._values(day, ranked, wanted)
            per_event[f"{day[0]}/{day[1]}"] = dict(zip(wanted, values, strict=True))
        days = [f"{event}/{date}" for event, date in ranked]
        return assemble(run.team, run.name, wanted, per_event, days)

    def _rank(self, run: RankingRun) -> dict[Day, list[str]]:
        ranked = {}
        for event_id, rankings in self.ids.split(run, run.rankings).items():
            for ranking in rankings:
                ranked[event_id, ranking.date] = [self.entity(event_id, name) for name in ranking.entities]
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
                values.append(
                    ndcg(
                        emitted, {entity_id: float(grade) for entity_id, grade in grades.items()}, measure.at
                    )
                )
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
        raise UsageError(f"{judgments.name}: no graded entities; put entities.jsonl there")
    listed = tuple(event.id for event in judgments.events)
    return Prepared(dict(sorted(grades.items())), names, listed, relevant_from, previous)
