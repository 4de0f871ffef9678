"""`tidings.compare`: do these runs differ, and is it more than luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from tidings.core import Problems
from tidings.evaluation.library.runs import Runs
from tidings.evaluation.library.scores import (
    JudgmentsSource,
    Measures,
    ScoreRow,
    as_measures,
    as_scorer,
    frame_of,
    html_lines,
    html_table,
    score_all,
)
from tidings.evaluation.measures.run_comparison import (
    WITHOUT_T,
    Comparison,
    MeasureComparison,
    Settings,
    compare_scores,
    has_t,
)
from tidings.evaluation.measures.significance import IntervalMethod
from tidings.evaluation.report.comparison_tables import (
    Provenance,
    differences_table,
    finding,
    method,
    print_comparison,
    scores_table,
    silence,
)
from tidings.evaluation.report.remarks import compared_counts, origin_words
from tidings.evaluation.scoring.scorer import (
    Mode,
    Pool,
    Relevance,
    ScoringOptions,
    Unpooled,
    compared_measures,
)
from tidings.following import build_frame


class DifferenceRow(NamedTuple):
    """One run against the baseline by one measure.

    `low` and `high` bound the mean difference; `p` is the randomisation test's, `p_holm` and `p_tukey` are corrected
    for the number of runs; `p_t` is the t-test's (None without SciPy, or of fewer than two events); `d` is Cohen's;
    `wins`, `ties` and `losses` count events.
    """

    run: str
    baseline: str
    measure: str
    mean: float
    baseline_mean: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    p_tukey: float
    d: float
    wins: int
    ties: int
    losses: int
    p_t: float | None = None


class RunComparison:
    """Runs held against each other: iterate over it for one `ScoreRow` for each run, event and measure.

    Attributes:
        comparison: everything that was computed, as `tidings.evaluation.measures.run_comparison.Comparison`.
        notes: remarks to be read with the figures.

    It prints as `tidings compare` does, and shows its tables in a notebook.
    """

    def __init__(self, comparison: Comparison, rules: str, notes: Sequence[str] = ()) -> None:
        self.comparison = comparison
        self.rules = rules
        self.notes = tuple(notes)

    def __iter__(self) -> Iterator[ScoreRow]:
        for place, run in enumerate(self.comparison.runs):
            for column in self.comparison.measures:
                for topic, value in zip(column.topics, column.scores[place], strict=True):
                    yield ScoreRow(run.team, run.run, topic, str(column.measure), value, True)

    def rows(self) -> list[ScoreRow]:
        """What each run scored: one row for each run, event and measure."""
        return list(self)

    def differences(self) -> list[DifferenceRow]:
        """Each run against the baseline by each measure: the mean difference, its interval, tests, effect size."""
        rows = []
        for column in self.comparison.measures:
            for place, pair in enumerate(column.against):
                if pair is not None:
                    rows.append(_difference(self.comparison, column, place))
        return rows

    def to_frame(self, backend: str | None = None) -> Any:
        """A table in long form: one row for each run, event and measure, with its value.

        Only events on which all runs have a value are compared, and only they are here.

        Args:
            backend: `pandas`, `polars` or `pyarrow`; the first of these that is installed unless given.

        Raises:
            ArgumentValueError: no such backend, or it is not installed.
        """
        return frame_of(self, backend)

    def differences_to_frame(self, backend: str | None = None) -> Any:
        """`differences()` as a table: one row for each run but the baseline, and measure."""
        columns = list(zip(*self.differences(), strict=True)) or [() for _ in DifferenceRow._fields]
        return build_frame(dict(zip(DifferenceRow._fields, columns, strict=True)), backend)

    def __repr__(self) -> str:
        return print_comparison(self.comparison, Provenance(rules=self.rules, notes=self.notes))

    def _repr_html_(self) -> str:
        baseline = self.comparison.runs[self.comparison.baseline].name
        tables = [html_table(scores_table(self.comparison), f"means by {self.rules}")]
        tables += [
            html_table(differences_table(self.comparison, column), f"{column.measure} against {baseline}")
            for column in self.comparison.measures
        ]
        main = self.comparison.measures[0]
        words = [
            finding(self.comparison, main),
            *compared_counts(self.comparison),
            *origin_words(self.comparison),
            *silence(self.comparison),
            *self.notes,
            *method(self.comparison),
        ]
        return "".join(tables) + html_lines(words)


def _difference(comparison: Comparison, one: MeasureComparison, place: int) -> DifferenceRow:
    pair = one.against[place]
    assert pair is not None
    return DifferenceRow(
        comparison.runs[place].name,
        comparison.runs[comparison.baseline].name,
        str(one.measure),
        one.means[place],
        one.means[comparison.baseline],
        pair.mean,
        pair.interval.low,
        pair.interval.high,
        pair.randomisation.p,
        pair.holm,
        pair.tukey,
        pair.d,
        pair.wins,
        pair.ties,
        pair.losses,
        pair.t.p if pair.t is not None else None,
    )


def compare(
    runs: Runs,
    judgments: JudgmentsSource,
    rules: str = "trec-2014",
    measures: Measures | None = None,
    *,
    baseline: str | None = None,
    correction: Literal["holm", "tukey", "none"] = "holm",
    alpha: float = 0.05,
    interval: IntervalMethod = "bca",
    level: float = 0.95,
    samples: int = 20_000,
    resamples: int = 10_000,
    seed: int = 0,
    unpooled: Unpooled | None = None,
    relevance: Relevance | None = None,
    pool: Pool = "sampled",
    mode: Mode = "official",
    lenient: bool = False,
) -> RunComparison:
    """Compare runs event by event: differences, tests, intervals, corrections, effect sizes.

    Every event with judgments counts for every run: silence there is scored as silence, and named.

    Args:
        runs: two or more, as `score` takes them; a dict names them: `{"mine": updates, "theirs": frame}`.
        judgments, rules: as for `score`.
        measures: the first is the main one; default: the rules' main measure and the others they show.
        baseline: the run to hold the others against, by its name; default: the first.
        correction: what marks go by: `holm` (randomisation tests), `tukey` (randomised HSD) or `none`.
        alpha: level of significance of the marks.
        interval, level: kind (`bca`, `percentile` or `studentized`) and level of the bootstrap intervals.
        samples, resamples: rounds of the randomisation where it is not exact; draws of the bootstrap.
        seed: of all that is drawn: the same seed gives the same figures.
        unpooled, relevance, pool, mode, lenient: as for `score`.

    Returns:
        The comparison; `.differences()`, `.to_frame()`, `.differences_to_frame()`.

    Raises:
        ArgumentTypeError (a TypeError), ArgumentValueError (a ValueError): not runs, not judgments.
        UsageError: fewer than two runs, two of one name, no such baseline, rules or measures.

    The t-test is left out where SciPy is not installed. Tests and intervals: docs/evaluation/comparing.md.

    >>> from tidings import bundled, follow, read_documents
    >>> def told(system):
    ...     return follow(read_documents(bundled.path()), events=bundled.path(), system=system)
    >>> compared = compare({"one": told("first"), "two": told("cosine")}, bundled.path(), measures="C,updates")
    >>> [(row.run, row.baseline, row.measure, row.wins, row.losses) for row in compared.differences()][0]
    ('two', 'one', 'C', 0, 1)
    """
    options = ScoringOptions(pool=pool, unpooled=unpooled, relevance=relevance, mode=mode, mean="all")
    scorer = as_scorer(judgments, rules, options)
    chosen = as_measures(measures, scorer) or compared_measures(scorer)
    problems = Problems(lenient=lenient)
    scored = score_all(runs, scorer, chosen, problems)
    settings = Settings(seed, samples, resamples, level, interval, alpha, correction, has_t())
    notes = [] if settings.with_t else [WITHOUT_T]
    if problems.count:
        notes.append(problems.summary())
    return RunComparison(compare_scores(scored, scorer.info, baseline, settings), rules, notes)
