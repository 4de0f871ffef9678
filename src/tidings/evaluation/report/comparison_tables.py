"""Comparisons and explanations as tables: for a terminal, Markdown, LaTeX, in long form, and as one JSON object."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tidings.core import Cell, Markup, Table, UsageError, clean, latex_text, render, score
from tidings.evaluation.measures.run_comparison import Comparison, MeasureComparison, Pair
from tidings.evaluation.report.charts import note, with_title
from tidings.evaluation.report.explanation import Failure, Only
from tidings.evaluation.report.remarks import caveat, compared_counts, counts_json, origin_words

_SHOWN = 8  # names in a line; the rest are counted


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the figures come from, so that each can be had again.

    `files` are (path, SHA-256) of the runs; `notes` are further remarks, such as skipped lines.
    """

    command: str = ""
    judgments: str = ""
    rules: str = ""
    options: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def p_text(p: float | None) -> str:
    """A p-value as papers print it.

    >>> p_text(0.03125), p_text(0.00001), p_text(1.0), p_text(None)
    ('.0312', '<.0001', '1', '–')
    """
    if p is None or math.isnan(p):
        return "–"
    if p < 0.0001:
        return "<.0001"
    return "1" if p >= 0.99995 else f"{p:.4f}"[1:]


def with_sign(value: float) -> str:
    """A difference with its sign.

    >>> with_sign(0.0312), with_sign(-2.5), with_sign(0.0)
    ('+0.0312', '−2.5000', '0.0000')
    """
    if not math.isfinite(value):
        return ("+∞" if value > 0 else "−∞") if math.isinf(value) else "–"
    text = score(abs(value))
    return (
        text
        if not value or not any(digit in "123456789" for digit in text)
        else ("+" if value > 0 else "−") + text
    )


def figure(value: float) -> str:
    """A score as text prints it, with a true minus.

    >>> figure(-0.19524), figure(62898.5)
    ('−0.1952', '62,898.5')
    """
    return score(value).replace("-", "−")


def marks(comparison: Comparison, measure: MeasureComparison, run: int) -> str:
    """The letters of the runs that this one is significantly better than."""
    return "".join(comparison.runs[place].letter for place in measure.beats[run])


def verdict_p(comparison: Comparison, pair: Pair) -> float:
    """The p-value by which a pair with the baseline is judged, as the settings' correction says."""
    return {"holm": pair.holm, "tukey": pair.tukey}.get(comparison.settings.correction, pair.randomization.p)


def finding(comparison: Comparison, measure: MeasureComparison) -> str:
    """A few sentences: which runs differ from the baseline by this measure, and what that must not be taken for."""
    return _verdict(comparison, measure) + _caveats(comparison, measure)


def _caveats(comparison: Comparison, measure: MeasureComparison) -> str:
    runs: dict[str, list[str]] = {}
    for pair in measure.against:
        if pair and (why := caveat(comparison, pair.run)):
            runs.setdefault(why, []).append(clean(comparison.runs[pair.run].name))
    if not runs:
        return ""
    said = "; ".join(f"{_list_words(names)}: {why}" for why, names in runs.items())
    return f" This does not say which system is better ({said}; see the notes)."


def _verdict(comparison: Comparison, measure: MeasureComparison) -> str:
    baseline = clean(comparison.runs[comparison.baseline].name)
    alpha = comparison.settings.alpha
    how_p = {"holm": "p after Holm's correction", "tukey": "p of randomized Tukey HSD"}
    by = f"By {measure.measure} ({how_p.get(comparison.settings.correction, 'p uncorrected')}),"
    pairs = [pair for pair in measure.against if pair]
    better: list[str] = []
    worse: list[str] = []
    apart: list[str] = []
    rest: list[str] = []
    for pair in pairs:
        p = p_text(verdict_p(comparison, pair))
        p = f"p < {p[1:]}" if p.startswith("<") else f"p = {p}"
        said = f"{clean(comparison.runs[pair.run].name)} ({with_sign(pair.mean)}, {p})"
        if verdict_p(comparison, pair) >= alpha or not pair.mean:
            rest.append(said)
        elif not measure.sign:
            apart.append(said)
        else:
            (better if measure.sign * pair.mean > 0 else worse).append(said)
    parts = [
        f"{_list_words(names)} {'are' if len(names) > 1 else 'is'} significantly {how} {baseline}"
        for names, how in ((better, "better than"), (worse, "worse than"), (apart, "different from"))
        if names
    ]
    if not parts and len(pairs) == 1:
        name = clean(comparison.runs[pairs[0].run].name)
        return f"{by} {name} does not differ significantly from {baseline}{rest[0].removeprefix(name)}."
    if not parts:
        return f"{by} none of the runs differs significantly from {baseline}: {_list_words(rest)}."
    end = ""
    if rest:
        end = f" No significant difference from {baseline}: {_list_words(rest)}."
    return f"{by} {'; '.join(parts)}.{end}"


def method(comparison: Comparison) -> list[str]:
    """How every figure was computed, in sentences that can go into a paper."""
    settings, runs = comparison.settings, len(comparison.runs)
    tests = {pair.randomization for measure in comparison.measures for pair in measure.against if pair}
    exact = sorted({test.arrangements for test in tests if test.exact})
    drawn = any(not test.exact for test in tests)
    how = []
    if exact:
        how.append(
            f"all {' or '.join(f'{count:,}' for count in exact)} assignments of signs are counted (exact)"
        )
    if drawn:
        how.append(f"{settings.samples:,} random assignments of signs are drawn (seed {settings.seed})")
    said = {
        "holm": "the two-sided randomization test with Holm's correction over all pairs of runs",
        "tukey": "randomized Tukey HSD",
        "none": "the two-sided randomization test, uncorrected",
    }[settings.correction]
    kind = {
        "bca": "bias-corrected and accelerated (BCa)",
        "percentile": "percentile",
        "studentized": "studentized (bootstrap-t)",
    }[settings.interval]
    sentences = [
        f"Means are over all judged topics ({len(comparison.topics)}), a silent one counting as the measure's value of "
        "silence (0 for most), so they can be lower than official means over a run's own topics.",
        f"p: paired randomization test on the mean difference from the baseline, two-sided; {'; '.join(how)}.",
    ]
    if settings.with_t:
        sentences.append("p(t): paired t-test, two-sided.")
    sentences += [
        f"p(Holm): p after Holm's correction over the {runs - 1} comparison{'s' if runs > 2 else ''} with the "
        "baseline, for each measure by itself.",
        f"p(Tukey): randomized Tukey HSD over all pairs of runs ({runs * (runs - 1) // 2}), {settings.samples:,} "
        f"shuffles (seed {settings.seed}).",
        f"{100 * settings.level:g} % confidence intervals of the mean difference: {kind} bootstrap over topics, "
        f"{settings.resamples:,} resamples (seed {settings.seed}).{_coverage(comparison)}",
        "d: Cohen's d for paired samples, the mean difference over the standard deviation of the differences.",
        f"Marks: a run is better than those whose letters it has, at p < {settings.alpha:g} by {said}, for each "
        "measure by itself. Measures are not corrected for each other.",
    ]
    if len(comparison.topics) < 2:
        sentences.append(
            "One topic is too few: nothing can be tested on it, and no run can be found to differ."
        )
    return sentences


def _coverage(comparison: Comparison) -> str:
    """What such intervals hold in truth where topics are few (measured by `python -m bench.coverage`)."""
    if len(comparison.topics) >= 50 or comparison.settings.interval == "studentized":
        return ""
    return (
        " For so few topics, such intervals are too narrow: of 95 % ones from 15 skewed differences 84 to 93 in 100 "
        "hold the true mean, of --interval studentized 90 to 96 (docs/evaluation/comparing.md)."
    )


def silence(comparison: Comparison) -> list[str]:
    """Which topics each run was silent on, and which a measure left out."""
    said = []
    for run in comparison.runs:
        if run.silent:
            many = f"{len(run.silent)} of {len(comparison.topics)} topics"
            said.append(
                f"{clean(run.name)} is silent on {many} ({_some(run.silent)}): counted as silence there."
            )
        if run.unjudged:
            said.append(
                f"{clean(run.name)} tells of {_some(run.unjudged)}, for which there are no judgments; skipped."
            )
    by_topics: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for measure in comparison.measures:
        empty = tuple(topic for topic in measure.left_out if topic not in measure.unspoken)
        for topics, why in (
            (empty, "no finite value there"),
            (measure.unspoken, "a run is silent there, and saying nothing is not being brief"),
        ):
            if topics:
                by_topics.setdefault((topics, why), []).append(str(measure.measure))
    for (topics, why), names in by_topics.items():
        said.append(f"{_list_words(names)} left {_some(topics)} out for all runs: {why}.")
    return said


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(clean(name) for name in names[:_SHOWN])
    return shown + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _list_words(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def scores_table(comparison: Comparison, form: str = "table") -> Table:
    """Mean of each run by each measure; marks name the runs beaten, the best is emphasised where the form can."""
    head = ("", "run", *(str(measure.measure) for measure in comparison.measures))
    rows: list[tuple[Cell, ...]] = []
    for place, run in enumerate(comparison.runs):
        name = clean(run.name) + (" (baseline)" if place == comparison.baseline else "")
        cells = [_score_cell(comparison, measure, place, form) for measure in comparison.measures]
        rows.append((run.letter, name, *cells))
    return Table(head, tuple(rows))


def differences_table(comparison: Comparison, measure: MeasureComparison) -> Table:
    """Each run against the baseline by one measure."""
    level = f"{100 * comparison.settings.level:g} % interval"
    head = ["run", "mean", "difference", level, "d", "+/=/-", "p", "p(Holm)", "p(Tukey)"]
    if comparison.settings.with_t:
        head.insert(7, "p(t)")
    rows: list[tuple[Cell, ...]] = []
    for place, run in enumerate(comparison.runs):
        pair = measure.against[place]
        if pair is None:
            rows.append((clean(run.name), figure(measure.means[place]), "baseline", *[""] * (len(head) - 3)))
            continue
        cells = [
            clean(run.name),
            figure(measure.means[place]),
            with_sign(pair.mean),
            _interval(pair),
            _effect(pair.d),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
            p_text(pair.randomization.p),
            p_text(pair.holm),
            p_text(pair.tukey),
        ]
        if comparison.settings.with_t:
            cells.insert(7, p_text(pair.t.p if pair.t else None))
        rows.append(tuple(cells))
    return Table(tuple(head), tuple(rows), right=tuple(range(1, len(head))))


def topics_table(comparison: Comparison, measure: MeasureComparison) -> Table:
    """Each topic: every run's score, and its difference from the baseline."""
    base = comparison.baseline
    others = [place for place in range(len(comparison.runs)) if place != base]
    names = [clean(run.name) for run in comparison.runs]
    head = ("topic", names[base], *(name for place in others for name in (names[place], "difference")))
    rows: list[tuple[Cell, ...]] = []
    for number, topic in enumerate(measure.topics):
        cells: list[Cell] = [clean(topic), _at(comparison, measure, base, number)]
        for place in others:
            difference = measure.scores[place][number] - measure.scores[base][number]
            cells += [_at(comparison, measure, place, number), with_sign(difference)]
        rows.append(tuple(cells))
    return Table(head, tuple(rows), right=tuple(range(1, len(head))))


def print_comparison(
    comparison: Comparison,
    provenance: Provenance,
    form: str = "table",
    *,
    per_topic: bool = False,
    width: int | None = None,
) -> str:
    """The whole comparison as text, in `table`, `markdown` or `latex`, without a line end after the last line.

    `width` bounds the lines of tables, as in `render`.

    Raises:
        UsageError: there is no such form.
    """
    if form not in ("table", "markdown", "latex"):
        raise UsageError(f"unknown format {form!r}; known are table, markdown, latex, json")
    baseline = clean(comparison.runs[comparison.baseline].name)
    scores = scores_table(comparison, form)
    title = f"Scores: means over all {len(comparison.topics)} topics"
    blocks = [
        with_title(title, _latex_scores(scores) if form == "latex" else render(scores, form, width), form)
    ]
    for measure in comparison.measures:
        title = f"{measure.measure} against {baseline}{_direction(measure)}"
        blocks.append(
            with_title(title, _plus(render(differences_table(comparison, measure), form, width), form), form)
        )
        if per_topic:
            title = f"{measure.measure} by topic"
            blocks.append(
                with_title(title, _plus(render(topics_table(comparison, measure), form, width), form), form)
            )
    main = comparison.measures[0]
    words = [
        finding(comparison, main),
        *compared_counts(comparison),
        *origin_words(comparison),
        *silence(comparison),
        *provenance.notes,
        *method(comparison),
    ]
    blocks.append(with_title("Notes", "\n".join(note(line, form) for line in words), form))
    return "\n\n".join(blocks)


def comparison_json(comparison: Comparison, provenance: Provenance) -> dict[str, Any]:
    """Everything, unrounded: settings, runs, topics, and for each measure scores, pairs and who beats whom."""
    names = [run.name for run in comparison.runs]
    content: dict[str, Any] = {
        "command": provenance.command,
        "judgments": provenance.judgments,
        "rules": provenance.rules,
        "options": dict(provenance.options),
        "files": [{"path": path, "sha256": digest} for path, digest in provenance.files],
        "settings": {name: value for name, value in asdict(comparison.settings).items() if name != "with_t"},
        "runs": [
            {
                "name": run.name,
                "team": run.team,
                "run": run.run,
                "letter": run.letter,
                "silent": list(run.silent),
                "counts": counts_json(run.counts),
                "system": run.origin.system if run.origin else "",
                "learned_from": list(run.origin.learned_from) if run.origin else [],
                "choice": run.origin.choice if run.origin else "",
                "choice_inferred": bool(run.origin and run.origin.inferred),
            }
            for run in comparison.runs
        ],
        "baseline": names[comparison.baseline],
        "topics": list(comparison.topics),
        "measures": [_measure_json(comparison, measure) for measure in comparison.measures],
        "notes": [
            *compared_counts(comparison),
            *origin_words(comparison),
            *silence(comparison),
            *provenance.notes,
            *method(comparison),
        ],
    }
    cleaned: dict[str, Any] = _clean(content)
    return cleaned


def _clean(value: Any) -> Any:
    """Names come from files; none of them may break what reads this."""
    if isinstance(value, dict):
        return {clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return clean(value) if isinstance(value, str) else value


def _measure_json(comparison: Comparison, measure: MeasureComparison) -> dict[str, Any]:
    names = [run.name for run in comparison.runs]
    pairs = []
    for pair in measure.against:
        if pair is None:
            continue
        pairs.append(
            {
                "run": names[pair.run],
                "baseline": names[pair.other],
                "differences": dict(zip(measure.topics, pair.differences, strict=True)),
                "mean_difference": pair.mean,
                "interval": [pair.interval.low, pair.interval.high]
                if math.isfinite(pair.interval.low)
                else None,
                "cohens_d": pair.d if math.isfinite(pair.d) else None,
                "wins": pair.wins,
                "ties": pair.ties,
                "losses": pair.losses,
                "p_randomization": pair.randomization.p,
                "arrangements": pair.randomization.arrangements,
                "exact": pair.randomization.exact,
                "t": pair.t.t if pair.t and math.isfinite(pair.t.t) else None,
                "df": pair.t.df if pair.t else None,
                "p_t": pair.t.p if pair.t else None,
                "p_holm": pair.holm,
                "p_tukey": pair.tukey,
            }
        )
    return {
        "measure": str(measure.measure),
        "better": measure.info.better,
        "left_out": list(measure.left_out),
        "means": dict(zip(names, measure.means, strict=True)),
        "scores": {
            name: dict(zip(measure.topics, row, strict=True))
            for name, row in zip(names, measure.scores, strict=True)
        },
        "against_baseline": pairs,
        "beats": {
            name: [names[place] for place in places]
            for name, places in zip(names, measure.beats, strict=True)
        },
    }


def _score_cell(comparison: Comparison, measure: MeasureComparison, place: int, form: str) -> str:
    value, letters = figure(measure.means[place]), marks(comparison, measure, place)
    best = place in measure.best
    if form == "latex":
        value = value.replace("−", "-").replace("–", "-").replace(",", "{,}")
        value = rf"\mathbf{{{value}}}" if best else value
        return f"${value}^{{{letters}}}$" if letters else f"${value}$"
    if form == "markdown":
        return Markup((f"**{value}**" if best else value) + (f"<sup>{letters}</sup>" if letters else ""))
    return f"{value} {letters}".strip()


def _at(comparison: Comparison, measure: MeasureComparison, place: int, number: int) -> str:
    quiet = measure.topics[number] in comparison.runs[place].silent
    return figure(measure.scores[place][number]) + (" (silent)" if quiet else "")


def _interval(pair: Pair) -> str:
    if not math.isfinite(pair.interval.low):
        return "–"
    return f"[{with_sign(pair.interval.low)}, {with_sign(pair.interval.high)}]"


def _effect(d: float) -> str:
    return f"{d:+.2f}".replace("-", "−") if math.isfinite(d) else with_sign(d)


def _direction(measure: MeasureComparison) -> str:
    return {1: "", -1: " (lower is better)", 0: " (neither way is better)"}[measure.sign]


def _plus(text: str, form: str) -> str:
    if form != "latex":
        return text
    for plain, typeset in (("−", "$-$"), ("∞", r"$\infty$"), ("–", "--")):
        text = text.replace(plain, typeset)
    return text


def _latex_scores(table: Table) -> str:
    rows: Sequence[Sequence[str]] = table.texts()
    spec = "ll" + "r" * (len(table.columns) - 2)
    head = " & ".join(latex_text(cell) for cell in table.columns) + r" \\"
    lines = [" & ".join([*(latex_text(cell) for cell in row[:2]), *row[2:]]) + r" \\" for row in rows]
    return "\n".join(
        [rf"\begin{{tabular}}{{{spec}}}", r"\hline", head, r"\hline", *lines, r"\hline", r"\end{tabular}"]
    )


def comparison_rows(comparison: Comparison) -> Table:
    """A row for each run and measure: its mean, and what sets it apart from the baseline (empty for the baseline)."""
    names = [run.name for run in comparison.runs]
    rows: list[tuple[Cell, ...]] = []
    for measure in comparison.measures:
        for place, pair in enumerate(measure.against):
            head = (
                str(measure.measure),
                names[place],
                names[comparison.baseline],
                float(measure.means[place]),
            )
            if pair is None:
                rows.append((*head, *[""] * 10))
                continue
            figures = (
                pair.mean,
                pair.interval.low,
                pair.interval.high,
                pair.d,
                pair.randomization.p,
                pair.holm,
                pair.tukey,
            )
            shown = [float(value) if math.isfinite(value) else "" for value in figures]
            rows.append((*head, *shown, pair.wins, pair.ties, pair.losses))
    heads = ("measure", "run", "baseline", "mean", "difference", "low", "high", "d")
    return Table((*heads, "p", "p_holm", "p_tukey", "wins", "ties", "losses"), tuple(rows), digits=6)


def topic_rows(comparison: Comparison) -> Table:
    """A row for each measure, run and topic, with the score and whether the run is silent there."""
    rows = [
        (str(measure.measure), run.name, topic, float(value), "silent" if topic in run.silent else "")
        for measure in comparison.measures
        for place, run in enumerate(comparison.runs)
        for topic, value in zip(measure.topics, measure.scores[place], strict=True)
    ]
    return Table(("measure", "run", "topic", "value", "silent"), tuple(rows), digits=6)


def explanation_rows(failure: Failure, only: Only | None = None) -> Table:
    """A row for each nugget (missed or covered) and each update (earned or wasted), with times in seconds."""
    rows: list[tuple[Cell, ...]] = []
    if only in (None, "missed"):
        for item in failure.missed:
            one = item.nugget
            rows.append(("missed", one.id, one.time, float(item.relevance), "", 0.0, "", "", "", one.text))
    if only in (None, "earned"):
        for item in failure.covered:
            one, teller = item.nugget, item.told_by.id if item.told_by else ""
            late = "" if item.latency_s is None else item.latency_s
            gain = float(item.latency_gain)
            rows.append(
                ("told", one.id, one.time, float(item.relevance), late, gain, "", teller, "", one.text)
            )
    for kind, updates in (("earned", failure.earning), ("wasted", failure.wasted)):
        if only in (None, kind):
            for update in updates:
                key = (update.update.id, update.update.time)
                cost: Cell = float(update.verbosity) if update.counted else ""
                text = failure.texts.get(key[0], "")
                gain = float(update.latency_gain)
                rows.append((kind, *key, "", "", gain, cost, "", failure.why[key], text))
    heads = ("list", "id", "time", "weight", "latency_s", "gain", "cost", "told_by", "why", "text")
    return Table(heads, tuple(rows), digits=6)


def join_tables(sections: Sequence[tuple[str, Table]]) -> Table:
    """Several tables as one: a column says which list a row is of, cells that a list does not have are empty.

    >>> join_tables([("A", Table(("x", ""), ((1, "new"),))), ("B", Table(("y",), ((2,),)))]).rows
    (('A', 1, 'new', ''), ('B', '', '', 2))
    """
    named = [(title, [head or "what" for head in table.columns], table.rows) for title, table in sections]
    heads = dict.fromkeys(head for _, columns, _ in named for head in columns)
    rows: list[tuple[Cell, ...]] = []
    for title, columns, cells in named:
        for row in cells:
            by_head = dict(zip(columns, row, strict=True))
            rows.append((title, *(by_head.get(head, "") for head in heads)))
    return Table(("list", *heads), tuple(rows), digits=6)
