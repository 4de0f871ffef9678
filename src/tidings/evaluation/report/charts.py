"""Charts as inline SVG: Vega-Lite specifications, drawn without a browser and without a network.

A chart holds numbers and words of our own only, never text from documents. It is drawn twice, wide and
narrow, because letters that shrink with a picture cannot be read on a phone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tidings.core import DAY_S, PALETTE, Cell, Clock, Table, latex_text, markdown_text, percent, render

if TYPE_CHECKING:
    from markupsafe import Markup

    from tidings.following import TimelineReport

WIDE, NARROW = 640, 280  # pixels: for a page, and for a phone
HEIGHT_PX = 190  # of the plot
LINE_PX = 16  # from one line of labels to the next
END_LABEL_PX = 34  # the room for labels at the right end
MOST_POINTS = 400
FONT = "system-ui, sans-serif"

Spec = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: two SVG texts, in words what they show, and its key as (colour's name, words)."""

    title: str
    description: str
    wide: Markup
    narrow: Markup
    key: tuple[tuple[str, str], ...] = ()


def coverage_chart(timeline: TimelineReport) -> Chart | None:
    """Comprehensiveness and updates over time; only the updates where there are no judgments."""
    if not timeline.entries:
        return None
    title = "Comprehensiveness and updates over time" if timeline.curve else "Updates over time"
    clock, last = timeline.clock, timeline.entries[-1].update.time
    words = [f"{len(timeline.entries):,} updates from {clock.moment(timeline.entries[0].update.time)}"]
    words[0] += f" to {clock.moment(last)} ({clock.label})."
    if timeline.curve:
        _, _, C, LC = timeline.curve[-1]
        half = next((time for time, _, value, _ in timeline.curve if C and value >= C / 2), None)
        words.append(f"Comprehensiveness ends at {percent(C)}, latency comprehensiveness at {percent(LC)}.")
        if half is not None:
            words.append(f"Half of that comprehensiveness was reached by {clock.moment(half)}.")
    key = (
        (("tide", "comprehensiveness (C)"), ("violet", "latency comprehensiveness (LC)"))
        if timeline.curve
        else ()
    )
    return make_chart("coverage", title, " ".join(words), key, lambda width: coverage_spec(timeline, width))


def casualty_chart(timeline: TimelineReport) -> Chart | None:
    """The casualties so far over time, or None where no update changes it."""
    changes = [entry for entry in timeline.entries if entry.changed]
    if not changes:
        return None
    clock = timeline.clock
    steps = [
        f"{clock.moment(entry.update.time)}: {', '.join(words for _, words in entry.changed)}"
        for entry in changes[:60]
    ]
    words = "; ".join(steps) + ("; and so on." if len(changes) > 60 else ".")
    final = timeline.casualties
    figures = (("deaths", "dead", final.deaths), ("injuries", "injured", final.injuries))
    key = tuple((colour, name) for colour, name, figure in figures if figure is not None)
    return make_chart(
        "casualties",
        "Dead and injured, as reported",
        words,
        key,
        lambda width: casualty_spec(timeline, width),
    )


def coverage_spec(timeline: TimelineReport, width: int = WIDE) -> Spec:
    """The Vega-Lite specification of `coverage_chart`."""
    clock = timeline.clock
    start, end = _period(timeline)
    counts = [(start, 0), *((entry.update.time, entry.number) for entry in timeline.entries)]
    counts.append((end, len(timeline.entries)))
    updates = [{"t": _ms(clock, time), "n": number} for time, number in _thin(counts)]
    x = _time_axis(timeline, width)
    soft, ink = light_colours("tide-soft", "tide")
    line = {"color": ink, "strokeWidth": 1.5}
    encoding = {"x": x, "y": {**_y("n", "updates so far", 3, "d"), "stack": None}}
    lower: Spec = {"width": width, "height": 90 if timeline.curve else 150}
    lower |= layer(updates, encoding, "area", interpolate="step-after", color=soft, line=line, clip=True)
    if not timeline.curve:
        return whole(lower)
    series = []
    names = ["comprehensiveness (C)", "latency comprehensiveness (LC)"]
    for column, name in enumerate(names, 2):
        points = [(start, 0.0), *((point[0], float(point[column])) for point in timeline.curve)]
        points.append((end, points[-1][1]))
        series += [
            {"t": _ms(clock, time), "v": round(value, 4), "what": name} for time, value in _thin(points)
        ]
    top = max(1.0, *(max(C, LC) for _, _, C, LC in timeline.curve))
    y = _y("v", "share of the nuggets", 5, "%")
    y["scale"] = {"domain": [0, top]}
    upper: Spec = {
        "width": width,
        "height": HEIGHT_PX,
        "data": {"values": series},
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2.25, "clip": True},
        "encoding": {
            "x": {**x, "axis": {**x["axis"], "labels": False, "title": None}},
            "y": y,
            "color": kinds("what", names, light_colours("tide", "violet")),
            "strokeDash": kinds("what", names, [[1, 0], [6, 3]]),
        },
    }
    return whole({"vconcat": [upper, lower], "spacing": 14})


def casualty_spec(timeline: TimelineReport, width: int = WIDE) -> Spec:
    """The Vega-Lite specification of `casualty_chart`."""
    clock = timeline.clock
    _, end = _period(timeline)
    values: list[Spec] = []
    ends: list[Spec] = []
    for name, kind in (("dead", 0), ("injured", 1)):
        steps = [
            (entry.update.time, figure)
            for entry in timeline.entries
            for before, figure in [
                ((entry.before.deaths, entry.after.deaths), (entry.before.injuries, entry.after.injuries))[
                    kind
                ]
            ]
            if figure is not None and figure != before
        ]
        if steps:
            values += [{"t": _ms(clock, time), "v": figure, "what": name, "c": 1} for time, figure in steps]
            values.append({"t": _ms(clock, end), "v": steps[-1][1], "what": name, "c": 0})
            ends.append({"t": _ms(clock, end), "v": steps[-1][1], "what": name})
    x = _time_axis(timeline, width)
    y = _y("v", "people", 4, ",d")
    y["scale"] = {"domain": [0, max(value["v"] for value in values) * 1.05], "nice": 4}
    colour = kinds("what", ["dead", "injured"], light_colours("deaths", "injuries"))
    layers: list[Spec] = [
        {"mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 2.25}},
        {
            "transform": [{"filter": "datum.c == 1"}],
            "mark": {"type": "point", "filled": True, "size": 34, "opacity": 1},
            "encoding": {"shape": kinds("what", ["dead", "injured"], ["circle", "square"])},
        },
        *_end_labels(ends, max(value["v"] for value in values)),
    ]
    return whole(
        {
            "width": width - END_LABEL_PX,
            # Browsers may set the figures wider than they were measured.
            "padding": {"left": 2, "top": 2, "bottom": 2, "right": 12},
            "height": HEIGHT_PX,
            "data": {"values": values},
            "encoding": {"x": x, "y": y, "color": colour},
            "layer": layers,
        }
    )


def _end_labels(ends: Sequence[Spec], top: int) -> list[Spec]:
    """The last figure of each line, right of the plot where nothing crosses it; figures too close part."""
    gap = abs(ends[0]["v"] - ends[-1]["v"]) / top * HEIGHT_PX
    shift = max((LINE_PX - gap) / 2, 0) if len(ends) > 1 else 0
    upper = max(ends, key=lambda end: int(end["v"]))
    bold = {"align": "left", "dx": 6, "fontSize": 13, "fontWeight": 700, "font": FONT}
    encoding = {"text": {"field": "v", "type": "quantitative", "format": ",d"}}
    return [
        layer([end], encoding, "text", dy=round(-shift if end is upper else shift, 1), **bold) for end in ends
    ]


def draw(spec: Spec, name: str, title: str, description: str) -> Markup:
    """A specification as SVG for inlining: titled and described, without styles, scripts or outside addresses.

    `name` makes the ids of the picture its own among others on one page.
    """
    import vl_convert
    from markupsafe import Markup

    svg: str = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    svg = re.sub(r'\s(?:style|role|aria-[a-z]+|pointer-events|class|xmlns:xlink|version)="[^"]*"', "", svg)
    # Vega numbers its ids on through the life of a process: renumber them, under the picture's own name.
    for number, old in enumerate(re.findall(r'\bid="([^"]+)"', svg)):
        svg = svg.replace(f'id="{old}"', f'id="{name}-{number}"').replace(
            f"url(#{old})", f"url(#{name}-{number})"
        )
    head = (
        f'<svg class="chart" role="img" aria-labelledby="{name}-title {name}-desc" focusable="false"'
        ' xmlns="http://www.w3.org/2000/svg"'
    )
    svg = re.sub(r'^<svg(?:\sxmlns="[^"]*")?', head, svg)
    words = (
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(description)}</desc>'
    )
    return Markup(re.sub(r"^(<svg[^>]*>)", lambda head: head.group(1) + words, svg))  # noqa: S704 our own SVG


def make_chart(
    name: str, title: str, description: str, key: tuple[tuple[str, str], ...], spec_for: Callable[[int], Spec]
) -> Chart:
    """A chart drawn for wide and for narrow screens; `spec_for` gives the specification at a width in pixels."""
    wide = draw(spec_for(WIDE), f"{name}-wide", title, description)
    narrow = draw(spec_for(NARROW), f"{name}-narrow", title, description)
    return Chart(title, description, wide, narrow, key)


def _period(timeline: TimelineReport) -> tuple[int, int]:
    start, end = timeline.span or (0, 1)
    return start, max(end, start + 1)


def _ms(clock: Clock, time: int) -> int:
    """The clock's hands as milliseconds, so that a chart drawn in UTC shows the clock's own hours."""
    return int(clock.at(time).replace(tzinfo=UTC).timestamp() * 1000)


def _thin(points: Sequence[tuple[int, float]]) -> Sequence[tuple[int, float]]:
    """At most about `MOST_POINTS` of the points, evenly in time: the last of each stretch, and always both ends."""
    if len(points) <= MOST_POINTS:
        return points
    first, last = points[0][0], points[-1][0]
    stretch = max((last - first) / MOST_POINTS, 1e-9)
    kept = {int((time - first) / stretch): (time, value) for time, value in points}
    return [points[0], *kept.values()]


def _time_axis(timeline: TimelineReport, width: int) -> Spec:
    clock = timeline.clock
    start, end = _period(timeline)
    most = max(3, width // 75)
    days = (end - start) / DAY_S
    if days > 3:
        ticks: Any = {"interval": "day", "step": max(1, -(-int(days + 1) // most))}
        form = "%-d %b"
    else:
        ticks, form = max(3, width // 110), "%-d %b %H:%M"
    year = datetime.fromtimestamp(_ms(clock, start) / 1000, UTC).year
    return {
        "field": "t",
        "type": "temporal",
        "scale": {"type": "utc", "domain": [_ms(clock, start), _ms(clock, end)], "nice": False},
        "axis": {
            "title": f"{year}, {clock.label}",
            "format": form,
            "tickCount": ticks,
            "labelOverlap": "greedy",
            "grid": False,
        },
    }


def _y(column: str, title: str, ticks: int, form: str) -> Spec:
    axis = {"title": title, "tickCount": ticks, "format": form, "minExtent": 34, "titlePadding": 8}
    if form != "%":
        axis["tickMinStep"] = 1
    return quantity(column, axis, nice=True, zero=True)


def quantity(field: str, axis: Spec | None = None, **scale: object) -> Spec:
    """A channel of figures, with its axis and scale where they are not the usual ones."""
    spec: Spec = {"field": field, "type": "quantitative"}
    if axis is not None:
        spec["axis"] = axis
    if scale:
        spec["scale"] = scale
    return spec


def kinds(field: str, names: Sequence[str], shown: Sequence[object], legend: Spec | None = None) -> Spec:
    """A channel by which kinds are told apart: each name with the colour, shape or dashes that it is shown by.

    Without `legend` the key stands in the page's own words beside the picture, where it wraps and is read aloud.
    """
    return {"field": field, "type": "nominal", "scale": {"domain": names, "range": shown}, "legend": legend}


def layer(values: Sequence[Spec], encoding: Spec, kind: str, **mark: object) -> Spec:
    """A layer of marks of one kind over values of its own."""
    return {"data": {"values": values}, "mark": {"type": kind, **mark}, "encoding": encoding}


def light_colours(*names: str) -> list[str]:
    """The palette's colours of these names, as charts are drawn in light."""
    return [PALETTE[name].light for name in names]


def whole(spec: Spec) -> Spec:
    """The specification with the house's axes and type around it."""
    muted, line = light_colours("muted", "line")
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "background": None,
        "padding": 2,
        **spec,
        "config": {
            "font": FONT,
            "view": {"stroke": None},
            "axis": {
                **{f"{part}Color": muted for part in ("label", "title")},
                **{f"{part}FontSize": 11.5 for part in ("label", "title")},
                **{f"{part}Color": line for part in ("grid", "domain", "tick")},
                **{f"{part}Font": FONT for part in ("label", "title")},
                "titleFontWeight": "normal",
            },
            "axisY": {"domain": False, "ticks": False, "titleAnchor": "end"},
        },
    }


class Section(Struct, frozen=True):
    """A part: its name on a page, its title, what it says in words, and tables under captions."""

    name: str
    title: str
    words: tuple[str, ...]
    tables: tuple[tuple[str, Table], ...]


def one_table(
    name: str,
    title: str,
    words: Sequence[str],
    heads: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    right: Iterable[int],
) -> Section:
    """A part with one table, without a caption."""
    table = Table(tuple(heads), tuple(map(tuple, rows)), right=tuple(right))
    return Section(name, title, tuple(words), (("", table),))


def print_sections(
    title: str,
    lede: str,
    sections: Sequence[Section],
    command: str = "",
    form: str = "table",
    width: int | None = None,
) -> str:
    """All parts as text, in `table`, `markdown` or `latex`, without a line end after the last line."""
    blocks = [with_title(title, lede, form, 1)]
    for section in sections:
        lines = "\n".join(note(line, form) for line in section.words)
        body = [lines] if lines else []
        for caption, table in section.tables:
            body += [
                *([_caption(caption, form)] if caption else []),
                _latin(render(table, form, width), form),
            ]
        blocks.append(with_title(section.title, "\n\n".join(body), form, 2))
    if command:
        blocks.append(note(f"command: {command}", form))
    return "\n\n".join(blocks)


def with_title(title: str, body: str, form: str, depth: int = 3) -> str:
    """A part under its title."""
    if form == "markdown":
        return f"{'#' * depth} {markdown_text(title)}\n\n{body}"
    return f"% {latex_text(title)}\n{body}" if form == "latex" else f"{title}\n\n{body}"


def _caption(caption: str, form: str) -> str:
    if form == "markdown":
        return f"**{markdown_text(caption)}**"
    return f"% {latex_text(caption)}" if form == "latex" else f"{caption}:"


def note(line: str, form: str) -> str:
    """A remark in words, as a list has them."""
    return {"markdown": f"- {markdown_text(line)}", "latex": f"% {line}"}.get(form, f"* {line}")


def _latin(text: str, form: str) -> str:
    if form != "latex":
        return text
    for plain, typeset in (("–", "--"), ("τ", r"$\tau$"), ("²", "$^2$"), ("±", r"$\pm$"), ("−", "$-$")):
        text = text.replace(plain, typeset)
    return text


def page_tables(section: Section) -> list[tuple[str, list[tuple[str, bool]], list[list[str]]]]:
    """A part's tables for a page: caption, (heading, are these figures), rows as they are shown."""
    return [
        (
            caption,
            [(heading, table.is_number(place)) for place, heading in enumerate(table.headings())],
            table.texts(),
        )
        for caption, table in section.tables
    ]


def picture(spec: Spec, ending: str) -> bytes:
    """A chart alone, as `.svg` or `.png` (twice the size), on white as there is no style sheet."""
    import vl_convert

    spec = {**spec, "background": "#ffffff", "padding": 10}
    if ending == ".svg":
        return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]).encode("utf-8")
    return bytes(vl_convert.vegalite_to_png(spec, scale=2, allowed_base_urls=[]))


def without_nan(value: Any) -> Any:
    """A value of dicts, lists and figures in which what is no number is None.

    >>> without_nan({"a": [float("nan"), 1.0]})
    {'a': [None, 1.0]}
    """
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
