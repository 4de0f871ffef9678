"""The measures of real-time summarization: Microblog 2015, RTS 2016 and 2017, equal to the official scripts.

judgments of tweets ──prepare──▶ Prepared ──score(run)──▶ RunScores
                                         └─explain(run, topic)──▶ TopicDays
"""

from __future__ import annotations

from tidings.evaluation.measures.rts.days import Day, ScoredTweet
from tidings.evaluation.measures.rts.info import INFO
from tidings.evaluation.measures.rts.mobile import PreparedMobile, prepare_mobile
from tidings.evaluation.measures.rts.rules import MODES, RULES, Mode, Rules, named
from tidings.evaluation.measures.rts.scores import PreparedTweets, TopicDays, prepare

__all__ = [
    "INFO",
    "MODES",
    "RULES",
    "Day",
    "Mode",
    "PreparedMobile",
    "PreparedTweets",
    "Rules",
    "ScoredTweet",
    "TopicDays",
    "named",
    "prepare",
    "prepare_mobile",
]
