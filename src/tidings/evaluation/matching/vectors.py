"""Which terms of an event stand in like company: word vectors of its own texts, so that no list of words is needed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["term_vectors"]

Floats = NDArray[np.float32]

_NEAR = 4
_MOST_TERMS = 2500
_SIZE = 64
_ROUNDS = 3


def term_vectors(
    terms: NDArray[np.int32], held_by: NDArray[np.float64], size: int = _SIZE, *, least: int = 2
) -> Floats:
    """(terms, size): unit vectors of the terms that at least `least` texts hold, of the 2,500 most common ones; else 0.

    They are the factors U √S of the positive pointwise mutual information of terms at most four apart,
    max(0, ln(n(a, b) n / (n(a) n(b)^.75))) with n(a, b) = Σ 1 / distance, by a randomised decomposition of fixed seed.

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
