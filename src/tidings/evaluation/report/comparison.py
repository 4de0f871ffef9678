"""A comparison as one HTML file, in the dress and under the policy of the other pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tidings.core import PALETTE
from tidings.evaluation.measures.run_comparison import Comparison, MeasureComparison
from tidings.evaluation.report.charts import Chart
from tidings.evaluation.report.comparison_charts import Extras, drawings, run_colour, run_dash, run_shape
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

if TYPE_CHECKING:
    from markupsafe import Markup

_SHAPES = {
    "circle": "M21 7a4 4 0 1 1-8 0a4 4 0 1 1 8 0z",
    "square": "M13.5 3.5h7v7h-7z",
    "triangle-up": "M17 2.5l4.6 8h-9.2z",
    "triangle-down": "M17 11.5l4.6-8h-9.2z",
    "triangle-right": "M21.5 7l-8 4.6v-9.2z",
    "diamond": "M17 2l3.8 5l-3.8 5l-3.8-5z",
    "cross": "M15.6 2.5h2.8v3.1h3.1v2.8h-3.1v3.1h-2.8v-3.1h-3.1v-2.8h3.1z",
}


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
    from markupsafe import Markup

    from tidings import __version__
    from tidings.evaluation.report.page import page_environment, page_policy, page_style

    main = comparison.measures[0]
    drawn = drawings(comparison, main, extras or Extras())
    whole = {one.name: _marked(one.chart()) for one in drawn if not one.name.startswith("topics-")}
    style = page_style("comparison.css")
    topics = topics_table(comparison, main)
    return (
        page_environment()
        .get_template("comparison.html.j2")
        .render(
            c=comparison,
            main=main,
            version=__version__,
            style=Markup(style),  # noqa: S704 our own file
            policy=page_policy(style),
            finding=finding(comparison, main),
            method=method(comparison),
            silence=silence(comparison),
            origins=[*compared_counts(comparison), *origin_words(comparison)],
            provenance=provenance or Provenance(),
            charts=whole,
            keyed={one.name for one in drawn if one.keys},
            small=[_marked(one.small()) for one in drawn if one.name.startswith("topics-")],
            swatches=[_swatch(place) for place in range(len(comparison.runs))],
            cells=list(_cells(comparison)),
            blocks=[_block(comparison, measure) for measure in comparison.measures],
            topic_heads=topics.columns,
            topic_rows=topics.texts(),
            curves=extras.curves if extras else (),
        )
    )


def chart_files(comparison: Comparison, extras: Extras | None = None) -> Iterator[tuple[str, bytes]]:
    """(file name, content) of every chart of the main measure, as SVG and as PNG (twice the size, on white)."""
    import vl_convert

    for one in drawings(comparison, comparison.measures[0], extras or Extras()):
        # Outside of a page nothing but the picture says what colours mean, and there is no style sheet.
        spec: dict[str, Any] = {**one.keyed, "background": "#ffffff", "padding": 10}
        yield f"{one.name}.svg", vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode("utf-8")
        yield f"{one.name}.png", vl_convert.vegalite_to_png(spec, scale=2, allowed_base_urls=[])


def _marked(chart: Chart) -> Chart:
    from markupsafe import Markup

    return replace(chart, wide=Markup(chart.wide), narrow=Markup(chart.narrow))  # noqa: S704 our own SVG


def _swatch(place: int) -> Markup:
    from markupsafe import Markup

    colour = PALETTE[run_colour(place)].light
    dash = " ".join(map(str, run_dash(place))) if run_dash(place)[1] else "none"
    return Markup(  # noqa: S704 our own SVG
        f'<svg class="chart swatch" viewBox="0 0 34 14" aria-hidden="true" focusable="false">'
        f'<path d="M0 7h34" stroke="{colour}" stroke-width="2.25" stroke-dasharray="{dash}" fill="none"/>'
        f'<path d="{_SHAPES[run_shape(place)]}" fill="{colour}"/></svg>'
    )


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
