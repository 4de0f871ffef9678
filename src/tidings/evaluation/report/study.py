"""A study of nuggets and clusters as one HTML file, in the dress and under the policy of the other pages."""

from __future__ import annotations

import math

from tidings.core import PALETTE
from tidings.evaluation.measures.agreement import Line, sign
from tidings.evaluation.report.charts import Chart, Spec, draw, layer, page_tables, quantity, whole
from tidings.evaluation.report.comparison_tables import Provenance
from tidings.evaluation.report.study_tables import METRIC_NAMES, headline, sections
from tidings.evaluation.study.score_agreement import Correlation, Pairs
from tidings.evaluation.study.whole_study import Study

YEAR_PX = 300
TOPIC_PX = 150
GRID = 0.04
"""Points of pairs that fall into one square of this size are drawn once."""

_CROSS = "M-1,-1L1,1M-1,1L1,-1"
_MARKS: dict[str, Spec] = {
    "tied": {"color": PALETTE["muted"].light, "shape": "diamond", "size": 13, "filled": True},
    "agree": {"color": PALETTE["early"].light, "shape": "circle", "size": 14, "strokeWidth": 0.8},
    "disagree": {"color": PALETTE["deaths"].light, "shape": _CROSS, "size": 9, "strokeWidth": 1.3},
}
"""In the order in which they are drawn; told apart by their shapes where the print has no colours."""


def correlation_chart(plot: Correlation, name: str) -> Chart:
    """A plot of Figure 2, under this name on its page."""
    title = f"{METRIC_NAMES[plot.metric].capitalize()}, {plot.group}"
    topics = f"{plot.topics} topic{'' if plot.topics == 1 else 's'}"
    words = f"{len(plot.points)} runs over {topics}: {_figures(plot)}."
    picture = draw(correlation_spec(plot), name, title, words)
    return Chart(title, words, picture, picture)


def _figures(plot: Correlation) -> str:
    shown = (("τ", plot.tau), ("r", plot.r), ("R²", plot.line.r2))
    return ", ".join(
        f"{name} = {value:.3f}" if math.isfinite(value) else f"{name} –" for name, value in shown
    )


def correlation_spec(plot: Correlation, width: int = YEAR_PX) -> Spec:
    """Its Vega-Lite specification: both axes from 0 to the greatest value of each, the line as far as the points go."""
    points = [{"x": round(point.x, 5), "y": round(point.y, 5)} for point in plot.points]
    across, up = (max([point[key] for point in points], default=0.0) or 1.0 for key in ("x", "y"))
    encoding = {"x": _axis("x", "by nuggets", across), "y": _axis("y", "by clusters", up)}
    layers = [layer(points, encoding, "point", size=38, strokeWidth=1.4, color=PALETTE["tide"].light)]
    low, high = (pick([point["x"] for point in points], default=0.0) for pick in (min, max))
    layers += _line(plot.line, low, high, up, 0.0)
    return whole({"width": width, "height": width, "layer": layers})


def _axis(field: str, title: str, far: float) -> Spec:
    axis = {"title": title, "tickCount": 5, "format": ".2~f", **({"minExtent": 30} if field == "y" else {})}
    return quantity(field, axis, domain=[0, far * 1.12], nice=False)


def _line(line: Line, low: float, high: float, top: float, bottom: float) -> list[Spec]:
    if not math.isfinite(line.slope) or high <= low:
        return []
    ends = [_within(line, x, bottom, top * 1.12) for x in (low, high)]
    values = [{"x": round(x, 5), "y": round(y, 5)} for x, y in ends]
    encoding = {"x": quantity("x"), "y": quantity("y")}
    return [
        layer(values, encoding, "line", color=PALETTE["violet"].light, strokeWidth=1.6, strokeDash=[5, 3])
    ]


def _within(line: Line, x: float, bottom: float, top: float) -> tuple[float, float]:
    # The point of the line at x, or where it leaves the picture.
    y = line.at(x)
    if bottom <= y <= top:
        return x, y
    edge = min(max(y, bottom), top)
    return (edge - line.intercept) / line.slope, edge


def pairs_chart(pairs: Pairs, name: str) -> Chart:
    """A plot of Figure 3 or 4, under this name on its page."""
    title = pairs.topic
    said = f"{100 * pairs.share:.0f} % agree" if math.isfinite(pairs.share) else "no pair told apart"
    tau = f"τ = {pairs.tau:.2f}" if math.isfinite(pairs.tau) else "τ –"
    words = f"{said}, {tau}"
    picture = draw(pairs_spec(pairs), name, title, f"{METRIC_NAMES[pairs.metric]}: {words}")
    return Chart(title, words, picture, picture)


def pairs_spec(pairs: Pairs, width: int = TOPIC_PX) -> Spec:
    """Its Vega-Lite specification: green rings agree, red crosses disagree, grey diamonds are ties."""
    drawn: dict[tuple[int, int, str], Spec] = {}
    for x, y in pairs.points:
        product = sign(x) * sign(y)
        how = "agree" if product > 0 else "disagree" if product < 0 else "tied"
        drawn.setdefault(
            (round(x / GRID), round(y / GRID), how), {"x": round(x, 3), "y": round(y, 3), "how": how}
        )
    encoding = {"x": _differences("x", "nuggets"), "y": _differences("y", "clusters")}
    line = PALETTE["line"].light
    layers = [
        layer([{"x": 0}], {"x": encoding["x"], "y": None}, "rule", color=line),
        layer([{"y": 0}], {"y": encoding["y"], "x": None}, "rule", color=line),
    ]
    for how, mark in _MARKS.items():
        values = [point for point in drawn.values() if point["how"] == how]
        layers.append(layer(values, encoding, "point", **{"opacity": 1, "filled": False, **mark}))
    layers += _line(pairs.line, -1.0, 1.0, 1.0 / 1.12, -1.0)
    return whole({"width": width, "height": width, "layer": layers})


def _differences(field: str, title: str) -> Spec:
    axis = {"title": title, "values": [-1, 0, 1], "grid": False, "format": "d"}
    return quantity(field, axis, domain=[-1, 1], nice=False)


def render_study(study: Study, provenance: Provenance | None = None) -> str:
    """The whole page as text; the same study gives the same text."""
    from tidings.evaluation.report.page import fill_template

    parts = {section.name: section for section in sections(study)}
    years = [correlation_chart(plot, f"year-{number}") for number, plot in enumerate(study.correlations)]
    topics = {
        METRIC_NAMES[metric].capitalize(): [
            pairs_chart(pair, f"{metric}-{number}")
            for number, pair in enumerate(study.pairs)
            if pair.metric == metric
        ]
        for metric in dict.fromkeys(pair.metric for pair in study.pairs)
    }
    return fill_template(
        "study.html.j2",
        "comparison.css",
        "study.css",
        s=study,
        headline=headline(study),
        parts=parts,
        shown=[(section, page_tables(section)) for section in parts.values()],
        years=years,
        topics=topics,
        provenance=provenance or Provenance(),
    )
