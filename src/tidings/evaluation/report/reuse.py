"""How far judgments can be trusted with systems that were not pooled, as one HTML file with two charts."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from tidings.core import PALETTE, Cell, clean
from tidings.evaluation.report.charts import (
    Chart,
    Section,
    Spec,
    draw,
    layer,
    one_table,
    page_tables,
    print_sections,
    quantity,
    whole,
    without_nan,
)
from tidings.evaluation.report.comparison_tables import Provenance, with_sign
from tidings.evaluation.reuse import Agreement, Reuse

TITLE = "Can these judgments be reused?"
_AGREEMENT = ("Kendall's τ", "mean change", "mean |change|", "runs that move", "mean move", "greatest")


def headline(made: Reuse) -> str:
    """What comes out, in a sentence or two."""
    people, who = made.people, "its team" if made.by == "team" else "it"
    events = f"{made.events} event{'s' * (made.events != 1)}"
    lede = (
        f"{len(made.left)} runs over {events} of {clean(made.name)}, by {made.measure}. Scored as if {who} had not "
        f"been there when people judged, a run's {made.measure} changes by {people.absolute:.4f} on average, and "
        f"{people.moved} of them change rank"
    )
    if made.automatic is None:
        return f"{lede}."
    return (
        f"{lede}; with a matcher's judgments for what nobody judged, by {made.automatic.absolute:.4f}, and "
        f"{made.automatic.moved} do."
    )


def sections(made: Reuse) -> list[Section]:
    """Leaving out, run by run, and pool depth."""
    parts = [_summary(made), _runs(made)]
    return [*parts, _depths(made)] if made.depths else parts


def _summary(made: Reuse) -> Section:
    rows: list[tuple[Cell, ...]] = [("judged only", *_cells(made.people))]
    words = [
        f"Left out in turn: each {made.by}. Updates that no other run emitted would not have been judged, so they "
        "count as unjudged. Other runs keep their scores by all judgments.",
    ]
    if made.automatic is not None:
        rows.append(("with automatic matches", *_cells(made.automatic)))
        if made.expected is not None:
            rows.append(("the same, expected over draws", *_cells(made.expected)))
        words.append(
            f"Automatic: the matcher's pairs of at least {made.how.threshold:g} for what nobody judged. Of the "
            f"intervals over {made.how.draws} draws (spread {made.how.spread:g}) {100 * made.covered:.0f} % hold the "
            "score by all judgments."
        )
    return one_table("left-out", f"A {made.by} left out", words, ("", *_AGREEMENT), rows, range(1, 7))


def _runs(made: Reuse) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for left in made.left:
        row: list[Cell] = [clean(left.run), left.judged, left.lost, _f(left.full), _f(left.people)]
        if left.mended is not None:
            row += [_f(left.mended.decided), _f(left.mended.expected)]
            row += [f"{left.mended.low:.4f} to {left.mended.high:.4f}"]
        row += [left.rank, left.rank_people]
        row += [left.mended.rank] if left.mended is not None else []
        rows.append(tuple(row))
    automatic = made.automatic is not None
    heads = ["run", "judged", "lost", "all", "judged only"]
    heads += ["automatic", "expected", "95 % of draws"] if automatic else []
    heads += ["rank", "rank, judged only", *(["rank, automatic"] if automatic else [])]
    words = (
        f"judged: judged texts that it emitted; lost: those that would not have been judged; then {made.measure} and "
        f"ranks by all judgments and by those that are left{', and with automatic matches' if automatic else ''}."
    )
    return one_table("runs", "Run by run", [words], heads, rows, range(1, len(heads)))


def _depths(made: Reuse) -> Section:
    rows: list[tuple[Cell, ...]] = []
    for level in made.depths:
        share = f"{level.texts:,} ({100 * level.texts / max(1, made.texts):.0f} %)"
        rows.append((f"{level.depth}", "judged only", share, *_cells(level.people)))
        if level.automatic is not None:
            rows.append((f"{level.depth}", "with automatic matches", share, *_cells(level.automatic)))
    heads = ("depth", "by", "judged texts", *_AGREEMENT)
    words = (
        "Only what is among the first updates of a run and event, by confidence, counts as judged, to this "
        "depth, over the runs at hand. All runs are scored so, and compared with their scores by all judgments."
    )
    return one_table("depth", "Pool depth", [words], heads, rows, (0, *range(2, len(heads))))


def _cells(agreement: Agreement) -> tuple[Cell, ...]:
    return (
        _f(agreement.tau),
        with_sign(agreement.change),
        _f(agreement.absolute),
        str(agreement.moved),
        f"{agreement.ranks:.2f}",
        str(agreement.most),
    )


def print_reuse(made: Reuse, provenance: Provenance, form: str = "table", *, width: int | None = None) -> str:
    """Everything as text, in `table`, `markdown` or `latex`, without a line end after the last line."""
    return print_sections(TITLE, headline(made), sections(made), provenance.command, form, width)


def as_json(made: Reuse, provenance: Provenance) -> dict[str, Any]:
    """Everything as one object, unrounded; what could not be computed is null."""
    whole: dict[str, Any] = msgspec.to_builtins(made)
    figures = ("people", "automatic", "expected")
    whole |= {name: msgspec.to_builtins(getattr(made, name)) for name in figures}
    whole |= {"covered": made.covered, "command": provenance.command, "files": dict(provenance.files)}
    cleaned: dict[str, Any] = without_nan(whole)
    return cleaned


def _f(value: float) -> Cell:
    return f"{value:.4f}" if math.isfinite(value) else "–"


SIDE_PX = 300  # of a square plot
_COLOURS = {"judged only": ("deaths", "cross"), "automatic": ("tide", "circle")}


def render_reuse(made: Reuse, provenance: Provenance | None = None) -> str:
    """The whole page as text; the same experiments give the same text."""
    from tidings.evaluation.report.page import fill_template

    charts = {"left-out": [_left_out_chart(made)]}
    if made.depths:
        charts["depth"] = [_depth_chart(made, "tau"), _depth_chart(made, "absolute")]
    return fill_template(
        "reuse.html.j2",
        "comparison.css",
        "study.css",
        r=made,
        title=TITLE,
        headline=headline(made),
        shown=[(section, page_tables(section)) for section in sections(made)],
        charts=charts,
        provenance=provenance or Provenance(),
    )


def _left_out_chart(made: Reuse) -> Chart:
    title = f"{made.measure} of left-out runs"
    words = "Across: by all judgments. Upwards: with what is left. On the line nothing is lost."
    picture = draw(left_out_spec(made), "left-out", title, words)
    return Chart(title, words, picture, picture)


def left_out_spec(made: Reuse, width: int = SIDE_PX) -> Spec:
    """The Vega-Lite specification of runs by all judgments (x) and by those that are left (y)."""
    points = {"judged only": [(run.full, run.people) for run in made.left]}
    if made.automatic is not None:
        points["automatic"] = [(run.full, run.mended.decided) for run in made.left if run.mended]
    far = max([value for own in points.values() for point in own for value in point], default=0.0) or 1.0
    axes = {"x": "by all judgments", "y": "left out"}
    encoding: Spec = {
        name: quantity(
            name, {"title": words, "tickCount": 5, "format": ".2~f"}, domain=[0, far * 1.06], nice=False
        )
        for name, words in axes.items()
    }
    ends: list[Spec] = [{"x": 0, "y": 0}, {"x": far, "y": far}]
    layers = [layer(ends, encoding, "line", color=PALETTE["line"].light, strokeWidth=1.2)]
    for name, own in points.items():
        colour, shape = _COLOURS[name]
        values = [{"x": round(x, 5), "y": round(y, 5)} for x, y in own]
        mark = {"shape": shape, "size": 40, "strokeWidth": 1.4, "color": PALETTE[colour].light}
        layers.append(layer(values, encoding, "point", **mark))
    return whole({"width": width, "height": width, "layer": layers})


def _depth_chart(made: Reuse, figure: str) -> Chart:
    title = {"tau": "Kendall's τ with all judgments", "absolute": f"Mean change of {made.measure}"}[figure]
    words = "By the depth of the pool, in updates of each run and event."
    picture = draw(depth_spec(made, figure), f"depth-{figure}", title, words)
    return Chart(title, words, picture, picture)


def depth_spec(made: Reuse, figure: str, width: int = SIDE_PX) -> Spec:
    """The Vega-Lite specification of an agreement's figure (`tau`, `absolute`) by depth."""
    lines = {"judged only": [(level.depth, getattr(level.people, figure)) for level in made.depths]}
    if made.automatic is not None:
        lines["automatic"] = [
            (level.depth, getattr(level.automatic, figure)) for level in made.depths if level.automatic
        ]
    encoding = {
        "x": {"field": "x", "type": "ordinal", "sort": None, "axis": {"title": "depth", "labelAngle": 0}},
        "y": quantity(
            "y",
            {"title": None, "format": ".2~f" if figure == "tau" else ".3~f"},
            zero=figure != "tau",
            nice=True,
        ),
    }
    layers = []
    for name, points in lines.items():
        colour, shape = _COLOURS[name]
        values = [{"x": str(depth), "y": round(value, 5)} for depth, value in points if math.isfinite(value)]
        ink = PALETTE[colour].light
        point = {"shape": shape, "size": 40, "color": ink}
        layers.append(layer(values, encoding, "line", color=ink, strokeWidth=1.6, point=point))
    return whole({"width": width, "height": 200, "layer": layers})
