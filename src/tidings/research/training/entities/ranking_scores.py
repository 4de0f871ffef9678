"""Rankings of judged days scored by `entities-2015`, and two of them compared over events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.core import EntityGrade, EntityRanking, Judgments, RankingRun
from tidings.evaluation import Measure, prepare_rankings, randomisation_test
from tidings.research.training.entities.judged_days import JudgedDay, LabelKind

__all__ = ["MEASURES", "DayScores", "score_rankings"]

MEASURES = (
    *(Measure("P", k) for k in (1, 3, 10)),
    Measure("MAP"),
    *(Measure("SRDP", k) for k in (1, 3, 10)),
)
"""The columns of the paper's Table 2."""


@dataclass(frozen=True)
class DayScores:
    """What a ranker scored: for each (event, date) with labels the values of `MEASURES`."""

    days: dict[tuple[str, str], tuple[float, ...]]

    def mean(self, measure: Measure) -> float:
        """The mean over days, as `entities-2015` takes it."""
        at = MEASURES.index(measure)
        return float(np.mean([values[at] for values in self.days.values()])) if self.days else 0.0

    def p_value(self, other: DayScores, measure: Measure) -> float:
        """Two-sided p of a paired randomisation test over events of the difference of two means over days.

        Days of one event are alike, so it is events whose signs are drawn.
        """
        at = MEASURES.index(measure)
        by_event: dict[str, float] = {}
        for day, values in self.days.items():
            by_event[day[0]] = by_event.get(day[0], 0.0) + values[at] - other.days[day][at]
        return randomisation_test(list(by_event.values())).p


def score_rankings(
    days: Sequence[JudgedDay], ranked: Sequence[Sequence[int]], kind: LabelKind, *, with_query: bool = False
) -> DayScores:
    """Score the ids of each day's entities, best first, against the labels of a kind.

    What counts is graded by its worth (1 is relevant); a labelled entity that the day does not name is missed. With
    `with_query` the entities of the query are ranked and labelled too.
    """
    grades: list[EntityGrade] = []
    rows: list[EntityRanking] = []
    for one, ids in zip(days, ranked, strict=True):
        names = _names(one)
        for number, label in enumerate(one.labels):
            if (label.in_query and not with_query) or (kind == "first mention" and not label.is_first):
                continue
            grades.append(EntityGrade(one.event_id, one.day.date, names[number], label.type, label.worth))
        out = one.left_out(kind, with_query)
        place = {entity.id: row for row, entity in enumerate(one.day.entities)}
        listed = []
        for entity_id in ids:
            row = place[entity_id]
            if not out[row]:
                number = int(one.label[row])
                listed.append(names[number] if number >= 0 else f"entity {entity_id}")
        rows.append(EntityRanking(one.event_id, one.day.date, tuple(listed)))
    judgments = Judgments(name="nuggets", entities=tuple(grades))
    scores = prepare_rankings(judgments, relevant_from=1).score(
        RankingRun("tidings", "ranker", tuple(rows)), MEASURES
    )
    found = {}
    for day, values in scores.per_event.items():
        event, _, date = day.rpartition("/")
        found[event, date] = tuple(float(values[measure]) for measure in MEASURES)
    return DayScores(found)


def _names(one: JudgedDay) -> list[str]:
    """What each label is called: by the entity that has it (the same on other days), else by its own name."""
    names = [f"label {label.name} {number}" for number, label in enumerate(one.labels)]
    for entity, number, repeats in zip(one.day.entities, one.label.tolist(), one.repeats, strict=True):
        if number >= 0 and not repeats:
            names[number] = f"entity {entity.id}"
    return names
