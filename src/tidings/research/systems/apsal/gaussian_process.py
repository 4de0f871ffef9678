"""Salience by Gaussian processes: one for each training event, their predictions averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["GaussianProcess", "Salience", "grouped_kernel"]


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

    centre: Floats
    scale: Floats
    points: Floats
    alpha: Floats
    offset: float
    amplitudes: Floats
    lengths: Floats
    groups: Floats
    noise: float = 0.0

    def predict(self, features: Floats) -> Floats:
        """The predictive mean for m × D raw features: offset + Σᵢ alphaᵢ k(x, xᵢ)."""
        inputs = (features - self.centre) / self.scale
        kernel = grouped_kernel(inputs, self.points, self.amplitudes, self.lengths, self.groups)
        mean: Floats = self.offset + kernel @ self.alpha
        return mean


def grouped_kernel(one: Floats, other: Floats, amplitudes: Floats, lengths: Floats, groups: Floats) -> Floats:
    """Σ_g a_g·exp(−½ Σ_{d in g} ((x_d − x'_d)/l_d)²) for every pair of rows; m × n, without noise.

    >>> import numpy as np
    >>> x = np.array([[0.0, 0.0], [1.0, 0.0]])
    >>> grouped_kernel(x, x, np.array([2.0, 1.0]), np.ones(2), np.array([0, 1])).round(4).tolist()
    [[3.0, 2.2131], [2.2131, 3.0]]
    """
    import numpy as np

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
        import numpy as np

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

    def predict(self, features: Floats) -> Floats:
        """m numbers for m × D raw features."""
        import numpy as np

        total = np.full(len(features), self._offset)
        for members, squares, lines, constants, alphas in zip(
            self._members, self._squares, self._lines, self._constants, self._alphas, strict=True
        ):
            part = features[:, members]
            distance = (part * part) @ squares + part @ lines + constants
            total += np.exp(-0.5 * np.maximum(distance, 0.0)) @ alphas
        return total


def _weights(process: GaussianProcess) -> Floats:
    weights: Floats = 1.0 / (process.scale * process.lengths) ** 2
    return weights
