"""The measures of timeline summarization: ROUGE by days, and the choice of days, equal to tilse's numbers.

reference timelines ──prepare──▶ Prepared ──score(timelines)──▶ RunScores
"""

from __future__ import annotations

from tidings.evaluation.measures.tls.info import HEADLINE, INFO, MEASURES
from tidings.evaluation.measures.tls.rules import Rules, named
from tidings.evaluation.measures.tls.scores import Prepared, prepare
from tidings.evaluation.measures.tls.topic import Topic

__all__ = ["HEADLINE", "INFO", "MEASURES", "Prepared", "Rules", "Topic", "named", "prepare"]
