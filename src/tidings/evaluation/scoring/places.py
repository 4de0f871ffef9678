"""Where in a run's file an event is told of that the judgments do not list."""

from __future__ import annotations

from pathlib import Path

__all__ = ["place_of"]


def place_of(path: str | Path, event: str) -> str:
    """The place of the first line that tells of an event, as path:line; the path alone for what has no lines."""
    from tidings.core import read_lines
    from tidings.evaluation.scoring.runs import is_store, printable_path

    if is_store(path):
        return printable_path(path)
    if str(path) == "-" or Path(path).is_dir():
        return str(path)
    wanted = event.encode("utf-8", "surrogateescape")
    for number, line in read_lines(path):
        if line.split(None, 1)[:1] == [wanted] or b'"' + wanted + b'"' in line:
            return f"{path}:{number}"
    return str(path)
