"""The period of an event, for measures that need it closed."""

from __future__ import annotations

from tidings.core import Event, UsageError

__all__ = ["closed_period"]


def closed_period(event: Event, needed_by: str) -> tuple[int, int]:
    """Start and end of an event (seconds UTC).

    Raises:
        UsageError: the period is open at an end.

    >>> closed_period(Event(id="e", title="", query="", start_time=1, end_time=9), "nI[C]")
    (1, 9)
    """
    start, end = event.start_time, event.end_time
    if start is None or end is None:
        lacking = " or ".join(name for name, time in (("start", start), ("end", end)) if time is None)
        raise UsageError(
            f"event {event.id}: found no {lacking}, expected the event's period, which {needed_by} needs; "
            "give it one in the topics (or event.json)"
        )
    return start, end
