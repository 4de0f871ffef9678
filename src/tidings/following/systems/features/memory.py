"""What a stream has said so far, in counts that fade and stay bounded: the ground of the features of a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import exp, log, sqrt

__all__ = ["NameCounts", "Pace", "TermCounts"]

_FAST_S = 3_600 / log(2)  # half-lives of one hour and of a day
_SLOW_S = 86_400 / log(2)
_LOG_25 = log(25.0)


class TermCounts:
    """Counts of stems over a stream: all of them, and those of about the last hour and the last day (fading).

    When more than `most` stems are held the rarest half goes. `weight(stem)` scales the counts of the centroid,
    Σ_w n(w)·weight(w), whose length is kept up to date.
    """

    def __init__(self, most: int, weight: Callable[[str], float]) -> None:
        self._most = most
        self._weight = weight
        self.counts: dict[str, list[float]] = {}  # stem → [count, fading by the hour, by the day, time]
        self.total = 0.0
        self._square = 0.0

    def add(self, stems: Iterable[str], now: int) -> None:
        """Count these stems at time `now`."""
        counts, weight = self.counts, self._weight
        for stem in stems:
            row = counts.get(stem)
            if row is None:
                counts[stem] = [1.0, 1.0, 1.0, float(now)]
                self._square += weight(stem) ** 2
            else:
                self._square += weight(stem) ** 2 * (2.0 * row[0] + 1.0)
                gone = now - row[3]
                row[0] += 1.0
                if gone > 0:
                    row[1] = row[1] * exp(-gone / _FAST_S) + 1.0
                    row[2] = row[2] * exp(-gone / _SLOW_S) + 1.0
                    row[3] = float(now)
                else:
                    row[1] += 1.0
                    row[2] += 1.0
            self.total += 1.0
        if len(counts) > self._most:
            self._prune()

    def _prune(self) -> None:
        ranked = sorted(self.counts.items(), key=lambda item: item[1][0])
        for stem, _ in ranked[: len(ranked) // 2]:
            del self.counts[stem]
        self.total = sum(row[0] for row in self.counts.values())
        self._square = sum((self._weight(stem) * row[0]) ** 2 for stem, row in self.counts.items())

    @property
    def length(self) -> float:
        """The Euclidean length of the centroid."""
        return sqrt(max(self._square, 0.0))

    def burst(self, stem: str, now: int) -> float:
        """How much more often a stem is said in the last hour than in the last day, within -1..1; 0 where alike.

        log((1 + 24·f) / (1 + s)) / log 25 for fading counts f (half-life one hour) and s (one day).
        """
        row = self.counts.get(stem)
        if row is None:
            return 0.0
        gone = now - row[3]
        fast, slow = row[1], row[2]
        if gone > 0:
            fast *= exp(-gone / _FAST_S)
            slow *= exp(-gone / _SLOW_S)
        return max(-1.0, min(1.0, log((1.0 + 24.0 * fast) / (1.0 + slow)) / _LOG_25))

    def export(self) -> list[object]:
        """Plain values for msgpack."""
        return [self.total, self._square, [[stem, *row] for stem, row in self.counts.items()]]

    def load(self, total: float, square: float, rows: Sequence[Sequence[object]]) -> None:
        """Become the counts that `export` wrote."""
        self.total, self._square = total, square
        self.counts = {str(row[0]): [float(value) for value in row[1:]] for row in rows}  # type: ignore[arg-type]


class NameCounts:
    """Counts of names of one kind, at most `most` different ones: the rarest half goes when there are more."""

    def __init__(self, most: int, counts: Iterable[tuple[str, int]] = ()) -> None:
        self._most = most
        self.counts: dict[str, int] = dict(counts)
        self.total = sum(self.counts.values())

    def add(self, names: Iterable[str]) -> None:
        """Count these names."""
        counts = self.counts
        for name in names:
            counts[name] = counts.get(name, 0) + 1
            self.total += 1
        if len(counts) > self._most:
            ranked = sorted(counts.items(), key=lambda item: item[1])
            self.counts = dict(ranked[len(ranked) // 2 :])
            self.total = sum(self.counts.values())

    def mean(self, names: Sequence[str]) -> float:
        """The mean share of these names among all counted, within 0..1; 0 for none."""
        if not names or not self.total:
            return 0.0
        counts = self.counts
        return sum(counts.get(name, 0) for name in names) / (self.total * len(names))


class Pace:
    """How many documents come in an hour, now and over the day before.

    Counted in steps of five minutes, the last 25 hours of them.
    """

    STEP_S = 300
    STEPS = 300

    def __init__(self, steps: Iterable[tuple[int, int]] = ()) -> None:
        self._steps: dict[int, int] = dict(steps)
        self._first: int | None = next(iter(self._steps), None)

    def add(self, documents: int, now: int) -> None:
        """Count documents that came at `now`."""
        if documents <= 0:
            return
        step = now // self.STEP_S
        self._steps[step] = self._steps.get(step, 0) + documents
        while next(iter(self._steps)) <= step - self.STEPS:
            del self._steps[next(iter(self._steps))]

    def change(self, now: int) -> float:
        """log((1 + documents of the last hour) / (1 + mean per hour of the 24 hours before)) / 4, within -1..1."""
        step = now // self.STEP_S
        recent = before = 0
        for at, documents in self._steps.items():
            if at > step - 12:
                recent += documents
            elif at > step - self.STEPS:
                before += documents
        return max(-1.0, min(1.0, log((1.0 + recent) / (1.0 + before / 24.0)) / 4.0))

    def export(self) -> list[tuple[int, int]]:
        """Plain values for msgpack."""
        return list(self._steps.items())
