"""Runs of tracked values against the target values of events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tidings.core import Event, Judgments, UsageError, ValueRun, ValueUpdate
from tidings.evaluation.measures.ids import EventIds
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.periods import closed_period
from tidings.evaluation.measures.scores import RunScores, assemble, chosen
from tidings.evaluation.measures.values.distance import HALF_EQUATOR_KM
from tidings.evaluation.measures.values.info import ATTRIBUTES, base_name, name_of
from tidings.evaluation.measures.values.steps import Error, Steps, expected_error, place_error, scalar_error

__all__ = ["MISSING_KM", "Prepared", "by_type", "plain_attribute", "prepare"]

MISSING_KM = 20038.0
"""What the organisers' baseline scores for a place: half the equator, rounded to a kilometre."""

MOST = 1e15
"""The largest number that a target can be."""

_NOTHING = Steps((), ())


def plain_attribute(name: str) -> str:
    """The attribute that a file means: the guidelines write `locations`, the checker `location`.

    >>> plain_attribute("locations")
    'location'
    """
    return "location" if name == "locations" else name


@dataclass(slots=True)
class Prepared:
    """Target values made ready; scores any number of runs.

    Attributes:
        events: those with targets, by id.
        targets: event id to attribute to its step function.
        missing_km: the error where no place was predicted yet.
    """

    events: dict[str, Event]
    targets: dict[str, dict[str, Steps]]
    listed: tuple[str, ...]
    missing_km: float = MISSING_KM

    @property
    def ids(self) -> EventIds:
        """The events that runs may tell of."""
        return EventIds((*self.listed, *self.events))

    def measures(self, *, base: bool = False) -> tuple[Measure, ...]:
        """Expected errors of the attributes that there are targets for; with `base`, what silence would score too."""
        attributes = {attribute for targets in self.targets.values() for attribute in targets}
        names = [name_of(attribute) for attribute in ATTRIBUTES if attribute in attributes]
        if base:
            names += [base_name(attribute) for attribute in ATTRIBUTES if attribute in attributes]
        return tuple(map(Measure, names))

    def error(self, event_id: str, attribute: str, predictions: Steps = _NOTHING) -> float:
        """The expected error of predictions for one attribute of one event; of silence without any."""
        event = self.events[event_id]
        error: Error = place_error if attribute == "location" else scalar_error

        def missing(truth: Sequence[tuple[float, ...]]) -> float:
            return self.missing_km if attribute == "location" else scalar_error(truth, (0.0,))

        targets = self.targets[event_id][attribute]
        start, end = closed_period(event, "an expected error over time")
        return expected_error(targets, predictions, start, end, error, missing)

    def score(self, run: ValueRun, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; means go over all events that have targets for the attribute.

        Raises:
            UnknownEventError: the run tells of an event that the judgments do not list.
        """
        wanted = self.measures() if measures is None else tuple(measures)
        predicted = self._predicted(run)
        per_event: dict[str, dict[Measure, float]] = {}
        for event_id, targets in self.targets.items():
            values = {}
            for attribute in targets:
                values[name_of(attribute)] = self.error(
                    event_id, attribute, Steps.of(predicted.get((event_id, attribute), ()))
                )
                values[base_name(attribute)] = self.error(event_id, attribute)
            per_event[event_id] = chosen(values, wanted)
        spoken_of = sorted({event_id for event_id, _ in predicted})
        return assemble(run.team, run.name, wanted, per_event, spoken_of)

    def _predicted(self, run: ValueRun) -> dict[tuple[str, str], list[ValueUpdate]]:
        predicted: dict[tuple[str, str], list[ValueUpdate]] = {}
        for event_id, updates in self.ids.split(run, run.updates).items():
            for update in updates:
                predicted.setdefault((event_id, plain_attribute(update.attribute)), []).append(update)
        return predicted


def prepare(judgments: Judgments, *, official: bool = True) -> Prepared:
    """Make target values ready, once for many runs.

    Args:
        judgments: those with `values`, and the events' start and end.
        official: a place not predicted is 20038 km off, as the organisers' table has it; else exactly half the equator.

    Raises:
        UsageError: there are no target values, impossible ones, or not the period of an event that has some.
    """
    events_by_id = {event.id: event for event in judgments.events}
    grouped: dict[str, dict[str, list[ValueUpdate]]] = {}
    for value in judgments.values:
        attribute = plain_attribute(value.attribute)
        if attribute not in ATTRIBUTES:
            raise UsageError(
                f"{judgments.name}: found target values of {value.attribute!r}, expected {', '.join(ATTRIBUTES)}"
            )
        if not _possible(attribute, value.value):
            raise UsageError(
                f"{judgments.name}: event {value.event_id} has a target {attribute} of {value.value}, expected "
                + ("latitude, longitude in degrees" if attribute == "location" else f"0 to {MOST:g}")
            )
        if value.event_id not in events_by_id:
            raise UsageError(
                f"{judgments.name}: event {value.event_id} has target values but no start and end; list it"
            )
        grouped.setdefault(value.event_id, {}).setdefault(attribute, []).append(value)
    if not grouped:
        raise UsageError(
            f"{judgments.name}: found no target values, expected values.jsonl, or a topics file with values"
        )
    targets = {
        event.id: {attribute: Steps.of(updates) for attribute, updates in grouped[event.id].items()}
        for event in judgments.events
        if event.id in grouped
    }
    return Prepared(
        {event_id: events_by_id[event_id] for event_id in targets},
        targets,
        tuple(events_by_id),
        MISSING_KM if official else HALF_EQUATOR_KM,
    )


def _possible(attribute: str, value: tuple[float, ...]) -> bool:
    if attribute == "location":
        return len(value) == 2 and abs(value[0]) <= 90 and abs(value[1]) <= 180
    return len(value) == 1 and 0 <= value[0] <= MOST


def by_type(scores: RunScores, events: Iterable[Event]) -> dict[str, dict[Measure, float]]:
    """The mean of each measure over the events of each type that have it.

    >>> scores = RunScores("t", "r", (Measure("EE[deaths]"),), {"a": {Measure("EE[deaths]"): 3.0}}, over=("a",))
    >>> by_type(scores, [Event(id="a", title="", query="", start_time=0, end_time=1, type="storm")])
    {'storm': {EE[deaths]: 3.0}}
    """
    types: dict[str, list[str]] = {}
    for event in events:
        if event.id in scores.per_event:
            types.setdefault(event.type, []).append(event.id)
    means: dict[str, dict[Measure, float]] = {}
    for kind, ids in sorted(types.items()):
        means[kind] = {}
        for measure in scores.measures:
            values = [
                scores.per_event[event_id][measure]
                for event_id in ids
                if measure in scores.per_event[event_id]
            ]
            if values:
                means[kind][measure] = sum(values) / len(values)
    return means
