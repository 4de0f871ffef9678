"""The measures of one ranked list."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set

__all__ = ["average_precision", "ndcg", "precision", "serendipity"]


def precision(ranked: Sequence[str], relevant: Set[str], k: int | None = None) -> float:
    """P@k = relevant ones among the first k, over k (a shorter list loses); without k, over the list.

    >>> precision(["a", "b", "c"], {"a", "c"}, 2), precision(["a"], {"a"}, 2)
    (0.5, 0.5)
    """
    top = _firsts(ranked, k)
    places = len(ranked) if k is None else k
    return sum(one in relevant for one in top) / places if places else 0.0


def average_precision(ranked: Sequence[str], relevant: Set[str]) -> float:
    """AP = the sum of P@rank at each relevant one, over all relevant ones.

    >>> average_precision(["a", "x", "b"], {"a", "b"})
    0.8333333333333333
    """
    hits = 0
    total = 0.0
    for rank, one in enumerate(_firsts(ranked), start=1):
        if one in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def ndcg(ranked: Sequence[str], grades: Mapping[str, float], k: int | None = None) -> float:
    """NDCG@k with the grade as gain, discounted by log2(rank + 1). Grades below 0 count as 0.

    >>> ndcg(["a", "b"], {"a": 3, "b": 1}), round(ndcg(["b", "a"], {"a": 3, "b": 1}), 4)
    (1.0, 0.7967)
    """
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    ideal = _discounted(best[:k])
    gain = _discounted([max(0.0, grades.get(one, 0.0)) for one in _firsts(ranked, k)])
    return gain / ideal if ideal else 0.0


def serendipity(ranked: Sequence[str], relevant: Set[str], before: Set[str], k: int | None = None) -> float:
    """SRDP@k = the share of relevant ones among those of the first k that the day `before` did not bring; 0 if none.

    It divides by the unexpected ones and not by k, so it can exceed P@k.

    >>> serendipity(["old", "new"], {"new"}, {"old"}, 2), precision(["old", "new"], {"new"}, 2)
    (1.0, 0.5)
    """
    unexpected = [one for one in _firsts(ranked, k) if one not in before]
    return sum(one in relevant for one in unexpected) / len(unexpected) if unexpected else 0.0


def _discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _firsts(ranked: Sequence[str], k: int | None = None) -> list[str]:
    # A repeated entity keeps its place but is nobody there: it can earn only once.
    listed: set[str] = set()
    firsts = []
    for one in ranked[:k]:
        firsts.append("" if one in listed else one)
        listed.add(one)
    return firsts
