"""Where a number stands among the latest ones."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable

__all__ = ["RunningQuantile"]


class RunningQuantile:
    """The latest `window` numbers in order of size and of arrival.

    >>> scores = RunningQuantile(window=3)
    >>> [scores.add(x) for x in (5.0, 1.0, 3.0, 9.0)]
    [1.0, 0.5, 0.6666666666666666, 1.0]
    >>> scores.values()
    [1.0, 3.0, 9.0]
    """

    def __init__(self, window: int, values: Iterable[float] = ()) -> None:
        self._window = window
        self._latest = deque(values)
        self._sorted = sorted(self._latest)

    def add(self, value: float) -> float:
        """Take in `value`; returns (1 + how many of the latest numbers are smaller) / (how many there are).

        So the first has 1, and of equal numbers each stands at their lower end: what repeats itself at
        the bottom stays there.
        """
        self._latest.append(value)
        insort(self._sorted, value)
        if len(self._latest) > self._window:
            del self._sorted[bisect_left(self._sorted, self._latest.popleft())]
        return (1 + bisect_left(self._sorted, value)) / len(self._latest)

    def values(self) -> list[float]:
        """The latest numbers in order of arrival."""
        return list(self._latest)
