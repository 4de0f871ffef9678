"""From sums to measures: one event, the mean over events, and all of it for a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Literal, TypeAlias

from tidings.core import Judgments, Run, UsageError
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.run_scores import (
    EventIds,
    RunScores,
    UnknownEventError,
    assemble,
    closed_period,
)
from tidings.evaluation.measures.trec_ts.prepared import (
    NOTHING,
    EventUpdates,
    PreparedEvent,
    by_event,
    prepare_events,
)
from tidings.evaluation.measures.trec_ts.rules import BIASED, HEADLINE, PRINTED, Rules, rules_named

Mean: TypeAlias = Literal["own", "all"]


def latency_discount(nugget_time: int, update_time: int, alpha_s: int = 21600) -> float:
    """L(n.t, u.t) = 1 - (2/pi) arctan((u.t - n.t) / alpha): 1 on time, 1.5 six hours early, 0.5 six hours late.

    Times in seconds UTC; the result lies in (0, 2). Source: TREC 2013 metrics, formula 22.

    >>> latency_discount(0, 0), round(latency_discount(0, 21600), 12), round(latency_discount(21600, 0), 12)
    (1.0, 0.5, 1.5)
    """
    return 1 - (2 / math.pi) * math.atan((update_time - nugget_time) / alpha_s)


@dataclass(frozen=True, slots=True)
class Earned:
    """What one update earned.

    `new` and `repeated` hold indices into the event's nuggets; `words` and `matched_words` are counted by the rules.
    """

    gain: float
    latency_gain: float
    latency: float
    words: int
    matched_words: int
    verbosity: float
    new: list[int]
    repeated: list[int]


@dataclass(slots=True)
class Totals:
    """Sums over the scored updates of one run for one event; `c_` sums are weighted by confidence.

    `steps` holds (time, gain, latency gain) of every update that earned something, in time order.
    """

    updates: int = 0
    gain: float = 0.0
    latency_gain: float = 0.0
    verbosity: float = 0.0
    latency: float = 0.0
    matches: int = 0
    weight: float = 0.0
    c_gain: float = 0.0
    c_latency_gain: float = 0.0
    c_verbosity: float = 0.0
    c_latency: float = 0.0
    steps: list[tuple[int, float, float]] = field(default_factory=list)


_LINES: list[float] = []
"""1/1, 1/2, 1/3, ... as far as any run has needed them."""


def weights(emitted: EventUpdates, rules: Rules) -> list[float]:
    """The confidence weight of each of one event's updates, in the order of the run's file."""
    if rules.confidence == "line":
        _LINES.extend(1 / line for line in range(len(_LINES) + 1, len(emitted) + 1))
        return _LINES[: len(emitted)]
    raw = emitted.confidences()
    if rules.confidence == "raw" or not raw:
        return raw
    low, high = min(raw), max(raw)
    return [(value - low) / (high - low) if high > low else 0.5 for value in raw]


def judged_in_order(event: PreparedEvent, emitted: EventUpdates, rules: Rules) -> list[tuple[int, int]]:
    """(time, number) of the updates that assessors saw, in time order; the order of the file breaks ties."""
    pooled = event.texts.keys() | event.matches.keys() if rules.unpooled == "count" else event.texts.keys()
    numbers = compress(range(len(emitted)), map(pooled.__contains__, emitted.ids))
    return sorted((emitted.time(number), number) for number in numbers)


def outcome(
    event: PreparedEvent,
    update_id: str,
    time: int,
    seen_texts: set[str],
    seen_nuggets: set[int],
    rules: Rules,
) -> Earned:
    """What that update, emitted at `time`, earns after all of `seen_texts` and `seen_nuggets`, which grow by it.

    A text that was emitted before earns nothing; a nugget that was covered before does not earn, nor (but for
    `whole_words`) count as matched words.
    """
    pooled = event.texts.get(update_id)
    judged_id, words = pooled if pooled else (update_id, 1)
    gain = latency_gain = latency = 0.0
    matched: set[int] = set()
    new: list[int] = []
    repeated: list[int] = []
    for nugget, first_word, after in event.spans(judged_id):
        again = judged_id in seen_texts or nugget in seen_nuggets
        if rules.whole_words or not again:
            matched.update(range(first_word, after))
        if again:
            repeated.append(nugget)
            continue
        seen_nuggets.add(nugget)
        new.append(nugget)
        discount = latency_discount(event.times[nugget], time, rules.alpha_s)
        gain += event.gains[nugget]
        latency_gain += event.gains[nugget] * discount
        latency += discount
    seen_texts.add(judged_id)
    verbosity = 1 + max(0.0, (words - len(matched)) / event.mean_words) if event.mean_words else 1.0
    return Earned(gain, latency_gain, latency, words, len(matched), verbosity, new, repeated)


def add_up(event: PreparedEvent, emitted: EventUpdates, rules: Rules, before: int | None = None) -> Totals:
    """The sums of one run over one event, of updates with time < `before` if given.

    Updates that nobody judged are summed without being looked at one by one, since each costs the same: one
    word, no gain.
    """
    totals = Totals()
    weight_of = weights(emitted, rules)
    judged = judged_in_order(event, emitted, rules)
    unjudged, unjudged_weight = (
        _count_unjudged(emitted, judged, weight_of, before) if rules.unpooled == "count" else (0, 0.0)
    )
    if before is not None:
        judged = [(time, number) for time, number in judged if time < before]
    seen_texts: set[str] = set()
    seen_nuggets: set[int] = set()
    for time, number in judged:
        earned = outcome(event, emitted.ids[number], time, seen_texts, seen_nuggets, rules)
        weight = weight_of[number]
        totals.updates += 1
        totals.weight += weight
        totals.verbosity += earned.verbosity
        totals.c_verbosity += earned.verbosity * weight
        if earned.new:
            totals.matches += len(earned.new)
            totals.gain += earned.gain
            totals.latency_gain += earned.latency_gain
            totals.latency += earned.latency
            totals.c_gain += earned.gain * weight
            totals.c_latency_gain += earned.latency_gain * weight
            totals.c_latency += earned.latency * weight
            totals.steps.append((time, earned.gain, earned.latency_gain))
    if unjudged:
        each = 1 + 1 / event.mean_words if event.mean_words else 1.0
        totals.updates += unjudged
        totals.weight += unjudged_weight
        totals.verbosity += each * unjudged
        totals.c_verbosity += each * unjudged_weight
    return totals


def _count_unjudged(
    emitted: EventUpdates, judged: list[tuple[int, int]], weight_of: list[float], before: int | None
) -> tuple[int, float]:
    """How many updates nobody judged, and the sum of their weights."""
    if before is None:
        count = len(emitted) - len(judged)
        return count, sum(weight_of) - sum(weight_of[number] for _, number in judged) if count else 0.0
    judged_numbers = {number for _, number in judged}
    rest = [
        number
        for number in range(len(emitted))
        if number not in judged_numbers and emitted.time(number) < before
    ]
    return len(rest), sum(weight_of[number] for number in rest)


def default_measures(rules: Rules) -> tuple[Measure, ...]:
    """All that the year's official table holds, in its order; for the paper, what it defines of that."""
    names = PRINTED if rules.name == "paper-2013" else (*HEADLINE, *BIASED)
    if rules.name == "trec-2013":
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
        """What the run emitted of each event, by the judgments' event ids.

        Raises:
            UnknownEventError: the run has an event that the judgments do not list.
        """
        split: dict[str, EventUpdates] = {}
        for written, updates in by_event(run).items():
            event_id = self.event_id(written)
            if event_id is None:
                raise UnknownEventError(
                    written,
                    f"event {written!r} in run {run.team} {run.name} (expected one of "
                    f"{', '.join(self.listed or self.events)}); give the judgments of its year, or correct the ids",
                )
            if event_id in split:
                raise UsageError(
                    f"run {run.team} {run.name}: event {event_id} under two names, {written!r} among them "
                    f"(expected one); write its id in one way"
                )
            split[event_id] = updates
        return split

    def score(
        self, run: Run, measures: Iterable[Measure] | None = None, *, mean: Mean | None = None
    ) -> RunScores:
        """Score one run.

        `mean` says over what the means go: the run's own events, as the official scorers do, or all events that have
        nuggets, so that silence costs; without it, the rules say so. A measure over time (`C@3600s`, `I[C]`) is of the
        events whose start and end are known; the others are `undated`.

        Raises:
            UsageError: an unknown event, or a measure over time where no event's period is known.
        """
        wanted = tuple(measures) if measures is not None else default_measures(self.rules)
        split = self.split(run)
        undated = self.undated(wanted)
        per_event = {
            event_id: measure_event(event, split.get(event_id, NOTHING), wanted, self.rules)
            for event_id, event in self.events.items()
        }
        scores = assemble(run.team, run.name, wanted, per_event, split, over=self.counts(split, mean))
        return replace(scores, undated=undated)

    def counts(self, told_of: Container[str], mean: Mean | None = None) -> Callable[[str], bool] | None:
        """Which events a run's means go over; None: all that have nuggets."""
        if mean == "own" or (mean is None and self.rules.mean == "own"):
            return told_of.__contains__
        return None if mean or not self.listed else self.listed.__contains__

    def undated(self, measures: Iterable[Measure]) -> tuple[str, ...]:
        """The events that some of these measures cannot be had for, since their start or end is not known.

        Raises:
            UsageError: that is so of all events.
        """
        over_time = next((measure for measure in measures if _needs_period(measure)), None)
        if over_time is None:
            return ()
        undated = tuple(name for name, event in self.events.items() if not event.has_period)
        if undated and len(undated) == len(self.events):
            _period(self.events[undated[0]], over_time)
        return undated


def prepare(judgments: Judgments, rules: Rules | str = "trec-2014", runs: Sequence[Run] = ()) -> Prepared:
    """Make judgments ready for scoring, once for many runs.

    `runs` matter only where the rules take nugget times from the runs' pooled updates (`nugget_time`).

    Raises:
        UsageError: the judgments hold no nuggets.
    """
    rules = rules_named(rules) if isinstance(rules, str) else rules
    if not judgments.nuggets:
        raise UsageError(f"{judgments.name}: no nuggets, so nothing can be scored")
    prepared = Prepared(
        rules, prepare_events(judgments, rules), tuple(event.id for event in judgments.events)
    )
    if rules.nugget_time != "nugget":
        _retime(prepared, runs)
    return prepared


def _retime(prepared: Prepared, runs: Sequence[Run]) -> None:
    """Set nugget times by when the pooled updates that match them were first emitted in any of `runs`."""
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
    """What a run scores on one event, by some measures; none over time where the event's period is not known."""
    if not event.has_period:
        measures = [measure for measure in measures if not _needs_period(measure)]
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
        "EG": _ratio(sums.gain, sums.updates),
        "ELG": _ratio(sums.latency_gain, sums.updates),
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


def _needs_period(measure: Measure) -> bool:
    return measure.at is not None or measure.name in _OVER_TIME


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


def coverage(prepared: Prepared, run: Run) -> dict[str, list[tuple[int, float]]]:
    """For each judged event whose period is known, the steps of C: (seconds after its start, C from then on).

    Each begins with (0, what was known at the start) and ends with the event, or at the last nugget covered later.
    """
    split, curves = prepared.split(run), {}
    for event_id, event in prepared.events.items():
        if not event.has_period:
            continue
        sums = add_up(event, split.get(event_id, NOTHING), prepared.rules)
        (start, end), gained = _period(event, Measure("C")), 0.0
        steps: dict[int, float] = {0: 0.0}
        for time, gain, _ in sums.steps:
            gained += gain
            steps[max(time - start, 0)] = gained / event.total_gain if event.total_gain else 0.0
        last = max(steps)
        steps[max(last, end - start)] = steps[last]
        curves[event_id] = list(steps.items())
    return curves
