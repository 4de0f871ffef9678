"""A study of nuggets and clusters as tables: for a terminal, Markdown, LaTeX and a page, and as one JSON object."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from tidings.core import Cell, Table, clean, duration_words
from tidings.evaluation.report.comparison_words import Provenance
from tidings.evaluation.report.sections import Section, print_sections, without_nan
from tidings.evaluation.report.study_words import (
    METRIC_NAMES,
    about_categories,
    about_projections,
    about_ties,
    headline,
    paper_rows,
)
from tidings.evaluation.study import Study
from tidings.evaluation.study.collection import Counts, middle

__all__ = ["print_study", "sections", "study_json"]


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
    return Section(
        "counts",
        "Updates, nuggets and clusters",
        tuple(words),
        (("", Table(heads, tuple(rows), right=tuple(range(1, 6)))),),
    )


def _count_row(row: Counts) -> tuple[Cell, ...]:
    figures = [getattr(row, name) for name in Counts.__struct_fields__[1:]]
    return (row.topic, *(f"{one:,.0f}" if float(one).is_integer() else f"{one:,.2f}" for one in figures))


def _categories(study: Study) -> Section:
    table = study.categories
    assert table is not None
    rows: list[tuple[Cell, ...]] = [
        (clean(row.name), len(row.nuggets), len(row.clusters), clean(row.relationship)) for row in table.rows
    ]
    related = any(row.relationship for row in table.rows)
    heads = ("category", "N", "C", "relationship") if related else ("category", "N", "C")
    shown = tuple(row if related else row[:3] for row in rows)
    return Section(
        "categories",
        f"Categories of nuggets and clusters: {clean(table.topic)} {clean(table.title)}",
        (about_categories(table),),
        (("", Table(heads, shown, right=(1, 2))),),
    )


def _projections(study: Study) -> Section:
    made = study.projections
    rules: list[tuple[Cell, ...]] = [
        (one.one, _f(one.ari), _f(one.ari_spread), _f(one.ami), _f(one.ami_spread)) for one in made.rules
    ]
    between: list[tuple[Cell, ...]] = [
        (f"{one.one} / {one.other}", _f(one.ari), _f(one.ami)) for one in made.between
    ]
    names = list(dict.fromkeys(one.rule for one in made.topics))
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
            METRIC_NAMES[one.metric],
            one.group,
            one.topics,
            len(one.points),
            _f(one.tau),
            _f(one.r),
            _f(one.line.r2),
            _f(one.line.slope),
            _f(one.line.intercept),
        )
        for one in study.correlations
    ]
    heads = ("metric", "year", "topics", "runs", "Kendall's τ", "Pearson's r", "R²", "slope", "intercept")
    return Section(
        "scores",
        "Scores of runs by nuggets and by clusters",
        (
            "A point is a run: its mean over the topics of the year. τ is Kendall's τ-b; the line is that of least "
            "squares.",
        ),
        (("", Table(heads, tuple(rows), right=tuple(range(2, 9)))),),
    )


def _pairs(study: Study) -> Section:
    heads = ("", "pairs", "agree", "disagree", "tied once", "tied twice", "agree, no ties", "agree, of all")
    overall: list[tuple[Cell, ...]] = [
        (
            METRIC_NAMES[one.metric],
            *(f"{count:,}" for count in (one.pairs, one.agree, one.disagree, one.tied_once, one.tied_twice)),
            _p(one.share),
            _p(one.share_of_all),
        )
        for one in study.agreement
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            one.topic,
            METRIC_NAMES[one.metric],
            one.agree,
            one.disagree,
            one.tied_once,
            one.tied_twice,
            _p(one.share),
            _p(one.share_of_all),
            _f(one.tau),
            _f(one.line.r2),
        )
        for one in study.pairs
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
            one.task,
            one.kind,
            duration_words(round(one.estimated_s)),
            duration_words(round(one.observed_s)),
            one.assessments,
            f"{60 * one.assessments / one.estimated_s:.1f}" if one.estimated_s else "–",
            one.people,
        )
        for one in effort.tasks
    ]
    heads = ("task", "for", "time", "observed", "assessments", "a minute", "people")
    words = ["Time as the desk's log has it; observed time is a lower bound."]
    if effort.ratio:
        words.append(f"Nuggets took {effort.ratio:.1f} times what clusters took.")
    else:
        words.append("The log holds one kind of judging only: nothing to compare.")
    return Section(
        "effort", "Effort", tuple(words), (("", Table(heads, tuple(rows), right=(2, 3, 4, 5, 6))),)
    )


def _disagreements(study: Study) -> Section:
    tables = []
    for one in study.disagreements:
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
            for cause in one.causes
        ]
        heads = ("update", "EG", "C", "runs", "nuggets", "cluster", "text")
        title = (
            f"{clean(one.topic)} {clean(one.title)}: {one.disagree['EG']} pairs disagree by expected gain, "
            f"{one.disagree['C']} by comprehensiveness"
        )
        tables.append((title, Table(heads, tuple(rows), right=(1, 2, 3, 4))))
    return Section(
        "causes",
        "Where they disagree most, and why",
        (
            "EG and C: how many disagreeing pairs of runs there would be fewer if nobody had judged the update. "
            "Counted for one update at a time: the figures of several do not add up.",
        ),
        tuple(tables),
    )


def _paper(study: Study) -> Section:
    return Section(
        "paper",
        "Beside the study of 2017",
        (
            "What Baruah, McCreadie and Lin (CIKM 2017) report of 22 topics of TREC TS 2013 and 2014, judged both ways "
            "by people, and the runs submitted then, beside what is found here. Kendall's τ by year stands in their "
            "Figure 2 only, as a drawing.",
        ),
        (("", Table(("", "2017", "here"), tuple(paper_rows(study)), right=(1, 2))),),
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
        {**one, "share": value.share, "share_of_all": value.share_of_all}
        for one, value in zip(made["agreement"], study.agreement, strict=True)
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
