"""`tidings.score` and `tidings.compare`: how good are these runs, by the track's own measures, and do they differ."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from tidings.core import Cell, Judgments, Problems, Table, clean, render
from tidings.evaluation.library.runs import Runs, as_runs
from tidings.evaluation.measures import Measure, RunScores
from tidings.evaluation.measures.measure import parse_measure
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
from tidings.evaluation.report.remarks import compared_counts, mean_label, origin_words, score_remarks
from tidings.evaluation.scoring import scorer_for
from tidings.evaluation.scoring.scorer import (
    Mean,
    Mode,
    Pool,
    Relevance,
    Scorer,
    ScoringOptions,
    Unpooled,
    compared_measures,
    parse_measures,
)
from tidings.following import ArgumentTypeError, ArgumentValueError, build_frame, kind_of


def html_table(table: Table, caption: str = "") -> str:
    """One table; figures stand to the right.

    >>> html_table(Table(("run",), (("<b>",),)), "means")
    '<table><caption>means</caption><tr><th>run</th></tr><tr><td>&lt;b&gt;</td></tr></table>'
    """
    head = "".join(f"<th>{escape(text)}</th>" for text in table.headings())
    right = [table.is_number(column) for column in range(len(table.columns))]
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td align="right">{escape(text)}</td>' if number else f"<td>{escape(text)}</td>"
            for text, number in zip(row, right, strict=True)
        )
        + "</tr>"
        for row in table.texts()
    )
    title = f"<caption>{escape(clean(caption))}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>{rows}</table>"


def html_lines(lines: tuple[str, ...] | list[str]) -> str:
    """Remarks under a table; empty where there are none."""
    return f"<ul>{''.join(f'<li>{escape(clean(line))}</li>' for line in lines)}</ul>" if lines else ""


JudgmentsSource: TypeAlias = "Judgments | str | os.PathLike[str]"
"""Judgments: those of `read_judgments`, or the folder that holds them."""

Measures: TypeAlias = "str | Measure | Iterable[str | Measure]"
"""Measures by their names, such as `"nE[LG],C,H,C@3600s"`, or a list of names or `Measure`s."""


class ScoreRow(NamedTuple):
    """What one run scored on one event by one measure; `counted`: whether the run's mean is taken over the event."""

    team: str
    run: str
    event: str
    measure: str
    value: float
    counted: bool


class Scores:
    """The scores of runs. Iterating over it yields one `ScoreRow` for each run, event and measure.

    Attributes:
        rules: the rule set.
        measures: the measures, in order.
        runs: one `RunScores` per run, with scores by event, silent events, and means.
        notes: what to know when reading the figures: silent runs, events without judgments, skipped lines, models
            that learned from the judged events, and runs that chose from the pool next to runs that did not.

    Printed, it is the table of the command line; in a notebook, an HTML table.
    """

    def __init__(
        self,
        rules: str,
        measures: Sequence[Measure],
        runs: Sequence[RunScores],
        notes: Sequence[str] = (),
        shown: Sequence[Measure] = (),
    ) -> None:
        self.rules = rules
        self.measures = tuple(measures)
        self.runs = tuple(runs)
        self.notes = tuple(notes)
        self._shown = tuple(shown) or self.measures

    def __iter__(self) -> Iterator[ScoreRow]:
        for run in self.runs:
            over = set(run.over)
            for event, values in run.per_event.items():
                for measure, value in values.items():
                    yield ScoreRow(run.team, run.run, event, str(measure), float(value), event in over)

    def __len__(self) -> int:
        return sum(len(values) for run in self.runs for values in run.per_event.values())

    def rows(self) -> list[ScoreRow]:
        """All scores: one row for each run, event and measure."""
        return list(self)

    def mean(self, measure: str | Measure, run: str | None = None) -> float:
        """The mean score of a run by a measure, over the events that count by the rules.

        Args:
            measure: its name, one of `measures`.
            run: `run` or `team run`; not needed if there is only one.

        Raises:
            ArgumentValueError: there is no such run or measure.
        """
        chosen = parse_measure(measure) if isinstance(measure, str) else measure
        if chosen not in self.measures:
            raise ArgumentValueError(
                f"measure: {str(measure)!r} (expected one of {', '.join(map(str, self.measures))})"
            )
        names = [f"{run.team} {run.run}".strip() for run in self.runs]
        places = [
            place
            for place, scores in enumerate(self.runs)
            if run is None or run in (scores.run, names[place])
        ]
        if len(places) != 1:
            how = f"{len(places) or 'no'} run{'' if len(places) == 1 else 's'}"
            what = f" called {run!r}" if run is not None else ""
            raise ArgumentValueError(f"run: {how}{what} (expected the name of one of {', '.join(names)})")
        return self.runs[places[0]].mean(chosen)

    def to_frame(self, backend: str | None = None) -> Any:
        """A table in long form: one row for each run, event and measure, with its value.

        The columns are `team`, `run`, `event`, `measure`, `value` and `counted`. Events that are not counted do not
        enter the means of `mean()`; by the official rules, these are the events on which a run is silent.

        Args:
            backend: `pandas`, `polars` or `pyarrow`; the first of these that is installed unless given.

        Raises:
            ArgumentValueError: no such backend, or it is not installed.
        """
        return frame_of(self, backend)

    def table(self) -> Table:
        """The means, one row per run, as the command line prints them."""
        rows: list[tuple[Cell, ...]] = [
            (run.team, run.run, mean_label(run), *(run.mean(measure) for measure in self._shown))
            for run in self.runs
        ]
        return Table(("team", "run", "event", *map(str, self._shown)), tuple(rows))

    def __repr__(self) -> str:
        return "\n".join([render(self.table()), *self.notes])

    def _repr_html_(self) -> str:
        return html_table(self.table(), f"means by {self.rules}") + html_lines(self.notes)


def frame_of(rows: Iterable[tuple[Any, ...]], backend: str | None) -> Any:
    """Score rows as a table."""
    columns = list(zip(*rows, strict=True)) or [() for _ in ScoreRow._fields]
    return build_frame(dict(zip(ScoreRow._fields, columns, strict=True)), backend)


def score(
    run: Runs,
    judgments: JudgmentsSource,
    rules: str = "trec-2014",
    measures: Measures | None = None,
    *,
    mean: Mean | None = None,
    unpooled: Unpooled | None = None,
    relevance: Relevance | None = None,
    pool: Pool = "sampled",
    mode: Mode = "official",
    lenient: bool = False,
) -> Scores:
    """Score one or more runs against judgments, exactly as the track's official scorer does.

    Args:
        run: a `Run`; updates as records or dicts; a table of pandas, Polars or Arrow with the columns event, doc and
            sentence (or update), time, and optionally confidence, team and run (the names used in TREC's files also
            work); the path of a run file or a store; the result of `tidings.follow`; a list of any of these; or a
            dict that names them. Rule sets that score something other than updates take paths.
        judgments: a folder, or (for rules that score updates) the result of `read_judgments`.
        rules: the rule set. An unknown name raises an error that lists all of them.
        measures: the measures to compute; default: all that the rules show.
        mean: take means over the events of the run (`own`, as official scorers do), or over all events (`all`, so
            that silence costs); default: as the rules say.
        unpooled: `count` unjudged updates as not relevant, or `skip` them; default: as the rules say.
        relevance: `graded` or `binary` nuggets; default: as the rules say.
        pool: the pool of a TREC folder: `sampled` or `extended`.
        mode: score as the year's script does (`official`) or as its guideline says (`guideline`).
        lenient: skip malformed lines of files; `.notes` says how many.

    Returns:
        The scores of each run on each event: see `.mean("H")`, `.to_frame()` and `.rows()`.

    Raises:
        ArgumentTypeError (a TypeError), ArgumentValueError (a ValueError): these are not runs or not judgments. The
        message names the row.
        UsageError: there are no such rules or measures, or the judgments do not list an event of a run.
        FormatError: bad lines.

    docs/evaluation/measures.md gives the formula, range and source of each measure.

    >>> from tidings import bundled
    >>> ours = [{"event": "santiago-2013", "doc": "elpais-1374699000", "sentence": 0, "time": 1374699000}]
    >>> scores = score(ours, bundled.path(), measures="updates,C")
    >>> scores.mean("updates"), scores.rows()[0].event
    (1.0, 'santiago-2013')
    >>> score([{"event": "santiago-2013", "doc": "x", "time": 5}], bundled.path())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidings.following.library.arguments.ArgumentValueError: run: item 1: no sentence (expected doc ...)
    """
    options = ScoringOptions(pool=pool, unpooled=unpooled, relevance=relevance, mode=mode, mean=mean)
    scorer = as_scorer(judgments, rules, options)
    chosen = as_measures(measures, scorer)
    problems = Problems(lenient=lenient)
    scored = score_all(run, scorer, chosen or scorer.measures, problems)
    notes = score_remarks(scored, len(scorer.events), mean, 'mean="all"')
    if problems.count:
        notes.append(problems.summary())
    return Scores(rules, chosen or scorer.measures, scored, notes, chosen or scorer.short)


def as_scorer(judgments: JudgmentsSource, rules: str, options: ScoringOptions) -> Scorer[Any]:
    """Judgments made ready; raises ArgumentTypeError for what are none."""
    if not isinstance(judgments, Judgments | str | os.PathLike):
        raise ArgumentTypeError(
            f"judgments: {kind_of(judgments)} (expected a folder, or what read_judgments gave)"
        )
    if not isinstance(rules, str):
        raise ArgumentTypeError(f'rules: {kind_of(rules)} (expected a name such as "trec-2014")')
    source = judgments if isinstance(judgments, Judgments) else Path(os.fspath(judgments))
    return scorer_for(rules, source, options)


def as_measures(measures: Measures | None, scorer: Scorer[Any]) -> tuple[Measure, ...]:
    """The measures that are asked for; none where none are."""
    if measures is None:
        return ()
    items = [measures] if isinstance(measures, str | Measure) else measures
    if isinstance(items, Mapping) or not isinstance(items, Iterable):
        raise ArgumentTypeError(f"measures: {kind_of(measures)} (expected names, or a list of them)")
    names = []
    for item in items:
        if not isinstance(item, str | Measure):
            raise ArgumentTypeError(f"measures: {kind_of(item)} (expected a name or a Measure)")
        names.append(str(item))
    return parse_measures(names, scorer)


def score_all(
    runs: Runs, scorer: Scorer[Any], measures: Sequence[Measure], problems: Problems, name: str = "run"
) -> list[RunScores]:
    """Each run that a caller means, scored; what a file's line has wrong is said with path:line."""
    from tidings.core import gc_paused

    with gc_paused():
        if isinstance(runs, str | os.PathLike):
            return scorer.score_file(os.fspath(runs), measures, problems)
        return scorer.score_runs(as_runs(runs, scorer, problems, name), measures)


class DifferenceRow(NamedTuple):
    """One run against the baseline by one measure.

    `low` and `high` bound the mean difference; `p` is the randomization test's, `p_holm` and `p_tukey` are corrected
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
    """A comparison of runs. Iterating over it yields one `ScoreRow` for each run, event and measure.

    Attributes:
        comparison: everything computed, as a `tidings.evaluation.measures.run_comparison.Comparison`.
        notes: what to know when reading the figures.

    Printed, it is the output of `tidings compare`; in a notebook, HTML tables.
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
        """The scores: one row for each run, event and measure."""
        return list(self)

    def differences(self) -> list[DifferenceRow]:
        """Each run against the baseline by each measure: the mean difference, its interval, tests and effect size."""
        rows = []
        for column in self.comparison.measures:
            for place, pair in enumerate(column.against):
                if pair is not None:
                    rows.append(_difference(self.comparison, column, place))
        return rows

    def to_frame(self, backend: str | None = None) -> Any:
        """A table in long form: one row for each run, event and measure, with its value.

        It holds the events that were compared: those on which all runs have a value.

        Args:
            backend: `pandas`, `polars` or `pyarrow`; the first of these that is installed unless given.

        Raises:
            ArgumentValueError: no such backend, or it is not installed.
        """
        return frame_of(self, backend)

    def differences_to_frame(self, backend: str | None = None) -> Any:
        """`differences()` as a table: one row for each measure and each run except the baseline."""
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


def _difference(comparison: Comparison, compared: MeasureComparison, place: int) -> DifferenceRow:
    pair = compared.against[place]
    assert pair is not None
    return DifferenceRow(
        comparison.runs[place].name,
        comparison.runs[comparison.baseline].name,
        str(compared.measure),
        compared.means[place],
        compared.means[comparison.baseline],
        pair.mean,
        pair.interval.low,
        pair.interval.high,
        pair.randomization.p,
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
    """Compare runs event by event: differences, tests, intervals, corrections and effect sizes.

    Every event with judgments counts for every run. Silent runs are scored as such, and named.

    Args:
        runs: two or more runs, as for `score`. A dict names them: `{"mine": updates, "theirs": frame}`.
        judgments, rules: as for `score`.
        measures: the measures, the main one first; default: the rules' main measure and the others that they show.
        baseline: the name of the run with which the others are compared; default: the first.
        correction: the correction behind the marks: `holm` (of randomization tests), `tukey` (randomized HSD) or
            `none`.
        alpha: the significance level of the marks.
        interval, level: the kind (`bca`, `percentile` or `studentized`) and level of the bootstrap intervals.
        samples, resamples: the rounds of randomization, where it is not exact, and the draws of the bootstrap.
        seed: the random seed. The same seed gives the same figures.
        unpooled, relevance, pool, mode, lenient: as for `score`.

    Returns:
        The comparison: see `.differences()`, `.to_frame()` and `.differences_to_frame()`.

    Raises:
        ArgumentTypeError (a TypeError), ArgumentValueError (a ValueError): these are not runs or not judgments.
        UsageError: there are fewer than two runs, two runs share a name, or there is no such baseline, rule set or
            measure.

    Without SciPy there is no t-test. docs/evaluation/comparing.md explains the tests and intervals.

    >>> from tidings import bundled, follow, read_documents
    >>> def runs(system):
    ...     return follow(read_documents(bundled.path()), events=bundled.path(), system=system)
    >>> compared = compare({"one": runs("first"), "two": runs("cosine")}, bundled.path(), measures="C,updates")
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
