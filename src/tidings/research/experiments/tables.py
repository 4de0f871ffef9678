"""The tables of an experiment's results, for people to read."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.core import Cell, Markup, Table, clean, markdown_text, render
from tidings.evaluation import Comparison, Measure, MeasureComparison, figure, p_text, signed, verdict_p
from tidings.research.experiments.results import Block, OfficialRow, Row
from tidings.research.training.labelled_events import POOLED

CAVEAT = (
    "These runs chose from the full corpus, of which the pool is what participants submitted and assessors looked at: "
    "their figures and those above are not of one task, and cannot be held against each other."
)


_HEADINGS = {"markdown": "### ", "latex": "% "}


def print_block(block: Block, measures: Sequence[Measure], form: str = "table") -> str:
    """Title and table; after a figure, `+` says significantly above the baseline's and `-` below."""
    head = ["system", *map(str, measures), "updates", "words", "sentences/s"]
    if block.comparison:
        with_t = ["p(t)"] if block.comparison.settings.with_t else []
        head += [f"{measures[0]} difference", "p", "p(Holm)", *with_t]
    rows = tuple(_cells(block, place, measures, form) for place in range(len(block.rows)))
    table = Table(tuple(head), rows, right=tuple(range(1, len(head))))
    title = clean(f"{block.stream} stream, {block.name} ({len(block.events)} events)")
    return f"{_HEADINGS.get(form, '')}{markdown_text(title) if form == 'markdown' else title}\n\n{render(table, form)}"


def print_official(rows: Sequence[OfficialRow], measures: Sequence[Measure], form: str = "table") -> str:
    """The runs of the teams that took part, under their title and with the caveat that belongs to them."""
    head = ("team", "run", *map(str, measures), "updates", "events")
    cells = [
        (
            clean(row.team),
            clean(row.run),
            *(figure(row.means[str(measure)]) for measure in measures),
            f"{row.means['updates']:,.0f}",
            str(row.events),
        )
        for row in rows
    ]
    table = render(Table(head, tuple(cells), right=tuple(range(2, len(head)))), form)
    caveat = f"% {CAVEAT}" if form == "latex" else CAVEAT
    return f"{_HEADINGS.get(form, '')}Official scores of the teams that took part\n\n{table}\n\n{caveat}"


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


def _cells(block: Block, place: int, measures: Sequence[Measure], form: str) -> tuple[Cell, ...]:
    row, comparison = block.rows[place], block.comparison
    name = clean(row.name)
    means = [row.mean(str(measure), block.events) for measure in measures]
    costs = _costs(row, block.events)
    if comparison is None:
        return (name, *map(figure, means), *costs)
    if place == comparison.baseline:
        name += " (baseline)"
    cells: list[Cell] = [name]
    for measure, mean in zip(comparison.measures, means, strict=True):
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
    return (*cells, *costs, *tests)


def _mark(comparison: Comparison, measure: MeasureComparison, place: int) -> str:
    pair = measure.against[place]
    if pair is None or not pair.mean or str(measure.measure) in POOLED:
        return ""  # what is pooled is no mean over events, and is not tested
    sign = "+" if pair.mean > 0 else "-"
    mark = sign if verdict_p(comparison, pair) < comparison.settings.alpha else ""
    return f"{mark}*" if pair.t and pair.t.p < comparison.settings.alpha else mark


def _costs(row: Row, events: Sequence[str]) -> list[str]:
    sizes = [f"{row.mean(size, events):,.0f}" for size in ("updates", "words")]
    return [*sizes, f"{row.speed:,.0f}" if row.speed else "–"]
