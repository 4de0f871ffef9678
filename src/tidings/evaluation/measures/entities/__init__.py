"""Rankings of entities by event and day (2015): precision, average precision, NDCG and serendipity.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores, one row for each event and day
"""

from __future__ import annotations

from tidings.evaluation.measures.entities.info import INFO
from tidings.evaluation.measures.entities.lists import average_precision, ndcg, precision, serendipity
from tidings.evaluation.measures.entities.scores import Prepared, prepare_rankings

__all__ = ["INFO", "Prepared", "average_precision", "ndcg", "precision", "prepare_rankings", "serendipity"]
