"""Decision intervals: after every document, or every so many minutes of stream time."""

from __future__ import annotations

from tidings.core import UsageError, format_duration, parse_duration

__all__ = ["format_duration", "interval_end", "parse_duration", "parse_interval"]


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


def interval_end(time: int, interval_s: int) -> int:
    """End of the half-open interval [k·N, (k+1)·N) since 1970 in which `time` lies: when it is decided.

    >>> interval_end(1799, 900), interval_end(1800, 900)
    (1800, 2700)
    """
    return (time // interval_s + 1) * interval_s
