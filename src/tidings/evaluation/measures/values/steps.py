"""Values that change over time as step functions, and the exact integral of how far two of them are apart."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tidings.core import ValueUpdate
from tidings.evaluation.measures.values.distance import kilometres

__all__ = ["Steps", "expected_error", "place_error", "scalar_error"]

Value = tuple[float, ...]
Error = Callable[[Sequence[Value], Value], float]


@dataclass(frozen=True, slots=True)
class Steps:
    """A value that changes at `times`; `values[i]` are those of `times[i]`, in file order.

    At a time tau it is that of the last change *before* tau (formula of the 2013 paper: u.t < tau).
    """

    times: tuple[int, ...]
    values: tuple[tuple[Value, ...], ...]

    @staticmethod
    def of(updates: Iterable[ValueUpdate]) -> Steps:
        """The step function of updates in any order; those of one second keep the order of the file.

        >>> Steps.of([ValueUpdate("e", 20, "deaths", (5.0,)), ValueUpdate("e", 10, "deaths", (2.0,))]).times
        (10, 20)
        """
        at: dict[int, list[Value]] = {}
        for update in updates:
            at.setdefault(update.time, []).append(tuple(map(float, update.value)))
        times = tuple(sorted(at))
        return Steps(times, tuple(tuple(at[time]) for time in times))

    def before(self, time: int) -> tuple[Value, ...]:
        """The values of the last change before `time`; none when there was no change yet."""
        place = bisect_left(self.times, time)
        return self.values[place - 1] if place else ()


def scalar_error(truth: Sequence[Value], predicted: Value) -> float:
    """|f* - f|, averaged where the truth names several numbers at once.

    >>> scalar_error([(40.0,), (50.0,)], (42.0,))
    5.0
    """
    return math.fsum(abs(value[0] - predicted[0]) for value in truth) / len(truth)


def place_error(truth: Sequence[Value], predicted: Value) -> float:
    """Geodesic distance in kilometres, averaged where the truth names several places at once."""
    return math.fsum(kilometres((value[0], value[1]), (predicted[0], predicted[1])) for value in truth) / len(
        truth
    )


def expected_error(
    truth: Steps,
    predictions: Steps,
    start: int,
    end: int,
    error: Error,
    missing: Callable[[Sequence[Value]], float],
) -> float:
    """EE = 1/(te - ts) times the integral of Err from ts to te: exact, as a sum over the changes of both.

    Args:
        truth: target values. Before the first of them the first holds: a single target is constant (2013 paper, 3.1).
        predictions: predictions. Several of one second: the last line counts.
        start: ts, seconds.
        end: te, seconds. An event without duration has the error of that moment.
        error: Err of truth and prediction.
        missing: Err where nothing was predicted yet.

    >>> truth = Steps((0,), (((80.0,),),))
    >>> told = Steps((50,), (((60.0,),),))
    >>> expected_error(truth, told, 0, 100, scalar_error, lambda values: scalar_error(values, (0.0,)))
    50.0
    """
    end = max(start, end)
    changes = sorted(
        {start, end, *(time for steps in (truth, predictions) for time in steps.times if start < time < end)}
    )
    pieces = []
    for left, right in pairwise(changes):
        pieces.append((right - left) * _error_at(right, truth, predictions, error, missing))
    if not pieces:
        return _error_at(start, truth, predictions, error, missing)
    return math.fsum(pieces) / (end - start)


def _error_at(
    time: int, truth: Steps, predictions: Steps, error: Error, missing: Callable[[Sequence[Value]], float]
) -> float:
    # Just before `time`, where both functions have been constant since the change before.
    targets = truth.before(time) or truth.values[0]
    predicted = predictions.before(time)
    return error(targets, predicted[-1]) if predicted else missing(targets)
