"""How far judgments can be trusted with systems that were not pooled, as one HTML file with two charts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tidings.core import PALETTE
from tidings.evaluation.report.charts import Chart, Spec, draw, whole
from tidings.evaluation.report.comparison_words import Provenance
from tidings.evaluation.report.reuse_tables import TITLE, headline, sections
from tidings.evaluation.report.sections import marked, page_tables
from tidings.evaluation.reuse import Reuse

__all__ = ["depth_spec", "left_out_spec", "render_reuse"]

SIDE_PX = 300
_COLOURS = {"judged only": ("deaths", "cross"), "automatic": ("tide", "circle")}


def render_reuse(made: Reuse, provenance: Provenance | None = None) -> str:
    """The whole page as text; the same experiments give the same text."""
    from markupsafe import Markup

    from tidings import __version__
    from tidings.evaluation.report.page import page_environment, page_policy, page_style

    style = page_style("comparison.css", "study.css")
    charts = {"left-out": [_left_out_chart(made)]}
    if made.depths:
        charts["depth"] = [_depth_chart(made, "tau"), _depth_chart(made, "absolute")]
    return (
        page_environment()
        .get_template("reuse.html.j2")
        .render(
            r=made,
            title=TITLE,
            version=__version__,
            style=Markup(style),  # noqa: S704 our own file
            policy=page_policy(style),
            headline=headline(made),
            shown=[(section, page_tables(section)) for section in sections(made)],
            charts={name: [marked(chart) for chart in own] for name, own in charts.items()},
            provenance=provenance or Provenance(),
        )
    )


def _left_out_chart(made: Reuse) -> Chart:
    title = f"{made.measure} of left-out runs"
    words = "Across: by all judgments. Upwards: with what is left. On the line nothing is lost."
    picture = draw(left_out_spec(made), "left-out", title, words)
    return Chart(title, words, picture, picture)


def left_out_spec(made: Reuse, width: int = SIDE_PX) -> Spec:
    """The Vega-Lite specification of runs by all judgments (x) and by those that are left (y)."""
    points = {"judged only": [(one.full, one.people) for one in made.left]}
    if made.automatic is not None:
        points["automatic"] = [(one.full, one.mended.decided) for one in made.left if one.mended]
    far = max([value for own in points.values() for point in own for value in point], default=0.0) or 1.0
    axes = {"x": "by all judgments", "y": "left out"}
    encoding = {
        name: {
            "field": name,
            "type": "quantitative",
            "scale": {"domain": [0, far * 1.06], "nice": False},
            "axis": {"title": words, "tickCount": 5, "format": ".2~f"},
        }
        for name, words in axes.items()
    }
    diagonal: Spec = {
        "data": {"values": [{"x": 0, "y": 0}, {"x": far, "y": far}]},
        "mark": {"type": "line", "color": PALETTE["line"].light, "strokeWidth": 1.2},
        "encoding": encoding,
    }
    layers = [diagonal, *(_points(name, own, encoding) for name, own in points.items())]
    return whole({"width": width, "height": width, "layer": layers})


def _points(name: str, points: Sequence[tuple[float, float]], encoding: Spec) -> Spec:
    colour, shape = _COLOURS[name]
    return {
        "data": {"values": [{"x": round(x, 5), "y": round(y, 5)} for x, y in points]},
        "mark": {
            "type": "point",
            "shape": shape,
            "size": 40,
            "strokeWidth": 1.4,
            "color": PALETTE[colour].light,
        },
        "encoding": encoding,
    }


def _depth_chart(made: Reuse, figure: str) -> Chart:
    title = {"tau": "Kendall's τ with all judgments", "absolute": f"Mean change of {made.measure}"}[figure]
    words = "By the depth of the pool, in updates of each run and event."
    picture = draw(depth_spec(made, figure), f"depth-{figure}", title, words)
    return Chart(title, words, picture, picture)


def depth_spec(made: Reuse, figure: str, width: int = SIDE_PX) -> Spec:
    """The Vega-Lite specification of an agreement's figure (`tau`, `absolute`) by depth."""
    lines = {"judged only": [(one.depth, getattr(one.people, figure)) for one in made.depths]}
    if made.automatic is not None:
        lines["automatic"] = [
            (one.depth, getattr(one.automatic, figure)) for one in made.depths if one.automatic
        ]
    layers: list[Spec] = []
    for name, points in lines.items():
        colour, shape = _COLOURS[name]
        values = [{"x": str(depth), "y": round(value, 5)} for depth, value in points if math.isfinite(value)]
        layers.append(
            {
                "data": {"values": values},
                "mark": {
                    "type": "line",
                    "color": PALETTE[colour].light,
                    "strokeWidth": 1.6,
                    "point": {"shape": shape, "size": 40, "color": PALETTE[colour].light},
                },
                "encoding": {
                    "x": {
                        "field": "x",
                        "type": "ordinal",
                        "sort": None,
                        "axis": {"title": "depth", "labelAngle": 0},
                    },
                    "y": {
                        "field": "y",
                        "type": "quantitative",
                        "scale": {"zero": figure != "tau", "nice": True},
                        "axis": {"title": None, "format": ".2~f" if figure == "tau" else ".3~f"},
                    },
                },
            }
        )
    return whole({"width": width, "height": 200, "layer": layers})
