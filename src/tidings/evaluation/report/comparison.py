"""A comparison as one HTML file, in the dress and under the policy of the other pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tidings.evaluation.measures.run_comparison import Comparison, MeasureComparison
from tidings.evaluation.report.charts import picture
from tidings.evaluation.report.comparison_charts import Extras, drawings, swatch
from tidings.evaluation.report.comparison_tables import (
    Provenance,
    differences_table,
    figure,
    finding,
    marks,
    method,
    silence,
    topics_table,
    verdict_p,
)
from tidings.evaluation.report.remarks import compared_counts, origin_words


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean in the table of scores."""

    value: str
    marks: str
    best: bool


@dataclass(frozen=True, slots=True)
class Block:
    """One measure held against the baseline: title, meaning, direction, and the table's heads and rows.

    Rows are (cells, is this the baseline, does the run differ significantly).
    """

    name: str
    title: str
    meaning: str
    direction: str
    heads: tuple[str, ...]
    rows: list[tuple[list[str], bool, str]]


def render_comparison(
    comparison: Comparison, provenance: Provenance | None = None, extras: Extras | None = None
) -> str:
    """The whole page as text; the same comparison gives the same text.

    The first measure is the main one: charts and the table by topic are of it.
    """
    from tidings.evaluation.report.page import fill_template

    main = comparison.measures[0]
    drawn = drawings(comparison, main, extras or Extras())
    whole = {chart.name: chart.chart() for chart in drawn if not chart.name.startswith("topics-")}
    topics = topics_table(comparison, main)
    return fill_template(
        "comparison.html.j2",
        "comparison.css",
        c=comparison,
        main=main,
        finding=finding(comparison, main),
        method=method(comparison),
        silence=silence(comparison),
        origins=[*compared_counts(comparison), *origin_words(comparison)],
        provenance=provenance or Provenance(),
        charts=whole,
        keyed={chart.name for chart in drawn if chart.keys},
        small=[chart.small() for chart in drawn if chart.name.startswith("topics-")],
        swatches=[swatch(place, pointed=True) for place in range(len(comparison.runs))],
        cells=list(_cells(comparison)),
        blocks=[_block(comparison, measure) for measure in comparison.measures],
        topic_heads=topics.columns,
        topic_rows=topics.texts(),
        curves=extras.curves if extras else (),
    )


def chart_files(comparison: Comparison, extras: Extras | None = None) -> Iterator[tuple[str, bytes]]:
    """(file name, content) of every chart of the main measure, as SVG and as PNG (twice the size, on white)."""
    for chart in drawings(comparison, comparison.measures[0], extras or Extras()):
        for ending in (".svg", ".png"):
            yield f"{chart.name}{ending}", picture(chart.keyed, ending)


def _cells(comparison: Comparison) -> Iterator[list[Cell]]:
    for place in range(len(comparison.runs)):
        yield [
            Cell(figure(measure.means[place]), marks(comparison, measure, place), place in measure.best)
            for measure in comparison.measures
        ]


def _block(comparison: Comparison, measure: MeasureComparison) -> Block:
    table = differences_table(comparison, measure)
    rows = []
    for place, (cells, pair) in enumerate(zip(table.texts(), measure.against, strict=True)):
        how = ""
        if pair and verdict_p(comparison, pair) < comparison.settings.alpha and measure.sign:
            how = "better" if measure.sign * pair.mean > 0 else "worse"
        rows.append((cells, place == comparison.baseline, how))
    direction = {1: "higher is better", -1: "lower is better", 0: "neither way is better in itself"}
    return Block(
        str(measure.measure),
        measure.info.title,
        measure.info.meaning,
        direction[measure.sign],
        table.columns,
        rows,
    )
