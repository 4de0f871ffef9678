"""Learning curves as charts: each training a thin line, their mean a thick one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tidings.core import PALETTE, clean
from tidings.evaluation import WIDE, Spec, boxed

__all__ = ["curve_files", "curve_spec", "drawn", "mean_curve"]

Rows = Sequence[Mapping[str, float]]


def mean_curve(trainings: Sequence[Rows], figure: str, step: str = "step") -> list[tuple[float, float, int]]:
    """(step, mean of the figure, how many trainings) at every step that at least half of the trainings reached.

    >>> longer = [{"step": 0, "H": 0.2}, {"step": 1, "H": 0.4}]
    >>> mean_curve([longer, longer[:1], longer[:1]], "H")
    [(0, 0.2, 3)]
    """
    values: dict[float, list[float]] = {}
    for rows in trainings:
        for place, row in enumerate(rows):
            if figure in row:
                values.setdefault(row.get(step, place), []).append(row[figure])
    least = len(trainings) / 2
    return [
        (at, round(sum(many) / len(many), 6), len(many))
        for at, many in sorted(values.items())
        if len(many) >= least
    ]


def drawn(trainings: Sequence[Rows], figure: str) -> tuple[str, str]:
    """Which figure of these trainings to draw, and what its axis is called.

    A training that is paid by a reward is drawn by that reward; any other by the figure, on the events set aside where
    it tells them apart from those learned from.

    >>> drawn([[{"step": 0, "H": 0.2, "reward": 0.3}]], "H")
    ('reward', 'reward on the events learned from')
    >>> drawn([[{"step": 0, "H": 0.2}]], "H")
    ('H', 'H on the events that stop training')
    """
    keys = {key for rows in trainings for row in rows for key in row}
    if "reward" in keys:
        return "reward", "reward on the events learned from"
    apart = f"development {figure}"
    return (apart if apart in keys else figure), f"{figure} on the events that stop training"


def curve_spec(system: str, trainings: Sequence[Rows], figure: str, width: int = WIDE) -> Spec:
    """The Vega-Lite specification of one system's curves."""
    figure, title = drawn(trainings, figure)
    points = [
        {"step": row.get("step", place), "value": row[figure], "training": number}
        for number, rows in enumerate(trainings)
        for place, row in enumerate(rows)
        if figure in row
    ]
    means = [{"step": at, "value": value} for at, value, _ in mean_curve(trainings, figure)]
    x: Spec = {
        "field": "step",
        "type": "quantitative",
        "axis": {"title": "step of training", "tickMinStep": 1},
    }
    axis = {"title": title, "minExtent": 34}
    y: Spec = {"field": "value", "type": "quantitative", "scale": {"zero": False}, "axis": axis}
    spec: Spec = {
        "width": width,
        "height": 220,
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "data": {"values": points},
                "mark": {"type": "line", "color": PALETTE["muted"].light, "strokeWidth": 0.8, "opacity": 0.5},
                "encoding": {"detail": {"field": "training", "type": "nominal"}},
            },
            {
                "data": {"values": means},
                "mark": {"type": "line", "color": PALETTE["tide"].light, "strokeWidth": 2.5, "point": True},
            },
        ],
    }
    many = f"{len(trainings)} trainings" if len(trainings) > 1 else "one training"
    return boxed(
        spec, f"{clean(system)}: {many} and their mean" if len(trainings) > 1 else f"{clean(system)}: {many}"
    )


def curve_files(system: str, trainings: Sequence[Rows], figure: str) -> list[tuple[str, bytes]]:
    """(ending of the file's name, content) of the chart as SVG and as PNG; none where no row has the figure."""
    import vl_convert

    shown, _ = drawn(trainings, figure)
    if not any(shown in row for rows in trainings for row in rows):
        return []
    spec: dict[str, Any] = {**curve_spec(system, trainings, figure), "background": "#ffffff", "padding": 10}
    return [
        (".svg", vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode("utf-8")),
        (".png", vl_convert.vegalite_to_png(spec, scale=2, allowed_base_urls=[])),
    ]
