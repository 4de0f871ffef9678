"""`tidings compare`: do these runs differ, and is it more than luck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tidings.core import (
    described,
    form_of,
    json_text,
    say,
    show,
    sort_outputs,
    terminal_width,
    waiting,
)
from tidings.evaluation.scoring import scorer_for
from tidings.evaluation.scoring.scorer import Mode, Pool, Relevance, Scorer, ScoringOptions, Unpooled
from tidings.evaluation.verbs.scoring_options import (
    SCORING_OPTIONS,
    sort_arguments,
)

if TYPE_CHECKING:
    from tidings.evaluation.measures import Measure, RunScores
    from tidings.evaluation.measures.run_comparison import Comparison, Settings
    from tidings.evaluation.report.comparison import Extras
    from tidings.evaluation.report.comparison_tables import Provenance

Inputs = Mapping[str, Iterable[str | Path | None]]
SIZES = ("updates", "pushes")

Form = Literal["table", "tsv", "csv", "markdown", "latex", "json"]
Correction = Literal["holm", "tukey", "none"]
Interval = Literal["bca", "percentile", "studentized"]


@described(__file__, SCORING_OPTIONS)
def compare(
    runs: list[str],
    judgments: Path | None = None,
    rules: str = "trec-2014",
    baseline: str | None = None,
    measures: list[str] | None = None,
    form: Form | None = None,
    out: list[str] | None = None,
    per_topic: bool = False,
    charts: Path | None = None,
    correction: Correction = "holm",
    alpha: float = 0.05,
    interval: Interval = "bca",
    level: float = 0.95,
    samples: int = 20_000,
    resamples: int = 10_000,
    seed: int = 0,
    unpooled: Unpooled | None = None,
    relevance: Relevance | None = None,
    pool: Pool = "sampled",
    mode: Mode = "official",
    lenient: bool = False,
    quiet: bool = False,
) -> None:
    """Compare runs topic by topic: differences, tests, intervals, corrections, effect sizes.

    Every judged topic counts for every run; a run that is silent on one is scored as silent, and named.
    """
    from tidings.core import UsageError, gc_paused, refuse_overwriting
    from tidings.evaluation.measures.run_comparison import WITHOUT_T, Settings, compare_scores, has_t
    from tidings.evaluation.report.comparison_tables import Provenance
    from tidings.evaluation.report.remarks import compared_counts, origin_words
    from tidings.evaluation.scoring.runs import digests_of_files, files_of_runs

    if charts is not None and charts.exists() and not charts.is_dir():
        raise UsageError(f"{charts}: this is a file, not a folder; choose another with --charts")
    runs, judgments, named = sort_arguments(runs, judgments, measures)
    inputs: Inputs = {"a run": files_of_runs(runs), "judgments": [judgments]}
    refuse_overwriting({"--out": out}, inputs)
    outs = sort_outputs(out, {"page": ("html",), "table": ()})
    html, table = outs.get("page"), outs.get("table")
    shape = form_of(table, form, Form)
    settings = Settings(seed, samples, resamples, level, interval, alpha, correction, has_t())
    notes = [*([] if settings.with_t else [WITHOUT_T]), *settings.warnings()]
    options = ScoringOptions(pool=pool, unpooled=unpooled, relevance=relevance, mode=mode, mean="all")
    with waiting("scoring"), gc_paused():
        scorer = scorer_for(rules, judgments, options)
        wanted = _choose_measures(scorer, named)
        scored, extras = _score(scorer, runs, wanted, lenient, notes, html is not None or charts is not None)
    with waiting("testing"):
        comparison = compare_scores(scored, scorer.info, baseline, settings)
    given = [
        (name, value)
        for name, value, usual in (
            ("unpooled", unpooled, None),
            ("relevance", relevance, None),
            ("pool", pool, "sampled"),
            ("mode", mode, "official"),
        )
        if value is not None and value != usual
    ]
    base = comparison.runs[comparison.baseline].name
    command = _command(runs, judgments, rules, base, wanted, [*given, *_tests(settings)])
    provenance = Provenance(
        command, str(judgments), rules, tuple(given), digests_of_files(runs), tuple(notes)
    )
    if not quiet:
        for line in (*compared_counts(comparison), *origin_words(comparison), *settings.warnings()):
            say(line)
    _write_files(comparison, provenance, extras, html, charts, {**inputs, "--out": [table, html]})
    show(_text(comparison, provenance, shape, per_topic, table), table)


def _choose_measures(scorer: Scorer[Any], texts: list[str]) -> tuple[Measure, ...]:
    from tidings.evaluation.scoring.scorer import compared_measures, parse_measures

    return parse_measures(texts, scorer) or compared_measures(scorer)


def _score(
    scorer: Scorer[Any],
    runs: list[str],
    wanted: tuple[Measure, ...],
    lenient: bool,
    notes: list[str],
    draws: bool,
) -> tuple[list[RunScores], Extras]:
    from dataclasses import replace

    from tidings.core import Problems
    from tidings.evaluation.measures import Measure
    from tidings.evaluation.report.comparison import Curves, Extras

    size = next((Measure(name) for name in SIZES if name in scorer.info), None)
    asked = wanted if size is None or size in wanted else (*wanted, size)
    scored: list[RunScores] = []
    curves: Curves = []
    for path in runs:
        problems = Problems(lenient=lenient)
        of_file = scorer.read_runs(path, problems)
        scored += scorer.score_from(path, of_file, asked)
        if problems.count:
            notes.append(problems.summary())
        if draws and scorer.curve is not None:
            curves = [*curves, *map(scorer.curve, of_file)]
    topics = dict.fromkeys(topic for run in scored for topic in run.per_event)
    sizes: tuple[tuple[float, ...], ...] = ()
    if size is not None:
        sizes = tuple(
            tuple(run.per_event.get(topic, {}).get(size, 0.0) for topic in topics) for run in scored
        )
    whole = curves if len(curves) == len(scored) else ()
    return [replace(run, measures=wanted) for run in scored], Extras(sizes, size.name if size else "", whole)


def _tests(settings: Settings) -> list[tuple[str, object]]:
    from tidings.evaluation.measures.run_comparison import Settings

    usual = Settings()
    names = ("correction", "alpha", "interval", "level", "samples", "resamples", "seed")
    return [
        (name, getattr(settings, name)) for name in names if getattr(settings, name) != getattr(usual, name)
    ]


def _command(
    runs: list[str],
    judgments: Path,
    rules: str,
    baseline: str,
    wanted: tuple[Measure, ...],
    more: list[tuple[str, object]],
) -> str:
    import shlex

    from tidings.evaluation.scoring.runs import printable_path

    words = [
        "tidings",
        "compare",
        *map(printable_path, runs),
        "--judgments",
        str(judgments),
        "--rules",
        rules,
    ]
    words += ["--baseline", baseline, "--measures", ",".join(map(str, wanted))]
    for name, value in more:
        words += [f"--{name}", str(value)]
    return shlex.join(words)


def _write_files(
    comparison: Comparison,
    provenance: Provenance,
    extras: Extras,
    html: str | None,
    charts: Path | None,
    inputs: Inputs,
) -> None:
    from tidings.core import refuse_overwriting, write_bytes

    if html is not None or charts is not None:
        from tidings.evaluation.report.comparison import chart_files, render_comparison
    drawn: list[tuple[Path, bytes]] = []
    if charts is not None:
        with waiting("drawing the charts"):
            drawn = [(charts / name, content) for name, content in chart_files(comparison, extras)]
        for path, _ in drawn:
            refuse_overwriting({"a chart of --charts": path}, inputs)
    if html is not None:
        with waiting("drawing the page"):
            page = render_comparison(comparison, provenance, extras).encode("utf-8")
        write_bytes(html, page)
        say(f"the page is at {html}", prefix="")
    if charts is not None:
        charts.mkdir(parents=True, exist_ok=True)
        for path, content in drawn:
            write_bytes(path, content)
        say(f"the charts are in {charts}", prefix="")


def _text(comparison: Comparison, provenance: Provenance, form: str, per_topic: bool, out: str | None) -> str:
    from tidings.core import render
    from tidings.evaluation.report.comparison_tables import (
        comparison_json,
        comparison_rows,
        print_comparison,
        topic_rows,
    )

    if form == "json":
        return json_text(comparison_json(comparison, provenance))
    if form in ("csv", "tsv"):
        return render((topic_rows if per_topic else comparison_rows)(comparison), form)
    width = terminal_width() if out is None else None
    return print_comparison(comparison, provenance, form, per_topic=per_topic, width=width)
