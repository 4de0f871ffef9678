"""How a run's outputs sit with the judgments, in words: in the pool, repeated, at impossible times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tidings.evaluation.measures.scores import RunCounts

if TYPE_CHECKING:
    from tidings.evaluation.measures.significance import Comparison

__all__ = ["compared_counts", "count_remarks", "counts_json", "listed"]

_SHOWN = 5


def compared_counts(comparison: Comparison) -> list[str]:
    """What is odd about the outputs of compared runs."""
    return [line for run in comparison.runs for line in count_remarks(run.name, run.counts)]


def counts_json(counts: RunCounts | None) -> dict[str, Any] | None:
    """The counts of a run as JSON has them: numbers by name, without words."""
    if counts is None:
        return None
    return {name: value for name, value in asdict(counts).items() if not name.endswith("_words")} | {
        "kind": counts.outputs_words
    }


def count_remarks(run: str, counts: RunCounts | None) -> list[str]:
    """What is odd about how a run's outputs sit with the judgments; nothing where nothing is.

    >>> count_remarks("us a", RunCounts(769, 412, repeated=20, early=3))[0].partition(", 20 ")[2]
    'appear more than once, 3 were decided before their document existed'
    >>> count_remarks("us a", RunCounts(769, 412))
    []
    """
    if counts is None or not counts.outputs:
        return []
    lines, name = [], " ".join(filter(None, ("run", run)))
    if not counts.judged or counts.repeated or counts.early or counts.outside:
        lines.append(f"{name}: of {counts.outputs:,} {counts.outputs_words}, {', '.join(_parts(counts))}")
    if counts.unmatched:
        known = counts.judged_words.removeprefix("are ")
        lines.append(f"{name}: none of its {counts.outputs_words} on {listed(counts.unmatched)} is {known}")
    return lines


def _parts(counts: RunCounts) -> list[str]:
    odd = (
        (counts.repeated, "appear more than once"),
        (counts.early, counts.early_words),
        (counts.outside, counts.outside_words),
    )
    return [
        _numbered(counts.judged, counts.judged_words),
        *(_numbered(number, words) for number, words in odd if number),
    ]


_SINGULAR = {"are": "is", "were": "was", "have": "has", "rest": "rests", "appear": "appears", "their": "its"}


def _numbered(number: int, words: str) -> str:
    if number > 1:
        return f"{number:,} {words}"
    return " ".join(["1" if number else "none", *(_SINGULAR.get(word, word) for word in words.split())])


def listed(names: Sequence[str]) -> str:
    """The first few of some names.

    >>> listed("abcdefg")
    'a, b, c, d, e, ...'
    """
    return ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
