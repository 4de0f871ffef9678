"""What `apsal` learned, as a model file holds it: a latent space, processes of salience, and word models.

Latent vectors of short texts come from weighted textual matrix factorization, in which what is missing from a text
counts, a little: X (terms × texts, tf-idf) ≈ P·Qᵀ minimises Σᵢⱼ wᵢⱼ (Pᵢ·Qⱼ − Xᵢⱼ)² + λ(‖P‖² + ‖Q‖²), with wᵢⱼ = 1 where
Xᵢⱼ ≠ 0 and a small w elsewhere (Guo and Diab, Modeling sentences in the latent space, ACL 2012). Here P is given and a
new text's q is found: (w·PᵀP + (1 − w) Σ_{i in text} PᵢPᵢᵀ + λI)·q = Σ_{i in text} Xᵢ Pᵢ. Salience is predicted by
Gaussian processes: one for each training event, their predictions averaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tidings.core import Model, UsageError, check_arrays
from tidings.following import NAMES, TEXT_FEATURE_GROUPS, WordModels

Array = np.ndarray[Any, Any]


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
        self, terms: Sequence[str], idf: Array, factors: Array, missing: float, ridge: float
    ) -> None:
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

    def vectors(self, texts: Sequence[Sequence[str]]) -> Array:
        """Unit vectors (texts × K) of texts given as stems; zero for a text of unknown stems only."""
        rows = [self._row(stems) for stems in texts]
        solved = solve_all(rows, self._factors, self._base, self._missing)
        lengths = np.sqrt((solved * solved).sum(axis=1, keepdims=True))
        unit: Array = np.divide(solved, lengths, out=np.zeros_like(solved), where=lengths > 1e-12)
        return unit

    def _row(self, stems: Sequence[str]) -> tuple[Array, Array]:
        counts = Counter(number for stem in stems if (number := self._numbers.get(stem)) is not None)
        numbers = np.fromiter(counts.keys(), dtype=np.int64, count=len(counts))
        tf = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))
        return numbers, tf * self._idf[numbers]


def solve_all(rows: Sequence[tuple[Array, Array]], factors: Array, base: Array, missing: float) -> Array:
    """One side of the factorization, given the other.

    Each row is (numbers of the non-zero cells, their values); `base` is w·FᵀF + λI of the `factors` F (n × K).
    Returns rows × K: the vectors that minimise the weighted squares, each solved on its own.
    """
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


@dataclass(frozen=True, eq=False)
class GaussianProcess:
    """What a fitted process needs to predict; it holds no way to train.

    k(x, x') = Σ_g a_g · exp(−½ Σ_{d in g} ((x_d − x'_d)/l_d)²) + noise·[x = x'], over groups g of features.

    Attributes:
        centre, scale: mean and standard deviation of the raw features in training, one for each of D features.
        points: n × D standardised training inputs.
        alpha: (K + noise·I)⁻¹ (y − offset), n numbers.
        offset: mean of the training targets.
        amplitudes: a_g, one for each group.
        lengths: l_d, one for each feature.
        groups: for each feature the number of its group.
        noise: of all white kernels together, relative to targets of variance 1; predictions do not need it.
    """

    centre: Array
    scale: Array
    points: Array
    alpha: Array
    offset: float
    amplitudes: Array
    lengths: Array
    groups: Array
    noise: float = 0.0

    def predict(self, features: Array) -> Array:
        """The predictive mean for m × D raw features: offset + Σᵢ alphaᵢ k(x, xᵢ)."""
        inputs = (features - self.centre) / self.scale
        kernel = grouped_kernel(inputs, self.points, self.amplitudes, self.lengths, self.groups)
        mean: Array = self.offset + kernel @ self.alpha
        return mean


def grouped_kernel(one: Array, other: Array, amplitudes: Array, lengths: Array, groups: Array) -> Array:
    """Σ_g a_g·exp(−½ Σ_{d in g} ((x_d − x'_d)/l_d)²) for every pair of rows; m × n, without noise.

    >>> import numpy as np
    >>> x = np.array([[0.0, 0.0], [1.0, 0.0]])
    >>> grouped_kernel(x, x, np.array([2.0, 1.0]), np.ones(2), np.array([0, 1])).round(4).tolist()
    [[3.0, 2.2131], [2.2131, 3.0]]
    """
    total = np.zeros((len(one), len(other)))
    for group, amplitude in enumerate(amplitudes):
        members = groups == group
        a, b = one[:, members] / lengths[members], other[:, members] / lengths[members]
        squares = (a * a).sum(axis=1)[:, None] + (b * b).sum(axis=1)[None, :] - 2.0 * (a @ b.T)
        total += amplitude * np.exp(-0.5 * np.maximum(squares, 0.0))
    return total


class Salience:
    """The mean prediction of several processes over the same features and groups, in a few products for all of them.

    For a stored point p of a process, with w = 1/(s·l)² and q = c + s·p,
    Σ_d ((f_d − c_d)/s_d − p_d)²/l_d² = Σ_d w_d f_d² − 2 Σ_d w_d q_d f_d + Σ_d w_d q_d²:
    so the points of all processes stand in one matrix for each group.
    """

    def __init__(self, processes: Sequence[GaussianProcess]) -> None:
        groups = processes[0].groups
        parts = int(groups.max()) + 1
        self._members = [np.flatnonzero(groups == group) for group in range(parts)]
        self._offset = float(np.mean([process.offset for process in processes]))
        weights = np.concatenate([np.repeat(_weights(p)[None], len(p.points), axis=0) for p in processes])
        places = np.concatenate([p.centre + p.scale * p.points for p in processes])
        alpha = np.concatenate([p.alpha for p in processes]) / len(processes)
        self._squares = [weights[:, members].T.copy() for members in self._members]
        self._lines = [(-2.0 * weights * places)[:, members].T.copy() for members in self._members]
        self._constants = [(weights * places**2)[:, members].sum(axis=1) for members in self._members]
        self._alphas = [
            alpha * np.concatenate([np.full(len(p.points), p.amplitudes[group]) for p in processes])
            for group in range(parts)
        ]

    def predict(self, features: Array) -> Array:
        """m numbers for m × D raw features."""
        total = np.full(len(features), self._offset)
        for members, squares, lines, constants, alphas in zip(
            self._members, self._squares, self._lines, self._constants, self._alphas, strict=True
        ):
            part = features[:, members]
            distance = (part * part) @ squares + part @ lines + constants
            total += np.exp(-0.5 * np.maximum(distance, 0.0)) @ alphas
        return total


def _weights(process: GaussianProcess) -> Array:
    weights: Array = 1.0 / (process.scale * process.lengths) ** 2
    return weights


FEATURE_GROUPS: dict[str, tuple[str, ...]] = {
    "basic": TEXT_FEATURE_GROUPS["basic"],
    "query": TEXT_FEATURE_GROUPS["query"],
    "language model": TEXT_FEATURE_GROUPS["lm"],
    "temporal": (*TEXT_FEATURE_GROUPS["stream"], *TEXT_FEATURE_GROUPS["burst"]),
}
"""The features by group, each with a kernel of its own; the published group of places on a map is left out."""

FEATURES: tuple[str, ...] = tuple(name for names in FEATURE_GROUPS.values() for name in names)

_ARRAYS = ("centre", "scale", "points", "alpha", "offset", "amplitudes", "lengths")


def columns() -> list[int]:
    """Where FEATURES stand in a row of the shared features."""
    place = {name: number for number, name in enumerate(NAMES)}
    return [place[name] for name in FEATURES]


class Knowledge:
    """What `apsal` knows of sentences, and the limits that were chosen with it.

    Attributes:
        words: the word models that features are computed with.
        space: the space of latent vectors.
        group: sentences that an update must stand for, itself counted; at least 1.
        similarity: highest cosine of an update to an earlier one; 0 to 1.
    """

    def __init__(
        self,
        words: WordModels,
        space: LatentSpace,
        processes: Sequence[GaussianProcess],
        group: int,
        similarity: float,
    ) -> None:
        self.words, self.space = words, space
        self.group, self.similarity = group, similarity
        self._salience = Salience(processes)
        self._columns = columns()

    @classmethod
    def of(cls, model: Model) -> Knowledge:
        """That of a model file; its shapes are checked.

        Raises:
            UsageError: the model was made for other features.
        """
        if model.settings.get("features") != list(FEATURES):
            raise UsageError(
                f"model of system {model.card.system!r}: other features than this version computes "
                f"(expected the same); train it again with `tidings train apsal`"
            )
        check_arrays(
            model,
            {
                "idf": "(terms)",
                "factors": "(terms, size)",
                "process_centre": "(processes, features)",
                "process_scale": "(processes, features)",
                "process_lengths": "(processes, features)",
                "process_points": "(processes, points, features)",
                "process_alpha": "(processes, points)",
                "process_offset": "(processes)",
                "process_amplitudes": "(processes, groups)",
            },
            {
                "terms": len(str(model.settings["terms"]).split()),
                "features": len(FEATURES),
                "groups": len(FEATURE_GROUPS),
            },
            nonzero=("process_scale", "process_lengths"),
        )
        terms = str(model.settings["terms"]).split()
        space = LatentSpace(
            terms,
            model.array("idf"),
            model.array("factors"),
            float(model.settings["missing"]),
            float(model.settings["ridge"]),
        )
        return cls(
            WordModels.read(model.arrays, model.settings),
            space,
            processes_of(model),
            int(model.settings["group"]),
            float(model.settings["similarity"]),
        )

    def salience(self, rows: Sequence[Sequence[float]]) -> Array:
        """Predicted salience of sentences, from rows of the shared features."""
        features = np.array(rows, dtype=float).reshape(len(rows), len(NAMES))
        return self._salience.predict(features[:, self._columns])


def store_processes(processes: Sequence[GaussianProcess]) -> dict[str, Any]:
    """Arrays for a model file; a process of fewer points than the largest is filled up with ones that count nothing."""
    most = max(len(process.points) for process in processes)
    stored: dict[str, list[Any]] = {name: [] for name in _ARRAYS}
    for process in processes:
        rest = most - len(process.points)
        stored["points"].append(np.pad(process.points, ((0, rest), (0, 0))).astype(np.float16))
        stored["alpha"].append(np.pad(process.alpha, (0, rest)).astype(np.float32))
        for name in ("centre", "scale", "offset", "amplitudes", "lengths"):
            stored[name].append(np.asarray(getattr(process, name), dtype=np.float32))
    return {f"process_{name}": np.stack(values) for name, values in stored.items()}


def processes_of(model: Model) -> list[GaussianProcess]:
    """What `store_processes` wrote."""
    groups = np.repeat(np.arange(len(FEATURE_GROUPS)), [len(names) for names in FEATURE_GROUPS.values()])
    arrays = {name: model.array(f"process_{name}").astype(np.float64) for name in _ARRAYS}
    return [
        GaussianProcess(
            arrays["centre"][i],
            arrays["scale"][i],
            arrays["points"][i],
            arrays["alpha"][i],
            float(arrays["offset"][i]),
            arrays["amplitudes"][i],
            arrays["lengths"][i],
            groups,
        )
        for i in range(len(arrays["points"]))
    ]
