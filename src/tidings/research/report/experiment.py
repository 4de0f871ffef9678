"""The tables of an experiment: systems by row, figures by column, marks for what differs from the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.core import Cell, Markup, Table, clean, markdown_text, render
from tidings.evaluation import Comparison, Measure, MeasureComparison, figure, p_text, signed, verdict_p

__all__ = [
    "OfficialLine",
    "ResultRow",
    "ResultTable",
    "notes",
    "print_official",
    "print_results",
    "results_table",
]


CAVEAT = (
    "These runs chose from the full corpus, of which the pool is what participants submitted and assessors looked at: "
    "their figures and those above are not of one task, and cannot be held against each other."
)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One system: its means in the order of the measures, and what it cost."""

    name: str
    means: tuple[float, ...]
    updates: float
    words: float
    speed: float


@dataclass(frozen=True, slots=True)
class OfficialLine:
    """A run that took part in the track: its means in the order of the measures, over so many events."""

    team: str
    run: str
    means: tuple[float, ...]
    updates: float
    events: int


@dataclass(frozen=True, slots=True)
class ResultTable:
    """One table: a title, measures, rows in the order to be shown, and the tests where there are two rows or more."""

    title: str
    measures: tuple[Measure, ...]
    rows: tuple[ResultRow, ...]
    comparison: Comparison | None = None


def results_table(results: ResultTable, form: str = "table") -> Table:
    """The table. After a figure, `+` says significantly above the baseline's and `-` below."""
    main = str(results.measures[0])
    head = ["system", *map(str, results.measures), "updates", "words", "sentences/s"]
    if results.comparison:
        head += [
            f"{main} difference",
            "p",
            "p(Holm)",
            *(["p(t)"] if results.comparison.settings.with_t else []),
        ]
    rows = [_row(results, place, form) for place in range(len(results.rows))]
    return Table(tuple(head), tuple(rows), right=tuple(range(1, len(head))))


def print_results(results: ResultTable, form: str = "table") -> str:
    """Title and table as text in one of the forms of tables."""
    table = results_table(results, form)
    mark = {"markdown": "### ", "latex": "% "}.get(form, "")
    title = clean(results.title)
    return f"{mark}{markdown_text(title) if form == 'markdown' else title}\n\n{render(table, form)}"


def print_official(measures: Sequence[Measure], rows: Sequence[OfficialLine], form: str = "table") -> str:
    """The runs of the teams that took part, under their title and with the caveat that belongs to them."""
    head = ("team", "run", *map(str, measures), "updates", "events")
    cells = [
        (clean(row.team), clean(row.run), *map(figure, row.means), f"{row.updates:,.0f}", str(row.events))
        for row in rows
    ]
    table = Table(head, tuple(cells), right=tuple(range(2, len(head))))
    mark = {"markdown": "### ", "latex": "% "}.get(form, "")
    caveat = f"% {CAVEAT}" if form == "latex" else CAVEAT
    return f"{mark}Official scores of the teams that took part\n\n{render(table, form)}\n\n{caveat}"


def notes(comparison: Comparison) -> list[str]:
    """What the marks and the columns of p mean."""
    settings = comparison.settings
    by_t = (
        f"`*` after a figure: p(t) < {settings.alpha:g}, the paired t-test on the difference from the baseline's, for "
        "this measure and row alone."
    )
    return [
        "Rows are ordered by the first measure. `+` and `-` after a figure: significantly above or below the "
        f"baseline's, at p < {settings.alpha:g} after Holm's correction over the rows, for each measure by itself.",
        "p: paired randomisation test over events, two-sided, on the mean difference of the first measure from the "
        f"baseline's (exact where events are few, else {settings.samples:,} rounds, seed {settings.seed}).",
        *([by_t] if settings.with_t else []),
        "updates and words: means for each event. sentences/s: of CPU on one core, deciding alone, "
        "without reading.",
    ]


def _row(results: ResultTable, place: int, form: str) -> tuple[Cell, ...]:
    row, comparison = results.rows[place], results.comparison
    name = clean(row.name)
    if comparison is None:
        return (name, *map(figure, row.means), *_costs(row))
    if place == comparison.baseline:
        name += " (baseline)"
    cells: list[Cell] = [name]
    for measure, mean in zip(comparison.measures, row.means, strict=True):
        text, mark = figure(mean), _mark(comparison, measure, place)
        if form == "markdown" and place in measure.best:
            cells.append(Markup(f"**{text}** {markdown_text(mark)}".rstrip()))
        else:
            cells.append(f"{text} {mark}".rstrip())
    pair = comparison.measures[0].against[place]
    tests: tuple[str, ...] = (
        ("", "", "") if pair is None else (signed(pair.mean), p_text(pair.randomisation.p), p_text(pair.holm))
    )
    if comparison.settings.with_t:
        tests = (*tests, p_text(pair.t.p) if pair and pair.t else "")
    return (*cells, *_costs(row), *tests)


def _mark(comparison: Comparison, measure: MeasureComparison, place: int) -> str:
    pair = measure.against[place]
    if pair is None or not pair.mean:
        return ""
    sign = "+" if pair.mean > 0 else "-"
    mark = sign if verdict_p(comparison, pair) < comparison.settings.alpha else ""
    return f"{mark}*" if pair.t and pair.t.p < comparison.settings.alpha else mark


def _costs(row: ResultRow) -> Sequence[Cell]:
    return (f"{row.updates:,.0f}", f"{row.words:,.0f}", f"{row.speed:,.0f}" if row.speed else "–")
