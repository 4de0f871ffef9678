"""`tidings read`: what was understood of sources, before anybody follows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.following.verbs.live_options import AllowPrivate
from tidings.following.verbs.reading_options import with_reading_options
from tidings.following.verbs.run_options import Lenient, PoolName, Quiet

if TYPE_CHECKING:
    from tidings.core import Document, ReadingOptions
    from tidings.sources import Reading

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="read")(read)


@with_reading_options()
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
        typer.Option(
            metavar="FILE",
            help="Write the documents there, as documents.jsonl, in time order; - to print them.",
        ),
    ] = None,
    pool: PoolName = "sampled",
    lenient: Lenient = False,
    allow_private: AllowPrivate = False,
    quiet: Quiet = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Show what is understood of sources: documents, period, outlets, languages, what was left out and why.

    With --out it is written as documents.jsonl too, which every verb takes.
    """
    from msgspec.structs import replace

    from tidings.core import Problems, refuse_overwriting, say, terminal_width
    from tidings.following.hosting.sources import check_streams
    from tidings.following.verbs.progress import reading_progress
    from tidings.sources import open_reading, piped_content, write_documents

    check_streams(sources)
    if out:
        refuse_overwriting({"--out": out}, {"a source": [source for source in sources if source != "-"]})
    problems = Problems(lenient=lenient)
    options = replace(reading, allow_private=allow_private)
    contents = [(piped_content() if source == "-" else None) or source for source in sources]
    opened = open_reading(contents, options, problems=problems, pool=pool)
    with reading_progress(opened, quiet=quiet):
        documents = _something(opened)
        if out:
            write_documents(out, documents)
        else:
            for _ in documents:
                pass
    if problems.count:
        say(problems.summary(), prefix="")
    if quiet:
        return
    from rich.console import Console

    from tidings.following.verbs.reading_report import print_reading

    print_reading(Console(stderr=out == "-"), opened, terminal_width())
    if out not in (None, "-"):
        say(f"written to {out}", prefix="")


def _something(reading: Reading) -> Iterator[Document]:
    """The documents of sources; an error after the last of none."""
    from tidings.core import UsageError

    yield from reading
    if not reading.documents:
        named = ", ".join(
            source if isinstance(source, str) else source.name for source in reading.sources[:3]
        )
        raise UsageError(
            f"{named}: found no document, expected at least one"
            + (f" ({reading.left_out})" if reading.left_out else "")
        )
