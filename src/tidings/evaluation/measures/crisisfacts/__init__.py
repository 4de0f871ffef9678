"""CrisisFACTS: comprehensiveness and redundancy of daily facts, in the meanings of 2022 and of 2023.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
"""

from __future__ import annotations

from tidings.evaluation.measures.crisisfacts.info import INFO, measures_of
from tidings.evaluation.measures.crisisfacts.scores import Prepared, daily_requests, prepare

__all__ = ["INFO", "Prepared", "daily_requests", "measures_of", "prepare"]
