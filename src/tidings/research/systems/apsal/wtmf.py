"""Latent vectors of short texts by weighted textual matrix factorization: what is missing from a text counts, a little.

X (terms × texts, tf-idf) ≈ P·Qᵀ minimises Σᵢⱼ wᵢⱼ (Pᵢ·Qⱼ − Xᵢⱼ)² + λ(‖P‖² + ‖Q‖²), with wᵢⱼ = 1 where Xᵢⱼ ≠ 0 and
a small w elsewhere (Guo and Diab, Modeling sentences in the latent space, ACL 2012). Here P is given and a new
text's q is found: (w·PᵀP + (1 − w) Σ_{i in text} PᵢPᵢᵀ + λI)·q = Σ_{i in text} Xᵢ Pᵢ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["LatentSpace", "solve_all"]


class LatentSpace:
    """Folds texts into a learned space.

    Args:
        terms: the V stems that are known.
        idf: V weights, ln(texts / texts with the stem).
        factors: P, V × K.
        missing: w, the weight of a term that a text does not hold (paper: .01).
        ridge: λ (paper: 20).
    """

    def __init__(
        self, terms: Sequence[str], idf: Floats, factors: Floats, missing: float, ridge: float
    ) -> None:
        import numpy as np

        self._numbers = {term: number for number, term in enumerate(terms)}
        self._idf = np.asarray(idf, dtype=np.float64)
        self._factors = np.asarray(factors, dtype=np.float64)
        size = self._factors.shape[1]
        self._base = missing * (self._factors.T @ self._factors) + ridge * np.eye(size)
        self._missing = missing

    @property
    def size(self) -> int:
        """K, the length of the vectors."""
        return int(self._factors.shape[1])

    def vectors(self, texts: Sequence[Sequence[str]]) -> Floats:
        """Unit vectors (texts × K) of texts given as stems; zero for a text of unknown stems only."""
        import numpy as np

        rows = [self._row(stems) for stems in texts]
        solved = solve_all(rows, self._factors, self._base, self._missing)
        lengths = np.sqrt((solved * solved).sum(axis=1, keepdims=True))
        unit: Floats = np.divide(solved, lengths, out=np.zeros_like(solved), where=lengths > 1e-12)
        return unit

    def _row(self, stems: Sequence[str]) -> tuple[Floats, Floats]:
        import numpy as np

        counts = Counter(number for stem in stems if (number := self._numbers.get(stem)) is not None)
        numbers = np.fromiter(counts.keys(), dtype=np.int64, count=len(counts))
        tf = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))
        return numbers, tf * self._idf[numbers]


def solve_all(rows: Sequence[tuple[Floats, Floats]], factors: Floats, base: Floats, missing: float) -> Floats:
    """One side of the factorization, given the other.

    Each row is (numbers of the non-zero cells, their values); `base` is w·FᵀF + λI of the `factors` F (n × K).
    Returns rows × K: the vectors that minimise the weighted squares, each solved on its own.
    """
    import numpy as np

    size = factors.shape[1]
    solved = np.zeros((len(rows), size))
    # Blocks, so that memory stays small however many rows there are.
    for start in range(0, len(rows), 256):
        block = rows[start : start + 256]
        left = np.empty((len(block), size, size))
        right = np.zeros((len(block), size))
        for place, (numbers, values) in enumerate(block):
            part = factors[numbers]
            left[place] = base + (1.0 - missing) * (part.T @ part)
            right[place] = values @ part
        solved[start : start + len(block)] = np.linalg.solve(left, right[:, :, None])[:, :, 0]
    return solved
