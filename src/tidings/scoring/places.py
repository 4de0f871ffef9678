"""Where in a run's file an event is told of that the judgments do not list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from tidings.errors import UsageError
from tidings.measures import RunScores, UnknownEventError

__all__ = ["place_of", "score_each"]

R = TypeVar("R")


def score_each(path: Path, runs: Iterable[R], score: Callable[[R], RunScores]) -> list[RunScores]:
    """All runs of a file, scored.

    Raises:
        UsageError: a run tells of an event that the judgments do not list, with path:line.
    """
    scored = []
    for run in runs:
        try:
            scored.append(score(run))
        except UnknownEventError as error:
            raise UsageError(f"{place_of(path, error.event)}: {error}") from None
    return scored


def place_of(path: Path, event: str) -> str:
    """The place of the first line that tells of an event, as path:line."""
    from tidings.formats.files.reading import read_lines

    wanted = event.encode("utf-8", "surrogateescape")
    for number, line in read_lines(path):
        if line.split(None, 1)[:1] == [wanted] or b'"' + wanted + b'"' in line:
            return f"{path}:{number}"
    return str(path)
