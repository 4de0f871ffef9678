"""How far a matcher is off for the assessors of an event, by what they judged of it."""

from __future__ import annotations

import math
from collections.abc import Iterable

THRESHOLD = 0.134
"""The learned matcher's least probability of a match decided on: of the best F1 on TREC TS 2013, by thirds left out."""

SPREAD = 0.76
"""How far its log-odds were off for whole events of TREC TS 2013 that it had not learned from (root mean square)."""

_STEPS = 50
_FAR = 12.0
_SUREST = 30.0


def _log_odds(probability: float) -> float:
    return min(max(math.log(probability / (1 - probability)), -_SUREST), _SUREST)


def log_odds_shift(judged: Iterable[tuple[float, bool]], spread: float) -> float:
    """What to add to a matcher's log-odds for an event: the likeliest shift by pairs that people judged.

    The shift d has the greatest Σ log P(judged; log-odds + d) - d² / (2 spread²): without pairs it is 0, with many it
    makes the sum of the probabilities the number of matches.

    Args:
        judged: of pairs the probability, and whether people matched them. What is sure (0 or 1) says nothing.
        spread: how far matchers are off for whole events (standard deviation); 0 gives no shift.

    >>> round(log_odds_shift([(0.2, True), (0.2, False)] * 500, 1.0), 2)
    1.38
    >>> log_odds_shift([], 1.0)
    0.0
    """
    pairs = [(_log_odds(p), float(y)) for p, y in judged if 0.0 < p < 1.0]
    if not pairs or spread <= 0:
        return 0.0
    low, high = -_FAR, _FAR
    for _ in range(_STEPS):  # the slope falls from one end to the other
        shift = (low + high) / 2
        slope = math.fsum(y - 1 / (1 + math.exp(-odds - shift)) for odds, y in pairs) - shift / spread**2
        low, high = (shift, high) if slope > 0 else (low, shift)
    return (low + high) / 2


def shifted(probability: float, shift: float) -> float:
    """A probability after a shift of its log-odds.

    >>> shifted(0.5, 0.0), round(shifted(0.2, math.log(4)), 6), shifted(1.0, -5.0)
    (0.5, 0.5, 1.0)
    """
    if not shift or not 0.0 < probability < 1.0:
        return probability
    return 1 / (1 + math.exp(-_log_odds(probability) - shift))
