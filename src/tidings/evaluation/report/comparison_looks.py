"""How runs look in the charts of a comparison: colour, shape, dashes and name of each, and the axes they share."""

from __future__ import annotations

import re

from tidings.core import PALETTE, clean
from tidings.evaluation.measures.significance import Comparison
from tidings.evaluation.report.charts import FONT, Spec, whole

__all__ = [
    "boxed",
    "by_run",
    "label",
    "names_axis",
    "number_axis",
    "run_colour",
    "run_dash",
    "run_labels",
    "run_shape",
    "zero_line",
]

COLOURS = ("tide", "violet", "injuries", "early", "deaths", "ink", "muted")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (10, 3, 2, 3), (5, 2, 5, 2), (1, 3), (12, 4))


def run_colour(place: int) -> str:
    """The palette's name for the colour of the run at that place."""
    return COLOURS[place % len(COLOURS)]


def run_dash(place: int) -> tuple[int, ...]:
    """The dashes of its lines, so that nothing hangs on colour alone."""
    return DASHES[(place + place // len(COLOURS)) % len(DASHES)]


def run_labels(comparison: Comparison) -> list[str]:
    """The runs' names as pictures show them, each another."""
    labels = [label(run.name) for run in comparison.runs]
    if len(set(labels)) == len(labels):
        return labels
    return [f"{run.letter} {name}" for run, name in zip(comparison.runs, labels, strict=True)]


def run_shape(place: int) -> str:
    """The shape of its points."""
    return SHAPES[(place + place // len(COLOURS)) % len(SHAPES)]


def by_run(names: list[str], legend: bool) -> dict[str, Spec]:
    """The channels by which runs are told apart, with a key inside the picture or not."""
    colours = [PALETTE[run_colour(place)].light for place in range(len(names))]
    shapes = [run_shape(place) for place in range(len(names))]
    dashes = [list(run_dash(place)) for place in range(len(names))]
    key: Spec | None = (
        {"title": None, "orient": "bottom", "columns": 4, "labelLimit": 220} if legend else None
    )
    channels = {}
    for channel, wanted in (("color", colours), ("shape", shapes), ("strokeDash", dashes)):
        channels[channel] = {
            "field": "run",
            "type": "nominal",
            "scale": {"domain": names, "range": wanted},
            "legend": key,
        }
    return channels


def boxed(spec: Spec, title: str) -> Spec:
    """The whole specification, under a title where one is given."""
    if title:
        ink = PALETTE["ink"].light
        spec = {
            **spec,
            "title": {"text": title, "anchor": "start", "fontSize": 13, "color": ink, "font": FONT},
        }
    return whole(spec)


def zero_line() -> Spec:
    """A rule at no difference."""
    return {
        "data": {"values": [{"zero": 0}]},
        "mark": {"type": "rule", "color": PALETTE["muted"].light, "strokeWidth": 1},
        "encoding": {"x": {"field": "zero", "type": "quantitative"}, "y": None},
    }


def names_axis(column: str, order: list[str], size: float) -> Spec:
    """An axis of names, in this order."""
    return {
        "field": column,
        "type": "nominal",
        "sort": order,
        "axis": {
            "title": None,
            "labelFontSize": size,
            "labelColor": PALETTE["ink"].light,
            "domain": False,
            "ticks": False,
            "labelLimit": 130,
            "labelPadding": 6,
        },
    }


def number_axis(column: str, title: str, width: int) -> Spec:
    """An axis of figures."""
    axis = {"title": title, "tickCount": max(3, width // 90), "labelOverlap": "greedy"}
    return {"field": column, "type": "quantitative", "axis": axis}


def label(name: str) -> str:
    """A run's name for a picture: short, and without what could be taken for markup."""
    plain = re.sub(r"[\"'<>&=]", "_", clean(name)) or "run"
    return plain if len(plain) <= 26 else f"{plain[:25]}…"
