"""What scoring a run gives, whatever the family of measures: a value for each event, and their means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeVar

from tidings.core import Event, ModelCard, Run, UsageError, bare_event_id
from tidings.evaluation.measures.measure import Measure


class UnknownEventError(UsageError):
    """A run has an event that the judgments do not list."""

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
        early: how many came before what they speak of existed, as `early_words` say.
        outside: how many have a time at which there was nothing to emit, as `outside_words` say.
        left_out: how many are of events (topics, days) without judgments.
        outputs_words: what the outputs are, such as `updates`.
        unmatched: judged events of the run of which the judgments know no output, where they know others.
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
        undated: events whose start and end are not known: they have no value by the measures over time.
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
    undated: tuple[str, ...] = ()
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


def choose_values(values: Mapping[str, float], measures: Iterable[Measure]) -> dict[Measure, float]:
    """Of values by their measures' names those that were asked for; what there is no value for is left out.

    >>> choose_values({"C": 0.5, "H": 0.1}, [Measure("H"), Measure("LC")])
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


class _OfEvent(Protocol):
    @property
    def event_id(self) -> str:
        """The event as the run writes it."""


class _Run(Protocol):
    @property
    def team(self) -> str:
        """Who made it."""

    @property
    def name(self) -> str:
        """What it is called."""


T = TypeVar("T", bound=_OfEvent)


class EventIds:
    """The ids of the events that judgments list.

    >>> EventIds(["TS14.11"]).find("11"), EventIds(["TS14.11"]).find("TS13.11"), EventIds(["TS14.11"]).find("12")
    ('TS14.11', None, None)
    """

    def __init__(self, ids: Iterable[str]) -> None:
        listed = list(ids)
        self._ids = {bare_event_id(event_id): event_id for event_id in listed}
        self._ids |= {event_id: event_id for event_id in listed}

    def find(self, event_id: str) -> str | None:
        """The judgments' id for an event as a run writes it, None where there is none.

        Runs may leave the track's prefix out; with the prefix of another year it is another event.
        """
        bare = bare_event_id(event_id)
        judged_id = self._ids.get(event_id) or self._ids.get(bare)
        return None if judged_id and event_id not in (judged_id, bare) and judged_id != bare else judged_id

    def split(self, run: _Run, outputs: Iterable[T]) -> dict[str, Sequence[T]]:
        """What a run emitted, by the judgments' ids, in the order of the run.

        Raises:
            UnknownEventError: some of it is of an event that is not listed.
        """
        groups: dict[str, list[T]] = {}
        by_written_id: dict[str, list[T]] = {}
        for output in outputs:
            group = by_written_id.get(output.event_id)
            if group is None:
                event_id = self.find(output.event_id)
                if event_id is None:
                    raise UnknownEventError(
                        output.event_id,
                        f"run {run.team} {run.name} tells of event {output.event_id}, which the judgments do not list",
                    )
                group = by_written_id[output.event_id] = groups.setdefault(event_id, [])
            group.append(output)
        return dict(groups)


def closed_period(event: Event, needed_by: str) -> tuple[int, int]:
    """Start and end of an event (seconds UTC).

    Raises:
        UsageError: the period is open at an end.

    >>> closed_period(Event(id="e", title="", query="", start_time=1, end_time=9), "nI[C]")
    (1, 9)
    """
    start, end = event.start_time, event.end_time
    if start is None or end is None:
        lacking = " or ".join(name for name, time in (("start", start), ("end", end)) if time is None)
        raise UsageError(
            f"event {event.id} has no {lacking}, and {needed_by} needs its period; "
            "give it one in the topics (or event.json)"
        )
    return start, end


def origin_of(run: Run, events: Iterable[str], pooled: Mapping[str, Container[str]]) -> Origin:
    """Where a run comes from, by its card; what that leaves open is inferred from its updates.

    A run of whose updates each was judged is taken for one that chose from the pool, any other for one that did not.

    Args:
        run: with its card, if it has one.
        events: the judged events.
        pooled: the ids of all judged updates, by event; empty: nothing can be inferred.

    >>> from tidings.core.records import Update
    >>> run = Run("us", "one", (Update("11", "a", 0, 60),))
    >>> origin_of(run, ["TS14.11"], {"TS14.11": {"a-0", "b-0"}})
    Origin(system='', learned_from=(), choice='pool', inferred=True)
    """
    ids = EventIds(events)
    card = run.card
    learned_from = () if card is None else _learned_events(card.model, ids)
    system = card.system if card is not None else ""
    if card is not None and card.choice in ("pool", "corpus"):
        return Origin(system, learned_from, "pool" if card.choice == "pool" else "corpus")
    choice = _infer(run, ids, pooled)
    return Origin(system, learned_from, choice, bool(choice))


def _learned_events(model: ModelCard | None, ids: EventIds) -> tuple[str, ...]:
    if model is None:
        return ()
    judged = (ids.find(event) for part in model.data for event in part.events)
    return tuple(dict.fromkeys(event for event in judged if event is not None))


def _infer(run: Run, ids: EventIds, pooled: Mapping[str, Container[str]]) -> Choice:
    if not pooled:
        return ""
    pools: dict[str, Container[str] | None] = {}
    choice: Choice = ""
    for update in run.updates:
        written = update.event_id
        if written not in pools:
            pools[written] = pooled.get(ids.find(written) or "")
        pool = pools[written]
        if pool is None:
            continue
        if update.id not in pool:
            return "corpus"
        choice = "pool"
    return choice
