"""What every verb says beside its result: lines on standard error, safe to show."""

from __future__ import annotations

import sys

__all__ = ["say"]


def say(text: str, *, prefix: str = "tidings: ") -> None:
    """Print lines on standard error; what a stranger's ids and names hold cannot steer the terminal."""
    from tidings.report.plain import clean

    lines = [clean(line) for line in text.split("\n")]
    print(prefix + "\n".join(lines), file=sys.stderr)  # noqa: T201
