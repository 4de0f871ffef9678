"""The table of features: what each is called, what it is counted for, and the function that computes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from msgspec import Struct

if TYPE_CHECKING:
    from tidings.following.entities.features.day_facts import DayFacts


Array = np.ndarray[Any, Any]
Side = Literal["salience", "informativeness"]
Level = Literal["context", "label", "entity"]
Origin = Literal["paper", "reconstructed", "ours"]

ENTITY_FEATURE_GROUPS = {
    "frequency": "How often and where the mention stands in the day's documents",
    "context importance": "Where the context stands in its document, how long and how central it is",
    "human-perceived": "How the context reads: sentiment and readability",
    "query": "How near the context is to the event's query",
    "informativeness, context level": "Today's contexts against those of the day before",
    "informativeness, label level": "What labels had on the day before, and what changed since",
    "ours: salience": "Added by tidings: how much of the day is about the entity",
    "ours: informativeness": "Added by tidings: what of the entity is new",
}
"""The groups that can be left out together, with what they look at."""


class Feature(Struct, frozen=True):
    """A feature of an entity on a day.

    `level` says of what its function gives a value: of each mention in its `context`, of each `label` of an entity, or
    of each `entity`. `symbol` is the paper's name for it, empty where the paper has none. `origin` is `paper` where
    the paper says all, `reconstructed` where a part had to be chosen, `ours` where the paper has nothing like it.
    """

    name: str
    side: Side
    level: Level
    group: str
    symbol: str
    origin: Origin
    compute: Callable[[DayFacts], Array]

    @property
    def formula(self) -> str:
        """What is computed, in words."""
        return " ".join((self.compute.__doc__ or "").split())


class FeatureTable:
    """Features in the order in which they were entered.

    >>> table = FeatureTable()
    >>> @table.enter("ones", "salience", "entity", "ours: salience")
    ... def ones(day):
    ...     "One for every entity."
    ...     return np.ones(len(day.entities))
    >>> [feature.formula for feature in table.features()]
    ['One for every entity.']
    """

    def __init__(self) -> None:
        self._features: dict[str, Feature] = {}

    def enter(
        self, name: str, side: Side, level: Level, group: str, symbol: str = "", *, origin: Origin = "ours"
    ) -> Callable[[Callable[[DayFacts], Array]], Callable[[DayFacts], Array]]:
        """Enter the function that follows."""
        if group not in ENTITY_FEATURE_GROUPS or name in self._features:
            raise ValueError(f"feature {name!r}: found a second one or group {group!r}")

        def entered(compute: Callable[[DayFacts], Array]) -> Callable[[DayFacts], Array]:
            self._features[name] = Feature(name, side, level, group, symbol, origin, compute)
            return compute

        return entered

    def features(self) -> tuple[Feature, ...]:
        """All that were entered."""
        return tuple(self._features.values())
