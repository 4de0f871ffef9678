"""`ius`: incremental update summarization, with a learned rank cut-off for every hour."""

from tidings.research.systems.ius.cutoff import CutOff, Learner, trees_arrays
from tidings.research.systems.ius.interval import (
    INTERVAL_FEATURES,
    SENTENCE_FEATURES,
    EmittedHistory,
    Interval,
    interval_features,
    line_up,
    read_interval,
    sentence_features,
)
from tidings.research.systems.ius.system import Ius

__all__ = [
    "INTERVAL_FEATURES",
    "SENTENCE_FEATURES",
    "CutOff",
    "EmittedHistory",
    "Interval",
    "Ius",
    "Learner",
    "interval_features",
    "line_up",
    "read_interval",
    "sentence_features",
    "trees_arrays",
]
