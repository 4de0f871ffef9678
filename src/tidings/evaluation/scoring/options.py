"""What can be asked of scoring, whatever the rules: families ignore what is not theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Mean", "Mode", "Pool", "Relevance", "ScoringOptions", "Unpooled"]

Mean = Literal["own", "all"]
Mode = Literal["official", "guideline"]
Pool = Literal["sampled", "extended"]
Relevance = Literal["graded", "binary"]
Unpooled = Literal["count", "skip"]


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How to score, beside the rules; None leaves it to them.

    Attributes:
        pool: which table of judged updates of a TREC folder.
        unpooled: count unjudged updates as not relevant, or skip them.
        relevance: graded or binary nuggets.
        mode: as the year's script does (official), or as its guidelines say.
        mean: over the run's own events, or over all judged ones, so that silence costs.
    """

    pool: Pool = "sampled"
    unpooled: Unpooled | None = None
    relevance: Relevance | None = None
    mode: Mode = "official"
    mean: Mean = "own"
