"""From the command line of a run to its settings: events, pace, and how sources are understood."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from tidings.core import Event, ReadingOptions
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.run_options import RunOptions


def chosen_pool(pool: str) -> Literal["sampled", "extended"]:
    """The pool of that name; a UsageError where there is none.

    >>> chosen_pool("extended")
    'extended'
    """
    if pool not in ("sampled", "extended"):
        from tidings.core import UsageError

        raise UsageError(f"--pool {pool!r} (expected sampled or extended)")
    return "extended" if pool == "extended" else "sampled"


def reading_of(options: RunOptions) -> ReadingOptions:
    """How sources are understood; a UsageError for a zone, columns or a language that are none.

    >>> reading_of({"source_zone": "Europe/Madrid", "columns": "time=date,text=body"}).columns
    (('time', 'date'), ('text', 'body'))
    """
    from tidings.core import ReadingOptions, as_zone, document_language
    from tidings.sources import parse_columns

    zone, columns = options.get("source_zone", ""), options.get("columns", "")
    as_zone(zone)
    return ReadingOptions(
        zone=zone.strip(),
        year=options.get("year"),
        day_first=options.get("day_first"),
        columns=parse_columns(columns) if columns.strip() else (),
        file_times=options.get("file_times", False),
        quality=options.get("quality", False),
        language=document_language(options.get("language", "")),
        allow_private=options.get("allow_private", False),
    )


def run_settings(options: RunOptions, description: str = "", **more: Any) -> RunSettings:
    """The settings of a run that these options and `more` of its fields make; `description` is that of its query."""
    from tidings.core import parse_duration
    from tidings.following.hosting.settings import RunSettings

    settings = {
        "streams": tuple(options["sources"]),
        "events": tuple(choose(options, description)),
        "event_files": tuple(name for name in options["event"] or () if Path(name).exists()),
        "system": options["system"],
        "interval_s": _interval(str(options["interval"])),
        "lateness_s": parse_duration(str(options["lateness"]), "lateness"),
        "mixed": options["mixed"],
        "pool": chosen_pool(options["pool"]),
        "lenient": options["lenient"],
        "reading": reading_of(options),
        "store": options["store"] or "",
        "restart": options["restart"],
        "out": options["out"],
        "team": options["team"],
        "run_name": options["run_name"] or "",
    }
    return RunSettings(**{**settings, **more})


def _interval(text: str) -> int:
    from tidings.core import UsageError
    from tidings.following.stream.loop import parse_interval

    if text.strip().isdigit():
        raise UsageError(f"--interval {text}: no unit (expected one, such as {text}s or {text}m)")
    return parse_interval(text)


def choose(options: RunOptions, description: str = "") -> list[Event]:
    """The events that `--event` and `--query` ask for, in the languages that `--languages` does.

    `description` is that of the events of `--query`.
    """
    from msgspec.structs import replace

    from tidings.core import UsageError
    from tidings.following.hosting.sources import (
        check_streams,
        check_words,
        choose_events,
        event_time,
        in_languages,
        query_events,
    )

    sources, names, languages = options["sources"], options["event"], options.get("languages")
    words: Any = options["query"]
    queries = [words] if isinstance(words, str) else words
    check_streams(sources)
    if not queries:
        for option in ("start", "end", "title"):
            if options.get(option):
                raise UsageError(f"--{option} needs --query: it describes the event of --query")
        return in_languages(choose_events(names or (), sources), languages)
    events = choose_events(names, sources) if names else []
    start, end = (None if time is None else str(time) for time in (options["start"], options["end"]))
    times = event_time(start, "--start"), event_time(end, "--end")
    made = query_events(queries, options["title"] or (), *times, taken=[event.id for event in events])
    check_words(queries)
    made = [replace(event, description=description) for event in made]
    return in_languages([*events, *made], languages)


def only_query(
    query: Sequence[str] | None, names: Sequence[str] | None, title: str | None, why: str
) -> list[Event]:
    """The event that `--query` makes, where one is given; `why` says why there may be no second, of either kind.

    Raises:
        UsageError: several queries or events, a title without a query, or a query without words.
    """
    from tidings.core import UsageError
    from tidings.following.hosting.sources import check_words, query_events

    for option, values in (("--query", query or ()), ("--event", names or ())):
        if len(values) > 1:
            raise UsageError(f"{option} {len(values)} times (expected it once): {why}")
    if title and not query:
        raise UsageError("--title needs --query: it describes the event of --query")
    if not query:
        return []
    made = query_events(query, [title] if title else [])
    check_words(query)
    return made
