"""Durations as people write them: 10m, 1h30m, 2d."""

from __future__ import annotations

import re

from tidings.core.errors import UsageError

__all__ = ["format_duration", "parse_duration"]

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_DURATION = re.compile(r"(\d+)\s*([smhdw]?)")
_MOST_S = 36525 * 86400
_LONGEST = 100


def parse_duration(text: str, what: str = "duration") -> int:
    """Seconds of a duration written as a number and a unit: s (or none), m, h, d, w.

    Raises UsageError for anything else, and for more than a century.

    >>> parse_duration("10m"), parse_duration("90"), parse_duration("1h30m")
    (600, 90, 5400)
    """
    compact = text.strip().lower()
    parts = _DURATION.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != compact.replace(" ", ""):
        raise UsageError(f"found {what} {text!r}, expected a number and a unit, such as 90s, 10m, 1h or 1d")
    seconds = (
        sum(int(number) * _UNITS[unit] for number, unit in parts) if len(compact) <= _LONGEST else _MOST_S + 1
    )
    if seconds > _MOST_S:
        raise UsageError(f"found {what} {text[:_LONGEST]!r}, expected at most a century: 36525d")
    return seconds


def format_duration(seconds: int) -> str:
    """A duration as `parse_duration` reads it.

    >>> format_duration(5400), format_duration(600), format_duration(0)
    ('1h30m', '10m', '0s')
    """
    left, text = seconds, ""
    for unit in "wdhms":
        count, left = divmod(left, _UNITS[unit])
        if count:
            text += f"{count}{unit}"
    return text or "0s"
