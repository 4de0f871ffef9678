"""Runs against judgments, by any rule set: `scorer_for(rules, judgments, options)` gives a `Scorer`, that `RunScores`.

A family of measures, or a few that are scored alike, is one file here with
`load(judgments, rules, options) -> Scorer`, which says how its judgments and its runs are read. The command line and
programs score by nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tidings.core import UsageError, data_beside
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source

RULE_SETS: dict[str, str] = data_beside(__file__)
"""Which file of this folder knows a rule set."""

_DRAFTS = {
    "changedet-2026": "changedet-2026-draft"
}  # what is scored by a draft as long as there are no rules


def scorer_for(rules: str, judgments: Source, options: ScoringOptions | None = None) -> Scorer[Any]:
    """Judgments made ready by a rule set: a folder, or `Judgments` in memory where the family can do with them.

    Raises:
        UsageError: no such rule set, or not judgments for it.

    >>> from tidings.sources import bundled
    >>> from tidings.core.records import Run, Update
    >>> scorer = scorer_for("trec-2014", bundled.path())
    >>> scores = scorer.score_run(Run("us", "one", (Update("santiago-2013", "elpais-1374699000", 0, 1374699000),)))
    >>> scores.run, scores.silent, len(scores.measures) > 10
    ('one', (), True)
    """
    rules = _DRAFTS.get(rules, rules)
    if rules not in RULE_SETS:
        raise UsageError(f"unknown rules {rules!r}; known are {', '.join(RULE_SETS)}")
    family = import_module(f"tidings.evaluation.scoring.{RULE_SETS[rules]}")
    scorer: Scorer[Any] = family.load(judgments, rules, options or ScoringOptions())
    return scorer
