"""What every verb says beside its result: lines on standard error, safe to show, and how wide a terminal is."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext

__all__ = ["say", "terminal_width", "waiting", "wrapped"]


def say(text: str, *, prefix: str = "tidings: ") -> None:
    """Print lines on standard error; what a stranger's ids and names hold cannot steer the terminal."""
    from tidings.core.display.plain import clean

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


def wrapped(text: str, width: int | None, indent: int = 0) -> list[str]:
    """The text in lines of at most `width` characters (None: in one line), all but the first one indented.

    >>> wrapped("one two three", 8, 2)
    ['one two', '  three']
    """
    if width is None:
        return [text]
    import textwrap

    return textwrap.wrap(
        text,
        max(width, indent + 8),
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def waiting(words: str) -> AbstractContextManager[object]:
    """A sign of life on stderr, where it is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(words)
