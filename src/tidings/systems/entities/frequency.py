"""`frequency`: the entities of a day by how often they are named, the baseline that others must beat."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from tidings.entities.event_days import EventDay
from tidings.records import Event
from tidings.systems.base import SystemBase
from tidings.systems.entities.follower import EntityFollower, RankedEntity

__all__ = ["EntityFrequency", "EntitySystem"]


class EntitySystem(SystemBase, frozen=True, kw_only=True):
    """What systems that rank entities share."""

    documents: Annotated[
        int, Meta(ge=1, le=300, description="documents of a day that are read, the best by the query")
    ] = 10
    most: Annotated[int, Meta(ge=1, le=1000, description="entities that are given of a day")] = 20


class EntityFrequency(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how many mentions they have in its documents."""

    name: ClassVar[str] = "entity-frequency"
    source: ClassVar[str] = "baseline"

    def start(self, event: Event) -> EntityFollower:
        """A fresh follower of `event`."""
        return EntityFollower(event, FrequencyRanker(), self.documents, self.most)


class FrequencyRanker:
    """Counts mentions; remembers nothing."""

    def rank(self, day: EventDay) -> list[RankedEntity]:
        """The most mentioned first, then those of lower ids."""
        counts = {entity.id: len(entity.mentions) for entity in day.entities}
        top = max(counts.values(), default=1)
        order = sorted(counts, key=lambda one: (-counts[one], one))
        return [RankedEntity(one, counts[one], counts[one] / top, 0.0) for one in order]

    def state(self) -> bytes:
        """Nothing."""
        return b""

    def restore(self, data: bytes) -> None:
        """Nothing."""
