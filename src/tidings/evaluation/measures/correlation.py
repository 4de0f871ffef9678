"""How alike two series of figures are: Kendall's τ-b, Pearson's r, the line of least squares.

Each is nan where one of the series does not vary, or has fewer than two figures: nothing can be said then.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import hypot, isclose, nan, sqrt

from msgspec import Struct

__all__ = ["Line", "kendall_tau_b", "least_squares", "pearson_r", "sign"]


class Line(Struct, frozen=True):
    """y = intercept + slope · x, and the share of the variance of y that it explains, R² = r² (0 to 1)."""

    slope: float
    intercept: float
    r2: float

    def at(self, x: float) -> float:
        """The line's y.

        >>> Line(2.0, 1.0, 1.0).at(3)
        7.0
        """
        return self.intercept + self.slope * x


def sign(value: float) -> int:
    """−1, 0 or 1; differences that only rounding made (below 1e-12) are none.

    >>> sign(-3), sign(0.1 + 0.2 - 0.3), sign(0.25)
    (-1, 0, 1)
    """
    return 0 if isclose(value, 0.0, abs_tol=1e-12) else 1 if value > 0 else -1


def kendall_tau_b(one: Sequence[float], other: Sequence[float]) -> float:
    """τ_b = (concordant − discordant) / sqrt((pairs − tied in one) (pairs − tied in the other)), over pairs of items.

    Args:
        one: a figure for each item.
        other: another figure for each, in the same order.

    Returns:
        From −1 to 1.

    Raises:
        ValueError: not as many figures.

    >>> kendall_tau_b([1, 2, 3], [1, 2, 3]), round(kendall_tau_b([1, 2, 3], [1, 3, 3]), 4)
    (1.0, 0.8165)
    """
    _same_length(one, other)
    agreed = varied = otherwise_varied = 0
    for (a, b), (c, d) in combinations(zip(one, other, strict=True), 2):
        first, second = sign(a - c), sign(b - d)
        agreed += first * second
        varied += first != 0
        otherwise_varied += second != 0
    return agreed / sqrt(varied * otherwise_varied) if varied and otherwise_varied else nan


def pearson_r(one: Sequence[float], other: Sequence[float]) -> float:
    """r = Σ (x − mean x) (y − mean y) / sqrt(Σ (x − mean x)² Σ (y − mean y)²), from −1 to 1.

    >>> round(pearson_r([1, 2, 3], [2, 4, 6]), 9), pearson_r([1, 2, 3], [1, 0, 1])
    (1.0, 0.0)
    """
    _same_length(one, other)
    x, y = _centred(one), _centred(other)
    if not x or not y:
        return nan
    return min(1.0, max(-1.0, sum(a * b for a, b in zip(x, y, strict=True)) / (hypot(*x) * hypot(*y))))


def least_squares(x: Sequence[float], y: Sequence[float]) -> Line:
    """The line that y is best told by from x: slope = Σ (x − mean x) (y − mean y) / Σ (x − mean x)².

    R² is nan where y does not vary.

    >>> least_squares([0, 1, 2], [1, 3, 5])
    Line(slope=2.0, intercept=1.0, r2=1.0)
    """
    _same_length(x, y)
    across, up = _centred(x), _centred(y)
    if not across:
        return Line(nan, nan, nan)
    if not up:
        return Line(0.0, y[0], nan)
    together = sum(a * b for a, b in zip(across, up, strict=True))
    varied = sum(a * a for a in across)
    slope = together / varied
    r2 = together**2 / (varied * sum(b * b for b in up))
    return Line(slope, sum(y) / len(y) - slope * sum(x) / len(x), min(r2, 1.0))


def _centred(values: Sequence[float]) -> list[float]:
    # Differences from the mean; empty where there is no difference.
    if len(values) < 2:
        return []
    mean = sum(values) / len(values)
    centred = [value - mean for value in values]
    return centred if any(sign(value) for value in centred) else []


def _same_length(one: Sequence[float], other: Sequence[float]) -> None:
    if len(one) != len(other):
        raise ValueError(f"found {len(one)} figures and {len(other)}, expected as many")
