"""`tidings assess export`: a project's judgments as files."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.desk_options import ProjectOption, StoreOption, project_named
from tidings.cli.output import say

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="assess export")(export)


def export(
    project: ProjectOption,
    store: StoreOption,
    out: Annotated[str, typer.Option("--out", metavar="FOLDER", help="Where the files go.")],
) -> None:
    """Write what a project's judges decided, as TREC Temporal Summarization lays it out."""
    from tidings.desk.exchange.exporting import export_judgments
    from tidings.formats.trec_ts.export import write_judgments
    from tidings.store import open_store
    from tidings.store.desk import Desk

    with open_store(store, read_only=True) as opened:
        desk = Desk(opened)
        judgments = export_judgments(desk, project_named(desk, project))
    notes: list[str] = []
    write_judgments(out, judgments, notes=notes)
    for note in notes:
        say(note)
