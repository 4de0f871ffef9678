"""What several verbs ask for in the same words: how results are written, and where the words of updates stand."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

PoolName = Literal["sampled", "extended"]

FORM = typer.Option(
    "--format", "-f", help="How to print (default: as --out ends, else table).", show_default=False
)
"""Of a verb whose forms are its own."""

ReportOption = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="FILE",
        help="Write to a file instead: .html, .md, .tex, .json or .txt.",
        show_default=False,
    ),
]
QuietNotesOption = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Say nothing on standard error unless something could not be done."),
]
RunsLenientOption = Annotated[
    bool, typer.Option("--lenient", help="Skip bad lines of runs, and say how many.")
]
StreamOption = Annotated[
    list[str] | None,
    typer.Option(
        "--stream",
        help="Where the words stand that TREC runs lack: documents or a TREC folder; may be repeated.",
    ),
]
PoolOption = Annotated[
    PoolName,
    typer.Option("--pool", help="Which of TREC's pools is read: the judged one, or with all its copies."),
]
