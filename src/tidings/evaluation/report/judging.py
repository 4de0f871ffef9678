"""How soon a collection is found in which order of judging: curves, tables, and a page of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidings.core import PALETTE, percent
from tidings.evaluation.report.charts import (
    NARROW,
    WIDE,
    Chart,
    Spec,
    draw,
    layer,
    make_chart,
    picture,
    quantity,
)
from tidings.evaluation.report.comparison import boxed, by_run, label, swatch

if TYPE_CHECKING:
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
    rule = {"color": PALETTE["muted"].light, "strokeWidth": 1, "strokeDash": [2, 3]}
    share_axis = {"title": "share of the pool judged", "format": "%", "tickCount": max(4, width // 90)}
    share_axis |= {"grid": False}
    found_axis = {"title": "matches found", "format": "%", "tickCount": 5, "minExtent": 34}
    encoding = {
        "x": quantity("x", share_axis),
        "y": quantity("v", found_axis, domain=[0, 1]),
        "color": channels["color"],
        "strokeDash": channels["strokeDash"],
    }
    layers = [
        layer([{"v": target}], {"y": quantity("v")}, "rule", **rule),
        layer([{"x": 0.5}], {"x": quantity("x")}, "rule", **rule),
        layer(values, encoding, "line", strokeWidth=2.25),
    ]
    return boxed({"width": width, "height": 320 if width > NARROW else 170, "layer": layers}, title)


def judging_picture(report: JudgingReport, ending: str) -> bytes:
    """The chart of the means alone, with its key, as `.svg` or `.png` (twice the size, on white)."""
    spec = judging_spec(_means(report), report.target, title=f"Matches found, {report.title}")
    return picture(spec, ending)


def render_judging(report: JudgingReport) -> str:
    """The whole page as text; the same report gives the same text."""
    from tidings.evaluation.report.page import fill_template

    means = _means(report)
    chart = make_chart(
        "judging",
        "Matches found, mean over topics",
        _words(means),
        (),
        lambda width: judging_spec(means, report.target, width),
    )
    return fill_template(
        "judging.html.j2",
        "comparison.css",
        r=report,
        chart=chart,
        keys=[(swatch(place), curve.order) for place, curve in enumerate(means)],
        small=[_small(report, topic) for topic in _topics(report)],
        summary_heads=report.summary.headings(),
        summary_numbers=_numbers(report.summary),
        summary_rows=report.summary.texts(),
        topic_heads=report.topics.headings(),
        topic_numbers=_numbers(report.topics),
        topic_rows=report.topics.texts(),
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
    drawn = draw(spec, f"topic-{number}", topic, _words(own))
    return Chart(topic, _words(own), drawn, drawn)


def _words(curves: Sequence[JudgingCurve]) -> str:
    halves = [(curve.order, curve.shares[(len(curve.shares) - 1) // 2]) for curve in curves]
    return (
        "With half of the pool judged: " + ", ".join(f"{name} {percent(half)}" for name, half in halves) + "."
    )
