"""How far two places on the earth are apart."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from tidings.core import UsageError

__all__ = ["HALF_EQUATOR_KM", "kilometres"]

HALF_EQUATOR_KM = math.pi * 6378.137
"""Half the equator of WGS-84 (20,037.5 km): no two places are farther apart."""


def kilometres(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    """The geodesic distance of two places (latitude, longitude in degrees) on WGS-84, in kilometres.

    Computed by Karney's method, which agrees with Vincenty's to a fraction of a millimetre wherever the latter
    converges, and also gives an answer for places on opposite sides of the earth, where the latter gives none.

    Raises:
        UsageError: the package geographiclib is not installed.

    >>> round(kilometres((42.88, -8.54), (42.88, -8.54)), 6)
    0.0
    >>> round(kilometres((0.0, 0.0), (0.0, 90.0)), 1)  # a quarter of the equator
    10018.8
    """
    length = float(_earth().Inverse(*one, *two, _distance_only())["s12"])
    return length / 1000.0


@lru_cache(maxsize=1)
def _earth() -> Any:
    try:
        from geographiclib.geodesic import Geodesic
    except ImportError:
        raise UsageError(
            "distances need the package geographiclib, which is not installed: pip install geographiclib"
        ) from None
    return Geodesic.WGS84


@lru_cache(maxsize=1)
def _distance_only() -> int:
    from geographiclib.geodesic import Geodesic

    return int(Geodesic.DISTANCE)
