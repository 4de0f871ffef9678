"""Sparse vectors of stems, the cosine of a new one to many kept ones, and where a number stands among the latest."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Iterable
from math import sqrt


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


Vector = dict[str, float]
"""Term → weight; a unit vector has Euclidean length 1, the vector of no terms is empty."""

_SLACK = 1e-9  # bounds are widened by this, so that rounding never prunes what would have counted
_FEW = 256  # so many entries are summed sooner than sorted


def unit_vector(stems: Iterable[str]) -> Vector:
    """The term counts of `stems` scaled to Euclidean length 1; empty for no stems.

    >>> unit_vector(["flood", "flood", "town"])["flood"] > unit_vector(["flood", "town"])["flood"]
    True
    >>> unit_vector([])
    {}
    """
    counts = Counter(stems)
    if not counts:
        return {}
    scale = 1.0 / sqrt(sum(n * n for n in counts.values()))
    return {stem: n * scale for stem, n in counts.items()}


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two unit vectors, Σ_t one_t · other_t, within 0..1; 0 when either is empty.

    >>> cosine(unit_vector(["a", "b"]), unit_vector(["b", "c"]))
    0.5
    >>> cosine({}, unit_vector(["b"]))
    0.0
    """
    if len(one) > len(other):
        one, other = other, one
    get = other.get
    total = 0.0
    for stem, weight in one.items():
        total += weight * get(stem, 0.0)
    return round(min(total, 1.0), 12)


class VectorIndex:
    """Unit vectors by the event time at which they were kept, found through the terms they share.

    Numbers are given in order of `add` and never reused; `evict` and `most` take out the oldest.

    >>> index = VectorIndex()
    >>> index.add(unit_vector(["ferri", "fire"]), time=100)
    0
    >>> index.above(unit_vector(["ferri", "fire", "port"]), 0.8), index.above(unit_vector(["port"]), 0.0)
    (0, None)
    """

    def __init__(self, *, most: int = 0) -> None:
        self._most = most
        self._vectors: dict[int, Vector] = {}
        self._postings: dict[str, dict[int, float]] = {}
        self._order: deque[tuple[int, int]] = deque()
        self._next = 0
        # The last sums, and of which vector they are: `nearest` often asks for those that `above` found.
        self._last: tuple[Vector, dict[int, float]] = {}, {}

    def __len__(self) -> int:
        return len(self._vectors)

    def __contains__(self, number: object) -> bool:
        return number in self._vectors

    def add(self, vector: Vector, time: int) -> int:
        """Keep `vector`, which must be a unit vector (or empty: never found); returns its number."""
        number = self._next
        self._next, self._last = number + 1, ({}, {})
        self._vectors[number] = vector
        self._order.append((time, number))
        postings = self._postings
        for stem, weight in vector.items():
            posting = postings.get(stem)
            if posting is None:
                postings[stem] = {number: weight}
            else:
                posting[number] = weight
        if self._most and len(self._vectors) > self._most:
            self.remove_oldest()
        return number

    def evict(self, before: int) -> int:
        """Forget what was kept at a time earlier than `before`; returns how many went."""
        gone = 0
        order = self._order
        while order and order[0][0] < before:
            self.remove_oldest()
            gone += 1
        return gone

    def remove_oldest(self) -> None:
        """Forget the vector kept for longest."""
        _, number = self._order.popleft()
        self._last = {}, {}
        postings = self._postings
        for stem in self._vectors.pop(number):
            posting = postings[stem]
            del posting[number]
            if not posting:
                del postings[stem]

    def above(self, vector: Vector, limit: float) -> int | None:
        """The number of one kept vector whose cosine to `vector` is > limit, or None if there is none.

        Exact: terms are visited from the rarest to the commonest, and once the terms still to come are too
        light to lift an unseen vector over the limit (Cauchy-Schwarz), only vectors met before are completed.
        """
        entries, vectors = self._entries(vector), self._vectors
        if not entries:
            return None
        if sum([len(posting) for _, posting in entries]) <= _FEW:
            sums = _sums(entries)
            self._last = vector, sums
            for number, value in sums.items():
                if value > limit - _SLACK and cosine(vector, vectors[number]) > limit:
                    return number
            return None
        entries.sort(key=_length)
        rest = sum(weight**2 for weight, _ in entries)
        floor = limit * limit - _SLACK if limit > 0 else -1.0
        met: dict[int, None] = {}
        for weight, posting in entries:
            if rest <= floor:
                break
            met.update(dict.fromkeys(posting))
            rest -= weight**2
        for number in met:
            if cosine(vector, vectors[number]) > limit:
                return number
        return None

    def _entries(self, vector: Vector) -> list[tuple[float, dict[int, float]]]:
        """The weight of each term that a kept vector has, and who has it."""
        get = self._postings.get
        return [(weight, posting) for stem, weight in vector.items() if (posting := get(stem)) is not None]

    def nearest(self, vector: Vector) -> tuple[float, int | None]:
        """The largest cosine to any kept vector, and the number of the earliest kept that has it.

        (0.0, None) when no kept vector shares a term.
        """
        last, sums = self._last
        if last is not vector:
            sums = _sums(self._entries(vector))
        if not sums:
            return 0.0, None
        # Sums depend on the order of their terms: those that may be the largest are asked exactly.
        floor = max(sums.values()) - _SLACK
        best, best_number = 0.0, None
        for number in sorted(number for number, value in sums.items() if value >= floor):
            value = cosine(vector, self._vectors[number])
            if value > best:
                best, best_number = value, number
        return best, best_number


def _length(entry: tuple[float, dict[int, float]]) -> int:
    return len(entry[1])


def _sums(entries: Iterable[tuple[float, dict[int, float]]]) -> dict[int, float]:
    """Of each number the sum of weight times its value, near the cosine: it depends on the order of the entries."""
    sums: dict[int, float] = {}
    for weight, posting in entries:
        for number, value in posting.items():
            sums[number] = sums.get(number, 0.0) + weight * value
    return sums
