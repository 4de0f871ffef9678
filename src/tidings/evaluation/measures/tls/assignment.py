"""The cheapest one-to-one assignment of rows to columns (the Hungarian method), by shortest augmenting paths.

Jonker and Volgenant (1987) in the form of Crouse (2016, "On implementing 2D rectangular assignment algorithms"), which
SciPy implements too. Costs of dates are full of ties, and scores depend on which of the cheapest assignments is taken:
columns are looked at in the same order as there, and a free column is preferred among equally near ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

__all__ = ["cheapest", "nearest"]

Pairs = list[tuple[int, int]]


def nearest(costs: Sequence[Sequence[float]]) -> Pairs:
    """Each row with its cheapest column, the first of equals: many rows may share one.

    >>> nearest([[0.5, 0.0], [0.5, 0.25]])
    [(0, 1), (1, 1)]
    """
    return [(row, line.index(min(line))) for row, line in enumerate(costs)]


def cheapest(costs: Sequence[Sequence[float]]) -> Pairs:
    """The pairs (row, column) of least total cost, by rows; of the longer side some stay alone.

    Costs are finite; takes O(n^3) for n rows at worst.

    >>> cheapest([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]])
    [(0, 1), (1, 0), (2, 2)]
    """
    if not costs or not costs[0]:
        return []
    if len(costs[0]) < len(costs):
        turned = cheapest(list(zip(*costs, strict=True)))
        return sorted((row, column) for column, row in turned)
    width = len(costs[0])
    row_price, column_price = [0.0] * len(costs), [0.0] * width
    column_of, row_of = [-1] * len(costs), [-1] * width
    for row in range(len(costs)):
        _augment(row, costs, row_price, column_price, column_of, row_of)
    return list(enumerate(column_of))


def _augment(
    start: int,
    costs: Sequence[Sequence[float]],
    row_price: list[float],
    column_price: list[float],
    column_of: list[int],
    row_of: list[int],
) -> None:
    # Dijkstra from one row over reduced costs to the nearest free column, then turn the path round.
    width = len(row_of)
    distance, came_from = [inf] * width, [-1] * width
    ahead = list(range(width - 1, -1, -1))
    passed: list[int] = []
    row, so_far = start, 0.0
    while True:
        line, price = costs[row], row_price[row]
        best, least = -1, inf
        for place, column in enumerate(ahead):
            reduced = so_far + line[column] - price - column_price[column]
            if reduced < distance[column]:
                distance[column], came_from[column] = reduced, row
            near = distance[column]
            if near < least or (near == least and row_of[column] < 0):
                best, least = place, near
        so_far = least
        column = ahead[best]
        ahead[best] = ahead[-1]
        ahead.pop()
        passed.append(column)
        if row_of[column] < 0:
            break
        row = row_of[column]
    row_price[start] += so_far
    for one in passed:
        if row_of[one] >= 0:
            row_price[row_of[one]] += so_far - distance[one]
        column_price[one] -= so_far - distance[one]
    while True:
        row = came_from[column]
        row_of[column] = row
        column_of[row], column = column, column_of[row]
        if row == start:
            return
