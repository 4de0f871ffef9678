"""Whether a difference between runs is more than the luck of the topics: tests, intervals, corrections, effect sizes.

scores of several runs ──compare──▶ Comparison (means, pairs, marks); each test can be called by itself.
Everything but the t distribution is computed here, from seeds that are stated; the t distribution is SciPy's.
"""

from __future__ import annotations

from tidings.evaluation.measures.significance.bootstrap import Interval, bootstrap_interval
from tidings.evaluation.measures.significance.comparison import (
    Comparison,
    MeasureComparison,
    Pair,
    RunColumn,
    Settings,
    compare_scores,
)
from tidings.evaluation.measures.significance.corrections import holm, randomised_tukey
from tidings.evaluation.measures.significance.paired import (
    PValue,
    TTest,
    cohens_d,
    mean,
    randomisation_test,
    t_test,
    wins_ties_losses,
)

__all__ = [
    "Comparison",
    "Interval",
    "MeasureComparison",
    "PValue",
    "Pair",
    "RunColumn",
    "Settings",
    "TTest",
    "bootstrap_interval",
    "cohens_d",
    "compare_scores",
    "holm",
    "mean",
    "randomisation_test",
    "randomised_tukey",
    "t_test",
    "wins_ties_losses",
]
