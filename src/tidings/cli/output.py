"""What every verb says beside its result: lines on standard error, safe to show, and how wide a terminal is."""

from __future__ import annotations

import os
import sys

__all__ = ["say", "terminal_width"]


def say(text: str, *, prefix: str = "tidings: ") -> None:
    """Print lines on standard error; what a stranger's ids and names hold cannot steer the terminal."""
    from tidings.report.plain import clean

    lines = [clean(line) for line in text.split("\n")]
    print(prefix + "\n".join(lines), file=sys.stderr)  # noqa: T201


def terminal_width() -> int | None:
    """Columns that tables have to fit into: COLUMNS where it is set, else the terminal's; None in files and pipes."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except (AttributeError, OSError, ValueError):
        return None
