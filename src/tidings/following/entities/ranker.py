"""What every ranker of a day's entities is: an order of them, and what in it comes from where."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from tidings.core import Model, UsageError
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features.matrix import ENTITY_FEATURES, FeatureMatrix

Array = np.ndarray[Any, Any]
Side = Literal["salience", "informativeness"]
SIDE_OF: dict[str, Side] = {feature.name: feature.side for feature in ENTITY_FEATURES}
"""Of each feature the side that it stands on."""


class RankedEntity(Struct, frozen=True, gc=False):
    """An entity's id, its score (greater is better, comparable within a day), and the parts that both sides have in it.

    `salience` says how central the entity is to the day, `informativeness` how much of it is new. A ranker that knows
    no sides gives its score as salience.
    """

    id: int
    score: float
    salience: float
    informativeness: float


class Contribution(Struct, frozen=True, gc=False):
    """What a feature adds to an entity's score on a day, beside an average entity of that day.

    `value` is the feature as it was computed, `place` where that stands among the day's entities (0 least, 1 most).
    """

    feature: str
    side: Literal["salience", "informativeness"]
    value: float
    place: float
    amount: float


class EntityRanker(ABC):
    """Orders the entities of an event's days. One serves one event, and is given its days in order.

    To rank a day a second time, before the next one, gives the same and changes nothing.
    """

    name: str = ""

    @abstractmethod
    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities, best first; equals stand in the order of their ids."""

    @abstractmethod
    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """What each feature adds to the entity's score, the greatest amounts (of either sign) first.

        Raises:
            UsageError: the day does not name this entity.
        """

    def state(self) -> bytes:
        """What is remembered of earlier days, for `restore`; empty where nothing is."""
        return b""

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        if state:
            raise UsageError(f"The ranker {self.name!r} keeps no state: this one is of another ranker")


def in_order(
    ids: Sequence[int], scores: Array, salience: Array | None = None, informativeness: Array | None = None
) -> list[RankedEntity]:
    """Entities by falling score, equals by id.

    >>> [one.id for one in in_order([7, 8, 9], np.array([0.5, 2.0, 0.5]))]
    [8, 7, 9]
    """
    first = scores if salience is None else salience
    second = np.zeros(len(scores)) if informativeness is None else informativeness
    ranked = [
        RankedEntity(number, float(score), float(a), float(b))
        for number, score, a, b in zip(ids, scores, first, second, strict=True)
    ]
    return sorted(ranked, key=lambda entity: (-entity.score, entity.id))


def row_of(matrix: FeatureMatrix, entity_id: int) -> int:
    """The row of an entity in a day's matrix.

    Raises:
        UsageError: it has none.
    """
    if entity_id not in matrix.ids:
        raise UsageError(f"The day names no entity {entity_id}")
    return matrix.ids.index(entity_id)


def by_amount(contributions: Iterable[Contribution]) -> list[Contribution]:
    """The greatest amounts of either sign first, equals by name."""
    return sorted(contributions, key=lambda contribution: (-abs(contribution.amount), contribution.feature))


def other_features(model: Model) -> UsageError:
    """The error of a model that does not fit."""
    return UsageError(
        f"{model.file or 'model'} of {model.card.system!r} was made for other features than this version computes. "
        f"Train it again: tidings train {model.card.system}"
    )
