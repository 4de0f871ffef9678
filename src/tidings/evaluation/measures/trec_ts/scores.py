"""From sums to measures: one event, the mean over events, and all of it for a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tidings.core import Judgments, Run, UsageError
from tidings.evaluation.measures.ids import EventIds
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.periods import closed_period
from tidings.evaluation.measures.scores import RunScores, UnknownEventError, assemble
from tidings.evaluation.measures.trec_ts.event_updates import NOTHING, EventUpdates, by_event
from tidings.evaluation.measures.trec_ts.info import BIASED, HEADLINE
from tidings.evaluation.measures.trec_ts.prepared import PreparedEvent, prepare_events
from tidings.evaluation.measures.trec_ts.rules import Rules, named
from tidings.evaluation.measures.trec_ts.totals import Totals, add_up

__all__ = ["Prepared", "default_measures", "measure_event", "prepare"]


def default_measures(rules: Rules) -> tuple[Measure, ...]:
    """All that the year's official table holds, in its order; for the paper, what it defines of that."""
    names = (*HEADLINE, *(info.name for info in BIASED))
    if rules.name == "paper-2013":
        names = HEADLINE
    if rules.name in ("trec-2013", "paper-2013"):
        names = tuple(name for name in names if name.removeprefix("c") not in ("nE[G]", "nE[LG]", "H"))
    return tuple(Measure(name) for name in names)


@dataclass(slots=True)
class Prepared:
    """Judgments made ready under one rule set; scores any number of runs."""

    rules: Rules
    events: dict[str, PreparedEvent]
    listed: tuple[str, ...] = ()
    ids: EventIds = field(init=False)

    def __post_init__(self) -> None:
        """Let events be found by their bare ids too."""
        self.ids = EventIds((*self.listed, *self.events))

    def event_id(self, written: str) -> str | None:
        """The judgments' id for an event as a run writes it (`EventIds.find`)."""
        return self.ids.find(written)

    def split(self, run: Run) -> dict[str, EventUpdates]:
        """What the run tells of each event, by the judgments' event ids.

        Raises:
            UnknownEventError: the run tells of an event that the judgments do not list.
        """
        split: dict[str, EventUpdates] = {}
        for written, updates in by_event(run).items():
            event_id = self.event_id(written)
            if event_id is None:
                raise UnknownEventError(
                    written,
                    f"found event {written!r} in run {run.team} {run.name}, expected one of "
                    f"{', '.join(self.listed or self.events)}; give the judgments of its year, or mend its event ids",
                )
            if event_id in split:
                raise UsageError(
                    f"run {run.team} {run.name}: found event {event_id} under two names, {written!r} among them, "
                    "expected one; write its id in one way"
                )
            split[event_id] = updates
        return split

    def score(
        self, run: Run, measures: Iterable[Measure] | None = None, *, mean: Literal["own", "all"] = "own"
    ) -> RunScores:
        """Score one run.

        `mean` says over what the means go: the run's own events, as the official scorers do, or all events that have
        nuggets, so that silence costs.

        Raises:
            UsageError: an unknown event, or a measure over time where the judgments lack the event's period.
        """
        wanted = tuple(measures) if measures is not None else default_measures(self.rules)
        split = self.split(run)
        per_event = {
            event_id: measure_event(event, split.get(event_id, NOTHING), wanted, self.rules)
            for event_id, event in self.events.items()
        }
        over = split.__contains__ if mean == "own" else None
        return assemble(run.team, run.name, wanted, per_event, split, over=over)


def prepare(judgments: Judgments, rules: Rules | str = "trec-2014", runs: Sequence[Run] = ()) -> Prepared:
    """Make judgments ready for scoring, once for many runs.

    `runs` matter only where the rules take nugget times from the runs' pooled updates (`nugget_time`).

    Raises:
        UsageError: the judgments hold no nuggets.
    """
    rules = named(rules) if isinstance(rules, str) else rules
    if not judgments.nuggets:
        raise UsageError(
            f"{judgments.name}: found no nuggets, expected some; nothing can be scored without them"
        )
    prepared = Prepared(
        rules, prepare_events(judgments, rules), tuple(event.id for event in judgments.events)
    )
    if rules.nugget_time != "nugget":
        _retime(prepared, runs)
    return prepared


def _retime(prepared: Prepared, runs: Sequence[Run]) -> None:
    """Set nugget times by when the pooled updates that match them were first told in any of `runs`."""
    first: dict[tuple[str, int], int] = {}
    for run in runs:
        for event_id, told_of in prepared.split(run).items():
            event = prepared.events.get(event_id)
            if event is None:
                continue
            for number, update_id in enumerate(told_of.ids):
                judged_text = event.texts.get(update_id)
                for nugget, _, _ in event.spans(judged_text[0]) if judged_text else ():
                    key, time = (event_id, nugget), told_of.time(number)
                    first[key] = min(time, first.get(key, time))
    for (event_id, nugget), time in first.items():
        times = prepared.events[event_id].times
        times[nugget] = time if prepared.rules.nugget_time == "updates" else min(time, times[nugget])


def measure_event(
    event: PreparedEvent, updates: EventUpdates, measures: Sequence[Measure], rules: Rules
) -> dict[Measure, float]:
    """What a run scores on one event, by some measures."""
    cut: dict[int | None, dict[str, float]] = {}
    values: dict[Measure, float] = {}
    for measure in measures:
        if measure.at not in cut:
            before = _period(event, measure)[0] + measure.at if measure.at is not None else None
            cut[measure.at] = _values(event, add_up(event, updates, rules, before), rules)
        if measure.name in _OVER_TIME:
            values[measure] = _OVER_TIME[measure.name](event, add_up(event, updates, rules))
        else:
            values[measure] = cut[measure.at][measure.name]
    return values


def _values(event: PreparedEvent, sums: Totals, rules: Rules) -> dict[str, float]:
    Z, R = event.best_mean(sums.updates), event.total_gain
    over = sums.weight if rules.biased_over_sum else 1.0
    per = sums.matches if rules.latency_mean == "match" else sums.updates
    # The 2015 script divides the biased latency by updates although it divides the plain one by matches.
    c_per = sums.updates if rules.confidence == "scaled" else per
    values = {
        "updates": float(sums.updates),
        "E[G]": _ratio(sums.gain, sums.verbosity),
        "E[LG]": _ratio(sums.latency_gain, sums.verbosity),
        "C": _ratio(sums.gain, R),
        "LC": _ratio(sums.latency_gain, R),
        "E[V]": _ratio(sums.verbosity, sums.updates),
        "E[L]": _ratio(sums.latency, per),
        "cE[G]": _ratio(sums.c_gain, sums.verbosity * over),
        "cE[LG]": _ratio(sums.c_latency_gain, sums.verbosity * over),
        "cC": _ratio(sums.c_gain, R * over),
        "cLC": _ratio(sums.c_latency_gain, R * over),
        "cE[V]": _ratio(sums.c_verbosity, sums.updates * over),
        "cE[L]": _ratio(sums.c_latency, c_per * over),
    }
    for c in ("", "c"):
        values[f"{c}nE[G]"] = _ratio(values[f"{c}E[G]"], Z)
        values[f"{c}nE[LG]"] = _ratio(values[f"{c}E[LG]"], Z)
        precise, complete = values[f"{c}nE[LG]"], values[f"{c}LC"]
        values[f"{c}H"] = _ratio(2 * precise * complete, precise + complete)
    return values


def _ratio(above: float, below: float) -> float:
    return above / below if below else 0.0


def _period(event: PreparedEvent, measure: Measure) -> tuple[int, int]:
    if event.event is None:
        raise UsageError(
            f"measure {measure} needs the start and end of event {event.id}, and the judgments have none; "
            "put the track's topics.xml (or event.json) into their folder"
        )
    return closed_period(event.event, f"measure {measure}")


def _integral(event: PreparedEvent, sums: Totals, latency: bool, measure: str) -> float:
    start, end = _period(event, Measure(measure))
    area = 0.0
    for time, gain, latency_gain in sums.steps:
        area += (latency_gain if latency else gain) * max(0, end - max(time, start))
    area = _ratio(area, event.total_gain)
    return _ratio(area, end - start) if measure.startswith("n") else area


_OVER_TIME: dict[str, Callable[[PreparedEvent, Totals], float]] = {
    "I[C]": lambda event, sums: _integral(event, sums, False, "I[C]"),
    "I[LC]": lambda event, sums: _integral(event, sums, True, "I[LC]"),
    "nI[C]": lambda event, sums: _integral(event, sums, False, "nI[C]"),
    "nI[LC]": lambda event, sums: _integral(event, sums, True, "nI[LC]"),
}
