"""What a ranker of entities is: it orders a day's entities, says why, and remembers what it needs of earlier days."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Struct

from tidings.core import UsageError
from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features import FeatureMatrix

__all__ = ["Array", "Contribution", "EntityRanker", "LastDays", "RankedEntity", "in_order", "row_of"]

Array = np.ndarray[Any, Any]


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

    name: ClassVar[str] = ""

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
            raise UsageError(f"ranker {self.name!r}: found a state, expected none; it was of another ranker")


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
    return sorted(ranked, key=lambda one: (-one.score, one.id))


def row_of(matrix: FeatureMatrix, entity_id: int) -> int:
    """The row of an entity in a day's matrix.

    Raises:
        UsageError: it has none.
    """
    if entity_id not in matrix.ids:
        raise UsageError(f"entity {entity_id}: found none of this id on the day, expected one that it names")
    return matrix.ids.index(entity_id)


class LastDays(Struct):
    """The date of the day that was ranked last and of the one before, to know the gap between them."""

    before: str = ""
    last: str = ""

    def come_to(self, date: str) -> None:
        """Take in that a day is ranked; the same day again changes nothing."""
        if date != self.last:
            self.before, self.last = self.last, date

    def export(self) -> bytes:
        """As bytes that `read` makes the same of."""
        return msgspec.msgpack.encode(self)
