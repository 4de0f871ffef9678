"""Less work for the same collection: what to judge next, and what it may be linked to."""

from __future__ import annotations

from tidings.evaluation.selection.pool_texts import Candidate, PoolTexts, candidates_of
from tidings.evaluation.selection.queue import DeskSelection
from tidings.evaluation.selection.selection import STRATEGIES, Judged, Ranked, Selection, Strategy, order
from tidings.evaluation.selection.suggestions import (
    NuggetSuggester,
    SuggestedNugget,
    likeliest,
    suggest_nuggets,
)

__all__ = [
    "STRATEGIES",
    "Candidate",
    "DeskSelection",
    "Judged",
    "NuggetSuggester",
    "PoolTexts",
    "Ranked",
    "Selection",
    "Strategy",
    "SuggestedNugget",
    "candidates_of",
    "likeliest",
    "order",
    "suggest_nuggets",
]
