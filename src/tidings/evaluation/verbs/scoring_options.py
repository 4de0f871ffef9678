"""What `score` and `compare` ask alike: runs, judgments and measures in either order, and how judgments are taken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tidings.core import UsageError

SCORING_OPTIONS = __file__
"""Beside this file stands what the options of these verbs are for, for `described`."""


def sort_arguments(
    arguments: Sequence[str], judgments: Path | None, measures: Sequence[str] | None
) -> tuple[list[str], Path, list[str]]:
    """Runs, judgments and measures: judgments may stand first and measures last, as evaluators of rankings take them.

    Without `-j`, a folder that stands first holds the judgments. Words at the end that are no file's name and are the
    name of a measure are measures.

    Raises:
        UsageError: no judgments, or no run.
    """
    runs, named = list(arguments), list(measures or ())
    trailing: list[str] = []
    while len(runs) > 1 and _is_measure(runs[-1]):
        trailing.insert(0, runs.pop())
    if judgments is None:
        if len(runs) < 2 or not Path(runs[0]).is_dir():
            raise UsageError("No judgments. Give their folder first, or with --judgments FOLDER.")
        judgments = Path(runs.pop(0))
    return runs, judgments, named + trailing


def _is_measure(word: str) -> bool:
    from tidings.evaluation.measures import parse_measure

    if Path(word).exists() or "://" in word:
        return False
    try:
        return bool([parse_measure(part) for part in word.replace(",", " ").split()])
    except UsageError:
        return False
