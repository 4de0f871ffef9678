"""A topic's pool made ready once: its candidates, their terms, and how long each is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tidings.core import PooledUpdate, shared_analyzer


class Candidate(Struct, frozen=True):
    """An update that is judged once for all of its exact copies.

    Args:
        id: the earliest one's id.
        text: its words.
        time: when it was published; 0 where nobody said it.
        sentence_index: its place in its document.
        copies: ids of all that repeat it, its own first.
    """

    id: str
    text: str
    time: int
    sentence_index: int
    copies: tuple[str, ...]


def candidates_of(pool: Iterable[PooledUpdate]) -> tuple[Candidate, ...]:
    """The updates of one topic's pool, exact copies as one, earliest first.

    Copies are those that `duplicate_of` links (also through one that is not in the pool) and those of equal words
    whatever stands between them; equal times are in order of their ids.

    >>> texts = {"d": "A  fire.", "c": "A fire.", "b": "Rain."}
    >>> [one.copies for one in candidates_of(PooledUpdate("e", doc, 0, text) for doc, text in texts.items())]
    [('b-0',), ('c-0', 'd-0')]
    """
    rows = {row.id: row for row in pool}
    roots: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := roots.setdefault(name, name)) != name:
            roots[name] = name = roots[above]
        return name

    for row in rows.values():
        roots[root(f"update {row.id}")] = root(f"words {' '.join(row.text.split())}")
        if row.duplicate_of:
            roots[root(f"update {row.id}")] = root(f"update {row.duplicate_of}")
    groups: dict[str, list[PooledUpdate]] = {}
    for row in sorted(rows.values(), key=_place):
        groups.setdefault(root(f"update {row.id}"), []).append(row)
    return tuple(
        Candidate(
            group[0].id,
            group[0].text,
            group[0].published_time,
            group[0].sentence_index,
            tuple(row.id for row in group),
        )
        for group in groups.values()
    )


def _place(row: PooledUpdate) -> tuple[int, str, int]:
    return row.published_time, row.doc_id, row.sentence_index


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
        """The chosen rows alone, renumbered."""
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


_PIVOT = 0.2  # the power to which a text's share of the mean length is raised


class PoolTexts:
    """The updates of one topic, exact copies as one.

    `rows` has a row of length 1 for each candidate, by which cosines are taken; in `scaled` longer texts are longer
    (their share of the mean length to the power 0.2), by which it is learned which terms matter.
    """

    def __init__(self, pool: Iterable[PooledUpdate], language: str = "english") -> None:
        rows = tuple(pool)
        self._texts = {row.id: row.text for row in rows}
        self.candidates: tuple[Candidate, ...] = candidates_of(rows)
        self.number = {copy: number for number, pair in enumerate(self.candidates) for copy in pair.copies}
        """Of every pooled update, copies too, the place of its candidate."""
        self._stems = shared_analyzer(language).stems
        texts = [self._stems(pair.text) for pair in self.candidates]
        self.terms = Terms(texts)
        self.rows: TermMatrix = self.terms.matrix(texts)
        self.lengths: Floats = np.array([len(text) for text in texts], dtype=np.float64)
        self.places: Floats = np.array([pair.sentence_index for pair in self.candidates], dtype=np.float64)
        usual = max(float(self.lengths.mean()), 1.0) if texts else 1.0
        self.scaled: TermMatrix = self.rows.scaled((np.maximum(self.lengths, 1.0) / usual) ** _PIVOT)

    def rows_of(self, texts: Sequence[str]) -> TermMatrix:
        """Other texts as rows over the pool's terms."""
        return self.terms.matrix([self._stems(text) for text in texts])

    def text_of(self, update_id: str) -> str:
        """The words of one pooled update, as they stand in itself; empty where it is not pooled."""
        return self._texts.get(update_id, "")
