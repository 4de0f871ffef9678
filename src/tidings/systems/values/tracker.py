"""`values`: the number of dead, injured, missing and so on as it stands, from what many documents claim."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from tidings.protocols import Interest
from tidings.records import Event
from tidings.systems.base import SystemBase
from tidings.systems.values.follower import ValueFollower
from tidings.values import Relevance, Rules, Tracker

__all__ = ["TrackedValues", "ValueSystem"]


class ValueSystem(SystemBase, frozen=True, kw_only=True):
    """What systems that give values share: a document must hold a word of the event to be looked at."""

    def interest(self, event: Event) -> Interest | None:
        """Any stem of query and title."""
        stems = Relevance(event).stems
        return Interest(stems=stems) if stems else None


class TrackedValues(ValueSystem, frozen=True, kw_only=True):
    """Gives the current number of deaths, injuries, missing, displaced, arrested, and the damage in dollars.

    Each mention of a number is a claim with a weight (`tidings.values`); claims of several documents, and recent ones,
    make the current value, which is given whenever it changes, with the sentences that support it.
    """

    name: ClassVar[str] = "values"
    source: ClassVar[str] = "tidings itself; the task of TREC Temporal Summarization 2013, value tracking"

    half_life_hours: Annotated[
        float, Meta(gt=0, description="hours after which a claim counts half; longer where claims are rare")
    ] = 48.0
    keep: Annotated[float, Meta(ge=1, description="by how much the current value is favoured")] = 1.3
    rise: Annotated[float, Meta(ge=1, description="by how much a larger value is favoured")] = 1.6
    doubling: Annotated[
        float, Meta(gt=1, description="times the current value beyond which two documents must agree")
    ] = 2.0
    tripling: Annotated[
        float, Meta(gt=1, description="times the current value beyond which three documents must agree")
    ] = 3.0
    max_kept: Annotated[
        int, Meta(ge=8, le=4096, description="claims remembered of each attribute; the oldest go first")
    ] = 128

    def start(self, event: Event) -> ValueFollower:
        """A fresh follower of `event`."""
        rules = Rules(
            half_life_s=self.half_life_hours * 3600.0,
            keep=self.keep,
            rise=self.rise,
            doubling=self.doubling,
            tripling=self.tripling,
            max_claims=self.max_kept,
        )
        return ValueFollower(Tracker(event, rules))
