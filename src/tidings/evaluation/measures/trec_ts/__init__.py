"""The measures of TREC Temporal Summarization 2013 to 2015, equal to the official scorers.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
                                └─explain(run, event)──▶ Explanation
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tidings.evaluation.measures.scores import RunScores, UnknownEventError
from tidings.evaluation.measures.trec_ts.rules import HEADLINE, INFO, RULES, Rules, named
from tidings.evaluation.measures.trec_ts.scores import (
    Prepared,
    coverage,
    default_measures,
    latency_discount,
    prepare,
)

if TYPE_CHECKING:
    from tidings.evaluation.measures.trec_ts.explanations import (
        Explanation,
        NuggetOutcome,
        Point,
        UpdateOutcome,
        explain,
    )

__all__ = [
    "HEADLINE",
    "INFO",
    "RULES",
    "Explanation",
    "NuggetOutcome",
    "Point",
    "Prepared",
    "Rules",
    "RunScores",
    "UnknownEventError",
    "UpdateOutcome",
    "coverage",
    "default_measures",
    "explain",
    "latency_discount",
    "named",
    "prepare",
]


def __getattr__(name: str) -> Any:
    """What explains scores, loaded when it is first asked for: scoring does without it."""
    if name not in {"Explanation", "NuggetOutcome", "Point", "UpdateOutcome", "explain"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module("tidings.evaluation.measures.trec_ts.explanations"), name)
    return value
