"""What scoring a run gives, whatever the family of measures: a value for each event, and their means."""

from __future__ import annotations

from dataclasses import dataclass, field

from tidings.errors import UsageError
from tidings.measures.measure import Measure

__all__ = ["RunScores", "UnknownEventError"]


class UnknownEventError(UsageError):
    """A run tells of an event that the judgments do not list."""

    def __init__(self, event: str, message: str) -> None:
        super().__init__(message)
        self.event = event


@dataclass(frozen=True, slots=True)
class RunScores:
    """What one run scored.

    Attributes:
        per_event: event id to measure to value, in the order of the judgments; silent events too (all zeros). A measure
            that an event has no judgments for is not there, and means leave that event out.
        silent: events about which the run says nothing.
        unjudged: events of the run that the judgments list but hold no nuggets for (left out).
        over: the events that the means are taken over.
        overall: means that are not the mean of the events' values, where a family defines them so.
    """

    team: str
    run: str
    measures: tuple[Measure, ...]
    per_event: dict[str, dict[Measure, float]]
    silent: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    overall: dict[Measure, float] = field(default_factory=dict)

    def summary(self, measure: Measure) -> dict[str, float]:
        """`mean`, population standard deviation `std`, `min`, `max` over the events in `over` (0 if none)."""
        if not self.over and measure in self.overall:
            return dict.fromkeys(("mean", "min", "max"), self.overall[measure]) | {"std": 0.0}
        values = [
            scores[measure] for scores in map(self.per_event.__getitem__, self.over) if measure in scores
        ]
        if not values:
            return {"mean": 0.0, "std": 0.0, "min": 0.0, "max": 0.0}
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / len(values)
        shown = self.overall.get(measure, mean)
        return {"mean": shown, "std": variance**0.5, "min": min(values), "max": max(values)}

    def mean(self, measure: Measure) -> float:
        """The mean over the events in `over`."""
        return self.summary(measure)["mean"]
