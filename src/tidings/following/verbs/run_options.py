"""The options of verbs that follow streams: the same words, kinds and help wherever they are asked for."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

__all__ = [
    "End",
    "EventIds",
    "Interval",
    "Languages",
    "Lateness",
    "Lenient",
    "Mixed",
    "Places",
    "PoolName",
    "Queries",
    "Quiet",
    "Restart",
    "RunName",
    "Start",
    "Store",
    "Streams",
    "Team",
    "Titles",
    "chosen_pool",
]

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

        raise UsageError(f"found --pool {pool!r}, expected sampled or extended")
    return "extended" if pool == "extended" else "sampled"
