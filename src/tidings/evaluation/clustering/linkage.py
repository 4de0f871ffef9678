"""Average linkage: which of many things belong together, by how alike each two are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["average_linkage"]

_SMALLER = 0.7
"""The share of rows still needed from which the table is copied without the others."""


def average_linkage(likeness: NDArray[np.floating[Any]], level: float) -> list[list[int]]:
    """Groups of numbers 0 to n - 1: the two groups with the highest mean likeness are merged as long as it is ≥ level.

    Group-average clustering (Sokal and Michener 1958), found by following nearest neighbours (Murtagh, Computer Journal
    26, 1983): the same groups in n² steps. Of equal likenesses the lowest number counts, which may decide which of
    equally good groups there are.

    Args:
        likeness: (n, n), symmetric; changed in place. The diagonal is not looked at.
        level: above 0; what is less alike stays apart.

    Returns:
        Groups in the order of their first members, members in order.

    >>> average_linkage(np.array([[1, 0.9, 0.3], [0.9, 1, 0.1], [0.3, 0.1, 1]]), 0.2)
    [[0, 1, 2]]
    >>> average_linkage(np.array([[1, 0.9, 0.3], [0.9, 1, 0.1], [0.3, 0.1, 1]]), 0.25)
    [[0, 1], [2]]
    """
    np.fill_diagonal(likeness, -1.0)
    # By the rows of the table, which gets smaller as groups are merged: whose group a row is, and whether it still is.
    members = [[number] for number in range(len(likeness))]
    waiting = np.ones(len(likeness), dtype=bool)
    done: list[list[int]] = []
    chain: list[int] = []
    while waiting.any():
        if not chain:
            left = np.flatnonzero(waiting)
            if len(left) <= _SMALLER * len(waiting):
                likeness, members = likeness[np.ix_(left, left)], [members[row] for row in left]
                waiting, left = np.ones(len(left), dtype=bool), np.arange(len(left))
            chain.append(int(left[0]))
        one = chain[-1]
        row = np.where(waiting, likeness[one], -1.0)
        nearest = int(np.argmax(row))
        if row[nearest] < level:
            # Nothing that is merged later comes nearer than the nearest of what it is merged of.
            waiting[one] = False
            done.append(members[one])
            chain.pop()
            continue
        if len(chain) > 1 and row[chain[-2]] == row[nearest]:
            nearest = chain[-2]
        if len(chain) < 2 or nearest != chain[-2]:
            chain.append(nearest)
            continue
        del chain[-2:]
        kept, gone = min(one, nearest), max(one, nearest)
        sizes = len(members[kept]), len(members[gone])
        waiting[gone] = False
        rows = np.flatnonzero(waiting)
        merged = (likeness[kept, rows] * sizes[0] + likeness[gone, rows] * sizes[1]) / sum(sizes)
        likeness[kept, rows] = likeness[rows, kept] = merged
        likeness[kept, kept] = -1.0
        members[kept] += members[gone]
    return sorted((sorted(own) for own in done), key=lambda own: own[0])
