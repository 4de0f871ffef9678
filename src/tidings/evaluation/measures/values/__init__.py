"""Value tracking (TREC Temporal Summarization 2013): expected error of tolls, costs and places over an event's time.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores ──by_type──▶ means for each type of event
"""

from __future__ import annotations

from tidings.evaluation.measures.values.distance import HALF_EQUATOR_KM, kilometres
from tidings.evaluation.measures.values.info import ATTRIBUTES, INFO
from tidings.evaluation.measures.values.scores import Prepared, by_type, prepare
from tidings.evaluation.measures.values.steps import Steps, expected_error

__all__ = [
    "ATTRIBUTES",
    "HALF_EQUATOR_KM",
    "INFO",
    "Prepared",
    "Steps",
    "by_type",
    "expected_error",
    "kilometres",
    "prepare",
]
