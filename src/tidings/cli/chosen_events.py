"""The events that `--event`, `--query` and their kin ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.records import Event

__all__ = ["choose"]


def choose(
    names: Sequence[str] | None,
    queries: Sequence[str] | None,
    titles: Sequence[str] | None,
    start: str | None,
    end: str | None,
    streams: Sequence[str],
) -> list[Event]:
    """The events that `--event` and `--query` ask for."""
    from tidings.errors import UsageError
    from tidings.hosting import choose_events, query_events
    from tidings.hosting.events import check_words, event_time
    from tidings.hosting.sources import check_streams

    check_streams(streams)
    for option, value in (("--start", start), ("--end", end), ("--title", titles)):
        if value and not queries:
            raise UsageError(f"found {option} without --query, expected an event to have it")
    if not queries:
        return choose_events(names or (), streams)
    events = choose_events(names, streams) if names else []
    times = event_time(start, "--start"), event_time(end, "--end")
    made = query_events(queries, titles or (), *times, taken=[event.id for event in events])
    check_words(queries)
    return [*events, *made]
