"""The days of judged events as rankers of entities learn from them and are tested on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import numpy as np

from tidings.analysis import NameRecogniser, bare_words, token_spans
from tidings.following import Array, EntityFeatures, EventDay, EventDays, FeatureMatrix
from tidings.research.training.entities.label_matching import label_of
from tidings.research.training.entities.nugget_labels import (
    DayNugget,
    LabelledEntity,
    StreamNames,
    day_labels,
    is_in_query,
)
from tidings.research.training.labelled_events import JudgedEvent

__all__ = ["JudgedDay", "LabelKind", "counted", "judged_days"]

LabelKind = Literal["match", "first mention"]
"""match: what the day's nuggets name; first mention: only what no nugget of an earlier day names."""


@dataclass(eq=False)
class JudgedDay:
    """A day with its entities' features, and what they were worth.

    Attributes:
        event_id: of which event.
        day, matrix: the day and its features.
        labels: what the day's nuggets name, found in the stream or not.
        label: for each entity the number of its label, -1 for none.
        repeats: which entities are labelled as one that is mentioned more often is.
        in_query: which entities the query names.
        named_before: which entities a nugget of an earlier day names.
    """

    event_id: str
    day: EventDay
    matrix: FeatureMatrix
    labels: list[LabelledEntity]
    label: Array
    repeats: Array
    in_query: Array
    named_before: Array

    def left_out(self, kind: LabelKind, with_query: bool = False) -> Array:
        """Which entities are not ranked."""
        out = np.zeros(len(self.label), bool) if with_query else self.in_query
        joined: Array = out | self.named_before if kind == "first mention" else out
        return joined

    def worth(self, kind: LabelKind) -> Array:
        """What each entity was worth by its label, 0 without one."""
        worth = [one.worth if kind == "match" or one.is_first else 0 for one in self.labels]
        return np.array([worth[number] if number >= 0 else 0 for number in self.label], float)


def judged_days(
    event: JudgedEvent,
    recogniser: NameRecogniser,
    *,
    days: Callable[[JudgedEvent], list[EventDay]] | None = None,
) -> list[JudgedDay]:
    """All days of an event that have news; `days` makes them, by default `EventDays` with the recogniser."""
    made = _days(event, recogniser) if days is None else days(event)
    labels = _labels(event, recogniser)
    features = EntityFeatures(event.event.query)
    judged = []
    earlier: list[LabelledEntity] = []
    for day in made:
        own = labels.pop(day.date, [])
        # Days of which no document is about the event are none, but their nuggets were known.
        for date in sorted(date for date in labels if date < day.date):
            earlier += labels.pop(date)
        judged.append(_judged(event, day, features.matrix(day), own, earlier))
        earlier += own
    return judged


def _judged(
    event: JudgedEvent,
    day: EventDay,
    matrix: FeatureMatrix,
    labels: list[LabelledEntity],
    earlier: Sequence[LabelledEntity],
) -> JudgedDay:
    found = [label_of(entity, labels) for entity in day.entities]
    label = np.array([-1 if number is None else number for number in found], int)
    best: dict[int, int] = {}
    for row, number in enumerate(found):
        if number is not None and (
            number not in best or len(day.entities[row].mentions) > len(day.entities[best[number]].mentions)
        ):
            best[number] = row
    repeats = np.array([n is not None and best[n] != row for row, n in enumerate(found)], bool)
    in_query = [
        is_in_query([bare_words(entity.name)], event.event.query) or (n is not None and labels[n].in_query)
        for entity, n in zip(day.entities, found, strict=True)
    ]
    before = [
        (n is None or not labels[n].is_first) and label_of(entity, earlier) is not None
        for entity, n in zip(day.entities, found, strict=True)
    ]
    return JudgedDay(
        event.event.id, day, matrix, labels, label, repeats, np.array(in_query, bool), np.array(before, bool)
    )


def _days(event: JudgedEvent, recogniser: NameRecogniser) -> list[EventDay]:
    builder = EventDays(event.event, finder=recogniser)
    days: list[EventDay] = []
    for sentences, now in event.pushes:
        days += builder.add(sentences, now)
    return days + builder.finish(event.end)


def _labels(event: JudgedEvent, recogniser: NameRecogniser) -> dict[str, list[LabelledEntity]]:
    first: dict[int, str] = {}
    by_date: dict[str, list[list[str]]] = {}
    for sentence, now in event.sentences:
        date = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d")
        tokens = [sentence.text[start:end] for start, end in token_spans(sentence.text)]
        by_date.setdefault(date, []).append(tokens)
        for nugget in event.nuggets_of(sentence):
            first.setdefault(nugget, date)
    names = StreamNames()
    streams = {}
    wanted = set(first.values())
    for date in sorted(by_date):
        for tokens, spans in zip(by_date[date], recogniser.spans(by_date[date]), strict=True):
            names.add(tokens, spans)
        if date in wanted:
            streams[date] = deepcopy(names)
    importance = event.importances
    texts = event.nugget_texts
    nuggets = [DayNugget(date, texts[number], importance[number]) for number, date in first.items()]
    return day_labels(nuggets, recogniser, event.event.query, streams)


def counted(days: Sequence[JudgedDay], kind: LabelKind) -> Counter[str]:
    """How many days have labels, how many entities are labelled, and how many of these the days name.

    Entities of the query are not counted.
    """
    counts: Counter[str] = Counter()
    for one in days:
        wanted = {
            number
            for number, label in enumerate(one.labels)
            if not label.in_query and (kind == "match" or label.is_first)
        }
        counts["days"] += bool(wanted)
        counts["labelled"] += len(wanted)
        counts["named"] += len(wanted & set(one.label.tolist()))
    return counts
