"""The options of verbs that follow streams: the same words, kinds and help wherever they are."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_type_hints

import typer

if TYPE_CHECKING:
    from tidings.core import Event, ReadingOptions
    from tidings.following.hosting.settings import RunSettings


Streams = Annotated[
    list[str],
    typer.Argument(
        metavar="STREAM...",
        help="Folder of TREC data or of an event, a documents file (.jsonl, also .gz .xz .zst), or -.",
        show_default=False,
    ),
]
EventIds = Annotated[
    list[str] | None,
    typer.Option(help="Id of a topic of the streams, an event file, or `all`; may be repeated."),
]
Queries = Annotated[
    list[str] | None, typer.Option(help="Follow what these words are about; each one given is an event.")
]
Titles = Annotated[
    list[str] | None, typer.Option(help="What pages call the --query event (default: the query).")
]
Start = Annotated[
    str | None, typer.Option(metavar="TIME", help="Beginning of the --query event; seconds or ISO 8601.")
]
End = Annotated[str | None, typer.Option(metavar="TIME", help="End of the --query event.")]
Languages = Annotated[
    str | None,
    typer.Option(
        metavar="CODES",
        help="Follow the events in documents of these languages only, as de,fr (default: what an event file says, "
        "or all).",
    ),
]
Interval = Annotated[str, typer.Option(help="Decide after every `document`, or every 15m, 1h, …")]
Lateness = Annotated[
    str, typer.Option(help="How much out of order a stream may be; what is later is left out.")
]
Mixed = Annotated[
    bool, typer.Option("--mixed", help="Offer pooled sentences to every event, not only to their own.")
]
PoolName = Annotated[str, typer.Option(help="Which pool of a TREC folder: sampled or extended.")]
Places = Annotated[
    bool,
    typer.Option("--places", help="Give where each event is too (needs the extra: tidings[places])."),
]
Store = Annotated[
    str | None,
    typer.Option(metavar="URL|PATH", help="Where the run is kept meanwhile (default: OUT.db)."),
]
Restart = Annotated[
    bool, typer.Option("--restart/--resume", help="Begin anew, or go on where the run was stopped.")
]
Team = Annotated[str, typer.Option(help="Team name in the run.")]
RunName = Annotated[str | None, typer.Option(help="Run name (default: system and options).")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Skip and count bad lines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing unless something is wrong.")]


def chosen_pool(pool: str) -> Literal["sampled", "extended"]:
    """The pool of that name; a UsageError where there is none.

    >>> chosen_pool("extended")
    'extended'
    """
    if pool not in ("sampled", "extended"):
        from tidings.core import UsageError

        raise UsageError(f"--pool {pool!r} (expected sampled or extended)")
    return "extended" if pool == "extended" else "sampled"


_PARAMETER = "reading"
_PANEL = "How sources are understood"


def _option(*names: str, what: str, **more: Any) -> Any:
    return typer.Option(*names, help=what, rich_help_panel=_PANEL, **more)


def _options(zone: str) -> dict[str, tuple[Any, Any]]:
    """The type and the default of each parameter, by its name."""
    return {
        "source_zone": (
            Annotated[
                str,
                _option(
                    zone,
                    what="Of times that name none: Europe/Madrid, +02:00 (default: UTC).",
                    metavar="ZONE",
                ),
            ],
            "",
        ),
        "year": (
            Annotated[
                int | None,
                _option(
                    "--year", what="Of dates that name none (default: they are not read).", min=1970, max=9999
                ),
            ],
            None,
        ),
        "day_first": (
            Annotated[
                bool | None,
                _option(
                    "--day-first/--month-first",
                    what="Read 03/04/2026 as 3 April, or as 4 March (default: by all dates of a file).",
                    show_default=False,
                ),
            ],
            None,
        ),
        "columns": (
            Annotated[
                str,
                _option(
                    "--columns",
                    what="What columns of a table hold: time=date,text=body; also id, title, url, outlet, language.",
                    metavar="FIELD=COLUMN,…",
                ),
            ],
            "",
        ),
        "file_times": (
            Annotated[
                bool, _option("--file-times", what="Take the time of a file where it names no date itself.")
            ],
            False,
        ),
        "quality": (
            Annotated[
                bool,
                _option(
                    "--quality",
                    what="Read pages with more care, slowly (needs the extra: tidings\\[quality]).",
                ),
            ],
            False,
        ),
        "language": (
            Annotated[
                str,
                _option("--language", what="Of all documents, as en (default: looked at).", metavar="CODE"),
            ],
            "",
        ),
    }


def as_reading(
    *,
    source_zone: str = "",
    year: int | None = None,
    day_first: bool | None = None,
    columns: str = "",
    file_times: bool = False,
    quality: bool = False,
    language: str = "",
) -> ReadingOptions:
    """The options as readers take them; a UsageError for a zone, columns or a language that are none.

    >>> as_reading(source_zone="Europe/Madrid", columns="time=date,text=body").columns
    (('time', 'date'), ('text', 'body'))
    """
    from tidings.core import ReadingOptions, UsageError, as_zone
    from tidings.sources import parse_columns

    as_zone(source_zone)
    code = language.strip().lower()
    if code and not (code.isascii() and code.isalpha() and len(code) in (2, 3)):
        raise UsageError(f"language {language!r} (expected a code of ISO 639 such as en or de)")
    return ReadingOptions(
        zone=source_zone.strip(),
        year=year,
        day_first=day_first,
        columns=parse_columns(columns) if columns.strip() else (),
        file_times=file_times,
        quality=quality,
        language=code,
    )


def with_reading_options(zone: str = "--zone") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a verb the options of reading: it takes them all as its one parameter `reading`.

    So it does with the fields of each parameter that is a dataclass of options.

    Args:
        zone: what the option is called that gives times a zone; verbs whose --zone is that of a report say another.
    """

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(verb, localns={"ReadingOptions": object}, include_extras=True)
        groups: dict[str, tuple[Callable[..., Any], dict[str, tuple[Any, Any]]]] = {}
        parameters: list[inspect.Parameter] = []
        for parameter in inspect.signature(verb).parameters.values():
            name, kind = parameter.name, hints[parameter.name]
            if name == _PARAMETER:
                groups[name] = as_reading, _options(zone)
            elif dataclasses.is_dataclass(kind):
                kinds = get_type_hints(kind, include_extras=True)
                groups[name] = (
                    cast("type", kind),
                    {
                        field.name: (kinds[field.name], getattr(parameter.default, field.name))
                        for field in dataclasses.fields(kind)
                    },
                )
            options = groups[name][1] if name in groups else {name: (kind, parameter.default)}
            parameters += [
                inspect.Parameter(
                    option, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
                )
                for option, (annotation, default) in options.items()
            ]

        @functools.wraps(verb)
        def called(**given: Any) -> None:
            for name, (build, options) in groups.items():
                given[name] = build(**{option: given.pop(option) for option in options if option in given})
            verb(**given)

        del called.__wrapped__  # typer would look through to the verb's own parameters
        called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return called

    return decorate


@dataclasses.dataclass(frozen=True)
class QueryOptions:
    """Events that are made on the spot."""

    query: Queries = None
    title: Titles = None
    start: Start = None
    end: End = None


@dataclasses.dataclass(frozen=True)
class RunOptions:
    """How a stream is read and a run kept."""

    interval: Interval = "document"
    lateness: Lateness = "10m"
    mixed: Mixed = False
    pool: PoolName = "sampled"
    store: Store = None
    restart: Restart = False


@dataclasses.dataclass(frozen=True)
class NameOptions:
    """What the run is called in its output, and whether bad lines are skipped."""

    team: Team = "tidings"
    run_name: RunName = None
    lenient: Lenient = False


def run_settings(
    streams: Sequence[str],
    event: Sequence[str] | None,
    asked: QueryOptions,
    run: RunOptions,
    names: NameOptions,
    *,
    languages: str | None = None,
    **more: Any,
) -> RunSettings:
    """The settings of a run that these options and `more` of its fields make."""
    from tidings.core import parse_duration
    from tidings.following.hosting.settings import RunSettings
    from tidings.following.stream.loop import parse_interval

    return RunSettings(
        streams=tuple(streams),
        events=tuple(choose(event, asked, streams, languages)),
        event_files=tuple(name for name in event or () if Path(name).exists()),
        interval_s=parse_interval(run.interval),
        lateness_s=parse_duration(run.lateness, "lateness"),
        mixed=run.mixed,
        pool=chosen_pool(run.pool),
        lenient=names.lenient,
        store=run.store or "",
        restart=run.restart,
        team=names.team,
        run_name=names.run_name or "",
        **more,
    )


def choose(
    names: Sequence[str] | None, asked: QueryOptions, streams: Sequence[str], languages: str | None = None
) -> list[Event]:
    """The events that `--event` and `--query` ask for, in the languages that `--languages` does."""
    from tidings.core import UsageError
    from tidings.following.hosting.sources import (
        check_streams,
        check_words,
        choose_events,
        event_time,
        in_languages,
        query_events,
    )

    check_streams(streams)
    if not asked.query:
        for option in ("start", "end", "title"):
            if getattr(asked, option):
                raise UsageError(
                    f"--{option} needs --query: it says something of the event that --query makes"
                )
        return in_languages(choose_events(names or (), streams), languages)
    events = choose_events(names, streams) if names else []
    times = event_time(asked.start, "--start"), event_time(asked.end, "--end")
    made = query_events(asked.query, asked.title or (), *times, taken=[event.id for event in events])
    check_words(asked.query)
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
        raise UsageError("--title needs --query: it says something of the event that --query makes")
    if not query:
        return []
    made = query_events(query, [title] if title else [])
    check_words(query)
    return made
