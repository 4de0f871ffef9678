"""`tidings timeline`: one event as a run tells it, in the terminal or on a page."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tidings.records import Document, Event, Judgments
    from tidings.report import TimelineReport

__all__ = ["register", "save_page"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="timeline")(timeline)


def timeline(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Updates (.jsonl) or a TREC run; may be compressed.")
    ],
    event: Annotated[
        str | None,
        typer.Option(help="Which event; needed where the run tells of several.", show_default=False),
    ] = None,
    run_name: Annotated[
        str | None,
        typer.Option("--run", help="Which run; needed where the file holds several.", show_default=False),
    ] = None,
    judgments: Annotated[
        Path | None,
        typer.Option(
            "--judgments",
            "-j",
            help="Folder of judgments: shows what each update earned.",
        ),
    ] = None,
    rules: Annotated[str, typer.Option(help="Rule set: trec-2013, trec-2014 or trec-2015.")] = "trec-2014",
    pool: Annotated[str, typer.Option(help="Which pool of a TREC folder: sampled or extended.")] = "sampled",
    stream: Annotated[
        list[str] | None,
        typer.Option(
            help="Where to look up texts that the run lacks: documents or a TREC folder; may be repeated."
        ),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write one self-contained page instead; - to standard output."),
    ] = None,
    zone: Annotated[str, typer.Option(help="Time zone to show, such as Europe/Madrid.")] = "UTC",
    width: Annotated[
        int | None, typer.Option(min=24, help="Columns to use (default: the terminal's).")
    ] = None,
) -> None:
    """Show one event as a run tells it: by day, with times, sources and tolls.

    With --judgments, also what each update earned and which nuggets were missed. Texts come from the run, from the
    pool of the judgments, or from --stream.
    """
    from tidings.formats import read_judgments, read_runs
    from tidings.report import Clock, build_timeline, judge, print_timeline
    from tidings.report.lookup import choose_event, choose_run, event_updates, known_texts

    clock = Clock(zone)
    runs = read_runs(run)
    told = choose_run(runs, run_name, run)
    judged = read_judgments(judgments, pool=_pool(pool)) if judgments is not None else None
    prepared = None
    if judged is not None:
        from tidings.measures import prepare

        prepared = prepare(judged, rules, runs)
    known = _known_events(judged, stream or ())
    chosen = choose_event(told, known, event, run)
    updates = event_updates(told, chosen)
    with _waiting("looking up texts") if stream else nullcontext():
        texts = known_texts(updates, judged, _streams(stream or (), pool))
    shown = build_timeline(
        chosen,
        updates,
        system=" ".join(part for part in (told.team, told.name) if part),
        clock=clock,
        texts={name: found.text for name, found in texts.items()},
        sources={name: found.source for name, found in texts.items()},
    )
    if judged is not None and prepared is not None:
        shown = judge(shown, told, judged, prepared)
    if html is not None:
        with _waiting("drawing the page"):
            save_page(shown, html)
        if html != "-":
            typer.echo(f"the page is at {html}")
        return
    from rich.console import Console

    print_timeline(Console(width=width), shown)


def save_page(shown: TimelineReport, path: str) -> None:
    """Render the page and write it whole or not at all."""
    from tidings.formats.files.reading import write_atomically
    from tidings.report import render_page

    page = render_page(shown).encode("utf-8")
    with write_atomically(path) as file:
        file.write(page)


def _waiting(words: str) -> AbstractContextManager[object]:
    """A sign of life on stderr, where it is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(words)


def _pool(pool: str) -> str:
    from tidings.errors import UsageError

    if pool not in {"sampled", "extended"}:
        raise UsageError(f"unknown pool {pool!r}; expected sampled or extended")
    return pool


def _known_events(judged: Judgments | None, streams: Sequence[str]) -> list[Event]:
    from tidings.errors import UsageError
    from tidings.formats import read_events

    known = list(judged.events) if judged is not None else []
    for stream in streams:
        if stream == "-":
            continue
        if not Path(stream).exists():
            raise UsageError(f"{stream}: found no such stream, expected a documents file, a folder or -")
        if Path(stream).is_dir():
            known += read_events(stream)
    return known


def _streams(streams: Sequence[str], pool: str) -> Iterator[Iterable[Document]]:
    from tidings.formats import read_stream

    for stream in streams:
        yield read_stream(stream, pool=pool)
