"""`tidings assess import`: topics, pools and judgments for the desk."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.desk_options import ProjectOption, StoreOption
from tidings.cli.output import say

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="assess import")(import_folder)


def import_folder(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER", help="Judgments, in TREC's layout or tidings' own.", show_default=False
        ),
    ],
    project: ProjectOption,
    store: StoreOption,
) -> None:
    """Bring a folder's topics, pool and judgments to the desk; the project is made where there is none."""
    from tidings.desk.exchange.importing import import_judgments
    from tidings.formats import read_judgments
    from tidings.store import open_store
    from tidings.store.desk import Desk

    judgments = read_judgments(folder)
    with open_store(store, durable=True) as opened:
        desk = Desk(opened)
        there = desk.projects.find(project) or desk.projects.add(project)
        done = import_judgments(desk, there, judgments)
    say(f"{project}: {done.topics:,} topics, {done.items:,} new items, {done.objects:,} judgments")
