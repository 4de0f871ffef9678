"""Ordering a day's entities: AdaptER and its parts, what it is measured against, and tidings' own ranker.

`ranker_named(name)` gives a fresh ranker for an event; `rank(day, matrix)` orders a day's entities.
"""

from tidings.following.entities.ranking.base import Contribution, EntityRanker, RankedEntity
from tidings.following.entities.ranking.registry import DEFAULT_RANKER, RANKERS, RankerInfo, ranker_named

__all__ = [
    "DEFAULT_RANKER",
    "RANKERS",
    "Contribution",
    "EntityRanker",
    "RankedEntity",
    "RankerInfo",
    "ranker_named",
]
