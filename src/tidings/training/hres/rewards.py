"""What a whole stream of decisions earns: EG, nCG, latency by day, and H."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.training.hres.options import HresOptions
from tidings.training.hres.streams import DAY_S, Stream

__all__ = ["DAILY_LIMIT", "LATENCY_S", "WEIGHTS", "Outcome", "outcome", "reward_of"]

DAILY_LIMIT = 10
LATENCY_S = 86_400
WEIGHTS = {"eg": 0.15, "ncg": 0.8, "latency": 0.05}
"""λ₁, λ₂ and λ₃ of the paper."""


@dataclass(frozen=True)
class Outcome:
    """What decisions came to.

    Attributes:
        eg, ncg: means over the event's days, a silent day counting 1 if nothing was told on it, else 0 (EG-1, nCG-1).
        eg_0, ncg_0: the same with 0 for silent days.
        latency: 1 - min(1, mean seconds from a nugget's first sentence to its telling / 86400); 0 if none was told.
        H, nelg, LC: of the track's measures (nE[LG]), without rounding.
        updates: how many updates.
    """

    eg: float
    ncg: float
    eg_0: float
    ncg_0: float
    latency: float
    H: float
    nelg: float
    LC: float
    updates: int


def outcome(stream: Stream, emitted: Sequence[int]) -> Outcome:
    """Of telling the sentences with these numbers, in order.

    Nuggets are the clusters: an update gains min(1, sum of R(n) over its new nuggets), and each nugget but once. A
    day's Z is the sum of its ten greatest R(n) among nuggets that some sentence of the stream tells on that day and
    that were not told before it; a day without any is silent. Only a day's first ten updates count.
    """
    by_day: dict[int, list[int]] = {day: [] for day in stream.days}
    for number in emitted:
        by_day.setdefault(stream.times[number] // DAY_S, []).append(number)
    emitted_nuggets: set[int] = set()
    delays: list[float] = []
    eg = ncg = silent = gain = verbosity = 0.0
    for day in sorted(by_day):
        active = stream.active.get(day, frozenset()) - emitted_nuggets
        best = sorted((stream.gains[nugget] for nugget in active), reverse=True)[:DAILY_LIMIT]
        gains = []
        for number in by_day[day]:
            time, plain, late, fresh = stream.times[number], 0.0, 0, 0
            covered: set[int] = set()
            for nugget, start, end in stream.spans[number]:
                if nugget in emitted_nuggets:
                    continue
                emitted_nuggets.add(nugget)
                covered.update(range(start, end))
                plain += stream.gains[nugget]
                gain += stream.gains[nugget] * stream.latency(nugget, time)
                late += time - stream.first.get(nugget, time)
                fresh += 1
            verbosity += 1 + max(0.0, (stream.lengths[number] - len(covered)) / stream.mean_words)
            gains.append(min(1.0, plain))
            if fresh:
                delays.append(late / fresh)
        if not best:
            silent += not gains
            continue
        gains = gains[:DAILY_LIMIT]
        eg += sum(gains) / len(gains) if gains else 0.0
        ncg += min(1.0, sum(gains) / sum(best))
    count = max(1, len(by_day))
    nelg = (
        gain / verbosity / stream.ideal[min(len(emitted), len(stream.ideal)) - 1]
        if emitted and stream.ideal
        else 0.0
    )
    LC = gain / stream.total if stream.total else 0.0
    H = 2 * nelg * LC / (nelg + LC) if nelg + LC else 0.0
    delay = sum(delays) / len(delays) if delays else LATENCY_S
    latency = 1 - min(1.0, delay / LATENCY_S)
    credit = silent / count
    return Outcome(
        eg / count + credit, ncg / count + credit, eg / count, ncg / count, latency, H, nelg, LC, len(emitted)
    )


def reward_of(result: Outcome, options: HresOptions) -> float:
    """R = λ₁ EG + λ₂ nCG + λ₃ latency, or what the options make of it; H where that is asked for."""
    if options.reward == "h":
        return result.H
    weights = dict(WEIGHTS)
    if options.reward == "hres":
        weights["latency"] = 0.0
    if options.without in weights:
        weights[options.without] = 0.0
    eg, ncg = (result.eg_0, result.ncg_0) if options.without == "silence" else (result.eg, result.ncg)
    return weights["eg"] * eg + weights["ncg"] * ncg + weights["latency"] * result.latency
