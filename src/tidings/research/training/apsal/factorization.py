"""Learns the latent space of short texts: weighted textual matrix factorization by alternating least squares."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidings.research.systems.apsal_knowledge import solve_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["Factorized", "factorize"]

Factorized = tuple[list[str], "Floats", "Floats"]
"""Terms, their idf, and P (terms × K)."""


def factorize(
    texts: Sequence[Sequence[str]],
    *,
    size: int = 48,
    terms: int = 5_000,
    least: int = 3,
    missing: float = 0.01,
    ridge: float = 20.0,
    rounds: int = 4,
    seed: int = 0,
) -> Factorized:
    """Terms, idf and factors of texts given as stems.

    The `terms` commonest stems that at least `least` texts hold are known; X holds tf·ln(N/df). From a small random P,
    `rounds` times the vectors of all texts are solved for, then those of all terms.

    Args:
        size: K, the length of the vectors (paper: 100).
        missing: weight of a cell that is zero (paper: .01).
        ridge: λ (paper: 20).
    """
    import numpy as np

    different = list(dict.fromkeys(tuple(stems) for stems in texts))
    holders = Counter(stem for stems in different for stem in set(stems))
    ranked = sorted(holders, key=lambda stem: (-holders[stem], stem))[:terms]
    vocabulary = [stem for stem in ranked if holders[stem] >= least]
    numbers = {stem: number for number, stem in enumerate(vocabulary)}
    idf = np.array([math.log(len(different) / holders[stem]) for stem in vocabulary])
    rows: list[tuple[Floats, Floats]] = []
    columns: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for stems in different:
        counts = Counter(number for stem in stems if (number := numbers.get(stem)) is not None)
        if not counts:
            continue
        cells = np.fromiter(counts, dtype=np.int64, count=len(counts))
        values = np.array([counts[cell] for cell in counts]) * idf[cells]
        for cell, value in zip(cells.tolist(), values.tolist(), strict=True):
            columns[cell].append((len(rows), value))
        rows.append((cells, values))
    across = [
        (np.array([row for row, _ in columns[number]]), np.array([value for _, value in columns[number]]))
        for number in range(len(vocabulary))
    ]
    rng = np.random.default_rng(seed)
    factors = rng.normal(0.0, 1.0, (len(vocabulary), size))
    eye = ridge * np.eye(size)
    for _ in range(rounds):
        vectors = solve_all(rows, factors, missing * (factors.T @ factors) + eye, missing)
        factors = solve_all(across, vectors, missing * (vectors.T @ vectors) + eye, missing)
    return vocabulary, idf, factors
