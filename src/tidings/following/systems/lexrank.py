"""`lexrank`: the sentences of an interval that are most like all the others; Erkan and Radev, JAIR 2004.

With w(u,v) the cosine of the tf·idf vectors of two sentences (a sentence is like itself: w(u,u) = 1),

    p(u) = d/N + (1 - d) Σ_v  w(u,v) / Σ_z w(z,v) · p(v),        d = .15,

the share of time that a reader spends at u who goes from sentence to sentence by likeness and with probability d
anywhere at all. `kind=continuous` takes the cosines as they are, `kind=threshold` 1 where they are over `edge` (.1 in
the paper) and 0 elsewhere; `kind=degree` counts the edges and does not walk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from msgspec import Meta

from tidings.core import Event, Vector
from tidings.following.systems.interval_followers import (
    Candidates,
    RankedIntervalFollower,
    RankedIntervalSystem,
    WaitingSentence,
)
from tidings.following.systems.tfidf import cosines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class LexRank(RankedIntervalSystem, frozen=True, kw_only=True):
    """Emits the sentences of each interval that are most similar to the others of that interval.

    True to the paper: tf·idf cosine, continuous and thresholded graph, jump probability, degree centrality.
    Reconstructed, because the paper summarizes a finished set of documents: idf counts the event's matching
    sentences so far, the graph is that of one interval's different sentences, and for the paper's reranker by
    subsumption stands the highest cosine to any earlier update.
    """

    name: ClassVar[str] = "lexrank"
    source: ClassVar[str] = (
        "Erkan and Radev, LexRank: graph-based lexical centrality as salience in text summarization, JAIR 22, 2004"
    )

    minutes: Annotated[int, Meta(ge=1)] = 30
    least: Annotated[int, Meta(ge=1)] = 3
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.15
    kind: Literal["continuous", "threshold", "degree"] = "continuous"
    edge: Annotated[float, Meta(ge=0, lt=1)] = 0.1
    jump: Annotated[float, Meta(gt=0, lt=1)] = 0.15

    def start(self, event: Event) -> LexRankFollower:
        """A fresh follower of `event`."""
        return LexRankFollower(self, event)


class LexRankFollower(RankedIntervalFollower[LexRank]):
    """Ranks an interval by centrality; a score is N·p, 1 for a sentence like any other."""

    def _candidates(self, waiting: Sequence[WaitingSentence], vectors: Sequence[Vector]) -> Candidates:
        import numpy as np

        system = self._system
        weights = cosines(vectors)
        if system.kind != "continuous":
            weights = (weights > system.edge).astype(np.float64)
        if system.kind == "degree":
            scores = weights.sum(axis=0) / weights.mean(axis=0).sum()
        else:
            scores = lexrank(weights, system.jump) * len(waiting)
        scores = np.round(scores, 9)  # so that the order of additions cannot decide
        for number in np.argsort(-scores, kind="stable").tolist():
            yield number, float(scores[number])


def lexrank(weights: NDArray[np.float64], jump: float = 0.15, rounds: int = 200) -> NDArray[np.float64]:
    """The stationary distribution p of the walk over a graph; Σ p = 1.

    Args:
        weights: n × n, not negative, symmetric; a row of zeros is a sentence from which the reader jumps.
        jump: d, within (0, 1).
        rounds: most steps of the power method, which ends once Σ |p' - p| < 1e-9.

    >>> import numpy as np
    >>> lexrank(np.array([[1.0, 0.5], [0.5, 1.0]])).tolist()
    [0.5, 0.5]
    """
    import numpy as np

    n = len(weights)
    sums = weights.sum(axis=1, keepdims=True)
    steps = np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), 1.0 / n)
    p = np.full(n, 1.0 / n)
    for _ in range(rounds):
        last, p = p, jump / n + (1.0 - jump) * (p @ steps)
        if np.abs(p - last).sum() < 1e-9:
            break
    return p
