"""How like each text of an event is to each of its nuggets, seen in the ways that need no learning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.core import Nugget, PooledUpdate, PossibleMatch, UsageError
from tidings.evaluation.matching.neighbours import by_neighbours, parts, ranges
from tidings.evaluation.matching.pairs_out import possible_matches
from tidings.evaluation.matching.texts import EventTexts

Floats = NDArray[np.float32]

_NEAR = 4  # terms apart, at most, to be counted together
_MOST_TERMS = 2500  # of an event, the most frequent, have vectors
_SIZE = 64  # numbers in a vector
_ROUNDS = 3  # of the randomized decomposition


def term_vectors(
    terms: NDArray[np.int32], held_by: NDArray[np.float64], size: int = _SIZE, *, least: int = 2
) -> Floats:
    """(terms, size): unit vectors of the terms that at least `least` texts hold, of the 2,500 most common ones; else 0.

    They are the factors U √S of the positive pointwise mutual information of terms at most four apart,
    max(0, ln(n(a, b) n / (n(a) n(b)^.75))) with n(a, b) = Σ 1 / distance, by a randomized decomposition of fixed seed.

    Args:
        terms: (texts, places) the numbers of terms in order, -1 behind the end.
        held_by: how many texts hold each term.
        size: how long a vector is.
        least: in how many texts a term must stand.
    """
    vectors = np.zeros((len(held_by), size), dtype=np.float32)
    order = np.argsort(-held_by, kind="stable")[:_MOST_TERMS]
    chosen = order[held_by[order] >= least]
    if len(chosen) < 2:
        return vectors
    place = np.full(len(held_by) + 1, -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    rows = place[terms]  # -1 stays -1: the last entry
    count = len(chosen)
    near = np.zeros(count * count)
    for distance in range(1, min(_NEAR, terms.shape[1] - 1) + 1):
        left, right = rows[:, :-distance].ravel(), rows[:, distance:].ravel()
        both = (left >= 0) & (right >= 0)
        near += np.bincount(left[both] * count + right[both], minlength=count * count) / distance
    table = near.reshape(count, count)
    table = table + table.T
    often = table.sum(axis=1)
    smooth = often**0.75
    total = often.sum()
    if not total:
        return vectors
    smooth *= total / smooth.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        table = np.log(table * total / (often[:, None] * smooth[None, :]))
    table = np.where(np.isfinite(table) & (table > 0), table, 0.0).astype(np.float32)
    size = min(size, count)
    basis = np.random.default_rng(0).standard_normal((count, min(count, size + 16)), dtype=np.float32)
    for _ in range(_ROUNDS):
        basis, _ = np.linalg.qr(table @ (table.T @ basis))
    left_vectors, values, _ = np.linalg.svd(basis.T @ table, full_matrices=False)
    made = (basis @ left_vectors[:, :size]) * np.sqrt(values[:size])
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    vectors[chosen, :size] = np.where(lengths > 1e-6, made / np.maximum(lengths, 1e-6), 0.0)
    return vectors


_AT_ONCE = 50_000  # entries in one block, to bound memory
_SOFT_FROM = 0.5  # cosine of two terms: less counts nothing
_SOFT_MOST = 0.8  # what another term counts at most, where the same counts 1
_TERM_AGAIN, _LENGTH_COUNTS = 1.2, 0.75  # k1 and b of BM25


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


_MOST_BASE = 2.3  # the most that the sum can be: 1 + 1 + 0.3


def _exact(event: EventTexts, likeness: Likeness) -> Floats:
    texts = [" ".join(("", *event.analyzer.stems(text), "")) for text in event.texts]
    nuggets = [" ".join(("", *event.analyzer.stems(nugget.text), "")) for nugget in event.nuggets]
    return np.array(
        [[float(len(nugget) > 1 and nugget in text) for nugget in nuggets] for text in texts],
        dtype=np.float32,
    ).reshape(len(texts), len(nuggets))


BASELINES: dict[str, Callable[[EventTexts, Likeness], Floats]] = {
    "exact": _exact,
    "containment": lambda event, likeness: likeness.contained,
    "bm25": lambda event, likeness: likeness.bm25 / np.float32(2.2),
    "cosine": lambda event, likeness: likeness.cosine,
    "soft": lambda event, likeness: likeness.soft,
    "sum": lambda event, likeness: likeness.base / np.float32(_MOST_BASE),
}
"""Each baseline: (texts, nuggets) from 0 to 1.

`exact`: the nugget's stems stand in a row in the text. `containment`, `bm25`, `cosine`, `soft`: as `Likeness` has them.
`sum`: its `base`, the sum of soft containment, cosine and vectors.
"""


def baseline_scores(by: str, event: EventTexts) -> Floats:
    """(texts, nuggets): the likeness of a baseline, 0 to 1.

    Raises:
        UsageError: there is no such baseline.
    """
    if by not in BASELINES:
        raise UsageError(f"there is no matcher {by!r}; there are learned, {', '.join(BASELINES)}")
    return np.clip(BASELINES[by](event, Likeness.of(event)), 0.0, 1.0)


class BaselineMatcher:
    """A `Matcher` by one likeness.

    Args:
        by: a name of `BASELINES`.
        least: pairs of a lower likeness are none.
        language: of the texts.

    >>> nugget = Nugget("e", "N1", 0, 2, "a ferry burned")
    >>> update = PooledUpdate("e", "1700000000-d", 0, "The old ferry burned out.")
    >>> [(one.nugget_id, one.probability, one.start, one.end) for one in BaselineMatcher().match([nugget], [update])]
    [('N1', 1.0, 8, 20)]
    """

    def __init__(self, by: str = "containment", least: float = 0.2, language: str = "english") -> None:
        if by not in BASELINES:
            raise UsageError(f"there is no matcher {by!r}; there are learned, {', '.join(BASELINES)}")
        self.by, self.least, self.language = by, least, language

    def match(self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]) -> Iterator[PossibleMatch]:
        """The pairs of at least `least`, in the order of the updates."""
        if not nuggets or not updates:
            return
        event = EventTexts(nuggets, updates, self.language)
        scores = baseline_scores(self.by, event)
        texts, numbers = np.nonzero(scores >= max(self.least, 1e-6))
        found = scores[texts, numbers].astype(np.float64)
        yield from possible_matches(event, updates, texts, numbers, found, 0.0)
