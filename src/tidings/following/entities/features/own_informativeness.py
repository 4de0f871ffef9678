"""Informativeness features that tidings adds: whether an entity is new, and what of its contexts is."""

from __future__ import annotations

import numpy as np

from tidings.following.entities.features.contrast import contrast_of
from tidings.following.entities.features.day_facts import DayFacts, per_group
from tidings.following.entities.features.memory import Earlier
from tidings.following.entities.features.own_salience import contexts, distinctness, documents
from tidings.following.entities.features.table import Array, FeatureTable

__all__ = ["OWN_INFORMATIVENESS"]

OWN_INFORMATIVENESS = FeatureTable()
_enter = OWN_INFORMATIVENESS.enter
_GROUP = "ours: informativeness"
_LONG_AGO = 10.0
"""Days of news after which an entity is as good as new."""


def _earlier(day: DayFacts) -> list[Earlier | None]:
    return [day.memory.entities.get(one.id) for one in day.entities]


@_enter("first_named", "informativeness", "entity", _GROUP)
def first_named(day: DayFacts) -> Array:
    """1 where no earlier day of the event named the entity."""
    return np.array([one is None for one in _earlier(day)], float)


@_enter("not_before", "informativeness", "entity", _GROUP)
def not_before(day: DayFacts) -> Array:
    """1 where the day before did not name the entity."""
    before = day.memory.before.contexts
    return np.array([one.id not in before for one in day.entities], float)


@_enter("days_since", "informativeness", "entity", _GROUP)
def days_since(day: DayFacts) -> Array:
    """Days of news since the entity was last named, 10 at most and for a new one."""
    days = day.memory.days
    return np.array([_LONG_AGO if one is None else min(_LONG_AGO, days - one.last) for one in _earlier(day)])


@_enter("days_named", "informativeness", "entity", _GROUP)
def days_named(day: DayFacts) -> Array:
    """The share of the earlier days of news that named the entity."""
    days = max(1, day.memory.days)
    return np.array([0.0 if one is None else one.days / days for one in _earlier(day)])


@_enter("rarity", "informativeness", "entity", _GROUP)
def rarity(day: DayFacts) -> Array:
    """log((1 + documents of earlier days) / (1 + those of them that named the entity))."""
    total = 1 + day.memory.documents
    own = np.array([1.0 + (one.documents if one else 0) for one in _earlier(day)])
    ratio: Array = np.log(total / own)
    return ratio


@_enter("documents_rarity", "informativeness", "entity", _GROUP)
def documents_rarity(day: DayFacts) -> Array:
    """Documents of the day that mention the entity, times (0.1 + rarity)."""
    return documents(day) * (0.1 + rarity(day))


@_enter("burst", "informativeness", "entity", _GROUP)
def burst(day: DayFacts) -> Array:
    """log((.05 + share of the day's documents) / (.05 + mean share on the last five days of news))."""
    days = day.memory.days
    spans = max(1, min(5, days))
    past = np.array(
        [
            0.0 if one is None else sum(share for at, share in one.latest if at >= days - 5) / spans
            for one in _earlier(day)
        ]
    )
    today = documents(day) / max(1, len(day.confidence))
    ratio: Array = np.log((0.05 + today) / (0.05 + past))
    return ratio


@_enter("rise", "informativeness", "entity", _GROUP)
def rise(day: DayFacts) -> Array:
    """Contexts of the day less those of the day before."""
    before = day.memory.before.contexts
    change: Array = contexts(day) - np.array([len(before.get(one.id, ())) for one in day.entities], float)
    return change


@_enter("fresh_sum", "informativeness", "entity", _GROUP)
def fresh_sum(day: DayFacts) -> Array:
    """1 - the greatest soft Jaccard of a context with any sentence of the day before, added up over distinct
    contexts."""
    entities, sentences = day.places
    values = contrast_of(day).fresh * distinctness(day)
    return per_group(entities, len(day.entities), values[sentences])


@_enter("fresh_most", "informativeness", "entity", _GROUP)
def fresh_most(day: DayFacts) -> Array:
    """The same of the context that is least like the day before."""
    entities, sentences = day.places
    most = np.zeros(len(day.entities))
    np.maximum.at(most, entities, contrast_of(day).fresh[sentences])
    return most


@_enter("change_sum", "informativeness", "entity", _GROUP)
def change_sum(day: DayFacts) -> Array:
    """CTI, added up over the entity's distinct contexts."""
    entities, sentences = day.places
    return per_group(entities, len(day.entities), contrast_of(day).words * distinctness(day)[sentences])
