"""How central a sentence is in its document: PageRank over the likeness of its sentences (LexRank)."""

from __future__ import annotations

import numpy as np

from tidings.following.entities.features.table import Array

__all__ = ["centrality"]

JUMP = 0.15
"""d, the chance of going on from any sentence."""
_ROUNDS = 25
_MOST = 400
"""Sentences of a document that are ranked; those behind them have the least score."""


def centrality(sentences: Array, terms: Array, weights: Array, count: int) -> Array:
    """The continuous LexRank of each of `count` sentences of one document, times their number (so 1 on average).

    p = d / N + (1 - d) Σ_v w_uv / Σ_z w_zv p(v), with w the cosine of tf·idf vectors, d = .15, 25 rounds (Erkan and
    Radev 2004). The vectors come as (sentence, term, weight), each pair once.

    >>> centrality(np.array([0, 1, 2]), np.array([0, 0, 1]), np.ones(3), 3).round(3).tolist()
    [1.0, 1.0, 1.0]
    >>> centrality(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), np.ones(4), 3).round(2).tolist()
    [0.9, 1.21, 0.9]
    """
    size = min(count, _MOST)
    near = sentences < size
    rows, columns, values = sentences[near], terms[near], weights[near]
    distinct, local = np.unique(columns, return_inverse=True)
    vectors = np.zeros((size, max(1, len(distinct))))
    vectors[rows, local] = values
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    vectors /= np.maximum(length, 1e-12)
    likeness = vectors @ vectors.T
    empty = length[:, 0] == 0
    likeness[empty, empty] = 1.0
    moves = likeness / likeness.sum(axis=0, keepdims=True)
    scores = np.full(size, 1.0 / size)
    for _ in range(_ROUNDS):
        scores = JUMP / size + (1 - JUMP) * (moves @ scores)
    full = np.full(count, scores.min() * size)
    full[:size] = scores * size
    return full
