"""`affinity`: sentences that stand for a group of an hour's sentences, found by affinity propagation.

The baseline "AP" of Kedzie, McKeown and Diaz, ACL 2015 (their system without its predicted salience) and of later
papers. Similarities are cosines from which the largest is taken, so that all are <= 0; every sentence has the
same preference, their median.

Source: Frey and Dueck, Clustering by passing messages between data points, Science 315, 2007.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

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


_TIES = 1e-12  # how far equal similarities are pulled apart, as a share of the largest one
_GOLDEN = 0.6180339887498949  # its multiples spread evenly over 0..1: no two ties are alike


def affinity_propagation(
    similarity: NDArray[np.float64],
    preference: NDArray[np.float64] | float | None = None,
    damping: float = 0.5,
    iterations: int = 200,
    patience: int = 15,
) -> NDArray[np.intp]:
    """For each point the index of its exemplar; an exemplar is its own.

    With s(i,k) the similarity and s(k,k) the preference of k to stand for others, two messages are passed:

        r(i,k) <- s(i,k) - max_{k' != k} [a(i,k') + s(i,k')]              responsibility
        a(i,k) <- min(0, r(k,k) + Σ_{i' not in {i,k}} max(0, r(i',k)))    availability, i != k
        a(k,k) <- Σ_{i' != k} max(0, r(i',k))

    each as damping · old + (1 - damping) · new. Exemplars are the k with r(k,k) + a(k,k) > 0. Once they have stayed the
    same for `patience` rounds (or after `iterations`), every point joins the exemplar most like it, and each
    group's member with the largest sum of similarities from the group becomes its exemplar.

    Args:
        similarity: n × n, any real numbers, larger is more alike; row i says how well each k would stand for i. Its
            diagonal is not read. It need not be symmetric and is left as it was.
        preference: one number, or one for each point; None: the median of the similarities off the diagonal.
        damping: within [0, 1); more of it converges more slowly, below .5 it may oscillate forever.
        iterations: most rounds.
        patience: rounds without a change after which it has converged.

    Returns:
        n indices. Points that the messages give no exemplar at all (it did not converge) are their own.
        Equal similarities are pulled apart by a fixed amount far below their size, the same in every run,
        so that copies cannot oscillate forever. Where all similarities are one number and all preferences
        another, there is nothing to pass: all points are their own exemplar if the preference is the
        higher, else they all share the first.

    Raises:
        ValueError: a matrix that is not square or not finite, a preference of another length, damping out of range.

    >>> import numpy as np
    >>> at = np.array([0.0, 1.0, 2.0, 10.0, 11.0])
    >>> affinity_propagation(-((at[:, None] - at) ** 2)).tolist()
    [1, 1, 1, 3, 3]
    """
    import numpy as np

    S = np.array(similarity, dtype=np.float64)
    if S.ndim != 2 or S.shape[0] != S.shape[1]:
        raise ValueError(f"similarities of shape {S.shape} (expected a square matrix)")
    if not 0.0 <= damping < 1.0:
        raise ValueError(f"damping {damping} (expected a number within [0, 1))")
    n = S.shape[0]
    if n < 2:
        return np.arange(n)
    others = S[~np.eye(n, dtype=bool)]
    wanted: Any = np.median(others) if preference is None else preference
    preferences = np.broadcast_to(np.asarray(wanted, dtype=np.float64), (n,))
    if not (np.isfinite(others).all() and np.isfinite(preferences).all()):
        raise ValueError("a similarity or preference that is not finite (expected numbers)")
    if np.ptp(others) == 0.0 and np.ptp(preferences) == 0.0:
        return np.arange(n) if preferences[0] > others[0] else np.zeros(n, dtype=np.intp)
    np.fill_diagonal(S, preferences)
    ties = (np.arange(1, n * n + 1).reshape(n, n) * _GOLDEN) % 1.0
    exemplars = _pass_messages(S + ties * (_TIES * np.abs(S).max()), damping, iterations, patience)
    return _assign(S, exemplars)


def _pass_messages(
    S: NDArray[np.float64], damping: float, iterations: int, patience: int
) -> NDArray[np.intp]:
    """The exemplars, in ascending order."""
    import numpy as np

    n = S.shape[0]
    points = np.arange(n)
    R, A = np.zeros((n, n)), np.zeros((n, n))
    last, unchanged = np.zeros(n, dtype=bool), 0
    for _ in range(iterations):
        both = A + S
        best = both.argmax(axis=1)
        highest = both[points, best]
        both[points, best] = -np.inf
        second = both.max(axis=1)
        new = S - highest[:, None]
        new[points, best] = S[points, best] - second
        R *= damping
        R += (1.0 - damping) * new
        # What speaks for k: its own responsibility as it is, that of others where positive.
        support = np.maximum(R, 0.0)
        support[points, points] = R[points, points]
        new = support.sum(axis=0) - support
        own = new[points, points].copy()
        np.minimum(new, 0.0, out=new)
        new[points, points] = own
        A *= damping
        A += (1.0 - damping) * new
        chosen = (A[points, points] + R[points, points]) > 0.0
        unchanged = unchanged + 1 if np.array_equal(chosen, last) else 1
        last = chosen
        if unchanged >= patience and chosen.any():
            break
    return np.flatnonzero(last)


def _assign(S: NDArray[np.float64], exemplars: NDArray[np.intp]) -> NDArray[np.intp]:
    import numpy as np

    if not exemplars.size:
        return np.arange(S.shape[0])
    groups = S[:, exemplars].argmax(axis=1)
    groups[exemplars] = np.arange(exemplars.size)
    centres = exemplars.copy()
    for group in range(exemplars.size):
        members = np.flatnonzero(groups == group)
        centres[group] = members[S[np.ix_(members, members)].sum(axis=0).argmax()]
    groups = S[:, centres].argmax(axis=1)
    groups[centres] = np.arange(centres.size)
    assigned: NDArray[np.intp] = centres[groups]
    return assigned


class Affinity(RankedIntervalSystem, frozen=True, kw_only=True):
    """Emits the sentences of each hour that represent a group of at least two.

    True to the source: hourly batches without copies, sentences of ten words or more, hours of few sentences
    left out (there fewer than 10, here than 4, since a pool is a sample), affinity propagation with the median as
    preference and at most 100 rounds, groups of two or more, and a limit of .2264 to the likeness of earlier
    updates. Reconstructed: likeness is the cosine of tf·idf vectors (idf over the event's
    matching sentences so far), where the source has latent vectors learned from outside text; and behind the query's
    gate, where the source had relevant documents. An hour of very many sentences is cut at `max_held`.
    """

    name: ClassVar[str] = "affinity"
    source: ClassVar[str] = (
        "Kedzie, McKeown and Diaz, Predicting salient updates for disaster summarization, ACL 2015; "
        "Frey and Dueck, Science 315, 2007"
    )

    length: Annotated[int, Meta(ge=0)] = 0
    least: Annotated[int, Meta(ge=1)] = 4
    min_words: Annotated[int, Meta(ge=0)] = 10
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.2264
    max_held: Annotated[int, Meta(ge=1)] = 200
    group: Annotated[int, Meta(ge=1)] = 2
    damping: Annotated[float, Meta(ge=0, lt=1)] = 0.7
    rounds: Annotated[int, Meta(ge=1)] = 100

    def start(self, event: Event) -> AffinityFollower:
        """A fresh follower of `event`."""
        return AffinityFollower(self, event)


class AffinityFollower(RankedIntervalFollower[Affinity]):
    """Ranks exemplars by the size of their group; a score is the group's share of the hour."""

    def _candidates(self, waiting: Sequence[WaitingSentence], vectors: Sequence[Vector]) -> Candidates:
        system = self._system
        likeness = cosines(vectors)
        exemplars = affinity_propagation(likeness - likeness.max(), None, system.damping, system.rounds)
        sizes = Counter(exemplars.tolist())
        for number in sorted(sizes, key=lambda number: (-sizes[number], number)):
            if sizes[number] >= system.group:
                yield number, sizes[number] / len(waiting)
