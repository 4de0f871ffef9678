"""Following: time order, decision intervals, which event wants what, and the loop itself."""

from tidings.following.stream.loop import (
    LATENESS_S,
    Decided,
    FollowerError,
    StreamRun,
    Tally,
    follow_stream,
    format_duration,
    parse_duration,
    parse_interval,
)
from tidings.sources import Source

__all__ = [
    "LATENESS_S",
    "Decided",
    "FollowerError",
    "Source",
    "StreamRun",
    "Tally",
    "follow_stream",
    "format_duration",
    "parse_duration",
    "parse_interval",
]
