"""`tidings read`: what was understood of sources, before anybody follows them."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.live_options import AllowPrivate
from tidings.cli.run_options import Lenient, PoolName, Quiet

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="read")(read)


def read(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Feeds, pages, tables, archives, folders of them, or streams.",
            show_default=False,
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the documents there, as documents.jsonl, in time order."),
    ] = None,
    zone: Annotated[
        str,
        typer.Option(metavar="ZONE", help="Of times that name none: Europe/Madrid, +02:00 (default: UTC)."),
    ] = "",
    pool: PoolName = "sampled",
    lenient: Lenient = False,
    allow_private: AllowPrivate = False,
    quiet: Quiet = False,
) -> None:
    """Show what is understood of sources: documents, period, outlets, languages, what was left out and why."""
    from tidings.errors import Problems
    from tidings.formats.content import ReadingOptions
    from tidings.formats.files.writing import refuse_overwriting
    from tidings.formats.own.documents import write_documents
    from tidings.hosting.sources import check_streams
    from tidings.sources import open_reading

    check_streams(sources)
    if out:
        refuse_overwriting({"--out": out}, {"a source": [source for source in sources if source != "-"]})
    reading = open_reading(
        sources,
        ReadingOptions(zone=zone, allow_private=allow_private),
        problems=Problems(lenient=lenient),
        pool=pool,
    )
    if out:
        write_documents(out, reading)
    else:
        for _ in reading:
            pass
    if not quiet:
        typer.echo(
            f"{reading.documents:,} documents, {reading.first_time} to {reading.last_time}", err=out == "-"
        )
        typer.echo(f"outlets: {dict(reading.outlets)}")
        typer.echo(f"left out: {dict(reading.notes.dropped)}; duplicates: {reading.duplicates}")
