"""Decision intervals: after every document, or every so many minutes of stream time."""

from __future__ import annotations

import re

from tidings.errors import UsageError

__all__ = ["format_duration", "interval_end", "parse_duration", "parse_interval"]

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_DURATION = re.compile(r"(\d+)\s*([smhdw]?)")


def parse_duration(text: str, what: str = "duration") -> int:
    """Seconds of a duration written as a number and a unit: s (or none), m, h, d, w.

    Raises UsageError for anything else.

    >>> parse_duration("10m"), parse_duration("90"), parse_duration("1h30m")
    (600, 90, 5400)
    """
    compact = text.strip().lower()
    parts = _DURATION.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != compact.replace(" ", ""):
        raise UsageError(f"found {what} {text!r}, expected a number and a unit, such as 90s, 10m, 1h or 1d")
    return sum(int(number) * _UNITS[unit] for number, unit in parts)


def parse_interval(text: str) -> int:
    """Length of a decision interval in seconds; 0 for `document`, a decision after every document.

    >>> parse_interval("document"), parse_interval("15m")
    (0, 900)
    """
    if text.strip().lower() == "document":
        return 0
    seconds = parse_duration(text, "interval")
    if not seconds:
        raise UsageError(
            f"found interval {text!r}, expected `document` or a time of at least 1s, such as 15m"
        )
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


def interval_end(time: int, interval_s: int) -> int:
    """End of the half-open interval [k·N, (k+1)·N) since 1970 in which `time` lies: when it is decided.

    >>> interval_end(1799, 900), interval_end(1800, 900)
    (1800, 2700)
    """
    return (time // interval_s + 1) * interval_s
