"""A stream as the linear policy sees it, followed and learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tidings.core import Update
from tidings.research.systems.l2s import DYNAMIC, standard
from tidings.research.training.l2s.prepare import Stream
from tidings.research.training.l2s.search import Regression, Roller, advantages, loss, oracle

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Inputs", "Mixture", "learn_sample"]

_LARGEST = 2_500  # sentences of a stream whose likeness is computed once, not sample by sample


class Inputs:
    """Standardised static features with the one, and the factors, of each sentence of a stream."""

    def __init__(
        self,
        stream: Stream,
        mean: ndarray[Any, Any],
        scale: ndarray[Any, Any],
        predicted: ndarray[Any, Any],
        salience: tuple[float, float],
    ) -> None:
        import numpy as np

        self.stream = stream
        n = len(stream.rows)
        one = np.ones((n, 1))
        self.base = np.hstack([standard(stream.rows, mean, scale), one])
        value = ((predicted - salience[0]) * salience[1]).clip(-3, 3)
        self.factors = np.stack([one[:, 0], value, stream.change, value * stream.change], axis=1)
        self._like = stream.likeness(range(n)) if n <= _LARGEST else None

    def roller(self, chosen: ndarray[Any, Any], weights: ndarray[Any, Any]) -> Roller:
        """A policy on the chosen sentences."""
        import numpy as np

        static = len(weights) - 1 - len(DYNAMIC)
        factors = self.factors[chosen]
        parts = self.base[chosen] @ np.vstack([weights[:static], weights[-1:]])
        return Roller((parts * factors).sum(axis=1), factors @ weights[static:-1].T, self._likeness(chosen))

    def _likeness(self, chosen: ndarray[Any, Any]) -> ndarray[Any, Any]:
        import numpy as np

        if self._like is None:
            return self.stream.likeness(chosen.tolist())
        if len(chosen) == len(self._like):
            return self._like
        likeness: ndarray[Any, Any] = self._like[np.ix_(chosen, chosen)]
        return likeness

    def conjoined(self, chosen: ndarray[Any, Any], met: ndarray[Any, Any]) -> ndarray[Any, Any]:
        """All features with all factors, in the order of the weights [n, features · factors]."""
        import numpy as np

        base = self.base[chosen]
        rows = np.hstack([base[:, :-1], met, base[:, -1:]])
        products: ndarray[Any, Any] = (rows[:, :, None] * self.factors[chosen][:, None, :]).reshape(
            len(rows), -1
        )
        return products

    def scores(self, weights: ndarray[Any, Any], levels: Sequence[float], similarity: float) -> list[float]:
        """H of what the policy emits of the whole stream under each level."""
        import numpy as np

        emitted, _ = self.roller(np.arange(len(self.base)), weights).roll_in(levels, similarity)
        event = self.stream.event
        return [
            event.score(
                [
                    Update(event.event.id, sentence.doc_id, sentence.index, now, 1.0, sentence.text)
                    for tell, (sentence, now) in zip(row.tolist(), self.stream.sentences, strict=True)
                    if tell
                ]
            )["H"]
            for row in emitted
        ]


@dataclass(frozen=True)
class Mixture:
    """How a sample is rolled through.

    Attributes:
        roll_in: probability that the oracle, not the policy, rolls in.
        roll_out: β, probability that the oracle, not the policy, rolls out from a decision.
        similarity: highest cosine of what the policy emits to what it emitted before.
    """

    roll_in: float
    roll_out: float
    similarity: float = 1.0


def learn_sample(
    given: Inputs, weights: ndarray[Any, Any], regression: Regression, rng: Any, size: int, mixture: Mixture
) -> float:
    """Roll through one sample and show every decision on the way to the regression; the loss of what was emitted."""
    import numpy as np

    n = len(given.base)
    chosen = np.sort(rng.choice(n, min(size, n), replace=False))
    nuggets = [given.stream.nuggets[number] for number in chosen.tolist()]
    wanted = set(oracle(nuggets))
    roller = given.roller(chosen, weights)
    decided = [number in wanted for number in range(len(nuggets))] if rng.random() < mixture.roll_in else None
    emitted, met = roller.roll_in([0.0], mixture.similarity, decided)
    decisions: list[bool] = emitted[0].tolist()
    starts = np.flatnonzero(rng.random(len(chosen)) >= mixture.roll_out).tolist()
    summaries = roller.roll_out(decisions, starts, mixture.similarity)
    regression.add(given.conjoined(chosen, met[0]), np.array(advantages(nuggets, decisions, summaries)))
    return loss(wanted, [number for number, tell in enumerate(decisions) if tell])
