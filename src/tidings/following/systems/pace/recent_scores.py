"""Whether a score is among the best share of the latest ones, also where that share is one in many thousands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Sequence
from typing import Any

__all__ = ["BLOCK", "LATEST", "RecentScores"]

LATEST = 500
"""How many of the latest scores (and of the latest maxima) a score is held against."""

BLOCK = 50
"""How many scores in order of arrival share one maximum; and so many maxima one maximum of theirs."""

_LEVELS = 4
_LEAST_SHARE = 0.05
_LEAST_BLOCKS = 10


class RecentScores:
    """The latest 500 scores, and the maxima of the latest blocks of 50, of 2,500 and of 125,000 scores.

    Among the best share p of scores is what exceeds the share 1 - (1 - p)^b of the maxima of blocks of b: so a share
    of one in 10,000 is known from some hundred numbers. Memory: four times 500 numbers.

    >>> scores = RecentScores()
    >>> for score in (0.3, 0.1, 0.2, 0.4):
    ...     scores.add(score)
    >>> scores.is_among_best(0.35, 0.5), scores.is_among_best(0.15, 0.5)
    (True, False)
    """

    def __init__(self) -> None:
        self.restore([])

    def add(self, score: float) -> None:
        """Take in the next score."""
        level = 0
        while True:
            one = self._levels[level]
            one.add(score)
            if level + 1 == _LEVELS or not one.ends_block(score):
                return
            score, level = one.take_maximum(), level + 1

    def is_among_best(self, score: float, share: float) -> bool:
        """Whether less than the `share` (0 to 1) of the latest scores, and this, are higher.

        Of equal scores, which cannot be told apart, half count as higher; so does half of the score itself, so that the
        first ones of all are not the best of everything.
        """
        if share <= 0.0:
            return False
        if share >= 1.0:
            return True
        level = 0
        while (
            share < _LEAST_SHARE
            and level + 1 < _LEVELS
            and len(self._levels[level + 1].latest) >= _LEAST_BLOCKS
        ):
            share, level = 1.0 - (1.0 - share) ** BLOCK, level + 1
        return self._levels[level].share_above(score) < share

    def state(self) -> list[Any]:
        """The scores and maxima, as plain values."""
        return [one.state() for one in self._levels]

    def restore(self, state: Sequence[Any]) -> None:
        """Become what gave `state`; nothing is known where that is empty."""
        self._levels = [_Level(*one) for one in state] or [_Level() for _ in range(_LEVELS)]


class _Level:
    def __init__(self, latest: Sequence[float] = (), highest: float = 0.0, count: int = 0) -> None:
        self.latest = deque(latest)
        self._ordered = sorted(self.latest)
        self._highest, self._count = highest, count

    def add(self, score: float) -> None:
        self.latest.append(score)
        insort(self._ordered, score)
        if len(self.latest) > LATEST:
            del self._ordered[bisect_left(self._ordered, self.latest.popleft())]

    def ends_block(self, score: float) -> bool:
        self._highest = score if not self._count else max(score, self._highest)
        self._count += 1
        return self._count == BLOCK

    def take_maximum(self) -> float:
        self._count = 0
        return self._highest

    def share_above(self, score: float) -> float:
        ordered = self._ordered
        low, high = bisect_left(ordered, score), bisect_right(ordered, score)
        return (len(ordered) - high + (high - low + 1) / 2) / (len(ordered) + 1)

    def state(self) -> tuple[list[float], float, int]:
        return list(self.latest), self._highest, self._count
