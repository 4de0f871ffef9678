"""Which of the nuggets that an update tells stands for it, where it may have one label only: four rules.

The study of nuggets and clusters (Baruah, McCreadie and Lin 2017, section 4.2) "projects" nuggets into clusters: each
relevant update gets one of its nuggets for its cluster: a random one, the one of the highest grade, the earliest, or
the most popular one across all relevant updates. It drew lots at ties of grade and does not speak of other ties; here
lots are drawn at all ties, or, for who needs one answer only, ties go to the most important, then the earliest, then
the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from msgspec import Struct

__all__ = ["RULES", "Candidate", "Rule", "choose"]

Rule = Literal["random", "highest-grade", "earliest", "most-popular"]

RULES: tuple[Rule, ...] = get_args(Rule)
"""In the order of the study's Table 3."""


class Candidate(Struct, frozen=True, gc=False):
    """A nugget that an update tells: its grade, when it came to be known (s), and how many relevant updates tell it."""

    nugget: int
    grade: int
    time: int
    popularity: int = 0


def choose(rule: Rule, candidates: Sequence[Candidate], draw: Random | None = None) -> Candidate | None:
    """The candidate that stands for the update; None where there is none.

    Args:
        rule: how.
        candidates: what the update tells, in the order of the judgments.
        draw: what lots are drawn with, at all ties; without, ties go to the higher grade, then to the earlier, then to
            the first. The random rule needs it.

    Raises:
        ValueError: the random rule, and nothing to draw with.

    >>> few = [Candidate(0, grade=2, time=9, popularity=1), Candidate(1, grade=1, time=5, popularity=7)]
    >>> [choose(rule, few).nugget for rule in ("highest-grade", "earliest", "most-popular")]
    [0, 1, 1]
    """
    if rule == "random" and draw is None:
        raise ValueError("found the random rule without anything to draw with, expected a random.Random")
    if not candidates:
        return None
    best = max(_worth(rule, one) for one in candidates)
    tied = [one for one in candidates if _worth(rule, one) == best]
    return draw.choice(tied) if draw is not None else max(tied, key=lambda one: (one.grade, -one.time))


def _worth(rule: Rule, one: Candidate) -> int:
    if rule == "highest-grade":
        return one.grade
    if rule == "earliest":
        return -one.time
    return one.popularity if rule == "most-popular" else 0
