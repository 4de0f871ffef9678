"""The measures of TREC Temporal Summarization 2013 to 2015, equal to the official scorers.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
                                └─explain(run, event)──▶ Explanation
"""

from __future__ import annotations

from tidings.measures.scores import RunScores, UnknownEventError
from tidings.measures.trec_ts.coverage import coverage
from tidings.measures.trec_ts.explain import Explanation, NuggetOutcome, Point, UpdateOutcome, explain
from tidings.measures.trec_ts.info import HEADLINE, INFO
from tidings.measures.trec_ts.rules import RULES, Rules, named
from tidings.measures.trec_ts.scores import Prepared, default_measures, prepare
from tidings.measures.trec_ts.totals import latency_discount

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
