"""importance.tsv: how much each nugget matters, as a judge from outside says: vital, okay, or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tidings.core import Nugget, write_atomically

__all__ = ["COLUMNS", "write_nugget_importance"]

COLUMNS = ("event", "nugget", "importance", "text")


def write_nugget_importance(path: str | Path, weighed: Iterable[tuple[Nugget, str]]) -> int:
    """Write nuggets with what was said of each, whole or not at all; how many there were."""
    count = 0
    with write_atomically(path) as file:
        file.write("\t".join(COLUMNS).encode() + b"\n")
        for nugget, said in weighed:
            count += 1
            cells = (nugget.event_id, nugget.id, said, nugget.text)
            file.write("\t".join(" ".join(cell.split()) for cell in cells).encode("utf-8", "replace") + b"\n")
    return count
