"""How usual a sentence's words are in what was said of the event so far: what tells it from others of its kind.

The words of the query fit every event of the kind that it names. The words that sentences about the event share beyond
them (its place, its people, what happened) do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from math import log, log1p

__all__ = ["Familiarity"]

_ADDED, _ADDED_IN_ALL = 0.02, 2.0
_PERCENT = 100.0
_USUAL = 0.05
_MOST_LOGARITHMS = 4_096
_LOGARITHMS = [log(count + _ADDED) for count in range(_MOST_LOGARITHMS + 1)]


class Familiarity:
    """How many of the remembered sentences hold each bigram; with the counts of stems, four features of a sentence.

    Args:
        counts: for each stem how many of the remembered sentences hold it; kept by its owner.
        query: the stems of query and title, which do not count.

    >>> familiarity = Familiarity({"ferri": 2, "bilbao": 2, "port": 1}, frozenset({"ferri"}))
    >>> familiarity.add(["ferri", "bilbao", "port"])
    >>> familiarity.add(["ferri", "bilbao"])
    >>> weights = {"ferri": 3.0, "bilbao": 2.0, "port": 1.0}
    >>> [round(one, 3) for one in familiarity.features(weights, ["bilbao"], 2)]
    [-0.911, 3.932, 4.615, 2.0]
    """

    def __init__(self, counts: Mapping[str, int], query: frozenset[str]) -> None:
        self._counts, self._query = counts, query
        self._bigrams: dict[tuple[str, str], int] = {}

    def _others(self, stems: Iterable[str]) -> list[str]:
        query = self._query
        return [stem for stem in stems if stem not in query]

    def add(self, stems: Sequence[str]) -> None:
        """Count the bigrams of a remembered sentence by its stems in order, each once."""
        bigrams = self._bigrams
        for pair in pairwise(self._others(stems)):
            bigrams[pair] = bigrams.get(pair, 0) + 1

    def remove(self, stems: Sequence[str]) -> None:
        """Count them no more."""
        bigrams = self._bigrams
        for pair in pairwise(self._others(stems)):
            count = bigrams[pair] = bigrams[pair] - 1
            if not count:
                del bigrams[pair]

    def features(
        self, stems: Mapping[str, float], names: Collection[str], remembered: int
    ) -> tuple[float, float, float, float]:
        """The four features of a sentence, in the order of `feature_names`, of so many `remembered` sentences.

        Args:
            stems: each once, with its weight, in the order of the text.
            names: those that were written with a capital.
            remembered: T, how many sentences the counts are of.
        """
        counts, query = self._counts.get, self._query
        others, total, mass, usual = [], 0.0, 0.0, 0
        for stem, weight in stems.items():
            if stem in query:
                continue
            others.append(stem)
            count = counts(stem, 0)
            total += weight * _LOGARITHMS[count]
            mass += weight
            usual += count >= _USUAL * remembered
        base = log(remembered + _ADDED_IN_ALL)
        mean = (total / mass if mass else _LOGARITHMS[0]) - base
        if not remembered:
            return mean, 0.0, 0.0, 0.0
        bigrams = self._bigrams.get
        largest = max([bigrams(pair, 0) for pair in pairwise(others)], default=0)
        shares = [counts(name, 0) for name in names if name not in query]
        named = sum(shares) / len(shares) / remembered if shares else 0.0
        return mean, log1p(_PERCENT * largest / remembered), log1p(_PERCENT * named), float(usual)
