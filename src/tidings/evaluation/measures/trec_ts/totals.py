"""One run walked through one event: what each update earned, and the sums from which all measures follow."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import compress

from tidings.evaluation.measures.trec_ts.event_updates import EventUpdates
from tidings.evaluation.measures.trec_ts.prepared import PreparedEvent
from tidings.evaluation.measures.trec_ts.rules import Rules

__all__ = ["Earned", "Totals", "add_up", "judged_in_order", "latency_discount", "outcome", "weights"]


def latency_discount(nugget_time: int, update_time: int, alpha_s: int = 21600) -> float:
    """L(n.t, u.t) = 1 - (2/pi) arctan((u.t - n.t) / alpha): 1 on time, 1.5 six hours early, 0.5 six hours late.

    Times in seconds UTC; the result lies in (0, 2). Source: TREC 2013 metrics, formula 22.

    >>> latency_discount(0, 0), round(latency_discount(0, 21600), 12), round(latency_discount(21600, 0), 12)
    (1.0, 0.5, 1.5)
    """
    return 1 - (2 / math.pi) * math.atan((update_time - nugget_time) / alpha_s)


@dataclass(slots=True)
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
    """What the update of that id, told at `time`, earns after all in `seen_texts` and `seen_nuggets`, which grow by it.

    A text that was told before earns nothing; a nugget that was told before does not earn, nor (but for `whole_words`)
    count as matched words.
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
        _unjudged(emitted, judged, weight_of, before) if rules.unpooled == "count" else (0, 0.0)
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


def _unjudged(
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
