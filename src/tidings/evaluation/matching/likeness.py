"""How like each text of an event is to each of its nuggets, seen in the ways that need no learning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.evaluation.matching.neighbours import by_neighbours, parts, ranges
from tidings.evaluation.matching.texts import EventTexts
from tidings.evaluation.matching.vectors import term_vectors

__all__ = ["Likeness"]

Floats = NDArray[np.float32]

_AT_ONCE = 50_000
_SOFT_FROM = 0.5
_SOFT_MOST = 0.8
_TERM_AGAIN, _LENGTH_COUNTS = 1.2, 0.75


@dataclass(frozen=True)
class Likeness:
    """(texts, nuggets) each.

    Attributes:
        contained: Σ rarity of the nugget's terms that the text holds / Σ of all of them.
        soft: the same, where a term that is missing counts .8 of how like its likest term of the text is, from .5 on.
        bm25: BM25 (k1 1.2, b .75) over the most that a nugget's terms could give, by the nugget's rarity.
        cosine: of tf-idf, 1 + ln(count) by rarity.
        vectors: cosine of the sums of term vectors so weighted.
        base: soft + cosine + .3 vectors.
        feedback: cosine of the text to the mean of the five texts likest to the nugget (itself left out), by `base`.
        votes: mean `base` of the eight texts nearest to the text, weighted by their cosines.
        nearest: (texts,) mean cosine to those eight.
    """

    contained: Floats
    soft: Floats
    bm25: Floats
    cosine: Floats
    vectors: Floats
    base: Floats
    feedback: Floats
    votes: Floats
    nearest: Floats

    @classmethod
    def of(cls, event: EventTexts) -> Likeness:
        """Of an event's texts and nuggets."""
        weights = event.weights()
        own = np.nonzero(weights.any(axis=0))[0]
        shares = np.ascontiguousarray(weights[:, own].T)
        vectors = term_vectors(event.terms, event.held_by)
        asked = _unit((weights > 0) * event.rarity)
        values = event.tf_idf()
        counts = event.table(event.entry_counts, own)
        contained = (counts > 0).astype(np.float32) @ shares
        length = max(float(event.lengths.mean()) if len(event.texts) else 1.0, 1.0)
        relative = (1 - _LENGTH_COUNTS) + _LENGTH_COUNTS * event.lengths[:, None].astype(np.float32) / length
        often = np.asarray(counts * (_TERM_AGAIN + 1) / (counts + _TERM_AGAIN * relative), dtype=np.float32)
        bm25 = often @ shares
        cosine = event.table(values, own) @ np.ascontiguousarray(asked[:, own].T)
        soft = _likest(event, counts > 0, own, vectors) @ shares
        by_vectors = _unit(_sums(event, values, vectors)) @ _unit(asked @ vectors).T
        base = soft + cosine + np.float32(0.3) * by_vectors
        feedback, votes, nearest = by_neighbours(event, base, values)
        return cls(contained, soft, bm25, cosine, by_vectors, base, feedback, votes, nearest)


def _likest(event: EventTexts, holds: NDArray[np.bool_], own: NDArray[np.int64], vectors: Floats) -> Floats:
    """(texts, own): of each term the most that a term of the text stands for it, 1 for itself."""
    alike = vectors @ vectors[own].T
    alike = np.clip((alike - _SOFT_FROM) / (1 - _SOFT_FROM), 0, 1) * _SOFT_MOST
    made = holds.astype(np.float32)
    terms, columns = np.nonzero(alike)
    strength = alike[terms, columns]
    firsts = np.searchsorted(terms, np.arange(event.width + 1))
    counts = np.diff(firsts)[event.entry_terms]
    for part in parts(counts):
        entries = np.repeat(firsts[event.entry_terms[part]], counts[part]) + ranges(counts[part])
        places = (np.repeat(event.entry_texts[part], counts[part]), columns[entries])
        np.maximum.at(made, places, strength[entries])
    return made


def _sums(event: EventTexts, values: Floats, vectors: Floats) -> Floats:
    """(texts, size): the sum of the vectors of a text's terms, each times its value."""
    made = np.zeros((len(event.texts), vectors.shape[1]), dtype=np.float32)
    placed = np.zeros(event.width, dtype=bool)
    placed[np.nonzero(vectors)[0]] = True
    own = np.nonzero(placed[event.entry_terms])[0]
    for start in range(0, len(own), _AT_ONCE):
        some = own[start : start + _AT_ONCE]
        texts, firsts = np.unique(event.entry_texts[some], return_index=True)
        made[texts] += np.add.reduceat(values[some, None] * vectors[event.entry_terms[some]], firsts, axis=0)
    return made


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)
