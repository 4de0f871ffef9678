"""Whether two trainings gave one model, whatever the machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

RELATIVE, ABSOLUTE = 1e-4, 1e-5
"""Far above what a processor or a BLAS rounds differently, far below what another seed changes."""


def alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """The same arrays by name, but for rounding."""
    return one.keys() == other.keys() and all(
        array.shape == other[name].shape
        and np.allclose(array.astype(float), other[name].astype(float), RELATIVE, ABSOLUTE, equal_nan=True)
        for name, array in one.items()
    )


def same_curve(one: Sequence[Mapping[str, float]], other: Sequence[Mapping[str, float]]) -> None:
    """Assert that two learning curves are one, but for rounding."""
    assert len(one) == len(other)
    for row, another in zip(one, other, strict=True):
        assert dict(row) == pytest.approx(dict(another), rel=RELATIVE, abs=ABSOLUTE, nan_ok=True)
