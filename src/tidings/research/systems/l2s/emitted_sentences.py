"""What was told, asked at once for the highest and the summed cosine of a new sentence to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

__all__ = ["EmittedSentences"]


class EmittedSentences:
    """At most `most` unit vectors of updates, found through the terms that they share; the oldest go first.

    >>> told = EmittedSentences(most=10)
    >>> told.add({"ferri": 0.6, "fire": 0.8})
    >>> told.near({"fire": 1.0}), told.near({"snow": 1.0})
    ((0.8, 0.8), (0.0, 0.0))
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: deque[tuple[int, Mapping[str, float]]] = deque()
        self._postings: dict[str, dict[int, float]] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, vector: Mapping[str, float]) -> None:
        """Keep one more vector."""
        number = self._next
        self._next = number + 1
        self._kept.append((number, vector))
        for stem, weight in vector.items():
            self._postings.setdefault(stem, {})[number] = weight
        if len(self._kept) > self._most:
            gone, old = self._kept.popleft()
            for stem in old:
                posting = self._postings[stem]
                del posting[gone]
                if not posting:
                    del self._postings[stem]

    def near(self, vector: Mapping[str, float]) -> tuple[float, float]:
        """(highest cosine, sum of cosines) to what is kept; (0, 0) where nothing shares a term."""
        cosines: dict[int, float] = {}
        postings = self._postings
        for stem, weight in vector.items():
            posting = postings.get(stem)
            if posting is not None:
                for number, other in posting.items():
                    cosines[number] = cosines.get(number, 0.0) + weight * other
        if not cosines:
            return 0.0, 0.0
        return min(1.0, max(cosines.values())), sum(cosines.values())
