"""Locally optimal learning to search: roll in with the learned policy, try each decision, let the oracle finish.

For a sample of a stream with the oracle's summary y, at each sentence both actions are tried after what the policy
told so far; the oracle completes each to a summary ŷ with loss 1 - |y∩ŷ| / (|y| + |ŷ|). The difference of the two
losses is what a wrong decision there costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Regression", "advantages", "loss", "oracle", "roll_in"]

_TOGETHER = 40  # samples whose matrices are multiplied together


def oracle(nuggets: Sequence[int], start: int = 0, covered: int = 0) -> list[int]:
    """The sentences from `start` on that hold a nugget not yet covered, each covering its own.

    >>> oracle([0b01, 0b01, 0b11, 0b00])
    [0, 2]
    """
    chosen = []
    for number in range(start, len(nuggets)):
        if nuggets[number] & ~covered:
            covered |= nuggets[number]
            chosen.append(number)
    return chosen


def loss(wanted: set[int], emitted: Sequence[int]) -> float:
    """1 - |y∩ŷ| / (|y| + |ŷ|), within 1/2..1; 1/2 as well where both are empty.

    >>> loss({1, 2}, [1, 2]), loss({1, 2}, [3])
    (0.5, 1.0)
    """
    size = len(wanted) + len(emitted)
    return 1.0 - sum(1 for number in emitted if number in wanted) / size if size else 0.5


def advantages(nuggets: Sequence[int], decisions: Sequence[bool]) -> list[float]:
    """For each sentence the loss of skipping it minus that of telling it, after `decisions`, before the oracle's rest.

    `decisions` says what the policy did; only what it did before a sentence counts for it.

    >>> [round(x, 3) for x in advantages([0b1, 0b1], [True, True])]
    [0.5, -0.167]
    """
    wanted = set(oracle(nuggets))
    size = len(wanted)
    holding = [(number, bits, number in wanted) for number, bits in enumerate(nuggets) if bits]
    values = []
    covered = hits = count = next_one = 0
    for number, bits in enumerate(nuggets):
        if bits:
            next_one += 1
        right, more = _finish(holding, next_one, covered)
        total = size + count + more
        skipped = 1.0 - (hits + right) / total if total else 0.5
        if bits & ~covered:
            right, more = _finish(holding, next_one, covered | bits)
        is_wanted = number in wanted
        values.append(skipped - (1.0 - (hits + is_wanted + right) / (size + count + 1 + more)))
        if decisions[number]:
            covered |= bits
            hits += is_wanted
            count += 1
    return values


def _finish(holding: Sequence[tuple[int, int, bool]], start: int, covered: int) -> tuple[int, int]:
    # How many wanted sentences the oracle tells from here on, and how many in all.
    right = more = 0
    for _, bits, is_wanted in holding[start:]:
        if bits & ~covered:
            covered |= bits
            more += 1
            right += is_wanted
    return right, more


def roll_in(
    static: Sequence[Sequence[float]],
    factors: Sequence[Sequence[float]],
    likeness: ndarray[Any, Any],
    weights: Sequence[Sequence[float]],
    level: float = 0.0,
    similarity: float = 1.0,
) -> tuple[list[bool], ndarray[Any, Any]]:
    """Follow the policy through a sample: what it tells, and the dynamic features [n, 4] that it met."""
    import numpy as np

    from tidings.systems.l2s import dynamic

    n = len(static)
    highest, summed = np.zeros(n), np.zeros(n)
    met = np.zeros((n, len(weights)))
    decisions: list[bool] = []
    count = 0
    for number in range(n):
        alike = float(highest[number])
        values = dynamic(alike, float(summed[number]), count)
        met[number] = values
        score = 0.0
        for k, factor in enumerate(factors[number]):
            part = static[number][k]
            for value, line in zip(values, weights, strict=True):
                part += value * line[k]
            score += part * factor
        tell = score > level and alike <= similarity
        decisions.append(tell)
        if tell:
            count += 1
            np.maximum(highest, likeness[number], out=highest)
            summed += likeness[number]
    return decisions, met


class Regression:
    """Follow the leader: the weights that fit all that was seen so far, by cost-sensitive least squares.

    Each decision asks for +1 where telling is better and -1 where skipping is, and weighs what the worse of the two
    would cost: w = (XᵀCX + λ·Σc·I)⁻¹ XᵀCy.
    """

    def __init__(self, width: int, ridge: float) -> None:
        import numpy as np

        self._square = np.zeros((width, width))
        self._product = np.zeros(width)
        self._weight = 0.0
        self._ridge = ridge
        self._waiting: list[tuple[ndarray[Any, Any], ndarray[Any, Any]]] = []

    def add(self, rows: ndarray[Any, Any], advantage: ndarray[Any, Any]) -> None:
        """See more decisions: their features, and the loss of skipping minus that of telling."""
        import numpy as np

        deciding = np.flatnonzero(advantage)
        self._waiting.append((rows[deciding], advantage[deciding]))
        if len(self._waiting) >= _TOGETHER:
            self._take()

    def _take(self) -> None:
        # One product of large matrices is many times quicker than many of small ones.
        import numpy as np

        if not self._waiting:
            return
        rows = np.concatenate([rows for rows, _ in self._waiting])
        advantage = np.concatenate([advantage for _, advantage in self._waiting])
        self._waiting.clear()
        costs = np.abs(advantage)
        self._square += rows.T @ (rows * costs[:, None])
        self._product += rows.T @ advantage  # the sign times the cost
        self._weight += float(costs.sum())

    def weights(self) -> ndarray[Any, Any]:
        """The weights that fit best; zeros before anything was seen that costs anything."""
        import numpy as np

        self._take()
        width = len(self._product)
        if self._weight <= 0.0:
            return np.zeros(width)
        ridge = self._ridge * self._weight * np.eye(width)
        solved: ndarray[Any, Any] = np.linalg.solve(self._square + ridge, self._product)
        return solved
