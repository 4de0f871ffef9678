"""Confidence intervals of a mean difference, by drawing topics with replacement."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from random import Random
from statistics import NormalDist
from typing import Any, Literal

from tidings.core import UsageError
from tidings.evaluation.measures.significance.paired import SAME, mean

__all__ = ["Interval", "IntervalMethod", "bootstrap_interval", "quantile"]

IntervalMethod = Literal["bca", "percentile", "studentized"]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of `level`, by `method`, from `resamples` draws."""

    low: float
    high: float
    level: float
    method: str
    resamples: int


def bootstrap_interval(
    values: Sequence[float],
    *,
    level: float = 0.95,
    resamples: int = 10_000,
    method: IntervalMethod = "bca",
    seed: int = 0,
) -> Interval:
    """A bootstrap confidence interval of the mean of `values`.

    `percentile` takes the quantiles (1 - level)/2 and (1 + level)/2 of the resampled means; `bca` shifts both by bias
    and by the skew that leaving out one topic at a time shows (Efron 1987); `studentized` takes the quantiles of
    t = (resampled mean - mean) / (standard error of the resample) in place of Student's. That is wider where values
    are few and skewed, and falls back on `bca` where resamples of equal values leave an end without a bound. How often
    each holds the true mean is measured in docs/comparing.md. Where all values are equal the interval is the mean
    itself; for fewer than two its ends are not numbers.

    Raises:
        UsageError: `level` is not between 0 and 1, or `resamples` below 1.

    >>> found = bootstrap_interval([0.1, 0.2, 0.0, 0.3, -0.1], method="percentile")
    >>> round(found.low, 2), round(found.high, 2)
    (-0.02, 0.22)
    >>> bootstrap_interval([0.5, 0.5]).low
    0.5
    """
    if not 0 < level < 1 or resamples < 1:
        raise UsageError(
            f"found level {level} and {resamples} resamples, expected 0 < level < 1 and at least 1"
        )
    n, centre = len(values), mean(values)
    if n < 2:
        return Interval(math.nan, math.nan, level, method, resamples)
    if max(values) - min(values) <= SAME:
        return Interval(centre, centre, level, method, resamples)
    if method == "studentized":
        ends = _studentized(values, centre, level, _draws(n, resamples, seed))
        if ends is not None:
            return Interval(*ends, level, method, resamples)
        method = "bca"
    means = sorted(sum(pick(values)) / n for pick in _draws(n, resamples, seed))
    low, high = (1 - level) / 2, (1 + level) / 2
    if method == "bca":
        low, high = _shifted(values, means, centre, low, high)
    return Interval(quantile(means, low), quantile(means, high), level, method, resamples)


def _studentized(
    values: Sequence[float], centre: float, level: float, draws: Sequence[Callable[[Sequence[float]], Any]]
) -> tuple[float, float] | None:
    """The ends of the interval, None where one of them has no bound."""
    n = len(values)
    away = [value - centre for value in values]
    squares = [value * value for value in away]
    error = math.sqrt(math.fsum(squares) / (n * (n - 1)))
    slack = SAME * math.fsum(squares)
    ratios = []
    for pick in draws:
        mean_away = sum(pick(away)) / n
        spread = sum(pick(squares)) - n * mean_away**2
        if spread > slack:
            ratios.append(mean_away / math.sqrt(spread / (n * (n - 1))))
        else:
            ratios.append(math.copysign(math.inf, mean_away))
    ratios.sort()
    low, high = (quantile(ratios, share) for share in ((1 + level) / 2, (1 - level) / 2))
    ends = centre - error * low, centre - error * high
    return ends if all(map(math.isfinite, ends)) else None


def _shifted(
    values: Sequence[float], means: Sequence[float], centre: float, low: float, high: float
) -> tuple[float, float]:
    normal = NormalDist()
    slack = SAME * math.fsum(abs(value) for value in values)
    below = sum(1 for one in means if one < centre - slack)
    at = sum(1 for one in means if abs(one - centre) <= slack)
    share = (below + at / 2) / len(means)
    if not 0 < share < 1:
        return low, high
    bias = normal.inv_cdf(share)
    # Leaving out one value moves a mean by a multiple of that value's distance from the mean.
    squares = math.fsum((value - centre) ** 2 for value in values)
    skew = math.fsum((value - centre) ** 3 for value in values) / (6 * squares**1.5)

    def moved(quantile: float) -> float:
        z = bias + normal.inv_cdf(quantile)
        return normal.cdf(bias + z / (1 - skew * z))

    return moved(low), moved(high)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of some ordered values lies, on a line between the two nearest.

    >>> quantile([0.0, 1.0, 2.0], 0.75)
    1.5
    """
    place = share * (len(ordered) - 1)
    below = min(math.floor(place), len(ordered) - 1)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


@lru_cache(maxsize=4)
def _draws(n: int, resamples: int, seed: int) -> list[Callable[[Sequence[float]], Any]]:
    """Which topics each resample holds; the same for every pair of runs, as the topics are the same."""
    draw, topics = Random(f"bootstrap {seed} {n}"), range(n)
    return [itemgetter(*draw.choices(topics, k=n)) for _ in range(resamples)]
