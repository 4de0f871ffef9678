"""`tidings assess import`: topics, pools and judgments for the desk, and the pages that nuggets are extracted from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.desk_options import ProjectOption, StoreOption
from tidings.cli.output import say

if TYPE_CHECKING:
    from tidings.records.assessment import Project
    from tidings.records.revisions import Revision
    from tidings.store.desk import Desk

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="assess import")(import_folder)


def import_folder(
    project: ProjectOption,
    store: StoreOption,
    folder: Annotated[
        str,
        typer.Argument(
            metavar="FOLDER", help="Judgments, in TREC's layout or tidings' own.", show_default=False
        ),
    ] = "",
    revisions: Annotated[
        str,
        typer.Option(
            metavar="PATH",
            help="The history of a page, to extract nuggets from: a folder of timed texts, JSON Lines, or MediaWiki's.",
        ),
    ] = "",
    topic: Annotated[
        str,
        typer.Option(metavar="EVENT_ID", help="Whose history it is, where the project has several topics."),
    ] = "",
) -> None:
    """Bring a folder's topics, pool and judgments to the desk; the project is made where there is none."""
    from tidings.desk.exchange.importing import import_judgments
    from tidings.errors import UsageError
    from tidings.formats import read_judgments
    from tidings.formats.revisions.reading import read_revisions
    from tidings.store import open_store
    from tidings.store.desk import Desk

    if not (folder or revisions):
        raise UsageError("found nothing to import, expected FOLDER, or --revisions PATH, or both")
    if topic and not revisions:
        raise UsageError("found --topic without --revisions, expected both: it says whose history that is")
    notes: list[str] = []
    history = read_revisions(revisions, notes=notes) if revisions else []
    judgments = read_judgments(folder) if folder else None
    for note in notes:
        say(note)
    with open_store(store, durable=True) as opened:
        desk = Desk(opened)
        there = desk.projects.find(project) or desk.projects.add(project)
        if judgments is not None:
            done = import_judgments(desk, there, judgments)
            say(f"{project}: {done.topics:,} topics, {done.items:,} new items, {done.objects:,} judgments")
        if history:
            _import_history(desk, there, topic, history)


def _import_history(desk: Desk, project: Project, event_id: str, history: list[Revision]) -> None:
    from tidings.desk.exchange.revisions import import_revisions, topic_for

    place = topic_for(desk, project, event_id)
    done = import_revisions(desk, project, place, history)
    left_out = f"; {done.unchanged:,} that change nothing were left out" if done.unchanged else ""
    say(f"{project.name}: {done.added:,} new revisions for {place.event.id}{left_out}")
