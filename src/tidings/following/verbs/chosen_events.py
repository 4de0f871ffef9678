"""The events that `--event`, `--query` and their kin ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Event

__all__ = ["choose", "only_query"]


def choose(
    names: Sequence[str] | None,
    queries: Sequence[str] | None,
    titles: Sequence[str] | None,
    start: str | None,
    end: str | None,
    streams: Sequence[str],
    languages: str | None = None,
) -> list[Event]:
    """The events that `--event` and `--query` ask for, in the languages that `--languages` does."""
    from tidings.core import UsageError
    from tidings.following.hosting import choose_events, query_events
    from tidings.following.hosting.events import check_words, event_time, in_languages
    from tidings.following.hosting.sources import check_streams

    check_streams(streams)
    for option, value in (("--start", start), ("--end", end), ("--title", titles)):
        if value and not queries:
            raise UsageError(f"found {option} without --query, expected an event to have it")
    if not queries:
        return in_languages(choose_events(names or (), streams), languages)
    events = choose_events(names, streams) if names else []
    times = event_time(start, "--start"), event_time(end, "--end")
    made = query_events(queries, titles or (), *times, taken=[event.id for event in events])
    check_words(queries)
    return in_languages([*events, *made], languages)


def only_query(
    query: Sequence[str] | None, names: Sequence[str] | None, title: str | None, why: str
) -> list[Event]:
    """The event that `--query` makes, where one is given; `why` says why there may be no second, of either kind.

    Raises:
        UsageError: several queries or events, a title without a query, or a query without words.
    """
    from tidings.core import UsageError
    from tidings.following.hosting import query_events
    from tidings.following.hosting.events import check_words

    for option, values in (("--query", query or ()), ("--event", names or ())):
        if len(values) > 1:
            raise UsageError(f"found {option} {len(values)} times, expected it once: {why}")
    if title and not query:
        raise UsageError("found --title without --query, expected an event to have it")
    if not query:
        return []
    made = query_events(query, [title] if title else [])
    check_words(query)
    return made
