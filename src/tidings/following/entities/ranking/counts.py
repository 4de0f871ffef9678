"""Rankers that learn nothing: by one count of the day."""

from __future__ import annotations

from typing import ClassVar, Literal

from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features import ENTITY_FEATURES, FeatureMatrix
from tidings.following.entities.ranking.base import Contribution, EntityRanker, RankedEntity, in_order, row_of

__all__ = ["CountRanker", "DistinctContexts", "Frequency"]

_SIDES: dict[str, Literal["salience", "informativeness"]] = {one.name: one.side for one in ENTITY_FEATURES}


class CountRanker(EntityRanker):
    """By one feature as it was computed."""

    feature: ClassVar[str] = ""

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by the feature, greatest first."""
        return in_order(matrix.ids, matrix.raw[:, matrix.names.index(self.feature)])

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """The feature itself."""
        row, column = row_of(matrix, entity_id), matrix.names.index(self.feature)
        value = float(matrix.raw[row, column])
        amount = value - float(matrix.raw[:, column].mean())
        place = float(matrix.values[row, column])
        return [Contribution(self.feature, _SIDES[self.feature], value, place, amount)]


class Frequency(CountRanker):
    """By the day's mentions of the entity, pronouns too."""

    name = "frequency"
    feature = "mentions"


class DistinctContexts(CountRanker):
    """By the sentences that mention the entity, those that say nearly the same counted once."""

    name = "contexts"
    feature = "distinct_contexts"
