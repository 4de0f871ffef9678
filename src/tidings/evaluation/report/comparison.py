"""A comparison as one HTML file, in the dress and under the policy of the other pages, and its charts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tidings.core import DAY_S, PALETTE, clean, percent, score
from tidings.evaluation.measures.run_comparison import Comparison, MeasureComparison, Pair
from tidings.evaluation.report.charts import (
    FONT,
    NARROW,
    WIDE,
    Chart,
    Spec,
    draw,
    kinds,
    layer,
    light_colours,
    make_chart,
    picture,
    quantity,
    whole,
)
from tidings.evaluation.report.comparison_tables import (
    Provenance,
    differences_table,
    figure,
    finding,
    marks,
    method,
    p_text,
    silence,
    topics_table,
    verdict_p,
    with_sign,
)
from tidings.evaluation.report.remarks import compared_counts, origin_words

if TYPE_CHECKING:
    from markupsafe import Markup


COLOURS = ("tide", "violet", "injuries", "early", "deaths", "ink", "muted")
_OUTLINES = {
    "circle": "M21 7a4 4 0 1 1-8 0a4 4 0 1 1 8 0z",
    "square": "M13.5 3.5h7v7h-7z",
    "triangle-up": "M17 2.5l4.6 8h-9.2z",
    "diamond": "M17 2l3.8 5l-3.8 5l-3.8-5z",
    "cross": "M15.6 2.5h2.8v3.1h3.1v2.8h-3.1v3.1h-2.8v-3.1h-3.1v-2.8h3.1z",
    "triangle-down": "M17 11.5l4.6-8h-9.2z",
    "triangle-right": "M21.5 7l-8 4.6v-9.2z",
}
"""The shapes of points, each as a path."""
SHAPES = tuple(_OUTLINES)
DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (10, 3, 2, 3), (5, 2, 5, 2), (1, 3), (12, 4))


def run_colour(place: int) -> str:
    """The palette's name for the colour of the run at that place."""
    return COLOURS[place % len(COLOURS)]


def run_dash(place: int) -> tuple[int, ...]:
    """The dashes of its lines, so that nothing depends on colour alone."""
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


def swatch(place: int, *, pointed: bool = False) -> Markup:
    """A line as a run's lines are, for the key of a page; with its points' shape where charts have points."""
    from markupsafe import Markup

    colour = PALETTE[run_colour(place)].light
    dash = " ".join(map(str, run_dash(place))) if run_dash(place)[1] else "none"
    shape = f'<path d="{_OUTLINES[run_shape(place)]}" fill="{colour}"/>' if pointed else ""
    return Markup(  # noqa: S704 our own SVG
        f'<svg class="chart swatch" viewBox="0 0 34 14" aria-hidden="true" focusable="false">'
        f'<path d="M0 7h34" stroke="{colour}" stroke-width="2.25" stroke-dasharray="{dash}" fill="none"/>{shape}</svg>'
    )


def by_run(names: list[str], legend: bool) -> dict[str, Spec]:
    """The channels by which runs are told apart, with a key inside the picture or not."""
    colours = light_colours(*(run_colour(place) for place in range(len(names))))
    shapes = [run_shape(place) for place in range(len(names))]
    dashes = [list(run_dash(place)) for place in range(len(names))]
    key: Spec | None = (
        {"title": None, "orient": "bottom", "columns": 4, "labelLimit": 220} if legend else None
    )
    channels = (("color", colours), ("shape", shapes), ("strokeDash", dashes))
    return {channel: kinds("run", names, shown, key) for channel, shown in channels}


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
    encoding = {"x": quantity("zero"), "y": None}
    return layer([{"zero": 0}], encoding, "rule", color=PALETTE["muted"].light, strokeWidth=1)


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


def number_axis(title: str, width: int, **scale: object) -> Spec:
    """An axis of the figures `v`."""
    return quantity(
        "v", {"title": title, "tickCount": max(3, width // 90), "labelOverlap": "greedy"}, **scale
    )


def label(name: str) -> str:
    """A run's name for a picture: short, and without what could be taken for markup."""
    plain = re.sub(r"[\"'<>&=]", "_", clean(name)) or "run"
    return plain if len(plain) <= 26 else f"{plain[:25]}…"


POINTS = 160  # of a curve
TOPIC_WIDTH = 190  # pixels of the plot on a phone

Curves = Sequence[dict[str, list[tuple[int, float]]]]


@dataclass(frozen=True, slots=True)
class Extras:
    """What charts need beyond the comparison.

    `sizes`: by run, its updates on each of the comparison's topics; `curves`: by run, comprehensiveness over time.
    """

    sizes: tuple[tuple[float, ...], ...] = ()
    size_name: str = "updates"
    curves: Curves = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart by name: how to draw it at a width, with a key inside it or not, and its words."""

    name: str
    title: str
    words: str
    spec: Spec
    narrow: Spec
    keyed: Spec
    keys: bool = False

    def chart(self) -> Chart:
        """Drawn for a page."""
        return make_chart(
            self.name, self.title, self.words, (), lambda width: self.narrow if width == NARROW else self.spec
        )

    def small(self) -> Chart:
        """Drawn once, for a page that sets it beside others."""
        picture = draw(self.narrow, f"{self.name}-small", self.title, self.words)
        return Chart(self.title, self.words, picture, picture)


def drawings(comparison: Comparison, measure: MeasureComparison, extras: Extras) -> list[Drawing]:
    """All charts there can be: `intervals`, one `topics-N` for each other run, `size`, `time`."""
    charts = [_intervals(comparison, measure)]
    charts += [_topics(comparison, measure, pair) for pair in measure.against if pair]
    if extras.sizes:
        charts.append(_size(comparison, measure, extras))
    if any(extras.curves):
        charts.append(_time(comparison, extras))
    return charts


def _make_drawing(name: str, title: str, words: str, specs: Sequence[Spec], keys: bool = False) -> Drawing:
    wide, narrow, keyed = specs
    return Drawing(name, title, words, wide, narrow, keyed, keys)


def _intervals(comparison: Comparison, measure: MeasureComparison) -> Drawing:
    pairs = [pair for pair in measure.against if pair]
    labels = run_labels(comparison)
    names = [labels[pair.run] for pair in pairs]
    values = [
        {
            "run": name,
            "v": pair.mean,
            "low": pair.interval.low if math.isfinite(pair.interval.low) else pair.mean,
            "high": pair.interval.high if math.isfinite(pair.interval.high) else pair.mean,
            "said": f"{with_sign(pair.mean)}, {_p(verdict_p(comparison, pair))}",
        }
        for name, pair in zip(names, pairs, strict=True)
    ]
    level = f"{100 * comparison.settings.level:g} % interval"
    title = f"Mean difference in {measure.measure} from {labels[comparison.baseline]}"

    words = "; ".join(f"{value['run']} {value['said']}" for value in values) + "."

    def beside(plot: int) -> Spec:
        """The figures in words, at the right of the plot; on a phone the table below has them."""
        mark = {"type": "text", "align": "left", "fontSize": 12, "font": FONT, "color": PALETTE["ink"].light}
        encoding = {"x": {"value": plot + 12}, "text": {"field": "said", "type": "nominal"}}
        return {"mark": mark, "encoding": encoding}

    def spec(width: int, title_inside: bool = False) -> Spec:
        roomy = width > 400
        plot = width - 290 if roomy else width - 110
        x = number_axis(f"difference in {measure.measure}, {level}", plot)
        ink = PALETTE["tide"].light
        return boxed(
            {
                # Letters of the reader's own font may be wider than those that the picture was measured with.
                "padding": {"left": 22 if roomy else 8, "top": 2, "bottom": 2, "right": 34 if roomy else 2},
                "width": plot,
                "height": {"step": 30},
                "data": {"values": values},
                "encoding": {"y": names_axis("run", names, 12.5)},
                "layer": [
                    zero_line(),
                    {
                        "mark": {"type": "rule", "strokeWidth": 2, "color": ink},
                        "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
                    },
                    {
                        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "color": ink},
                        "encoding": {"x": x},
                    },
                    *([beside(plot)] if roomy else []),
                ],
            },
            title if title_inside else "",
        )

    return _make_drawing("intervals", title, words, (spec(WIDE), spec(NARROW), spec(WIDE, True)))


def _topics(comparison: Comparison, measure: MeasureComparison, pair: Pair) -> Drawing:
    labels = run_labels(comparison)
    order = sorted(zip(pair.differences, measure.topics, strict=True), key=lambda row: (-row[0], row[1]))
    topics = [label(topic) for _, topic in order]
    sign, few = measure.sign or 1, len(topics) <= 40
    values = [
        {"topic": name, "v": value, "how": "better" if sign * value > 0 else "worse"}
        for name, (value, _) in zip(topics, order, strict=True)
    ]
    # One scale for all runs, so that the pictures can be compared.
    far = max((abs(value) for pair in measure.against if pair for value in pair.differences), default=0) or 1
    title = f"{labels[pair.run]} − {labels[pair.other]}"
    words = (
        f"{measure.measure} by topic: better on {pair.wins}, equal on {pair.ties}, worse on {pair.losses}; "
        f"most on {topics[0] if topics else '–'}."
    )

    def spec(width: int, title_inside: bool = False) -> Spec:
        return boxed(
            {
                "width": width,
                "padding": {"left": 8, "top": 2, "bottom": 2, "right": 2},
                "height": {"step": 15 if few else 11},
                "data": {"values": values},
                "encoding": {
                    "y": names_axis("topic", topics, 10.5 if few else 9),
                    "x": number_axis(
                        f"difference in {measure.measure}", width, domain=[-far, far], nice=False
                    ),
                },
                "layer": [
                    {
                        "mark": {"type": "bar", "height": 10 if few else 8},
                        "encoding": {
                            "color": kinds("how", ["better", "worse"], light_colours("tide", "deaths"))
                        },
                    },
                    zero_line(),
                ],
            },
            title if title_inside else "",
        )

    narrow = spec(TOPIC_WIDTH)
    return _make_drawing(f"topics-{pair.run + 1}", title, words, (spec(460), narrow, spec(460, True)))


def _size(comparison: Comparison, measure: MeasureComparison, extras: Extras) -> Drawing:
    names = run_labels(comparison)
    each: list[Spec] = []
    means: list[Spec] = []
    places = [comparison.topics.index(topic) for topic in measure.topics]
    for name, every, scores, mean in zip(names, extras.sizes, measure.scores, measure.means, strict=True):
        sizes = [every[place] for place in places]
        said = [(size, value) for size, value in zip(sizes, scores, strict=True) if size > 0]
        each += [{"run": name, "n": size, "v": value} for size, value in said]
        if said:
            means.append({"run": name, "n": sum(sizes) / len(sizes), "v": mean})
    title = f"{measure.measure} against the number of {extras.size_name}"
    words = "; ".join(
        f"{mean['run']}: {score(mean['n'])} {extras.size_name}, {score(mean['v'])}" for mean in means
    )

    def spec(width: int, title_inside: bool = False) -> Spec:
        axis = {"title": f"{extras.size_name} on a topic (logarithmic)", "format": "~s", "grid": False}
        axis |= {"tickCount": 4 if width < 400 else 6, "labelOverlap": "greedy"}
        channels = by_run(names, title_inside)
        encoding = {
            "x": quantity("n", axis, type="log", nice=False, padding=14),
            "y": quantity("v", {"title": str(measure.measure), "tickCount": 5, "minExtent": 34}),
            "color": channels["color"],
            "shape": channels["shape"],
        }
        layers = [
            layer(each, encoding, "point", filled=True, size=22, opacity=0.4),
            layer(means, encoding, "point", filled=True, size=150, opacity=1),
        ]
        return boxed({"width": width, "height": 260, "layer": layers}, title if title_inside else "")

    return _make_drawing("size", title, words + ".", (spec(WIDE), spec(NARROW), spec(WIDE, True)), True)


def _time(comparison: Comparison, extras: Extras) -> Drawing:
    names = run_labels(comparison)
    last = max((steps[-1][0] for curve in extras.curves for steps in curve.values()), default=0)
    values, ends = [], []
    for name, curve in zip(names, extras.curves, strict=True):
        grid = [last * number / POINTS for number in range(POINTS + 1)]
        rows = [_on_grid(steps, grid) for steps in curve.values()]
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)] if rows else [0.0] * len(grid)
        values += [
            {"run": name, "t": round(at / DAY_S, 4), "v": round(value, 5)}
            for at, value in zip(grid, means, strict=True)
        ]
        ends.append((name, means[-1]))
    topics = len(extras.curves[0])
    title = "Comprehensiveness over time"
    words = f"Mean over {topics} topic{'s' if topics != 1 else ''}; in the end " + ", ".join(
        f"{name} {percent(value)}" for name, value in ends
    )

    def spec(width: int, title_inside: bool = False) -> Spec:
        channels = by_run(names, title_inside)
        days = {"title": "days after the event's start", "grid": False, "tickCount": max(3, width // 80)}
        shares = {"title": "comprehensiveness (C)", "format": "%", "tickCount": 5, "minExtent": 34}
        encoding = {
            "x": quantity("t", days, domain=[0, max(last / DAY_S, 0.01)], nice=False),
            "y": quantity("v", shares, zero=True),
            "color": channels["color"],
            "strokeDash": channels["strokeDash"],
        }
        lines = layer(values, encoding, "line", interpolate="step-after", strokeWidth=2.25)
        return boxed({"width": width, "height": 260, **lines}, title if title_inside else "")

    return _make_drawing("time", title, words + ".", (spec(WIDE), spec(NARROW), spec(WIDE, True)), True)


def _on_grid(steps: Sequence[tuple[int, float]], grid: Sequence[float]) -> list[float]:
    values, number, value = [], 0, 0.0
    for at in grid:
        while number < len(steps) and steps[number][0] <= at:
            value = steps[number][1]
            number += 1
        values.append(value)
    return values


def _p(p: float) -> str:
    text = p_text(p)
    return f"p {text[0]} {text[1:]}" if text.startswith("<") else f"p = {text}"


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
