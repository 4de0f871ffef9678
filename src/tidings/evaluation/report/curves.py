"""nu-precision over nu-recall of rankings, as Figure 3 of the evaluation corpus of 2001 draws it, on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tidings.core import Cell
from tidings.evaluation.report.charts import (
    NARROW,
    WIDE,
    Spec,
    layer,
    make_chart,
    one_table,
    page_tables,
    quantity,
)
from tidings.evaluation.report.comparison import boxed, by_run, label, swatch

if TYPE_CHECKING:
    from tidings.evaluation.report.comparison_tables import Provenance

LEVELS = 11
"""Of nu-recall: 0, .1, …, 1, as is usual for curves of recall and precision."""

Points = Sequence[Mapping[str, float]]
"""The measures by name after each sentence of a ranking."""

_TINY = 1e-9  # for recall that rounding put just below a level


def mean_curve(topics: Mapping[str, Points]) -> list[float]:
    """Interpolated nu-precision at 11 levels of nu-recall, a mean over topics.

    At a level it is the best nu-precision at that nu-recall or a higher one; 0 where a ranking does not get there. The
    paper says neither how it interpolates nor how it averages.

    >>> ranked = [{"nu-P": 1.0, "nu-R": 0.5}, {"nu-P": 0.5, "nu-R": 0.5}, {"nu-P": 0.75, "nu-R": 1.0}]
    >>> mean_curve({"a": ranked, "silent": []})[4:7]
    [0.5, 0.5, 0.375]
    """
    levels = [level / (LEVELS - 1) for level in range(LEVELS)]
    best = [
        max((point["nu-P"] for point in points if point["nu-R"] >= level - _TINY), default=0.0)
        for points in topics.values()
        for level in levels
    ]
    return [sum(best[place::LEVELS]) / max(1, len(topics)) for place in range(LEVELS)]


def curves_spec(curves: Mapping[str, Sequence[float]], width: int = WIDE) -> Spec:
    """The Vega-Lite specification: a line for each run over the levels of nu-recall."""
    values = [
        {"run": label(name), "x": place / (LEVELS - 1), "y": round(value, 5)}
        for name, curve in curves.items()
        for place, value in enumerate(curve)
    ]
    channels = by_run([label(name) for name in curves], legend=False)
    top = max([1.0, *(value["y"] for value in values)])  # type: ignore[type-var]
    encoding = {
        "x": quantity(
            "x", {"title": "nu-recall", "format": ".1f", "tickCount": 5, "grid": False}, domain=[0, 1]
        ),
        "y": quantity(
            "y", {"title": "nu-precision", "format": ".1f", "tickCount": 5, "minExtent": 34}, domain=[0, top]
        ),
        **channels,
    }
    marks = [
        layer(values, {name: encoding[name] for name in ("x", "y", "color", "strokeDash")}, "line"),
        layer(values, {name: encoding[name] for name in ("x", "y", "color", "shape")}, "point", filled=True),
    ]
    return boxed({"width": width, "height": 320 if width > NARROW else 220, "layer": marks}, "")


def render_curves(runs: Mapping[str, Mapping[str, Points]], judgments: str, provenance: Provenance) -> str:
    """The whole page as text.

    Args:
        runs: a run's name to its topics' points.
        judgments: their name.
        provenance: the command, and the files' digests.
    """
    from tidings.evaluation.report.page import fill_template

    curves = {name: mean_curve(topics) for name, topics in runs.items()}
    count = max(map(len, runs.values()), default=0)
    chart = make_chart(
        "curves",
        "nu-precision over nu-recall",
        f"Runs: {len(curves)}; means over topics: {count}.",
        (),
        lambda width: curves_spec(curves, width),
    )
    heads = ("run", *(f"{place / (LEVELS - 1):.1f}" for place in range(LEVELS)))
    words = "nu-precision at eleven levels of nu-recall; interpolated, a mean over topics."
    rows: list[tuple[Cell, ...]] = [(label(name), *curve) for name, curve in curves.items()]
    section = one_table("levels", "The figures", [words], heads, rows, range(1, LEVELS + 1))
    return fill_template(
        "curves.html.j2",
        "comparison.css",
        judgments=judgments,
        chart=chart,
        keys=[(swatch(place, pointed=True), label(name)) for place, name in enumerate(curves)],
        section=section,
        tables=page_tables(section),
        provenance=provenance,
    )
