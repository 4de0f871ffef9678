"""Corrections for making several comparisons at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from operator import itemgetter
from random import Random
from typing import Any

from tidings.core import UsageError
from tidings.evaluation.measures.significance.paired import SAME, mean

__all__ = ["holm", "randomised_tukey"]

_MOST_KEPT = 10_000_000
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


def randomised_tukey(
    scores: Sequence[Sequence[float]], *, samples: int = 10_000, seed: int = 0
) -> dict[tuple[int, int], float]:
    """Randomised Tukey HSD: for each pair of runs, its p-value among all pairs.

    `scores[run][topic]`. In each of `samples` rounds the runs' scores are shuffled within every topic, and the distance
    q between the best and the worst mean is noted; p(i, j) = (rounds with q >= |mean i - mean j|, + 1) / (samples + 1).
    Source: Carterette: Multiple testing in statistical analysis of systems-based IR experiments, TOIS 30, 2012.

    Raises:
        UsageError: runs differ in their number of topics.

    >>> randomised_tukey([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]])[0, 1]
    1.0
    """
    k, n = len(scores), len(scores[0]) if scores else 0
    if any(len(run) != n for run in scores):
        raise UsageError(
            f"found runs with {sorted({len(run) for run in scores})} topics, expected equally many"
        )
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
        (one, other): (_at_least(farthest, abs(means[one] - means[other]) - slack) + 1) / (samples + 1)
        for one, other in pairs
    }


def _at_least(ordered: Sequence[float], bound: float) -> int:
    return len(ordered) - bisect_left(ordered, bound)


def _shuffles(k: int, n: int, samples: int, seed: int) -> Iterator[Callable[[Sequence[float]], Any]]:
    """Ways to pick the flat scores anew, run by run, with each topic's scores dealt to other runs.

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
