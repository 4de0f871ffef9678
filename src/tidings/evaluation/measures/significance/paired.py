"""Tests on paired scores: the same topics, two runs, one difference for each topic."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from tidings.core import UsageError

__all__ = [
    "EXACT_UP_TO",
    "PValue",
    "TTest",
    "cohens_d",
    "mean",
    "randomisation_test",
    "t_test",
    "wins_ties_losses",
]

EXACT_UP_TO = 32
"""With at most so many topics that differ, every arrangement of signs is counted."""

SAME = 1e-12
"""Differences up to this size are a tie, and sums this near (relative to the sum of sizes) are equal."""

_CHUNK = 12


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


def randomisation_test(differences: Sequence[float], *, samples: int = 20_000, seed: int = 0) -> PValue:
    """Fisher's randomisation test: how often random signs give a mean at least as far from 0.

    p = share of the 2^n assignments of signs with |sum(s_i d_i)| >= |sum(d_i)|. All of them are counted where at most
    `EXACT_UP_TO` differences are not 0 (in two halves that are sorted and matched); else `samples` are drawn, and
    p = (hits + 1) / (samples + 1), which is never 0.

    Source: Smucker, Allan, Carterette: A comparison of statistical significance tests for IR evaluation, CIKM 2007.

    >>> randomisation_test([1, 2, 3, 4])
    PValue(p=0.125, arrangements=16, exact=True)
    >>> randomisation_test([0.0, 0.0]).p, randomisation_test([]).p
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
        hits = sum(len(right) - bisect_left(right, observed - one) for one in left)
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
            "found no SciPy, expected it for the t-test; install it with: pip install 'tidings[stats]'"
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
    draw = Random(f"randomisation {seed} {n}")
    sizes = [min(_CHUNK, n - start) for start in range(0, n, _CHUNK)]
    return [[draw.getrandbits(size) for _ in range(samples)] for size in sizes]
