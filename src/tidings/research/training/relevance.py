"""Learns whether a sentence matches any nugget, by curves of the features that do not hang on what was emitted.

Of each event the share of sentences that match one is taken off first: how many do hangs on how the event was judged,
and no word of a sentence tells it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tidings.following import EMITTED, TIDINGS_FEATURES
from tidings.research.training.replays import Replay

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Ranges", "Relevance"]

_GROUPS = 4
_EVENTS = 24
"""For so many events the penalty is as it is given."""


class Ranges(NamedTuple):
    """The usual range of each feature, and its mean and deviation within."""

    low: ndarray[Any, Any]
    high: ndarray[Any, Any]
    mean: ndarray[Any, Any]
    deviation: ndarray[Any, Any]

    @classmethod
    def of(cls, features: ndarray[Any, Any]) -> Ranges:
        """Of rows of features: from their quantile .005 to .995."""
        import numpy as np

        low, high = np.quantile(features, (0.005, 0.995), axis=0)
        kept = features.clip(low, high)
        return cls(low, high, kept.mean(axis=0), kept.std(axis=0) + 1e-6)

    def widen(self, other: Ranges) -> Ranges:
        """These for all but what was emitted, the others for that, and for what only they have."""
        import numpy as np

        first, last = TIDINGS_FEATURES.index(EMITTED[0]), TIDINGS_FEATURES.index(EMITTED[-1]) + 1
        pairs = zip(self, other, strict=True)
        joined = [(own[:first], its[first:last], own[last:], its[len(own) :]) for own, its in pairs]
        return Ranges(*map(np.concatenate, joined))

    def basis(self, features: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """z, z² and |z| of each feature."""
        import numpy as np

        z = (features.clip(self.low, self.high) - self.mean) / self.deviation
        return np.concatenate((z, z * z, np.abs(z)), axis=1)


class Relevance:
    """The curves of relevance, learned by ridge regression.

    Args:
        replays: streams to learn from.
        ridge: strength of the penalty.

    Attributes:
        ranges: of the features in these streams.
        curves: linear, square and fold of each feature, one after the other.
        bias: added to their sum.
        held_out: for each stream the relevance of its candidates, as those streams tell it that are not of its group.
    """

    def __init__(self, replays: Sequence[Replay], ridge: float) -> None:
        import numpy as np

        self.ranges = Ranges.of(np.concatenate([replay.features for replay in replays]))
        every = np.arange(3 * len(TIDINGS_FEATURES))
        own = every[~np.isin(every % len(TIDINGS_FEATURES), list(map(TIDINGS_FEATURES.index, EMITTED)))]
        bases = [self.ranges.basis(replay.features)[:, own] for replay in replays]
        targets = [replay.is_relevant - replay.is_relevant.mean() for replay in replays]
        groups = min(_GROUPS, len(replays))

        def fit(numbers: Sequence[int]) -> tuple[ndarray[Any, Any], float]:
            basis = np.concatenate([bases[number] for number in numbers])
            offset = basis.mean(axis=0)
            basis = basis - offset
            penalty = ridge * len(numbers) / _EVENTS * np.eye(len(own))
            y = np.concatenate([targets[number] for number in numbers])
            curves = np.linalg.solve(basis.T @ basis + penalty, basis.T @ y)
            return curves, float(-offset @ curves)

        whole, self.bias = fit(range(len(replays)))
        self.curves = np.zeros(len(every))
        self.curves[own] = whole
        fits = [(whole, self.bias)]
        if groups > 1:
            fits = [fit([n for n in range(len(replays)) if n % groups != group]) for group in range(groups)]
        self.held_out = [
            basis @ fits[number % groups][0] + fits[number % groups][1] for number, basis in enumerate(bases)
        ]
