"""How like each text of an event is to each of its nuggets, seen in the ways that need no learning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.judgments.matching.texts import EventTexts
from tidings.judgments.matching.vectors import term_vectors

__all__ = ["Likeness"]

Floats = NDArray[np.float32]

_AT_ONCE = 256
_SOFT_FROM = 0.5
_SOFT_MOST = 0.8
_TERM_AGAIN, _LENGTH_COUNTS = 1.2, 0.75
_NEAREST = 8
_FEEDBACK = 5
_MOST_TERMS = 6000


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
        count, nuggets = len(event.texts), len(event.nuggets)
        own = np.nonzero(weights.any(axis=0))[0]
        vectors = term_vectors(event.terms, event.held_by)
        alike = vectors[own] @ vectors.T
        alike = np.clip((alike - _SOFT_FROM) / (1 - _SOFT_FROM), 0, 1) * _SOFT_MOST
        alike[np.arange(len(own)), own] = 1.0
        alike = np.ascontiguousarray(np.vstack([alike.T, np.zeros((1, len(own)), dtype=np.float32)]))
        asked = _unit((weights > 0) * event.rarity)
        asked_vectors = _unit(asked @ vectors)
        shape = (count, nuggets)
        contained, soft, bm25, cosine, by_vectors = (np.zeros(shape, dtype=np.float32) for _ in range(5))
        length = max(float(event.lengths.mean()) if count else 1.0, 1.0)
        for start in range(0, count, _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            counts = event.counts(start, start + _AT_ONCE)
            known = counts[:, own]
            contained[part] = (known > 0).astype(np.float32) @ weights[:, own].T
            relative = (1 - _LENGTH_COUNTS) + _LENGTH_COUNTS * counts.sum(axis=1, keepdims=True) / length
            bm25[part] = (known * (_TERM_AGAIN + 1) / (known + _TERM_AGAIN * relative)) @ weights[:, own].T
            rows = _unit(np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * event.rarity)
            cosine[part] = rows[:, own] @ asked[:, own].T
            by_vectors[part] = _unit(rows @ vectors) @ asked_vectors.T
            block = event.terms[part]
            likest = np.zeros((len(block), len(own)), dtype=np.float32)
            for place in range(block[:, : int(event.lengths[part].max(initial=0))].shape[1]):
                np.maximum(likest, alike[block[:, place]], out=likest)
            soft[part] = likest @ weights[:, own].T
        base = soft + cosine + 0.3 * by_vectors
        feedback, votes, nearest = _by_neighbours(event, base)
        return cls(contained, soft, bm25, cosine, by_vectors, base, feedback, votes, nearest)


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)


def _by_neighbours(event: EventTexts, base: Floats) -> tuple[Floats, Floats, Floats]:
    count, nuggets = base.shape
    order = np.argsort(-event.held_by, kind="stable")[:_MOST_TERMS]
    columns = np.sort(order[event.held_by[order] >= 2])
    rows = np.zeros((count, len(columns)), dtype=np.float32)
    for start in range(0, count, _AT_ONCE):
        counts = event.counts(start, start + _AT_ONCE)
        full = _unit(np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * event.rarity)
        rows[start : start + _AT_ONCE] = full[:, columns]
    votes, nearest = np.zeros_like(base), np.zeros(count, dtype=np.float32)
    near = min(_NEAREST, count - 1)
    for start in range(0, count if near > 0 else 0, _AT_ONCE):
        cosines = rows[start : start + _AT_ONCE] @ rows.T
        places = np.arange(len(cosines))
        cosines[places, start + places] = -1.0
        chosen = np.argpartition(-cosines, near - 1, axis=1)[:, :near]
        shares = np.maximum(np.take_along_axis(cosines, chosen, axis=1), 0.0)
        nearest[start : start + _AT_ONCE] = shares.mean(axis=1)
        shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-6)
        for place in range(near):
            votes[start : start + _AT_ONCE] += shares[:, place, None] * base[chosen[:, place]]
    feedback = np.zeros_like(base)
    take = min(_FEEDBACK + 1, count)
    for number in range(nuggets):
        best = np.argsort(-base[:, number], kind="stable")[:take]
        if take < 2:
            break
        strength = base[best, number]
        total = (strength[:, None] * rows[best]).sum(axis=0) - strength[-1] * rows[best[-1]]
        feedback[:, number] = rows @ (total / max(float(np.linalg.norm(total)), 1e-6))
        for one, power in zip(best[:-1], strength[:-1], strict=True):  # without the text itself
            others = total - power * rows[one] + strength[-1] * rows[best[-1]]
            feedback[one, number] = rows[one] @ (others / max(float(np.linalg.norm(others)), 1e-6))
    return feedback, votes, nearest
