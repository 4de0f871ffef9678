"""An entity on a day, with all that its place there rests on."""

from __future__ import annotations

from msgspec import Struct

from tidings.core import Event, Evidence
from tidings.following.entities.ranking.base import Contribution

__all__ = ["ExplainedEntity"]


class ExplainedEntity(Struct, frozen=True):
    """An entity on a day: its place (from 1) of how many, its score, what each feature adds, and what is said of it.

    `is_asked_for` says that the event's query names it, so that it is left out unless query names are asked for.
    `is_given` says that readers are told of it: its place is the one among those they are told of, else among all.
    """

    event: Event
    date: str
    name: str
    type: str
    labels: tuple[str, ...]
    place: int
    entities: int
    documents: int
    score: float
    is_asked_for: bool
    is_given: bool
    contributions: tuple[Contribution, ...]
    sentences: tuple[Evidence, ...]
