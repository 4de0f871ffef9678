"""What a whole stream of decisions earns: EG, nCG and latency as the tables have them, and H."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.research.training.hres.options import HresOptions
from tidings.research.training.hres.streams import Stream

__all__ = ["DAILY_LIMIT", "LATENCY_S", "WEIGHTS", "Outcome", "outcome", "reward_of"]

DAILY_LIMIT = 10
LATENCY_S = 86_400
WEIGHTS = {"eg": 0.15, "ncg": 0.8, "latency": 0.05}
"""λ₁, λ₂ and λ₃ of the paper."""


@dataclass(frozen=True)
class Outcome:
    """What decisions came to.

    Attributes:
        eg, ncg: EG-1 and nCG-1 of `tidings.evaluation.measures.nuggets_as_clusters` by the guidelines: means over
        the event's
            days, a silent day counting 1 if nothing was told on it, else 0.
        eg_0, ncg_0: the same with 0 for silent days.
        latency: 1 - min(1, mean seconds from a cluster's first sentence to its telling / 86400); 0 if none was told.
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

    Only a day's first ten updates count for EG, nCG and latency, as the track's broker takes no more; H counts all.
    """
    eg, ncg, silent, delays = _by_day(stream, emitted)
    nelg, LC = _by_gain(stream, emitted)
    H = 2 * nelg * LC / (nelg + LC) if nelg + LC else 0.0
    count = stream.days.count
    delay = sum(delays) / len(delays) if delays else LATENCY_S
    latency = 1 - min(1.0, delay / LATENCY_S)
    credit = silent / count
    return Outcome(
        eg / count + credit, ncg / count + credit, eg / count, ncg / count, latency, H, nelg, LC, len(emitted)
    )


def _by_day(stream: Stream, emitted: Sequence[int]) -> tuple[float, float, int, list[int]]:
    """Sums over the days of EG and nCG, silent days kept silent, and the delay of each update that earned something."""
    days = stream.days
    numbers, gains = [0] * days.count, [0.0] * days.count
    clusters: set[int] = set()
    delays: list[int] = []
    for number in emitted:
        day, cluster = days.day[number], days.cluster[number]
        if day < 0 or numbers[day] >= DAILY_LIMIT:
            continue
        numbers[day] += 1
        if cluster >= 0 and cluster not in clusters:
            clusters.add(cluster)
            gains[day] += days.gain[number]
            delays.append(days.delay[number])
    eg = ncg = 0.0
    silent = 0
    for there, gain, best in zip(numbers, gains, days.best, strict=True):
        if not best:
            silent += not there
        elif there:
            eg += gain / there
            ncg += gain / best
    return eg, ncg, silent, delays


def _by_gain(stream: Stream, emitted: Sequence[int]) -> tuple[float, float]:
    """nE[LG] and LC."""
    nuggets: set[int] = set()
    gain = verbosity = 0.0
    for number in emitted:
        covered: set[int] = set()
        fresh: set[int] = set()
        for nugget, start, end in stream.spans[number]:
            if nugget not in nuggets:
                fresh.add(nugget)
                covered.update(range(start, end))
        nuggets |= fresh
        gain += sum(stream.gains[n] * stream.latency(n, stream.times[number]) for n in fresh)
        verbosity += 1 + max(0.0, (stream.lengths[number] - len(covered)) / stream.mean_words)
    if not emitted or not stream.ideal:
        return 0.0, 0.0
    nelg = gain / verbosity / stream.ideal[min(len(emitted), len(stream.ideal)) - 1]
    return nelg, gain / stream.total if stream.total else 0.0


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
