"""A comparison as tables: for a terminal, for Markdown, for LaTeX, and as one JSON object."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tidings.core import Cell, Markup, Table, UsageError, clean, latex_text, markdown_text, render
from tidings.evaluation.measures.significance import Comparison, MeasureComparison, Pair
from tidings.evaluation.report.comparison_words import (
    Provenance,
    figure,
    finding,
    marks,
    method,
    p_text,
    signed,
    silence,
)
from tidings.evaluation.report.origins import origin_words
from tidings.evaluation.report.run_counts import compared_counts, counts_json

__all__ = ["comparison_json", "differences_table", "print_comparison", "scores_table", "topics_table"]


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
            signed(pair.mean),
            _interval(pair),
            _effect(pair.d),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
            p_text(pair.randomisation.p),
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
            cells += [_at(comparison, measure, place, number), signed(difference)]
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
    blocks = [
        _titled("Scores", _latex_scores(scores) if form == "latex" else render(scores, form, width), form)
    ]
    for measure in comparison.measures:
        title = f"{measure.measure} against {baseline}{_direction(measure)}"
        blocks.append(
            _titled(title, _plus(render(differences_table(comparison, measure), form, width), form), form)
        )
        if per_topic:
            title = f"{measure.measure} by topic"
            blocks.append(
                _titled(title, _plus(render(topics_table(comparison, measure), form, width), form), form)
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
    blocks.append(_titled("Notes", "\n".join(_note(line, form) for line in words), form))
    return "\n\n".join(blocks)


def comparison_json(comparison: Comparison, provenance: Provenance) -> dict[str, Any]:
    """Everything, unrounded: settings, runs, topics, and for each measure scores, pairs and who beats whom."""
    settings = comparison.settings
    names = [run.name for run in comparison.runs]
    content: dict[str, Any] = {
        "command": provenance.command,
        "judgments": provenance.judgments,
        "rules": provenance.rules,
        "options": dict(provenance.options),
        "files": [{"path": path, "sha256": digest} for path, digest in provenance.files],
        "settings": {
            "seed": settings.seed,
            "samples": settings.samples,
            "resamples": settings.resamples,
            "level": settings.level,
            "interval": settings.interval,
            "alpha": settings.alpha,
            "correction": settings.correction,
        },
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
        return {clean(key): _clean(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_clean(one) for one in value]
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
                "p_randomisation": pair.randomisation.p,
                "arrangements": pair.randomisation.arrangements,
                "exact": pair.randomisation.exact,
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
    return f"[{signed(pair.interval.low)}, {signed(pair.interval.high)}]"


def _effect(d: float) -> str:
    return f"{d:+.2f}".replace("-", "−") if math.isfinite(d) else signed(d)


def _direction(measure: MeasureComparison) -> str:
    return {1: "", -1: " (lower is better)", 0: " (neither way is better)"}[measure.sign]


def _titled(title: str, body: str, form: str) -> str:
    if form == "markdown":
        return f"### {markdown_text(title)}\n\n{body}"
    return f"% {latex_text(title)}\n{body}" if form == "latex" else f"{title}\n\n{body}"


def _note(line: str, form: str) -> str:
    return {"markdown": f"- {markdown_text(line)}", "latex": f"% {line}"}.get(form, f"* {line}")


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
