"""An event's entities as rows of features, day after day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from tidings.core import UsageError
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features.day_facts import DayBefore, DayFacts, Memory, TopicModel, per_group
from tidings.following.entities.features.informativeness import INFORMATIVENESS, companions
from tidings.following.entities.features.own_features import OWN_INFORMATIVENESS, OWN_SALIENCE
from tidings.following.entities.features.salience import SALIENCE
from tidings.following.entities.features.table import Array, Feature
from tidings.following.entities.features.word_facts import QueryTerms, WordTable

ENTITY_FEATURES: tuple[Feature, ...] = (
    *SALIENCE.features(),
    *OWN_SALIENCE.features(),
    *INFORMATIVENESS.features(),
    *OWN_INFORMATIVENESS.features(),
)
"""All features, in the order of the columns of a matrix."""

NAMES = tuple(feature.name for feature in ENTITY_FEATURES)

MOST_SENTENCES = 400
"""Sentences of the day before that are kept."""
MOST_CONTEXTS = 12
"""Of these, those of one entity, by their documents' confidence."""


class FeatureMatrix(Struct, frozen=True):
    """The entities of a day by their features: `values` (entities, features) by quantiles, 0 to 1; `raw` as computed.

    `ids` are the entities' ids, in order of the rows.
    """

    names: tuple[str, ...]
    ids: tuple[int, ...]
    values: Any
    raw: Any

    def column(self, name: str) -> Array:
        """The values of one feature."""
        column: Array = self.values[:, self.names.index(name)]
        return column

    def part(self, names: Sequence[str]) -> Array:
        """The values of several features, in their order."""
        part: Array = self.values[:, [self.names.index(name) for name in names]]
        return part


def quantiles(values: Array) -> Array:
    """Each column by where a value stands in it: the share of the others that is smaller, ties halved.

    The least of a column is 0 and the greatest 1, however many share it; a column of equals is 0.

    >>> quantiles(np.array([[3.0], [1.0], [1.0], [2.0], [7.0]]))[:, 0].tolist()
    [0.75, 0.0, 0.0, 0.5, 1.0]
    """
    count = len(values)
    result = np.zeros(values.shape)
    if count < 2:
        return result
    finite = np.nan_to_num(values, nan=0.0, posinf=1e300, neginf=-1e300)
    order = np.argsort(finite, axis=0)
    ordered = np.take_along_axis(finite, order, axis=0)
    # How many are smaller than each, and how many are not greater: equal ones stand together.
    places = np.arange(count)[:, None]
    begins = np.ones(values.shape, bool)
    begins[1:] = ordered[1:] > ordered[:-1]
    low = np.maximum.accumulate(np.where(begins, places, 0), axis=0)
    ends = np.ones(values.shape, bool)
    ends[:-1] = begins[1:]
    high = np.minimum.accumulate(np.where(ends, places + 1, count)[::-1], axis=0)[::-1]
    place = (low + high - 1) / (2 * (count - 1))
    place[high == count] = 1.0
    place[low == 0] = 0.0
    np.put_along_axis(result, order, place, axis=0)
    return result


class EntityFeatures:
    """The features of an event's entities, day by day; what it remembers of earlier days is bounded.

    Nothing of a later day is used: the matrix of a day depends on that day and those given before it.

    Args:
        query: the event's; each day widens it with its `expansion`.
    """

    def __init__(self, query: str) -> None:
        self._query = query
        self._words = WordTable()
        self._memory = Memory()
        self._topics = TopicModel()

    def matrix(self, day: EventDay) -> FeatureMatrix:
        """The features of the day's entities; then the day becomes the day before. Days come in order."""
        self._words.make_room()
        memory = self._memory
        topics = self._topics
        terms = QueryTerms(self._query, day.expansion)
        facts = DayFacts(day, terms, self._words, memory, topics)
        topics.learn(
            facts.c_document, self._words.buckets(facts.term_stems)[facts.c_term], len(day.documents)
        )
        raw = np.zeros((len(day.entities), len(ENTITY_FEATURES)))
        if day.entities:
            for number, feature in enumerate(ENTITY_FEATURES):
                raw[:, number] = _aggregate(facts, feature)
        matrix = FeatureMatrix(NAMES, tuple(entity.id for entity in day.entities), quantiles(raw), raw)
        self._remember(facts)
        return matrix

    def _remember(self, facts: DayFacts) -> None:
        day, memory = facts.day, self._memory
        count = max(1, len(day.documents))
        documents = per_group(facts.in_documents[0], len(day.entities))
        for entity, size in zip(day.entities, documents.tolist(), strict=True):
            memory.name(entity.id, day.date, len(entity.mentions), int(size), size / count)
        memory.before = _day_before(facts)
        memory.days += 1
        memory.documents += len(day.documents)
        memory.last_date = day.date

    def state(self) -> bytes:
        """All that is remembered, for `restore`."""
        self._memory.topics, self._memory.topic_steps = self._topics.state(), self._topics.steps
        return self._memory.export()

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken.

        Raises:
            UsageError: these bytes are no such state.
        """
        try:
            self._memory = Memory.read(state)
        except msgspec.MsgspecError as error:
            raise UsageError(
                f"features of entities: a state that cannot be read ({error}) (expected what `state` gave)"
            ) from None
        self._topics = TopicModel(self._memory.topics, self._memory.topic_steps)

    @property
    def words(self) -> int:
        """How many different tokens are remembered, with what is always the same of them."""
        return len(self._words)


def _aggregate(facts: DayFacts, feature: Feature) -> Array:
    """A feature's values taken to entities: labels by their mean, contexts by the confidence of their documents."""
    values = feature.compute(facts)
    count = len(facts.entities)
    if feature.level == "label":
        mean: Array = per_group(facts.l_entity, count, values) / facts.label_counts
        return mean
    if feature.level == "context":
        weights, totals = facts.context_weights
        weighed: Array = per_group(facts.m_entity, count, weights * values) / totals
        return weighed
    return values


def _day_before(facts: DayFacts) -> DayBefore:
    day = facts.day
    entities, sentences = facts.places
    kept = np.unique(sentences)[:MOST_SENTENCES]
    stems = [facts.words.stems[number] for number in facts.term_stems.tolist()]
    starts = np.searchsorted(facts.c_sentence, kept).tolist()
    ends = np.searchsorted(facts.c_sentence, kept, side="right").tolist()
    terms = facts.c_term.tolist()
    contexts: dict[int, list[int]] = {}
    inside = np.isin(sentences, kept)
    rows = np.searchsorted(kept, sentences[inside]).tolist()
    for place, row in zip(entities[inside].tolist(), rows, strict=True):
        own = contexts.setdefault(day.entities[place].id, [])
        if len(own) < MOST_CONTEXTS:
            own.append(row)
    return DayBefore(
        date=day.date,
        sentences=[[stems[term] for term in terms[a:b]] for a, b in zip(starts, ends, strict=True)],
        confidence=facts.confidence[facts.s_document[kept]].tolist(),
        contexts=contexts,
        companions={
            entity.id: sorted(beside)
            for entity, beside in zip(day.entities, companions(facts), strict=True)
            if entity.id in contexts
        },
        labels=_labels(facts),
        titles=facts.titles,
    )


def _labels(facts: DayFacts) -> dict[int, dict[str, tuple[int, int]]]:
    by_name = {feature.name: feature for feature in ENTITY_FEATURES}
    tf, df = by_name["tf"].compute(facts), by_name["df"].compute(facts)
    labels: dict[int, dict[str, tuple[int, int]]] = {}
    for number, (place, text) in enumerate(zip(facts.l_entity.tolist(), facts.label_texts, strict=True)):
        labels.setdefault(facts.entities[place].id, {})[text] = (int(tf[number]), int(df[number]))
    return labels
