"""Modeled Stream Utility (2015): how many nuggets simulated readers learn, who look in now and then.

judgments ──prepare──▶ Prepared ──score(run)──▶ RunScores
"""

from __future__ import annotations

from tidings.evaluation.measures.msu.info import INFO
from tidings.evaluation.measures.msu.reading import Read, UpdateSequence, read
from tidings.evaluation.measures.msu.scores import Prepared, prepare
from tidings.evaluation.measures.msu.users import Population, Sessions, User, sessions, users

__all__ = [
    "INFO",
    "Population",
    "Prepared",
    "Read",
    "Sessions",
    "UpdateSequence",
    "User",
    "prepare",
    "read",
    "sessions",
    "users",
]
