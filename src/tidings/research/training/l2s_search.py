"""Locally optimal learning to search: roll in with the learned policy, try each decision, roll out, compare the losses.

For a sample of a stream with the oracle's summary y, at each sentence both actions are tried after what the policy
emitted so far. What follows is decided by the oracle with a probability of β, else by the policy that is being learned
(Chang and others, Learning to search better than your teacher, ICML 2015: with the oracle alone a policy is never asked
what it would itself make of its mistakes). Each ends in a summary ŷ with the loss 1 - |y∩ŷ| / (|y| + |ŷ|), and the
difference of the two is what a wrong decision there costs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tidings.following import Array

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


def loss(wanted: set[int], emitted: Collection[int]) -> float:
    """1 - |y∩ŷ| / (|y| + |ŷ|), within 1/2..1; 1/2 as well where both are empty.

    >>> loss({1, 2}, [1, 2]), loss({1, 2}, [3])
    (0.5, 1.0)
    """
    size = len(wanted) + len(emitted)
    return 1.0 - sum(1 for number in emitted if number in wanted) / size if size else 0.5


def advantages(
    nuggets: Sequence[int], decisions: Sequence[bool], summaries: Mapping[int, tuple[set[int], set[int]]] = {}
) -> list[float]:
    """For each sentence the loss of skipping it minus that of emitting it, after `decisions`, before the roll-out.

    `decisions` says what the policy did; only what it did before a sentence counts for it. The rest is the oracle's,
    but for the sentences of `summaries`: there the whole (skipped, emitted) is given, as the policy rolled out.

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
        is_wanted = number in wanted
        if number in summaries:
            skipping, telling = summaries[number]
            values.append(loss(wanted, skipping) - loss(wanted, telling))
        else:
            right, more = _finish(holding, next_one, covered)
            total = size + count + more
            skipped = 1.0 - (hits + right) / total if total else 0.5
            if bits & ~covered:
                right, more = _finish(holding, next_one, covered | bits)
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


class Roller:
    """Follows one linear policy through a sample, as often as wanted side by side.

    What is summed over the features once: score = base[t] + Σ_d dynamic_d · slopes[t, d].

    Args:
        base: the part of the score that does not depend on what was emitted [n].
        slopes: what each dynamic feature adds to it [n, 4].
        likeness: cosines of the sentences to each other [n, n].
    """

    def __init__(self, base: Array, slopes: Array, likeness: Array) -> None:
        self._base, self._slopes, self._likeness = base, slopes, likeness

    def roll_in(
        self, levels: Sequence[float], similarity: float = 1.0, decided: Sequence[bool] | None = None
    ) -> tuple[Array, Array]:
        """What is emitted under each level [levels, n], and the dynamic features met [levels, n, 4].

        With `decided` this is emitted, whatever the policy says.
        """
        n, rolls = len(self._base), len(levels)
        above = np.array(levels, dtype=float)
        emitted = np.zeros((rolls, n), dtype=bool)
        met = np.zeros((rolls, n, self._slopes.shape[1]))
        state = _State.fresh(rolls, n)
        for at in range(n):
            met[:, at] = state.features(at, rolls)
            tell = self._tells(state, at, above, similarity, rolls)
            if decided is not None:
                tell[:] = decided[at]
            emitted[:, at] = tell
            state.emit(np.flatnonzero(tell), at, self._likeness)
        return emitted, met

    def _tells(self, state: _State, at: int, level: float | Array, similarity: float, rolls: int) -> Array:
        """Which of the first rolls emit sentence `at`."""
        scores = state.features(at, rolls) @ self._slopes[at] + self._base[at]
        tell: Array = (scores > level) & (state.highest[:rolls, at] <= similarity)
        return tell

    def roll_out(
        self, decisions: Sequence[bool], starts: Sequence[int], similarity: float = 1.0
    ) -> dict[int, tuple[set[int], set[int]]]:
        """For each start the summaries (skipped, emitted): `decisions` before it, both actions, then the policy."""
        n, rolls = len(self._base), 2 * len(starts)
        begun = np.zeros(n, dtype=int)
        begun[list(starts)] = 2
        begun = begun.cumsum()  # rolls that are under way at each sentence: the first so many
        emitted = np.zeros((rolls, n), dtype=bool)
        way = _State.fresh(1, n)  # of the decisions
        state = _State.fresh(rolls, n)
        rows, first, done = np.arange(rolls), np.zeros(1, dtype=int), 0
        for at in range(n):
            active = int(begun[at])
            tell = np.zeros(rolls, dtype=bool)
            tell[:done] = self._tells(state, at, 0.0, similarity, done)
            if active > done:
                state.copy(way, done, active)
                emitted[done:active, :at] = decisions[:at]
                tell[done + 1] = True
            done = active
            emitted[:, at] = tell
            state.emit(rows[tell], at, self._likeness)
            if decisions[at]:
                way.emit(first, at, self._likeness)
        chosen = [set(np.flatnonzero(row).tolist()) for row in emitted]
        return {start: (chosen[2 * row], chosen[2 * row + 1]) for row, start in enumerate(starts)}


@dataclass(frozen=True, eq=False)
class _State:
    """What several rolls have emitted: highest and summed cosine to it of each sentence, and how many there are."""

    highest: Array
    summed: Array
    count: Array

    @classmethod
    def fresh(cls, rolls: int, n: int) -> _State:
        """That of rolls that have emitted nothing."""
        return cls(np.zeros((rolls, n)), np.zeros((rolls, n)), np.zeros(rolls))

    def copy(self, other: _State, first: int, end: int) -> None:
        """The rolls from `first` to before `end` have emitted what `other` has."""
        self.highest[first:end] = other.highest
        self.summed[first:end] = other.summed
        self.count[first:end] = other.count

    def features(self, at: int, rolls: int) -> Array:
        """The dynamic features of a sentence in each of the first rolls, as the system computes them."""
        count, highest = self.count[:rolls], self.highest[:rolls, at]
        met = np.empty((rolls, 4))
        met[:, 0] = highest
        met[:, 1] = self.summed[:rolls, at] / np.maximum(count, 1.0)
        met[:, 2] = count == 0
        met[:, 3] = highest <= 0.0
        return met

    def emit(self, rolls: Array, at: int, likeness: Array) -> None:
        """Sentence `at` is emitted in these rolls."""
        if len(rolls):
            later = likeness[at, at:]
            self.highest[rolls, at:] = np.maximum(self.highest[rolls, at:], later)
            self.summed[rolls, at:] += later
            self.count[rolls] += 1


class Regression:
    """Follow the leader: the weights that fit all that was seen so far, by cost-sensitive least squares.

    Each decision asks for +1 where emitting is better and -1 where skipping is, and weighs what the worse of the two
    would cost: w = (XᵀCX + λ·Σc·I)⁻¹ XᵀCy.
    """

    def __init__(self, width: int, ridge: float) -> None:
        self._square = np.zeros((width, width))
        self._product = np.zeros(width)
        self._weight = 0.0
        self._ridge = ridge
        self._waiting: list[tuple[Array, Array]] = []

    def add(self, rows: Array, advantage: Array) -> None:
        """See more decisions: their features, and the loss of skipping minus that of emitting."""
        deciding = np.flatnonzero(advantage)
        self._waiting.append((rows[deciding], advantage[deciding]))
        if len(self._waiting) >= _TOGETHER:
            self._take()

    def _take(self) -> None:
        # One product of large matrices is many times quicker than many of small ones.
        if not self._waiting:
            return
        rows = np.concatenate([rows for rows, _ in self._waiting])
        advantage = np.concatenate([advantage for _, advantage in self._waiting])
        self._waiting.clear()
        costs = np.abs(advantage)
        self._square += rows.T @ (rows * costs[:, None])
        self._product += rows.T @ advantage  # the sign times the cost
        self._weight += float(costs.sum())

    def weights(self) -> Array:
        """The weights that fit best; zeros before anything was seen that costs anything."""
        self._take()
        width = len(self._product)
        if self._weight <= 0.0:
            return np.zeros(width)
        ridge = self._ridge * self._weight * np.eye(width)
        solved: Array = np.linalg.solve(self._square + ridge, self._product)
        return solved
