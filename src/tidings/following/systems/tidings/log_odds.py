"""Log-odds of probabilities."""

from __future__ import annotations

from math import log

__all__ = ["log_odds"]


def log_odds(probability: float, least: float = 1e-9) -> float:
    """log(p / (1 - p)), with p kept `least` away from 0 and 1.

    >>> log_odds(0.5), round(log_odds(1.0, least=0.01), 3)
    (0.0, 4.595)
    """
    kept = min(max(probability, least), 1.0 - least)
    return log(kept / (1.0 - kept))
