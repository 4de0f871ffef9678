"""Value tracking (TREC Temporal Summarization 2013): expected error of tolls, costs and places over an event's time.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tidings.core import TREC_ATTRIBUTES, Event, Judgments, UsageError, ValueRun, ValueUpdate, pip_install
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import EventIds, RunScores, assemble, choose_values, closed_period

HALF_EQUATOR_KM = math.pi * 6378.137
"""Half the equator of WGS-84 (20,037.5 km): no two places are farther apart."""


def kilometres(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    """The geodesic distance of two places (latitude, longitude in degrees) on WGS-84, in kilometres.

    Computed by Karney's method, which agrees with Vincenty's to a fraction of a millimetre wherever the latter
    converges, and also gives an answer for places on opposite sides of the earth, where the latter gives none.

    Raises:
        UsageError: the package geographiclib is not installed.

    >>> round(kilometres((42.88, -8.54), (42.88, -8.54)), 6)
    0.0
    >>> round(kilometres((0.0, 0.0), (0.0, 90.0)), 1)  # a quarter of the equator
    10018.8
    """
    length = float(_earth().Inverse(*one, *two, _distance_only())["s12"])
    return length / 1000.0


@lru_cache(maxsize=1)
def _earth() -> Any:
    try:
        from geographiclib.geodesic import Geodesic
    except ImportError:
        raise UsageError(
            f"No geographiclib installed, which distances need. Run: {pip_install('geographiclib')}"
        ) from None
    return Geodesic.WGS84


@lru_cache(maxsize=1)
def _distance_only() -> int:
    from geographiclib.geodesic import Geodesic

    return int(Geodesic.DISTANCE)


def name_of(attribute: str) -> str:
    """The measure of an attribute.

    >>> name_of("deaths")
    'EE[deaths]'
    """
    return f"EE[{attribute}]"


def base_name(attribute: str) -> str:
    """The measure of what a run that never predicts the attribute scores."""
    return f"EE0[{attribute}]"


INFO = read_infos("values")

Value = tuple[float, ...]
Error = Callable[[Sequence[Value], Value], float]


@dataclass(frozen=True, slots=True)
class Steps:
    """A value that changes at `times`; `values[i]` are those of `times[i]`, in file order.

    At a time tau it is that of the last change *before* tau (formula of the 2013 paper: u.t < tau).
    """

    times: tuple[int, ...]
    values: tuple[tuple[Value, ...], ...]

    @staticmethod
    def of(updates: Iterable[ValueUpdate]) -> Steps:
        """The step function of updates in any order; those of one second keep the order of the file.

        >>> Steps.of([ValueUpdate("e", 20, "deaths", (5.0,)), ValueUpdate("e", 10, "deaths", (2.0,))]).times
        (10, 20)
        """
        at: dict[int, list[Value]] = {}
        for update in updates:
            at.setdefault(update.time, []).append(tuple(map(float, update.value)))
        times = tuple(sorted(at))
        return Steps(times, tuple(tuple(at[time]) for time in times))

    def before(self, time: int) -> tuple[Value, ...]:
        """The values of the last change before `time`; none when there was no change yet."""
        place = bisect_left(self.times, time)
        return self.values[place - 1] if place else ()


def scalar_error(truth: Sequence[Value], predicted: Value) -> float:
    """|f* - f|, averaged where the truth names several numbers at once.

    >>> scalar_error([(40.0,), (50.0,)], (42.0,))
    5.0
    """
    return math.fsum(abs(value[0] - predicted[0]) for value in truth) / len(truth)


def place_error(truth: Sequence[Value], predicted: Value) -> float:
    """Geodesic distance in kilometres, averaged where the truth names several places at once."""
    return math.fsum(kilometres((value[0], value[1]), (predicted[0], predicted[1])) for value in truth) / len(
        truth
    )


def expected_error(
    truth: Steps,
    predictions: Steps,
    start: int,
    end: int,
    error: Error,
    missing: Callable[[Sequence[Value]], float],
) -> float:
    """EE = 1/(te - ts) times the integral of Err from ts to te: exact, as a sum over the changes of both.

    Args:
        truth: target values. Before the first of them the first holds: a single target is constant (2013 paper, 3.1).
        predictions: predictions. Several of one second: the last line counts.
        start: ts, seconds.
        end: te, seconds. An event without duration has the error of that moment.
        error: Err of truth and prediction.
        missing: Err where nothing was predicted yet.

    >>> truth = Steps((0,), (((80.0,),),))
    >>> claims = Steps((50,), (((60.0,),),))
    >>> expected_error(truth, claims, 0, 100, scalar_error, lambda values: scalar_error(values, (0.0,)))
    50.0
    """
    end = max(start, end)
    changes = sorted(
        {start, end, *(time for steps in (truth, predictions) for time in steps.times if start < time < end)}
    )
    pieces = []
    for left, right in pairwise(changes):
        pieces.append((right - left) * _error_at(right, truth, predictions, error, missing))
    if not pieces:
        return _error_at(start, truth, predictions, error, missing)
    return math.fsum(pieces) / (end - start)


def _error_at(
    time: int, truth: Steps, predictions: Steps, error: Error, missing: Callable[[Sequence[Value]], float]
) -> float:
    # Just before `time`, where both functions have been constant since the change before.
    targets = truth.before(time) or truth.values[0]
    predicted = predictions.before(time)
    return error(targets, predicted[-1]) if predicted else missing(targets)


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


@dataclass(frozen=True, slots=True)
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
        """The events that runs may cover."""
        return EventIds((*self.listed, *self.events))

    def measures(self, *, base: bool = False) -> tuple[Measure, ...]:
        """Expected errors of the attributes that there are targets for; with `base`, what silence would score too."""
        attributes = {attribute for targets in self.targets.values() for attribute in targets}
        names = [name_of(attribute) for attribute in TREC_ATTRIBUTES if attribute in attributes]
        if base:
            names += [base_name(attribute) for attribute in TREC_ATTRIBUTES if attribute in attributes]
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
            UnknownEventError: the run has an event that the judgments do not list.
        """
        wanted = self.measures() if measures is None else tuple(measures)
        predicted = self._predict(run)
        per_event: dict[str, dict[Measure, float]] = {}
        for event_id, targets in self.targets.items():
            values = {}
            for attribute in targets:
                values[name_of(attribute)] = self.error(
                    event_id, attribute, Steps.of(predicted.get((event_id, attribute), ()))
                )
                values[base_name(attribute)] = self.error(event_id, attribute)
            per_event[event_id] = choose_values(values, wanted)
        spoken_of = sorted({event_id for event_id, _ in predicted})
        return assemble(run.team, run.name, wanted, per_event, spoken_of)

    def _predict(self, run: ValueRun) -> dict[tuple[str, str], list[ValueUpdate]]:
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
        if attribute not in TREC_ATTRIBUTES:
            raise UsageError(
                f"{judgments.name}: target values of {value.attribute!r} (expected {', '.join(TREC_ATTRIBUTES)})"
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
            f"{judgments.name}: no target values (expected values.jsonl, or a topics file with values)"
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
