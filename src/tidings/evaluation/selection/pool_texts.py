"""A topic's pool made ready once: its candidates, their terms, and how long each is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tidings.core import PooledUpdate, shared_analyzer
from tidings.evaluation.selection.candidates import Candidate, candidates_of
from tidings.evaluation.selection.terms import Floats, TermMatrix, Terms

__all__ = ["PoolTexts"]

_PIVOT = 0.2


class PoolTexts:
    """The updates of one topic, exact copies as one.

    `rows` has a row of length 1 for each candidate, by which cosines are taken; in `scaled` longer texts are longer
    (their share of the mean length to the power 0.2), by which it is learned which terms matter.
    """

    def __init__(self, pool: Iterable[PooledUpdate], language: str = "english") -> None:
        rows = tuple(pool)
        self._texts = {row.id: row.text for row in rows}
        self.candidates: tuple[Candidate, ...] = candidates_of(rows)
        self.number = {copy: number for number, one in enumerate(self.candidates) for copy in one.copies}
        """Of every pooled update, copies too, the place of its candidate."""
        self._stems = shared_analyzer(language).stems
        texts = [self._stems(one.text) for one in self.candidates]
        self.terms = Terms(texts)
        self.rows: TermMatrix = self.terms.matrix(texts)
        self.lengths: Floats = np.array([len(text) for text in texts], dtype=np.float64)
        self.places: Floats = np.array([one.sentence_index for one in self.candidates], dtype=np.float64)
        usual = max(float(self.lengths.mean()), 1.0) if texts else 1.0
        self.scaled: TermMatrix = self.rows.scaled((np.maximum(self.lengths, 1.0) / usual) ** _PIVOT)

    def rows_of(self, texts: Sequence[str]) -> TermMatrix:
        """Other texts as rows over the pool's terms."""
        return self.terms.matrix([self._stems(text) for text in texts])

    def text_of(self, update_id: str) -> str:
        """The words of one pooled update, as they stand in itself; empty where it is not pooled."""
        return self._texts.get(update_id, "")
