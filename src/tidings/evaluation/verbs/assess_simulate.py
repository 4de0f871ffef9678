"""`tidings assess simulate`: how much of a finished collection another order of judging would have found how soon."""

from __future__ import annotations

import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tidings.core import described, form_of, say, show, sort_outputs, terminal_width
from tidings.evaluation.selection.selection import Strategy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tidings.core import Cell, Judgments, Table
    from tidings.evaluation.report.judging import JudgingReport
    from tidings.evaluation.selection.simulation import Course, JudgedTopic, OrderSummary

_HEADS = ("suggested by", "matches", "first right", "one of 3", "of 5", "F of spans", "F of the text")


def suggestion_table(judgments: Judgments, topics: tuple[JudgedTopic, ...], model: str) -> Table:
    """A row for likeness and for matcher, where nothing is ever matched and where what came before is."""
    from tidings.core import Table, bare_event_id
    from tidings.evaluation.matching.texts import match_events
    from tidings.evaluation.selection.next_updates import likeliest
    from tidings.evaluation.selection.simulation import mean_figures, suggestion_figures
    from tidings.evaluation.verbs.score_automatic import matcher_of
    from tidings.following import steps_progress

    matcher = matcher_of(model)
    with steps_progress("matching") as progress:
        pairs = list(match_events(matcher, judgments, None, progress))
    first = {
        bare: likeliest(pair for pair in pairs if bare_event_id(pair.event_id) == bare)
        for bare in {bare_event_id(topic.event.id) for topic in topics}
    }
    rows = []
    for learning in (False, True):
        for name, asked in (("likeness", False), ("matcher first", True)):
            figures = mean_figures(
                [
                    suggestion_figures(
                        topic,
                        judgments.matches,
                        first[bare_event_id(topic.event.id)] if asked else None,
                        learning,
                    )
                    for topic in topics
                ]
            )
            values = (figures.first, figures.three, figures.five, figures.spans, figures.whole)
            rows.append((name, "known" if learning else "none", *(f"{value:.3f}" for value in values)))
    return Table(_HEADS, tuple(rows), right=tuple(range(2, len(_HEADS))))


Form = Literal["table", "tsv", "csv", "markdown", "latex"]
Courses = dict[Strategy, list["Course"]]
USUAL: tuple[Strategy, ...] = ("time", "random", "uncertainty", "yield")


@described(__file__)
def assess_simulate(
    folder: Path,
    by: list[str] | None = None,
    seeds: int = 5,
    target: float = 0.9,
    step: int = 10,
    without_nuggets: bool = False,
    per_topic: bool = False,
    suggestions: bool = False,
    model: str = "",
    form: Form | None = None,
    out: list[str] | None = None,
    lenient: bool = False,
) -> None:
    """Simulate judging a finished collection in other orders, with its own judgments as the assessor.

    Counts matches found against updates judged; exact copies are judged once. Orders: time, random, likeness (to query,
    nuggets and pool; learns nothing), terms (active learning on words alone), uncertainty, yield. --suggestions checks
    for each matched update, in time order, whether the nuggets suggested by the desk are right.
    """
    from tidings.core import Problems, UsageError, ending, refuse_overwriting, render, write_bytes
    from tidings.evaluation.selection.simulation import judged_topics
    from tidings.sources import read_judgments

    orders = _orders(by or USUAL)
    _refuse_mixed(suggestions, model, {"--by": by, "--out": out})
    refuse_overwriting({"--out": out}, {"judgments": [folder]})
    outs = sort_outputs(out, {"curves": ("csv", "tsv"), "page": ("html",), "chart": ("svg", "png")})
    curves, html, chart = outs.get("curves"), outs.get("page"), outs.get("chart")
    problems = Problems(lenient=lenient)
    judgments = read_judgments(folder, problems=problems)
    say(problems.summary())
    topics = judged_topics(judgments)
    if not topics:
        raise UsageError(f"{folder}: no topic has a pool and matches")
    if suggestions:
        from tidings.evaluation.verbs.score_automatic import learned_words

        for line in learned_words(judgments, model):
            say(line)
        asked = suggestion_table(judgments, topics, model)
        show(render(asked, form or "table", terminal_width()))
        return
    courses = _courses(topics, orders, seeds, step, not without_nuggets)
    report = _report(folder, judgments.name, topics, courses, target, step, not without_nuggets)
    for line in report.warnings:
        say(line)
    if curves:
        show(render(_curves_table(courses), form_of(curves, None, Literal["csv", "tsv"])), curves)
    if html:
        from tidings.evaluation.report.judging import render_judging

        write_bytes(html, render_judging(report).encode("utf-8"))
        say(f"the page is at {html}", prefix="")
    if chart:
        from tidings.evaluation.report.judging import judging_picture

        write_bytes(chart, judging_picture(report, ending(chart)))
        say(f"the chart is at {chart}", prefix="")
    table = report.topics if per_topic else report.summary
    show(render(table, form or "table", terminal_width()))


def _refuse_mixed(suggestions: bool, model: str, others: Mapping[str, object]) -> None:
    from tidings.core import UsageError

    if model and not suggestions:
        raise UsageError("--model needs --suggestions: orders ask no matcher")
    for option, given in others.items():
        if suggestions and given:
            raise UsageError(f"--suggestions cannot be combined with {option}: suggestions are a table alone")


def _orders(names: Sequence[str]) -> list[Strategy]:
    from tidings.core import UsageError
    from tidings.evaluation.selection.selection import STRATEGIES

    for name in names:
        if name not in STRATEGIES:
            raise UsageError(f"--by {name!r} (expected one of {', '.join(STRATEGIES)})")
    return [order for order in STRATEGIES if order in names]


def _courses(
    topics: Sequence[JudgedTopic], orders: Sequence[Strategy], seeds: int, step: int, nuggets: bool
) -> Courses:
    from rich.console import Console
    from rich.progress import track

    from tidings.evaluation.selection.simulation import simulate, topic_selection

    courses: Courses = {order: [] for order in orders}
    console = Console(stderr=True)
    for topic in track(topics, "judging", console=console, disable=not sys.stderr.isatty(), transient=True):
        selection = topic_selection(topic, nuggets)
        for order in orders:
            for seed in range(seeds if order == "random" else 1):
                courses[order].append(simulate(topic, selection, order, seed, step))
    return courses


def _report(
    folder: Path,
    name: str,
    topics: Sequence[JudgedTopic],
    courses: Courses,
    target: float,
    step: int,
    nuggets: bool,
) -> JudgingReport:
    from tidings.evaluation.report.judging import JudgingCurve, JudgingReport
    from tidings.evaluation.selection.selection import learned_from
    from tidings.evaluation.selection.simulation import mean_curve

    curves = [JudgingCurve(order, tuple(mean_curve(own))) for order, own in courses.items()]
    for topic in topics:
        for order, own in courses.items():
            of_topic = [course for course in own if course.event_id == topic.event.id]
            curves.append(JudgingCurve(order, tuple(mean_curve(of_topic)), topic.event.title))
    summary, finding = _summary(courses, target)
    same = learned_from(topic.event for topic in topics)
    warnings = (
        f"The orders likeness, uncertainty and yield begin from weights that were learned on {len(same)} of these "
        f"{len(topics)} topics: their figures are not those of unseen topics.",
    )
    judged = sum(own[-1].judgments for own in _by_topic(courses))
    matches = sum(own[-1].matches[-1] for own in _by_topic(courses))
    notes = (
        f"{len(topics)} topics, {judged:,} updates to judge (exact copies once), {matches:,} matches of them and of "
        "their copies.",
        "Found: distinct pairs of an update and a nugget, of the updates judged and their exact copies.",
        f"The list of nuggets is {'known' if nuggets else 'not known'} while judging; which update matches is not.",
        f"The model is trained again after 1, 2, 3 … and at last {step} judgments.",
        f"random: mean of {len({course.seed for course in courses.get('random', [])}) or 1} drawings.",
        "Means over topics, but for matches together (all topics judged to the same share) and in one queue (the "
        "topic is judged first whose next update promises most).",
    )
    words = ["tidings", "assess", "simulate", str(folder), *(f"--by {order}" for order in courses)]
    if not nuggets:
        words.append("--without-nuggets")
    return JudgingReport(
        title=name,
        finding=finding,
        curves=tuple(curves),
        summary=summary,
        topics=_topics_table(topics, courses, target),
        notes=notes,
        warnings=warnings if same else (),
        command=" ".join(words),
        target=target,
    )


def _by_topic(courses: Courses) -> list[list[Course]]:
    first = next(iter(courses.values()))
    return [[course] for course in first if course.seed == first[0].seed]


def _summary(courses: Courses, target: float) -> tuple[Table, str]:
    """A row for each order, and what came out in words."""
    from tidings.core import Table
    from tidings.evaluation.selection.simulation import summarise

    made = [summarise(own, target) for own in courses.values()]
    wanted = f"{100 * target:g} %"
    lines: list[tuple[str, Callable[[OrderSummary], float]]] = [
        ("matches found, 10 % of each pool judged", lambda summary: summary.tenth),
        ("matches found, 25 % judged", lambda summary: summary.quarter),
        ("matches found, 50 % judged", lambda summary: summary.half),
        ("- least of a topic", lambda summary: summary.half_least),
        ("- least of a drawing", lambda summary: summary.half_seeds[0]),
        ("- most of a drawing", lambda summary: summary.half_seeds[1]),
        (f"judged until {wanted} are found", lambda summary: summary.needed),
        ("- most of a topic", lambda summary: summary.needed_most),
        ("all matches together, 50 % judged", lambda summary: summary.half_together),
        (f"- judged until {wanted} are found", lambda summary: summary.needed_together),
        ("in one queue over all topics, 50 % judged", lambda summary: summary.queue_half),
        (f"- judged until {wanted} are found", lambda summary: summary.queue_needed),
        ("relevant updates found, 50 % judged", lambda summary: summary.relevant),
        ("nuggets found, 50 % judged", lambda summary: summary.nuggets),
    ]
    rows: list[tuple[Cell, ...]] = [
        (name, *(_percent(figure(summary)) for summary in made)) for name, figure in lines
    ]
    best = max(made, key=lambda course: course.half)
    others = ", ".join(f"{_percent(summary.half)} by {summary.by}" for summary in made if summary is not best)
    finding = f"With half of each pool judged, {_percent(best.half)} of the matches are found by {best.by}"
    finding += f" ({others})" if others else ""
    finding += f"; {wanted} are found when {_percent(best.needed)} are judged (means over topics)."
    if not isnan(best.queue_half):
        finding += (
            f" In one queue over all topics half of the judgments find {_percent(best.queue_half)} of all."
        )
    return Table(("figure", *courses), tuple(rows), right=tuple(range(1, len(courses) + 1))), finding


def _topics_table(topics: Sequence[JudgedTopic], courses: Courses, target: float) -> Table:
    from tidings.core import Table
    from tidings.evaluation.selection.simulation import topic_summaries

    by_order = {
        order: {summary.event_id: summary for summary in topic_summaries(own, target)}
        for order, own in courses.items()
    }
    heads = ["topic", "title", "updates", "matches"]
    for order in courses:
        heads += [f"{order} at 50 %", f"{order} for {100 * target:g} %"]
    rows: list[tuple[Cell, ...]] = []
    for topic in topics:
        own = [summaries[topic.event.id] for summaries in by_order.values()]
        figures = [_percent(share) for summary in own for share in (summary.half, summary.needed)]
        rows.append((topic.event.id, topic.event.title, own[0].updates, own[0].matches, *figures))
    return Table(tuple(heads), tuple(rows), right=tuple(range(2, len(heads))))


def _curves_table(courses: Courses) -> Table:
    """A row for each topic, order, seed and hundredth of the pool."""
    from tidings.core import Table
    from tidings.evaluation.selection.simulation import FOUND

    rows: list[tuple[Cell, ...]] = []
    for order, own in courses.items():
        for course in own:
            for percent in range(101):
                share = percent / 100
                counts = [course.count(what, share) for what in FOUND]
                rows.append(
                    (
                        course.event_id,
                        order,
                        course.seed,
                        percent,
                        int(share * course.judgments + 1e-9),
                        *counts,
                    )
                )
    return Table(("topic", "order", "seed", "percent", "judged", *FOUND), tuple(rows))


def _percent(share: float) -> str:
    return "–" if isnan(share) else f"{100 * share:.1f} %"
