"""The systems that rank an event's entities by day: one for each ranker of `tidings.entities.ranking`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from tidings.entities.features import EntityFeatures
from tidings.entities.ranking import EntityRanker, ranker_named
from tidings.records import Event
from tidings.systems.base import SystemBase
from tidings.systems.entities.follower import EntityFollower

__all__ = ["AdaptER", "Contexts", "EntitySystem", "Frequency", "Informativeness", "NoAdapt", "Salience"]

_PAPER = "Tran, Niederée, Kanhabua, Gadiraju and Anand, CIKM 2015"


class EntitySystem(SystemBase, frozen=True, kw_only=True):
    """What systems that rank entities share: how much of a day is read and given, and by which ranker."""

    ranker: ClassVar[str] = ""

    documents: Annotated[
        int, Meta(ge=1, le=300, description="documents of a day that are read, the best by the query")
    ] = 10
    most: Annotated[int, Meta(ge=1, le=1000, description="entities that are given of a day")] = 20
    query_names: Annotated[bool, Meta(description="give those too that the query itself names")] = False

    def new_ranker(self) -> EntityRanker:
        """A ranker for one event."""
        return ranker_named(self.ranker)

    def start(self, event: Event) -> EntityFollower:
        """A fresh follower of `event`."""
        return EntityFollower(
            event,
            self.new_ranker(),
            EntityFeatures(f"{event.title} {event.query}"),
            documents=self.documents,
            most=self.most,
            query_names=self.query_names,
        )


class AdaptER(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by salience and informativeness, weighed by how the day looks."""

    name: ClassVar[str] = "adapter"
    ranker: ClassVar[str] = "adapter"
    source: ClassVar[str] = _PAPER


class NoAdapt(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by salience and informativeness, weighed alike on every day."""

    name: ClassVar[str] = "no-adapt"
    ranker: ClassVar[str] = "no-adapt"
    source: ClassVar[str] = _PAPER


class Salience(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how central they are to its documents."""

    name: ClassVar[str] = "sal"
    ranker: ClassVar[str] = "sal"
    source: ClassVar[str] = _PAPER


class Informativeness(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by what is new of them since the day before."""

    name: ClassVar[str] = "inf"
    ranker: ClassVar[str] = "inf"
    source: ClassVar[str] = _PAPER


class Frequency(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how often they are mentioned."""

    name: ClassVar[str] = "frequency"
    ranker: ClassVar[str] = "frequency"
    source: ClassVar[str] = "baseline"


class Contexts(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how many different sentences mention them."""

    name: ClassVar[str] = "contexts"
    ranker: ClassVar[str] = "contexts"
    source: ClassVar[str] = "baseline"
