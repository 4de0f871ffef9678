"""A stream as the linear policy sees it, followed and learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.records import Update
from tidings.systems.l2s import DYNAMIC, standard
from tidings.training.l2s.prepare import Stream
from tidings.training.l2s.search import Regression, advantages, loss, oracle, roll_in

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["Inputs", "learn_sample"]

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

    def follow(
        self,
        chosen: ndarray[Any, Any],
        weights: ndarray[Any, Any],
        level: float = 0.0,
        similarity: float = 1.0,
    ) -> tuple[list[bool], ndarray[Any, Any]]:
        """What the policy tells of the chosen sentences, and the dynamic features that it met."""
        import numpy as np

        static = len(weights) - 1 - len(DYNAMIC)
        like = self._likeness(chosen)
        return roll_in(
            (self.base[chosen] @ np.vstack([weights[:static], weights[-1:]])).tolist(),
            self.factors[chosen].tolist(),
            like,
            weights[static:-1].tolist(),
            level,
            similarity,
        )

    def met_by(self, chosen: ndarray[Any, Any], decisions: list[bool]) -> ndarray[Any, Any]:
        """The dynamic features that are met by telling exactly these of the chosen sentences."""
        import numpy as np

        like = self._likeness(chosen)
        nothing = [[0.0]] * len(DYNAMIC)
        static = [[1.0 if tell else -1.0] for tell in decisions]
        return roll_in(static, np.ones((len(decisions), 1)).tolist(), like, nothing)[1]

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

    def score(self, weights: ndarray[Any, Any], level: float, similarity: float | None) -> float:
        """H of what the policy tells of the whole stream."""
        import numpy as np

        everything = np.arange(len(self.base))
        decisions, _ = self.follow(everything, weights, level, 1.0 if similarity is None else similarity)
        event = self.stream.event
        updates = [
            Update(event.event.id, sentence.doc_id, sentence.index, now, 1.0, sentence.text)
            for tell, (sentence, now) in zip(decisions, self.stream.sentences, strict=True)
            if tell
        ]
        return event.score(updates)["H"]


def learn_sample(
    given: Inputs, weights: ndarray[Any, Any], regression: Regression, rng: Any, size: int, mixture: float
) -> float:
    """Roll through one sample and show every decision on the way to the regression; the loss of what was told."""
    import numpy as np

    n = len(given.base)
    chosen = np.sort(rng.choice(n, min(size, n), replace=False))
    nuggets = [given.stream.nuggets[number] for number in chosen.tolist()]
    wanted = set(oracle(nuggets))
    decisions, met = given.follow(chosen, weights)
    lost = loss(wanted, [number for number, tell in enumerate(decisions) if tell])
    if mixture > 0.0 and rng.random() < mixture:
        decisions = [number in wanted for number in range(len(nuggets))]
        met = given.met_by(chosen, decisions)
    regression.add(given.conjoined(chosen, met), np.array(advantages(nuggets, decisions)))
    return lost
