"""Fits a Gaussian process with grouped kernels by maximising the marginal likelihood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.core import UsageError
from tidings.research.systems.apsal_knowledge import GaussianProcess, grouped_kernel

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["fit_process", "log_marginal_likelihood"]

_LOWEST, _HIGHEST = -5.0, 5.0  # bounds of all logarithms of amplitudes, lengths and noise


def log_marginal_likelihood(
    parameters: Floats, inputs: Floats, targets: Floats, groups: Floats
) -> tuple[float, Floats]:
    """The logarithm of p(targets | inputs, parameters) and its gradient.

    log p = −½ yᵀ K⁻¹ y − ½ log|K| − (n/2) log 2π. `parameters` are logarithms: of each group's amplitude, of each
    feature's length scale, and of the noise. One white kernel for each group, as published, is the same as one for
    all: only their sum enters.

    Returns (−inf, zeros) where K is not positive definite.
    """
    import numpy as np

    n, size = inputs.shape
    parts = int(groups.max()) + 1
    amplitudes, lengths = np.exp(parameters[:parts]), np.exp(parameters[parts : parts + size])
    noise = float(np.exp(parameters[-1]))
    one_each = np.eye(parts)
    kernels = [
        grouped_kernel(inputs, inputs, amplitudes * one_each[group], lengths, groups)
        for group in range(parts)
    ]
    K = np.sum(kernels, axis=0)
    K[np.diag_indices(n)] += noise
    try:
        lower = np.linalg.cholesky(K)
    except np.linalg.LinAlgError:
        return -np.inf, np.zeros_like(parameters)
    inverse_lower = np.linalg.inv(lower)
    inverse = inverse_lower.T @ inverse_lower
    alpha = inverse @ targets
    value = -0.5 * targets @ alpha - np.log(np.diag(lower)).sum() - 0.5 * n * np.log(2 * np.pi)
    # d log p / dθ = ½ tr((ααᵀ − K⁻¹) dK/dθ)
    slope = np.outer(alpha, alpha) - inverse
    gradient = np.empty_like(parameters)
    for group, kernel in enumerate(kernels):
        weighted = slope * kernel
        gradient[group] = 0.5 * weighted.sum()
        members = np.flatnonzero(groups == group)
        scaled = inputs[:, members] / lengths[members]
        # Σᵢⱼ Wᵢⱼ (xᵢ − xⱼ)² = 2 (Σᵢ xᵢ² Σⱼ Wᵢⱼ − xᵀWx) for a symmetric W
        rows = weighted.sum(axis=1)
        gradient[parts + members] = rows @ (scaled * scaled) - (scaled * (weighted @ scaled)).sum(axis=0)
    gradient[-1] = 0.5 * noise * np.trace(slope)
    return float(value), gradient


def fit_process(
    features: Floats,
    targets: Floats,
    groups: Floats,
    rng: Generator,
    *,
    restarts: int = 2,
    iterations: int = 20,
    jitter: float = 1e-2,
) -> GaussianProcess:
    """The process that best explains `targets` (n numbers) by `features` (n × D, raw).

    Features are standardised and given a Gaussian jitter of this standard deviation; then L-BFGS takes `iterations`
    steps from each of `restarts` starting points, the first of them all ones with a noise of a half, and the
    likeliest end is kept.
    """
    import numpy as np

    try:
        from scipy.optimize import minimize
    except ImportError:
        raise UsageError(
            "training apsal: found no scipy, expected it; pip install 'tidings[train]'"
        ) from None
    centre, scale = features.mean(axis=0), features.std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    inputs = (features - centre) / scale + rng.normal(0.0, jitter, features.shape)
    inputs = inputs.astype(np.float16).astype(np.float64)  # as a model file holds them
    offset = float(targets.mean())
    spread = float(targets.std()) or 1.0
    wanted = (targets - offset) / spread
    parts, size = int(groups.max()) + 1, features.shape[1]

    def loss(parameters: Floats) -> tuple[float, Floats]:
        value, gradient = log_marginal_likelihood(parameters, inputs, wanted, groups)
        return (-value, -gradient) if np.isfinite(value) else (1e12, np.zeros_like(gradient))

    best, solution = np.inf, np.zeros(parts + size + 1)
    for restart in range(restarts):
        start = np.zeros(parts + size + 1)
        start[:parts] = -np.log(parts)
        # A length of √(features of the group): then the distances within a group are of the order of one.
        start[parts:-1] = 0.5 * np.log(np.bincount(groups, minlength=parts)[groups])
        start[-1] = np.log(0.5)
        if restart:
            start += rng.normal(0.0, 1.0, start.shape)
        end = minimize(
            loss,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=[(_LOWEST, _HIGHEST)] * len(start),
            options={"maxiter": iterations},
        )
        if end.fun < best:
            best, solution = end.fun, end.x
    amplitudes, lengths = np.exp(solution[:parts]), np.exp(solution[parts:-1])
    K = grouped_kernel(inputs, inputs, amplitudes, lengths, groups)
    noise = float(np.exp(solution[-1]))
    K[np.diag_indices(len(K))] += noise
    alpha = np.linalg.solve(K, wanted) * spread
    return GaussianProcess(centre, scale, inputs, alpha, offset, amplitudes, lengths, groups, noise)
