"""The measures of UMass's temporal summaries (2001): useful and novel sentences over a ranking, and judges' agreement.

links ──prepare──▶ Prepared ──score(run)──▶ RunScores
                          └─curve(run, topic)──▶ points ──interpolated──▶ the graph of the paper
"""

from __future__ import annotations

from tidings.evaluation.measures.novelty_2001.agreement import agreements, event_agreement, topic_agreement
from tidings.evaluation.measures.novelty_2001.curves import Point, curve, interpolated, ranking
from tidings.evaluation.measures.novelty_2001.info import INFO
from tidings.evaluation.measures.novelty_2001.scores import Prepared, links_of, prepare

__all__ = [
    "INFO",
    "Point",
    "Prepared",
    "agreements",
    "curve",
    "event_agreement",
    "interpolated",
    "links_of",
    "prepare",
    "ranking",
    "topic_agreement",
]
