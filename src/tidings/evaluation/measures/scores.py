"""What scoring a run gives, whatever the family of measures: a value for each event, and their means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tidings.core import UsageError
from tidings.evaluation.measures.measure import Measure

__all__ = ["Choice", "Origin", "RunCounts", "RunScores", "UnknownEventError", "assemble", "chosen"]


class UnknownEventError(UsageError):
    """A run tells of an event that the judgments do not list."""

    def __init__(self, event: str, message: str) -> None:
        super().__init__(message)
        self.event = event


Choice = Literal["pool", "corpus", ""]


@dataclass(frozen=True, slots=True)
class Origin:
    """What must be known of a run before its scores are compared with another's.

    Attributes:
        system: the system with its options, empty where that is not known.
        learned_from: the judged events that the run's model learned from: its scores on them are not those of a test.
        choice: what it chose from: `pool`, the sentences that assessors judged, which spares it nearly all of the
            noise; `corpus`, whole documents; empty where that is not known.
        inferred: `choice` is not the run's own word but follows from its updates.
    """

    system: str = ""
    learned_from: tuple[str, ...] = ()
    choice: Choice = ""
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class RunCounts:
    """How a run's outputs sit with the judgments. No score depends on it.

    Attributes:
        outputs: how many outputs the run has.
        judged: how many of them the judgments know, as `judged_words` say (`are in the pool`).
        repeated: how many different outputs appear more than once.
        early: how many came before what they tell of existed, as `early_words` say.
        outside: how many have a time at which there was nothing to tell, as `outside_words` say.
        left_out: how many are of events (topics, days) without judgments.
        outputs_words: what the outputs are, such as `updates`.
        unmatched: judged events that the run tells of, of which the judgments know no output, where they know others.
    """

    outputs: int
    judged: int = 0
    repeated: int = 0
    early: int = 0
    outside: int = 0
    left_out: int = 0
    outputs_words: str = "updates"
    judged_words: str = "are in the pool"
    early_words: str = "were decided before their document existed"
    outside_words: str = "were decided more than a day before or after their event"
    unmatched: tuple[str, ...] = ()


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
        origin: where the run comes from, where that is known: whoever compares scores looks at it first.
        counts: how its outputs sit with the judgments: in the pool, repeated, at impossible times.
    """

    team: str
    run: str
    measures: tuple[Measure, ...]
    per_event: dict[str, dict[Measure, float]]
    silent: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    overall: dict[Measure, float] = field(default_factory=dict)
    origin: Origin | None = None
    counts: RunCounts | None = None

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


def chosen(values: Mapping[str, float], measures: Iterable[Measure]) -> dict[Measure, float]:
    """Of values by their measures' names those that were asked for; what there is no value for is left out.

    >>> chosen({"C": 0.5, "H": 0.1}, [Measure("H"), Measure("LC")])
    {H: 0.1}
    """
    return {measure: values[measure.name] for measure in measures if measure.name in values}


def assemble(
    team: str,
    run: str,
    measures: Iterable[Measure],
    per_event: Mapping[str, dict[Measure, float]],
    spoken_of: Collection[str],
    *,
    silence: bool = True,
    over: Callable[[str], bool] | None = None,
    overall: Mapping[Measure, float] | None = None,
) -> RunScores:
    """What a run scored, from the values of each judged event: the one way in which every family says so.

    Args:
        team: who made the run.
        run: what it is called.
        measures: those that were asked for.
        per_event: all judged events, silent ones too, in the order of the judgments.
        spoken_of: the events that the run says something about; those without judgments are `unjudged`.
        silence: name the events that the run is silent on. Not where saying nothing may be right, as on silent days.
        over: which events the means go over (default: all).
        overall: means that are not the mean of the events' values.

    >>> low, none = {Measure("H"): 0.4}, {Measure("H"): 0.0}
    >>> scores = assemble("t", "r", [Measure("H")], {"a": low, "b": none}, ["a", "c"])
    >>> scores.silent, scores.unjudged, scores.over, scores.mean(Measure("H"))
    (('b',), ('c',), ('a', 'b'), 0.2)
    """
    return RunScores(
        team=team,
        run=run,
        measures=tuple(measures),
        per_event=dict(per_event),
        silent=tuple(event for event in per_event if event not in spoken_of) if silence else (),
        unjudged=tuple(event for event in spoken_of if event not in per_event),
        over=tuple(event for event in per_event if over is None or over(event)),
        overall=dict(overall or {}),
    )
