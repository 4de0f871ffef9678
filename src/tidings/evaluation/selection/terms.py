"""Texts as sparse rows of weighted terms, with the few products that learning needs, in NumPy alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "TermMatrix", "Terms"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TermMatrix:
    """Rows of Euclidean length 1 (or 0, of a text without known terms); entry k is `values[k]`.

    It stands at (`rows[k]`, `columns[k]`), and entries stand row by row.
    """

    rows: Ints
    columns: Ints
    values: Floats
    height: int
    width: int

    def times(self, weights: Floats) -> Floats:
        """Of each row the sum of its values by the weights of their columns."""
        return _sums(self.rows, self.values * weights[self.columns], self.height)

    def times_squared(self, weights: Floats) -> Floats:
        """The same of the values' squares."""
        return _sums(self.rows, self.values**2 * weights[self.columns], self.height)

    def transposed_times(self, weights: Floats) -> Floats:
        """Of each column the sum of its values by the weights of their rows."""
        return _sums(self.columns, self.values * weights[self.rows], self.width)

    def transposed_squares_times(self, weights: Floats) -> Floats:
        """The same of the values' squares."""
        return _sums(self.columns, self.values**2 * weights[self.rows], self.width)

    def scaled(self, factors: Floats) -> TermMatrix:
        """Each row by its factor."""
        return replace(self, values=self.values * factors[self.rows])

    def where(self, chosen: NDArray[np.bool_]) -> TermMatrix:
        """The chosen rows alone, numbered anew."""
        kept = chosen[self.rows]
        number = np.cumsum(chosen) - 1
        return TermMatrix(
            number[self.rows[kept]], self.columns[kept], self.values[kept], int(chosen.sum()), self.width
        )

    def cosines(self, others: TermMatrix) -> Floats:
        """Of each row the cosine to each row of another matrix over the same terms: rows by its rows."""
        found = np.empty((self.height, others.height))
        dense = np.zeros(self.width)
        starts = np.searchsorted(others.rows, np.arange(others.height + 1))
        for number in range(others.height):
            own = slice(starts[number], starts[number + 1])
            columns = others.columns[own]
            dense[columns] = others.values[own]
            found[:, number] = self.times(dense)
            dense[columns] = 0.0
        return found


class Terms:
    """Which terms the texts of a topic hold, and how rare each is: ln((texts + 1) / (those that hold it + ½)).

    >>> terms = Terms([("fire", "port"), ("fire", "town")])
    >>> matrix = terms.matrix([("port", "port"), ("sea",)])
    >>> matrix.height, matrix.width, matrix.values.tolist()
    (2, 3, [1.0])
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        holding = Counter(term for text in texts for term in dict.fromkeys(text))
        self._columns = {term: column for column, term in enumerate(holding)}
        held_by = np.array(list(holding.values()), dtype=np.float64)
        self.rarity: Floats = np.log((len(texts) + 1) / (held_by + 0.5)).clip(min=0.01)

    def __len__(self) -> int:
        return len(self._columns)

    def matrix(self, texts: Sequence[Sequence[str]]) -> TermMatrix:
        """Texts as rows: of a term that occurs n times (1 + ln n) by its rarity; terms not known are left out."""
        rows: list[int] = []
        columns: list[int] = []
        counts: list[int] = []
        get = self._columns.get
        for number, text in enumerate(texts):
            for term, count in Counter(text).items():
                if (column := get(term)) is not None:
                    rows.append(number)
                    columns.append(column)
                    counts.append(count)
        at, of = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
        values = (1 + np.log(np.array(counts, dtype=np.float64))) * self.rarity[of]
        lengths = np.sqrt(_sums(at, values * values, len(texts)))
        return TermMatrix(at, of, values / lengths[at], len(texts), len(self))


def _sums(places: Ints, values: Floats, length: int) -> Floats:
    return np.asarray(np.bincount(places, values, length), dtype=np.float64)
