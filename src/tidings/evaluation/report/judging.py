"""How soon a collection is found in which order of judging: curves, tables, and a page of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tidings.core import PALETTE, percent
from tidings.evaluation.report.charts import NARROW, WIDE, Chart, Spec, draw, make_chart
from tidings.evaluation.report.comparison_charts import boxed, by_run, label, run_colour, run_dash

if TYPE_CHECKING:
    from markupsafe import Markup

    from tidings.core import Table


@dataclass(frozen=True, slots=True)
class JudgingCurve:
    """The share of all matches found (0..1) at equal steps of the share of the pool judged, from none to all.

    `topic` is empty for the mean over topics.
    """

    order: str
    shares: tuple[float, ...]
    topic: str = ""


@dataclass(frozen=True, slots=True)
class JudgingReport:
    """All that the page shows.

    Args:
        title: of the collection.
        finding: what came out, in a sentence or two.
        curves: means over topics, then those of topics.
        summary: an order by row.
        topics: a topic by row.
        notes: how it was computed.
        warnings: what must be known before a figure is quoted.
        command: repeats it.
        target: the share of matches that is wanted.
    """

    title: str
    finding: str
    curves: tuple[JudgingCurve, ...]
    summary: Table
    topics: Table
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    command: str = ""
    target: float = 0.9


def judging_spec(curves: Sequence[JudgingCurve], target: float, width: int = WIDE, title: str = "") -> Spec:
    """The Vega-Lite specification of the curves of one topic, or of the means; with a title also a key."""
    names = [label(curve.order) for curve in curves]
    channels = by_run(names, bool(title))
    values = [
        {"run": name, "x": place / (len(curve.shares) - 1), "v": round(share, 5)}
        for name, curve in zip(names, curves, strict=True)
        for place, share in enumerate(curve.shares)
    ]
    rule = {"type": "rule", "color": PALETTE["muted"].light, "strokeWidth": 1, "strokeDash": [2, 3]}
    share_axis = {"format": "%", "tickCount": max(4, width // 90), "grid": False}
    return boxed(
        {
            "width": width,
            "height": 320 if width > NARROW else 170,
            "layer": [
                {
                    "data": {"values": [{"v": target}]},
                    "mark": rule,
                    "encoding": {"y": {"field": "v", "type": "quantitative"}},
                },
                {
                    "data": {"values": [{"x": 0.5}]},
                    "mark": rule,
                    "encoding": {"x": {"field": "x", "type": "quantitative"}},
                },
                {
                    "data": {"values": values},
                    "mark": {"type": "line", "strokeWidth": 2.25},
                    "encoding": {
                        "x": {
                            "field": "x",
                            "type": "quantitative",
                            "axis": {**share_axis, "title": "share of the pool judged"},
                        },
                        "y": {
                            "field": "v",
                            "type": "quantitative",
                            "scale": {"domain": [0, 1]},
                            "axis": {
                                "title": "matches found",
                                "format": "%",
                                "tickCount": 5,
                                "minExtent": 34,
                            },
                        },
                        "color": channels["color"],
                        "strokeDash": channels["strokeDash"],
                    },
                },
            ],
        },
        title,
    )


def judging_picture(report: JudgingReport, ending: str) -> bytes:
    """The chart of the means alone, with its key, as `.svg` or `.png` (twice the size, on white)."""
    import vl_convert

    spec = judging_spec(_means(report), report.target, title=f"Matches found, {report.title}")
    spec = {**spec, "background": "#ffffff", "padding": 10}
    if ending == ".svg":
        return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode("utf-8")
    return bytes(vl_convert.vegalite_to_png(spec, scale=2, allowed_base_urls=[]))


def render_judging(report: JudgingReport) -> str:
    """The whole page as text; the same report gives the same text."""
    from markupsafe import Markup

    from tidings import __version__
    from tidings.evaluation.report.page import page_environment, page_policy, page_style

    style = page_style("comparison.css")
    means = _means(report)
    chart = make_chart(
        "judging",
        "Matches found, mean over topics",
        _words(means),
        (),
        lambda width: judging_spec(means, report.target, width),
    )
    return (
        page_environment()
        .get_template("judging.html.j2")
        .render(
            r=report,
            version=__version__,
            style=Markup(style),  # noqa: S704 our own file
            policy=page_policy(style),
            chart=_marked(chart),
            keys=[(_swatch(place), curve.order) for place, curve in enumerate(means)],
            small=[_marked(_small(report, topic)) for topic in _topics(report)],
            summary_heads=report.summary.headings(),
            summary_numbers=_numbers(report.summary),
            summary_rows=report.summary.texts(),
            topic_heads=report.topics.headings(),
            topic_numbers=_numbers(report.topics),
            topic_rows=report.topics.texts(),
        )
    )


def _numbers(table: Table) -> list[bool]:
    return [table.is_number(column) for column in range(len(table.columns))]


def _means(report: JudgingReport) -> list[JudgingCurve]:
    return [curve for curve in report.curves if not curve.topic]


def _topics(report: JudgingReport) -> list[str]:
    return list(dict.fromkeys(curve.topic for curve in report.curves if curve.topic))


def _small(report: JudgingReport, topic: str) -> Chart:
    own = [curve for curve in report.curves if curve.topic == topic]
    number = _topics(report).index(topic)
    spec = judging_spec(own, report.target, NARROW)
    picture = draw(spec, f"topic-{number}", topic, _words(own))
    return Chart(topic, _words(own), picture, picture)


def _words(curves: Sequence[JudgingCurve]) -> str:
    halves = [(curve.order, curve.shares[(len(curve.shares) - 1) // 2]) for curve in curves]
    return (
        "With half of the pool judged: " + ", ".join(f"{name} {percent(half)}" for name, half in halves) + "."
    )


def _marked(chart: Chart) -> Chart:
    from markupsafe import Markup

    return replace(chart, wide=Markup(chart.wide), narrow=Markup(chart.narrow))  # noqa: S704 our own SVG


def _swatch(place: int) -> Markup:
    from markupsafe import Markup

    dash = " ".join(map(str, run_dash(place))) if run_dash(place)[1] else "none"
    return Markup(  # noqa: S704 our own SVG
        f'<svg class="chart swatch" viewBox="0 0 34 14" aria-hidden="true" focusable="false"><path d="M0 7h34" '
        f'stroke="{PALETTE[run_colour(place)].light}" stroke-width="2.25" stroke-dasharray="{dash}" fill="none"/></svg>'
    )
