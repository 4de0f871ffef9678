"""Comparisons and explanations as one table with plain columns, for spreadsheets and programs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tidings.core import Cell, Table
from tidings.evaluation.measures.run_comparison import Comparison
from tidings.evaluation.report.explanation import Failure, Only


def comparison_rows(comparison: Comparison) -> Table:
    """A row for each run and measure: its mean, and what sets it apart from the baseline (empty for the baseline)."""
    names = [run.name for run in comparison.runs]
    rows: list[tuple[Cell, ...]] = []
    for one in comparison.measures:
        for place, pair in enumerate(one.against):
            head = (str(one.measure), names[place], names[comparison.baseline], float(one.means[place]))
            if pair is None:
                rows.append((*head, *[""] * 10))
                continue
            figures = (
                pair.mean,
                pair.interval.low,
                pair.interval.high,
                pair.d,
                pair.randomisation.p,
                pair.holm,
                pair.tukey,
            )
            shown = [float(value) if math.isfinite(value) else "" for value in figures]
            rows.append((*head, *shown, pair.wins, pair.ties, pair.losses))
    heads = ("measure", "run", "baseline", "mean", "difference", "low", "high", "d")
    return Table((*heads, "p", "p_holm", "p_tukey", "wins", "ties", "losses"), tuple(rows), digits=6)


def topic_rows(comparison: Comparison) -> Table:
    """A row for each measure, run and topic, with the score and whether the run is silent there."""
    rows = [
        (str(measure.measure), run.name, topic, float(value), "silent" if topic in run.silent else "")
        for measure in comparison.measures
        for place, run in enumerate(comparison.runs)
        for topic, value in zip(measure.topics, measure.scores[place], strict=True)
    ]
    return Table(("measure", "run", "topic", "value", "silent"), tuple(rows), digits=6)


def explanation_rows(failure: Failure, only: Only | None = None) -> Table:
    """A row for each nugget (missed or told) and each update (earned or wasted), with times in seconds."""
    rows: list[tuple[Cell, ...]] = []
    if only in (None, "missed"):
        for item in failure.missed:
            one = item.nugget
            rows.append(("missed", one.id, one.time, float(item.relevance), "", 0.0, "", "", "", one.text))
    if only in (None, "earned"):
        for item in failure.covered:
            one, teller = item.nugget, item.told_by.id if item.told_by else ""
            late = "" if item.latency_s is None else item.latency_s
            gain = float(item.latency_gain)
            rows.append(
                ("told", one.id, one.time, float(item.relevance), late, gain, "", teller, "", one.text)
            )
    for kind, updates in (("earned", failure.earning), ("wasted", failure.wasted)):
        if only in (None, kind):
            for update in updates:
                key = (update.update.id, update.update.time)
                cost: Cell = float(update.verbosity) if update.counted else ""
                text = failure.texts.get(key[0], "")
                gain = float(update.latency_gain)
                rows.append((kind, *key, "", "", gain, cost, "", failure.why[key], text))
    heads = ("list", "id", "time", "weight", "latency_s", "gain", "cost", "told_by", "why", "text")
    return Table(heads, tuple(rows), digits=6)


def joined(sections: Sequence[tuple[str, Table]]) -> Table:
    """Several tables as one: a column says which list a row is of, cells that a list does not have are empty.

    >>> joined([("A", Table(("x", ""), ((1, "new"),))), ("B", Table(("y",), ((2,),)))]).rows
    (('A', 1, 'new', ''), ('B', '', '', 2))
    """
    named = [(title, [head or "what" for head in table.columns], table.rows) for title, table in sections]
    heads = dict.fromkeys(head for _, columns, _ in named for head in columns)
    rows: list[tuple[Cell, ...]] = []
    for title, columns, cells in named:
        for row in cells:
            by_head = dict(zip(columns, row, strict=True))
            rows.append((title, *(by_head.get(head, "") for head in heads)))
    return Table(("list", *heads), tuple(rows), digits=6)
