"""Runs that emitted what nobody judged: scored by people's judgments alone, and with a matcher's beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tidings.core import PooledUpdate, PossibleMatch, Run, UsageError
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.trec_ts.automatic import (
    SPREAD,
    THRESHOLD,
    AutomaticJudgments,
    AutomaticScores,
    judge_automatically,
)
from tidings.evaluation.scoring.scorer import Scorer, ScoringOptions, Source


@dataclass(frozen=True, slots=True)
class AutomaticOptions:
    """How possible matches are taken.

    Attributes:
        threshold: the least probability of a pair that is decided to be a match.
        draws: how often matches are drawn by their probabilities.
        seed: of the draws.
        spread: standard deviation of what is added to all log-odds of an event, drawn again each time.
        instead: take possible matches in place of people's, for all updates.
        calibrate: move the log-odds of each event to what people judged of it, where pairs of that are given.
    """

    threshold: float = THRESHOLD
    draws: int = 100
    seed: int = 0
    spread: float = SPREAD
    instead: bool = False
    calibrate: bool = True


@dataclass(frozen=True, slots=True)
class AutomaticScorer:
    """Scores runs with possible matches for what nobody judged; `scorer` does so by people's judgments alone."""

    scorer: Scorer[Run]
    judged: AutomaticJudgments
    scoring: ScoringOptions = field(default_factory=ScoringOptions)
    options: AutomaticOptions = field(default_factory=AutomaticOptions)

    def score_run(self, run: Run, measures: Iterable[Measure] | None = None) -> AutomaticScores:
        """One run in memory, scored by `measures` (default: those that the scorer shows unasked).

        Raises:
            UsageError: a run of an event that the judgments do not list.
        """
        wanted = self.scorer.measures if measures is None else tuple(measures)
        how = self.options
        result = self.judged.score(
            run,
            wanted,
            threshold=how.threshold,
            draws=how.draws,
            seed=how.seed,
            spread=how.spread,
            mean=self.scoring.mean,
        )
        return replace(result, people=self.scorer.score_run(run, wanted))


def need_nuggets(rules: str) -> None:
    """Refuse rules by which updates cover no nuggets, or that have no place for possible matches.

    Raises:
        UsageError: other rules than those of TREC Temporal Summarization.
    """
    from tidings.evaluation.scoring import RULE_SETS

    known = [name for name, family in RULE_SETS.items() if family == "trec_ts"]
    if rules not in known:
        raise UsageError(
            f"possible matches with the rules {rules} (expected {', '.join(known)}): they say which updates match "
            "which nuggets"
        )


def automatic_scorer(
    rules: str,
    judgments: Source,
    matches: Iterable[PossibleMatch],
    updates: Iterable[PooledUpdate] = (),
    scoring: ScoringOptions | None = None,
    options: AutomaticOptions | None = None,
) -> AutomaticScorer:
    """Judgments made ready by a rule set of TREC Temporal Summarization, with possible matches beside them.

    Args:
        rules: such as `trec-2014`.
        judgments: a folder, or judgments in memory.
        matches: of `tidings match`, or of any matcher. Those of updates that people judged are passed over.
        updates: what the runs emitted, with its words. Those without a possible match are judged to say no nugget.
        scoring: as for `scorer_for`.
        options: how possible matches are taken.

    Raises:
        UsageError: other rules, or no nuggets.

    >>> from tidings.sources import bundled
    >>> from tidings.core.records import Update
    >>> update = PooledUpdate("santiago-2013", "a-new-page", 0, "A train has derailed near Santiago.")
    >>> match = PossibleMatch("santiago-2013", update.id, "derail", 0.9, 0, 35)
    >>> scorer = automatic_scorer("trec-2014", bundled.path(), [match], [update])
    >>> run = Run("us", "one", (Update("santiago-2013", update.doc_id, 0, 1374699000),))
    >>> scores = scorer.score_run(run, [Measure("C")])
    >>> scores.people.mean(Measure("C")), scores.decided.mean(Measure("C")) > 0, scores.updates.program
    (0.0, True, 1)
    """
    need_nuggets(rules)
    from tidings.evaluation.scoring.trec_ts import ready, scorer_of

    scoring, options = scoring or ScoringOptions(), options or AutomaticOptions()
    judged, prepared = ready(judgments, rules, scoring)
    automatic = judge_automatically(
        prepared,
        judged,
        matches,
        updates,
        instead=options.instead,
        calibrate=SPREAD if options.calibrate else 0.0,
    )
    return AutomaticScorer(scorer_of(judged, prepared, rules, scoring), automatic, scoring, options)
