"""A study of nuggets and clusters as tables (for a terminal, Markdown, LaTeX, one JSON object) and as a page."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from tidings.core import PALETTE, Cell, Table, clean, duration_words, percent
from tidings.evaluation.measures.agreement import Line, sign
from tidings.evaluation.measures.projection import RULES
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
from tidings.evaluation.report.comparison_tables import Provenance
from tidings.evaluation.study.categories import CategoryTable
from tidings.evaluation.study.collection import Counts, middle
from tidings.evaluation.study.score_agreement import Correlation, Pairs
from tidings.evaluation.study.whole_study import Study

METRIC_NAMES = {"EG": "expected gain", "C": "comprehensiveness"}

_PAPER_LIKENESS = {
    "random": (0.1734, 0.1302),
    "highest-grade": (0.1735, 0.1312),
    "earliest": (0.1657, 0.1287),
    "most-popular": (0.1709, 0.1302),
}
_PAPER_SHARES = {"EG": "79.2 %", "C": "79.6 %"}
_PAPER_ABOVE = {"EG": "12 of 22", "C": "9 of 22"}


def headline(study: Study) -> str:
    """The study in a sentence or two."""
    topics = len(study.topics)
    words = f"{topics} topic{'s' if topics != 1 else ''} judged by nuggets and by clusters"
    if study.silver:
        words += "; the clusters are silver ones, made of the "
        words += (
            "words of updates that match nuggets"
            if study.silver == "automatic"
            else f"nuggets by the rule {study.silver}"
        )
    if study.verbosity:
        words += "; expected gain is divided by the verbosity of the updates, not by their number"
    if not study.runs:
        return words + "."
    shares = " and ".join(
        f"{percent(agreement.share)} by {METRIC_NAMES[agreement.metric]}" for agreement in study.agreement
    )
    return f"{words}. Of the pairs of {len(study.runs)} runs that both tell apart, they order {shares} the same way."


def about_categories(table: CategoryTable) -> str:
    """Who sorted a topic's nuggets and clusters."""
    everything = len(table.assigned)
    if table.suggested == everything:
        return "Suggested by likeness of words; nobody has sorted these. N counts nuggets, C clusters."
    by_hand = f"{everything - table.suggested} of {everything} sorted by hand"
    rest = ", the rest by likeness of words" if table.suggested else ""
    return f"{by_hand}{rest}. N counts nuggets, C clusters."


def about_projections(study: Study) -> tuple[str, ...]:
    """What the figures of Table 3 are."""
    made = study.projections
    lines = [
        "Each update that is relevant both ways gets one of its nuggets for a cluster: a random one, that of the "
        "highest grade, the earliest, or the most popular one. Ties are broken at random.",
        f"Means over topics and {made.seeds} seed{'s' if made.seeds != 1 else ''}; ± is the standard deviation from "
        f"seed to seed. AMI is divided by the {_NORMALISERS[made.normaliser]} of the two entropies.",
    ]
    if study.silver == "automatic":
        lines.append(
            "The clusters here are made by a program from the words of the updates that match nuggets: all figures say "
            "how like projections are to these, not to people's clusters."
        )
    elif study.silver:
        lines.append(
            f"The clusters here are themselves a projection ({study.silver}), so that rule differs from them only "
            "in how ties are broken, and all figures say how alike projections are, not how like people's clusters."
        )
    return tuple(lines)


_NORMALISERS = {
    "max": "greater",
    "min": "smaller",
    "arithmetic": "arithmetic mean",
    "geometric": "geometric mean",
}


def about_ties() -> tuple[str, ...]:
    """What is done with pairs that one kind of judgments does not tell apart."""
    return (
        "Each point is a pair of runs of the topic's year: the difference by nuggets across, by clusters upwards, each "
        "divided by the greatest of the topic. A run that is silent on a topic scores 0 there.",
        "Pairs agree where both differences have the same sign. A pair is tied once where one of the two differences "
        "is 0, and twice where both are: ties are counted apart, and neither agree nor disagree. Shares are given of "
        "the pairs without ties, and of all pairs.",
    )


def paper_rows(study: Study) -> list[tuple[Cell, ...]]:
    """(what, what the study of 2017 reports, what is found here)."""
    counts = study.counts
    updates = sum(row.updates for row in counts)
    rows: list[tuple[Cell, ...]] = [
        ("topics", "22", str(len(counts))),
        ("relevant by nuggets", "37.6 %", _share(sum(row.by_nuggets for row in counts), updates)),
        ("relevant by clusters", "59.8 %", _share(sum(row.by_clusters for row in counts), updates)),
        (
            "nuggets for each cluster",
            f"{2283 / 879:.2f}",
            f"{sum(row.nuggets for row in counts) / max(1.0, sum(row.clusters for row in counts)):.2f}",
        ),
    ]
    likeness = {rule.one: rule for rule in study.projections.rules}
    for place, name in enumerate(("ARI", "AMI")):
        for rule in RULES:
            value = likeness[rule].ari if name == "ARI" else likeness[rule].ami
            shown = f"{value:.4f}" if math.isfinite(value) else "–"
            rows.append((f"{name}, {rule}", f"{_PAPER_LIKENESS[rule][place]:.4f}", shown))
    for agreement in study.agreement:
        name = METRIC_NAMES[agreement.metric]
        rows.append(
            (f"pairs that agree by {name}", _PAPER_SHARES[agreement.metric], f"{100 * agreement.share:.1f} %")
        )
        rows.append(
            ("the same, of all pairs with ties", "not given", f"{100 * agreement.share_of_all:.1f} %")
        )
        rows.append(
            (
                f"topics with more than 80 % by {name}",
                _PAPER_ABOVE[agreement.metric],
                f"{agreement.topics_above} of {agreement.topics}",
            )
        )
    for plot in study.correlations:
        shown = f"{plot.tau:.3f}" if math.isfinite(plot.tau) else "–"
        rows.append((f"Kendall's τ, {METRIC_NAMES[plot.metric]}, {plot.group}", "drawn only", shown))
    if study.effort is not None and study.effort.ratio:
        rows.append(("nuggets' time over clusters'", "2.8 to 4.8", f"{study.effort.ratio:.1f}"))
    return rows


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def sections(study: Study) -> list[Section]:
    """All parts that there is something to say in, in the issue's order: counts first, disagreements last."""
    parts = [_counts(study)]
    if study.categories is not None:
        parts.append(_categories(study))
    parts.append(_projections(study))
    if study.runs:
        parts += [_correlations(study), _pairs(study)]
    if study.effort is not None:
        parts.append(_effort(study))
    if study.disagreements:
        parts.append(_disagreements(study))
    parts.append(_paper(study))
    return parts


def _counts(study: Study) -> Section:
    heads = ("topic", "updates", "nuggets", "clusters", "rel. w/ nuggets", "rel. w/ clusters")
    rows = [_count_row(row) for row in study.counts]
    if len(rows) > 1:
        rows += [_count_row(row) for row in middle(study.counts)]
    words = [f"left out: {topic} ({lacks} missing)" for topic, lacks in study.left_out]
    return one_table("counts", "Updates, nuggets and clusters", words, heads, rows, range(1, 6))


def _count_row(row: Counts) -> tuple[Cell, ...]:
    figures = [getattr(row, name) for name in Counts.__struct_fields__[1:]]
    return (
        row.topic,
        *(f"{figure:,.0f}" if float(figure).is_integer() else f"{figure:,.2f}" for figure in figures),
    )


def _categories(study: Study) -> Section:
    table = study.categories
    assert table is not None
    rows: list[tuple[Cell, ...]] = [
        (clean(row.name), len(row.nuggets), len(row.clusters), clean(row.relationship)) for row in table.rows
    ]
    related = any(row.relationship for row in table.rows)
    heads = ("category", "N", "C", "relationship") if related else ("category", "N", "C")
    shown = tuple(row if related else row[:3] for row in rows)
    title = f"Categories of nuggets and clusters: {clean(table.topic)} {clean(table.title)}"
    return one_table("categories", title, [about_categories(table)], heads, shown, (1, 2))


def _projections(study: Study) -> Section:
    made = study.projections
    rules: list[tuple[Cell, ...]] = [
        (rule.one, _f(rule.ari), _f(rule.ari_spread), _f(rule.ami), _f(rule.ami_spread))
        for rule in made.rules
    ]
    between: list[tuple[Cell, ...]] = [
        (f"{likeness.one} / {likeness.other}", _f(likeness.ari), _f(likeness.ami))
        for likeness in made.between
    ]
    names = list(dict.fromkeys(topic.rule for topic in made.topics))
    by_topic: dict[str, dict[str, tuple[float, float]]] = {}
    sizes: dict[str, int] = {}
    for one in made.topics:
        by_topic.setdefault(one.topic, {})[one.rule] = (one.ari, one.ami)
        sizes[one.topic] = one.updates
    topics: list[tuple[Cell, ...]] = [
        (topic, sizes[topic], *(_f(value) for name in names for value in of_topic[name]))
        for topic, of_topic in by_topic.items()
    ]
    heads = ("topic", "updates", *(f"{what} {name}" for name in names for what in ("ARI", "AMI")))
    right = tuple(range(1, len(heads)))
    return Section(
        "projections",
        "Nuggets projected into clusters",
        about_projections(study),
        (
            (
                "Against the clusters",
                Table(("rule", "ARI", "±", "AMI", "±"), tuple(rules), right=(1, 2, 3, 4)),
            ),
            (
                "Rules against each other",
                Table(("rules", "ARI", "AMI"), tuple(between), right=(1, 2)),
            ),
            ("By topic", Table(heads, tuple(topics), right=right)),
        ),
    )


def _correlations(study: Study) -> Section:
    rows: list[tuple[Cell, ...]] = [
        (
            METRIC_NAMES[correlation.metric],
            correlation.group,
            correlation.topics,
            len(correlation.points),
            _f(correlation.tau),
            _f(correlation.r),
            _f(correlation.line.r2),
            _f(correlation.line.slope),
            _f(correlation.line.intercept),
        )
        for correlation in study.correlations
    ]
    heads = ("metric", "year", "topics", "runs", "Kendall's τ", "Pearson's r", "R²", "slope", "intercept")
    words = (
        "A point is a run: its mean over the topics of the year. τ is Kendall's τ-b; the line is that of least "
        "squares."
    )
    return one_table("scores", "Scores of runs by nuggets and by clusters", [words], heads, rows, range(2, 9))


def _pairs(study: Study) -> Section:
    heads = ("", "pairs", "agree", "disagree", "tied once", "tied twice", "agree, no ties", "agree, of all")
    overall: list[tuple[Cell, ...]] = [
        (
            METRIC_NAMES[agreement.metric],
            *(
                f"{count:,}"
                for count in (
                    agreement.pairs,
                    agreement.agree,
                    agreement.disagree,
                    agreement.tied_once,
                    agreement.tied_twice,
                )
            ),
            _p(agreement.share),
            _p(agreement.share_of_all),
        )
        for agreement in study.agreement
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            pair.topic,
            METRIC_NAMES[pair.metric],
            pair.agree,
            pair.disagree,
            pair.tied_once,
            pair.tied_twice,
            _p(pair.share),
            _p(pair.share_of_all),
            _f(pair.tau),
            _f(pair.line.r2),
        )
        for pair in study.pairs
    ]
    by_topic = ("topic", "metric", *heads[2:], "Kendall's τ", "R²")
    return Section(
        "pairs",
        "Pairs of runs, topic by topic",
        about_ties(),
        (
            ("All topics", Table(heads, tuple(overall), right=tuple(range(1, 8)))),
            ("By topic", Table(by_topic, tuple(rows), right=tuple(range(2, 10)))),
        ),
    )


def _effort(study: Study) -> Section:
    effort = study.effort
    assert effort is not None
    rows: list[tuple[Cell, ...]] = [
        (
            task.task,
            task.kind,
            duration_words(round(task.estimated_s)),
            duration_words(round(task.observed_s)),
            task.assessments,
            f"{60 * task.assessments / task.estimated_s:.1f}" if task.estimated_s else "–",
            task.people,
        )
        for task in effort.tasks
    ]
    heads = ("task", "for", "time", "observed", "assessments", "a minute", "people")
    words = ["Time from the desk's log; observed time is a lower bound."]
    if effort.ratio:
        words.append(f"Nuggets took {effort.ratio:.1f} times what clusters took.")
    else:
        words.append("The log holds one kind of judging only: nothing to compare.")
    return one_table("effort", "Effort", words, heads, rows, range(2, 7))


def _disagreements(study: Study) -> Section:
    tables = []
    for disagreement in study.disagreements:
        rows: list[tuple[Cell, ...]] = [
            (
                cause.update,
                cause.fewer["EG"],
                cause.fewer["C"],
                cause.runs,
                len(cause.nuggets),
                clean("; ".join(cause.clusters)) or "–",
                clean(cause.text),
            )
            for cause in disagreement.causes
        ]
        heads = ("update", "EG", "C", "runs", "nuggets", "cluster", "text")
        title = (
            f"{clean(disagreement.topic)} {clean(disagreement.title)}: "
            f"{disagreement.disagree['EG']} pairs disagree by expected gain, "
            f"{disagreement.disagree['C']} by comprehensiveness"
        )
        tables.append((title, Table(heads, tuple(rows), right=(1, 2, 3, 4))))
    return Section(
        "causes",
        "Where they disagree most, and why",
        (
            "EG and C: how many fewer pairs of runs would disagree if nobody had judged the update. "
            "Counted for one update at a time: the figures of several do not add up.",
        ),
        tuple(tables),
    )


def _paper(study: Study) -> Section:
    words = (
        "What Baruah, McCreadie and Lin (CIKM 2017) report of 22 topics of TREC TS 2013 and 2014, judged both ways "
        "by people, and the runs submitted then, next to what is found here. Kendall's τ by year stands in their "
        "Figure 2 only, as a drawing."
    )
    return one_table(
        "paper", "Comparison with the study of 2017", [words], ("", "2017", "here"), paper_rows(study), (1, 2)
    )


def print_study(
    study: Study, provenance: Provenance, form: str = "table", *, width: int | None = None
) -> str:
    """The whole study as text, in `table`, `markdown` or `latex`, without a line end after the last line."""
    return print_sections(
        "Nuggets against clusters", headline(study), sections(study), provenance.command, form, width
    )


def study_json(study: Study, provenance: Provenance) -> dict[str, Any]:
    """Everything as one object; what could not be computed is null."""
    made: dict[str, Any] = without_nan(msgspec.to_builtins(study))
    made["agreement"] = [
        {**agreement, "share": value.share, "share_of_all": value.share_of_all}
        for agreement, value in zip(made["agreement"], study.agreement, strict=True)
    ]
    made["pairs"] = [
        {**one, "share": without_nan(value.share), "share_of_all": without_nan(value.share_of_all)}
        for one, value in zip(made["pairs"], study.pairs, strict=True)
    ]
    if study.effort is not None:
        made["effort"]["ratio"] = study.effort.ratio
    made["totals"] = [without_nan(msgspec.to_builtins(row)) for row in middle(study.counts)]
    made["command"] = provenance.command
    made["files"] = dict(provenance.files)
    return made


def _f(value: float) -> Cell:
    return f"{value:.4f}" if math.isfinite(value) else "–"


def _p(share: float) -> Cell:
    return f"{100 * share:.1f} %" if math.isfinite(share) else "–"


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
