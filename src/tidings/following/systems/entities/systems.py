"""The systems that rank an event's entities by day: one for each ranker of `tidings.following.entities.ranking`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from tidings.core import Event, ModelCard, read_model
from tidings.following.entities.features import EntityFeatures
from tidings.following.entities.ranking import EntityRanker, ranker_named
from tidings.following.systems.base import SystemBase
from tidings.following.systems.entities.follower import EntityFollower

__all__ = [
    "AdaptER",
    "Contexts",
    "Entities",
    "EntitySystem",
    "Frequency",
    "Informativeness",
    "LearnedEntitySystem",
    "NoAdapt",
    "Salience",
    "Taer",
]

_PAPER = "Tran, Niederée, Kanhabua, Gadiraju and Anand, CIKM 2015"


class EntitySystem(SystemBase, frozen=True, kw_only=True):
    """What systems that rank entities share: how much of a day is read and given, and by which ranker."""

    any_language: ClassVar[bool] = False

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
            EntityFeatures(event.query or event.title),
            documents=self.documents,
            most=self.most,
            query_names=self.query_names,
        )


class LearnedEntitySystem(EntitySystem, frozen=True, kw_only=True):
    """What those share that decide by learned weights."""

    model: Annotated[str, Meta(description="a file of weights; by default those that come with tidings")] = ""

    def new_ranker(self) -> EntityRanker:
        """A ranker for one event."""
        return ranker_named(self.ranker, self.model)

    @property
    def card(self) -> ModelCard:
        """The card of its weights."""
        return read_model(f"entities-{self.ranker}", self.model).card


class Entities(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by more features of both sides, each by its place in the day and by its size."""

    name: ClassVar[str] = "entities"
    ranker: ClassVar[str] = "tidings"
    source: ClassVar[str] = "tidings itself, after Tran, Niederée, Kanhabua, Gadiraju and Anand, CIKM 2015"


class AdaptER(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by salience and informativeness, weighed by how the day looks."""

    name: ClassVar[str] = "adapter"
    ranker: ClassVar[str] = "adapter"
    source: ClassVar[str] = _PAPER


class NoAdapt(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by salience and informativeness, weighed alike on every day."""

    name: ClassVar[str] = "no-adapt"
    ranker: ClassVar[str] = "no-adapt"
    source: ClassVar[str] = _PAPER


class Salience(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how central they are to its documents."""

    name: ClassVar[str] = "sal"
    ranker: ClassVar[str] = "sal"
    source: ClassVar[str] = _PAPER


class Informativeness(LearnedEntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by what is new of them since the day before."""

    name: ClassVar[str] = "inf"
    ranker: ClassVar[str] = "inf"
    source: ClassVar[str] = _PAPER


class Taer(EntitySystem, frozen=True, kw_only=True):
    """Ranks a day's entities by how often they are mentioned today and were on earlier days."""

    name: ClassVar[str] = "taer"
    ranker: ClassVar[str] = "taer"
    source: ClassVar[str] = "Demartini, Missen, Blanco and Zaragoza, CIKM 2010"


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
