"""What `tidings score` and its siblings score by: for each rule set, how its judgments and runs are read.

A family of measures is one file here with `load(judgments, rules, options) -> Scorer`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tidings.errors import UsageError

if TYPE_CHECKING:
    from tidings.errors import Problems
    from tidings.measures import Measure, MeasureInfo, RunScores

__all__ = [
    "RULE_SETS",
    "Curve",
    "Mean",
    "Mode",
    "Pool",
    "Relevance",
    "Scorer",
    "ScoringOptions",
    "Unpooled",
    "scorer_for",
]

Mean = Literal["own", "all"]
Mode = Literal["official", "guideline"]
Pool = Literal["sampled", "extended"]
Relevance = Literal["graded", "binary"]
Unpooled = Literal["count", "skip"]

Curve = list[tuple[int, float]]

RULE_SETS: dict[str, str] = {
    "mb-2015-a": "rts",
    "mb-2015-b": "rts",
    "rts-2016-a": "rts",
    "rts-2016-b": "rts",
    "rts-2016-mobile": "rts",
    "rts-2017-a": "rts",
    "rts-2017-b": "rts",
    "tls": "tls",
    "tls-each": "tls",
    "trec-2013": "trec_ts",
    "trec-2014": "trec_ts",
    "trec-2015": "trec_ts",
    "ttg-2014": "ttg",
    "clusters-2017": "clusters",
    "crisisfacts-2022": "crisisfacts",
    "crisisfacts-2023": "crisisfacts",
    "entities-2015": "entities",
    "msu-2015": "msu",
    "nuggets-as-clusters": "nuggets_as_clusters",
    "umass-2001": "novelty_2001",
    "values-2013": "values",
}
"""Which file of this folder knows a rule set."""


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """What the command line says about scoring; None leaves it to the rules. Families ignore what is not theirs."""

    pool: Pool = "sampled"
    unpooled: Unpooled | None = None
    relevance: Relevance | None = None
    mode: Mode = "official"
    mean: Mean = "own"


@dataclass(frozen=True, slots=True)
class Scorer:
    """Judgments made ready, whatever their kind.

    Attributes:
        info: the measures that can be asked for.
        measures: those shown unasked, in their order.
        short: those shown unasked in a table for people (default: all).
        events: how many events are judged.
        score_file: all runs of one file, scored.
        curves: for each run of one file, in the same order, comprehensiveness over time: event to (seconds after the
            event's start, share) steps. None where the family, or these judgments, have no such thing.
    """

    info: dict[str, MeasureInfo]
    measures: tuple[Measure, ...]
    events: int
    score_file: Callable[[Path, tuple[Measure, ...], Problems], list[RunScores]]
    short: tuple[Measure, ...] = ()
    curves: Callable[[Path], list[dict[str, Curve]]] | None = None


def scorer_for(rules: str, judgments: Path, options: ScoringOptions) -> Scorer:
    """Read judgments for a rule set.

    Raises:
        UsageError: no such rule set, or not judgments for it.
    """
    if rules not in RULE_SETS:
        raise UsageError(f"unknown rules {rules!r}; known are {', '.join(RULE_SETS)}")
    scorer: Scorer = import_module(f"tidings.scoring.{RULE_SETS[rules]}").load(judgments, rules, options)
    return scorer
