"""Whether a difference between runs is more than the luck of the topics: tests, intervals, corrections, effect sizes.

Each test can be called by itself; `run_comparison.py` calls them all for the scores of several runs.
Everything but the t distribution is computed here, from seeds that are stated. The t distribution is that of SciPy, an
extra. Its bootstrap and permutation tests are not used: a plain installation must compare runs too, SciPy would load
more slowly, and its draws (so every printed figure) are others than these.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from operator import itemgetter
from random import Random
from statistics import NormalDist
from typing import Any, Literal

from tidings.core import UsageError, pip_install

EXACT_UP_TO = 32
"""With at most so many topics that differ, every arrangement of signs is counted."""

SAME = 1e-12
"""Differences up to this size are a tie, and sums this near (relative to the sum of sizes) are equal."""

_CHUNK = 12  # differences whose 2^12 sums are worked out at once


@dataclass(frozen=True, slots=True)
class PValue:
    """A two-sided p-value: from `arrangements` in all (`exact`), or from so many drawn at random."""

    p: float
    arrangements: int
    exact: bool


@dataclass(frozen=True, slots=True)
class TTest:
    """Student's t for paired samples, its degrees of freedom, and the two-sided p-value."""

    t: float
    df: int
    p: float


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean, 0 of nothing."""
    return math.fsum(values) / len(values) if values else 0.0


def randomization_test(differences: Sequence[float], *, samples: int = 20_000, seed: int = 0) -> PValue:
    """Fisher's randomization test: how often random signs give a mean at least as far from 0.

    p = share of the 2^n assignments of signs with |sum(s_i d_i)| >= |sum(d_i)|. All of them are counted where at most
    `EXACT_UP_TO` differences are not 0 (in two halves that are sorted and matched); else `samples` are drawn, and
    p = (hits + 1) / (samples + 1), which is never 0.

    Source: Smucker, Allan, Carterette: A comparison of statistical significance tests for IR evaluation, CIKM 2007.

    >>> randomization_test([1, 2, 3, 4])
    PValue(p=0.125, arrangements=16, exact=True)
    >>> randomization_test([0.0, 0.0]).p, randomization_test([]).p
    (1.0, 1.0)
    """
    moved = [value for value in differences if abs(value) > SAME]
    exact = len(moved) <= EXACT_UP_TO
    count = 2 ** len(differences) if exact else samples
    observed = abs(math.fsum(moved)) - SAME * math.fsum(abs(value) for value in moved)
    if observed <= 0:
        return PValue(1.0, count, exact)
    if exact:
        half = len(moved) // 2
        left, right = _signed_sums(moved[:half]), sorted(_signed_sums(moved[half:]))
        hits = sum(len(right) - bisect_left(right, observed - value) for value in left)
        return PValue(2 * hits / 2 ** len(moved), count, True)
    tables = [_signed_sums(moved[start : start + _CHUNK]) for start in range(0, len(moved), _CHUNK)]
    sums = [0.0] * samples
    for table, picks in zip(tables, _random_signs(len(moved), samples, seed), strict=True):
        sums = [total + table[pick] for total, pick in zip(sums, picks, strict=True)]
    hits = sum(1 for total in sums if abs(total) >= observed)
    return PValue((hits + 1) / (samples + 1), samples, False)


def t_test(differences: Sequence[float]) -> TTest | None:
    """The paired t-test, two-sided; None for fewer than two topics.

    t = mean / (s / sqrt(n)), s with n - 1 below the line. Where all differences are equal, t is 0 or infinite.

    Raises:
        UsageError: SciPy, from which the t distribution comes, is not installed.

    >>> t_test([1.0])
    >>> t_test([0.0, 0.0, 0.0])
    TTest(t=0.0, df=2, p=1.0)
    """
    n = len(differences)
    if n < 2:
        return None
    centre, spread = mean(differences), _deviation(differences)
    if spread <= SAME:
        return (
            TTest(0.0, n - 1, 1.0)
            if abs(centre) <= SAME
            else TTest(math.copysign(math.inf, centre), n - 1, 0.0)
        )
    try:
        from scipy.special import stdtr
    except ImportError as error:
        raise UsageError(
            f"No SciPy installed, which the t-test needs. Run: {pip_install('[stats]')}"
        ) from error
    t = centre / (spread / math.sqrt(n))
    return TTest(t, n - 1, float(2 * stdtr(n - 1, -abs(t))))


def cohens_d(differences: Sequence[float]) -> float:
    """Cohen's d for paired samples (d_z): the mean difference over the differences' standard deviation (n - 1).

    0 where all are 0, infinite where all are equal otherwise, not a number for fewer than two topics.
    About .2 is small, .5 medium, .8 large.

    >>> round(cohens_d([1, 2, 3]), 6), cohens_d([0, 0]), cohens_d([2, 2])
    (2.0, 0.0, inf)
    """
    if len(differences) < 2:
        return math.nan
    centre, spread = mean(differences), _deviation(differences)
    if spread <= SAME:
        return 0.0 if abs(centre) <= SAME else math.copysign(math.inf, centre)
    return centre / spread


def wins_ties_losses(differences: Sequence[float]) -> tuple[int, int, int]:
    """On how many topics the difference is above, at and below 0.

    >>> wins_ties_losses([0.1, 0.0, -0.2, 1e-15])
    (1, 2, 1)
    """
    wins = sum(1 for value in differences if value > SAME)
    losses = sum(1 for value in differences if value < -SAME)
    return wins, len(differences) - wins - losses, losses


def _deviation(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    centre = mean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1))


def _signed_sums(values: Sequence[float]) -> list[float]:
    sums = [0.0]
    for value in values:
        sums = [total + value for total in sums] + [total - value for total in sums]
    return sums


@lru_cache(maxsize=8)
def _random_signs(n: int, samples: int, seed: int) -> list[list[int]]:
    """For each chunk of signs, `samples` numbers whose bits are signs; the same for every pair of runs."""
    draw = Random(f"randomization {seed} {n}")
    sizes = [min(_CHUNK, n - start) for start in range(0, n, _CHUNK)]
    return [[draw.getrandbits(size) for _ in range(samples)] for size in sizes]


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
    each holds the true mean is measured in docs/evaluation/comparing.md. Where all values are equal the interval is the
    mean itself; for fewer than two its ends are not numbers.

    Raises:
        UsageError: `level` is not between 0 and 1, or `resamples` below 1.

    >>> found = bootstrap_interval([0.1, 0.2, 0.0, 0.3, -0.1], method="percentile")
    >>> round(found.low, 2), round(found.high, 2)
    (-0.02, 0.22)
    >>> bootstrap_interval([0.5, 0.5]).low
    0.5
    """
    if not 0 < level < 1 or resamples < 1:
        raise UsageError(f"level {level} and {resamples} resamples (expected 0 < level < 1 and at least 1)")
    n, centre = len(values), mean(values)
    if n < 2:
        return Interval(math.nan, math.nan, level, method, resamples)
    if max(values) - min(values) <= SAME:
        return Interval(centre, centre, level, method, resamples)
    if method == "studentized":
        ends = _studentize(values, centre, level, _draws(n, resamples, seed))
        if ends is not None:
            return Interval(*ends, level, method, resamples)
        method = "bca"
    means = sorted(sum(pick(values)) / n for pick in _draws(n, resamples, seed))
    low, high = (1 - level) / 2, (1 + level) / 2
    if method == "bca":
        low, high = _shift(values, means, centre, low, high)
    return Interval(quantile(means, low), quantile(means, high), level, method, resamples)


def _studentize(
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


def _shift(
    values: Sequence[float], means: Sequence[float], centre: float, low: float, high: float
) -> tuple[float, float]:
    normal = NormalDist()
    slack = SAME * math.fsum(abs(value) for value in values)
    below = sum(1 for mean in means if mean < centre - slack)
    at = sum(1 for mean in means if abs(mean - centre) <= slack)
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


_MOST_KEPT = 10_000_000  # figures, 80 MB; beyond that, samples are made again for each pair
_kept: dict[tuple[int, int, int, int], list[Callable[[Sequence[float]], Any]]] = {}


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: p-values that may each be held against alpha, in the order given.

    With p(1) <= ... <= p(m): adjusted p(i) = max over j <= i of min(1, (m - j + 1) p(j)). The chance of any false
    finding among the m stays below alpha. Source: Holm, Scandinavian Journal of Statistics 6, 1979.

    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    >>> holm([])
    []
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def randomized_tukey(
    scores: Sequence[Sequence[float]], *, samples: int = 10_000, seed: int = 0
) -> dict[tuple[int, int], float]:
    """Randomised Tukey HSD: for each pair of runs, its p-value among all pairs.

    `scores[run][topic]`. In each of `samples` rounds the runs' scores are shuffled within every topic, and the distance
    q between the best and the worst mean is noted; p(i, j) = (rounds with q >= |mean i - mean j|, + 1) / (samples + 1).
    Source: Carterette: Multiple testing in statistical analysis of systems-based IR experiments, TOIS 30, 2012.

    Raises:
        UsageError: runs differ in their number of topics.

    >>> randomized_tukey([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]])[0, 1]
    1.0
    """
    k, n = len(scores), len(scores[0]) if scores else 0
    if any(len(run) != n for run in scores):
        raise UsageError(f"runs with {sorted({len(run) for run in scores})} topics (expected equally many)")
    pairs = list(combinations(range(k), 2))
    if not pairs or not n:
        return dict.fromkeys(pairs, 1.0)
    flat = [value for run in scores for value in run]
    farthest = []
    for shuffle in _shuffles(k, n, samples, seed):
        mixed = shuffle(flat)
        means = [sum(mixed[start : start + n]) for start in range(0, k * n, n)]
        farthest.append((max(means) - min(means)) / n)
    farthest.sort()
    means = [mean(run) for run in scores]
    slack = SAME * sum(abs(value) for value in flat)
    return {
        (pair, other): (_at_least(farthest, abs(means[pair] - means[other]) - slack) + 1) / (samples + 1)
        for pair, other in pairs
    }


def _at_least(ordered: Sequence[float], bound: float) -> int:
    return len(ordered) - bisect_left(ordered, bound)


def _shuffles(k: int, n: int, samples: int, seed: int) -> Iterator[Callable[[Sequence[float]], Any]]:
    """Ways to pick the flat scores again, run by run, with each topic's scores dealt to other runs.

    The same for every measure of one comparison; kept where they are not too many.
    """
    key = (k, n, samples, seed)
    if key in _kept:
        yield from _kept[key]
        return
    draw = Random(f"tukey {seed} {k} {n}")
    orders = list(permutations(range(k))) if k <= 7 else []
    keep = k * n * samples <= _MOST_KEPT
    places = list(range(k * n))  # one object for each place, however often it is picked
    made: list[Callable[[Sequence[float]], Any]] = []
    for _ in range(samples):
        dealt = draw.choices(orders, k=n) if orders else [draw.sample(range(k), k) for _ in range(n)]
        pick = itemgetter(*[places[dealt[topic][run] * n + topic] for run in range(k) for topic in range(n)])
        if keep:
            made.append(pick)
        yield pick
    if keep:
        _kept.clear()
        _kept[key] = made
