"""TAER: entities of today's documents by how often they and the event's earlier documents name them.

Demartini, Missen, Blanco and Zaragoza (CIKM 2010) rank the entities of a document by features of the document and of
the relevant ones before it; the frequency in the history, F(e,H), was the best single one, and joined with the
frequency in the document, F(e,d), among the best pairs. Reconstructed: with the documents of a day for d, both joined
as log(1 + F(e,d)) + log(1 + F(e,H)), without learned weights.
"""

from __future__ import annotations

import msgspec
import numpy as np
from msgspec import Struct, field

from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features import FeatureMatrix
from tidings.following.entities.ranking.base import Contribution, EntityRanker, RankedEntity, in_order, row_of

__all__ = ["Taer"]

MOST_ENTITIES = 50_000
"""Entities whose history is kept; those not named for longest go first."""


class _History(Struct):
    """Mentions of each entity before the day that was ranked last, and on that day."""

    date: str = ""
    before: dict[int, int] = field(default_factory=dict)
    today: dict[int, int] = field(default_factory=dict)

    def come_to(self, day: EventDay) -> None:
        if day.date == self.date:
            return
        for number, count in self.today.items():
            self.before[number] = self.before.pop(number, 0) + count
        while len(self.before) > MOST_ENTITIES:
            del self.before[next(iter(self.before))]
        self.date = day.date
        self.today = {one.id: len(one.mentions) for one in day.entities}


class Taer(EntityRanker):
    """By log(1 + mentions today) + log(1 + mentions on earlier days)."""

    name = "taer"

    def __init__(self) -> None:
        self._history = _History()

    def rank(self, day: EventDay, matrix: FeatureMatrix) -> list[RankedEntity]:
        """The day's entities by both frequencies."""
        self._history.come_to(day)
        today, before = self._counts(matrix)
        return in_order(matrix.ids, today + before)

    def _counts(self, matrix: FeatureMatrix) -> tuple[np.ndarray, np.ndarray]:
        history = self._history
        today = np.log1p([history.today.get(number, 0) for number in matrix.ids])
        before = np.log1p([history.before.get(number, 0) for number in matrix.ids])
        return today, before

    def explain(self, day: EventDay, matrix: FeatureMatrix, entity_id: int) -> list[Contribution]:
        """What both frequencies add."""
        row = row_of(matrix, entity_id)
        self._history.come_to(day)
        told = []
        for name, values in zip(("mentions", "mentions before"), self._counts(matrix), strict=True):
            amount = float(values[row] - values.mean())
            place = float((values < values[row]).mean())
            told.append(Contribution(name, "salience", float(np.expm1(values[row])), place, amount))
        return sorted(told, key=lambda one: (-abs(one.amount), one.feature))

    def state(self) -> bytes:
        """The frequencies so far."""
        return msgspec.msgpack.encode(self._history)

    def restore(self, state: bytes) -> None:
        """Go on from where `state` was taken."""
        self._history = msgspec.msgpack.decode(state, type=_History)
