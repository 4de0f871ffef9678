"""Markov clustering (van Dongen 2000): nodes that a random walk keeps together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["markov_clusters"]

_STEPS = 60
_LEAST = 1e-3
"""Probabilities below this are dropped, so that the walk comes to rest."""


def markov_clusters(similarity: ndarray[Any, Any], *, inflation: float = 2.0) -> list[list[int]]:
    """The clusters of a graph, the largest first, of equals the one with the first node.

    The walk's matrix is squared and its entries raised to `inflation`, columns made to sum to 1 each time, until
    nothing changes; nodes that end in the same attractors are a cluster.

    Args:
        similarity: weights of the edges, symmetric, not negative.

    >>> import numpy as np
    >>> markov_clusters(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0.0]]))
    [[0, 1], [2]]
    """
    import numpy as np

    number = len(similarity)
    if not number:
        return []
    walk = np.array(similarity, dtype=np.float64)
    np.fill_diagonal(walk, np.maximum(walk.max(axis=0), 1e-9))
    walk /= walk.sum(axis=0)
    for _ in range(_STEPS):
        before = walk
        walk = (walk @ walk) ** inflation
        walk /= walk.sum(axis=0)
        walk[walk < _LEAST] = 0.0
        walk /= walk.sum(axis=0)
        if np.abs(walk - before).max() < 1e-6:
            break
    groups: dict[int, list[int]] = {}
    for node, attractor in enumerate(walk.argmax(axis=0).tolist()):
        groups.setdefault(attractor, []).append(node)
    return sorted(groups.values(), key=lambda group: (-len(group), group[0]))
