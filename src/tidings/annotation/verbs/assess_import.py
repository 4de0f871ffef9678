"""`tidings assess import`: topics, pools and judgments for the desk."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.annotation.verbs.projects import read_guidelines
from tidings.core import say
from tidings.web import ProjectOption, StoreOption


def assess_import(
    project: ProjectOption,
    store: StoreOption,
    folder: Annotated[
        str | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="Judgments, in TREC's layout or tidings' own, or what `tidings assess export` wrote.",
            show_default=False,
        ),
    ] = None,
    pool: Annotated[
        str | None, typer.Option(metavar="FILE", help="A pool of updates, as `tidings pool` writes it.")
    ] = None,
    topics: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The topics: topics.xml, event.json, events.jsonl."),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="A run whose scores are shown during judging; may be repeated."),
    ] = None,
    stream: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Documents whose sentences are linked to events; may be repeated."),
    ] = None,
    revisions: Annotated[
        str | None,
        typer.Option(
            metavar="PATH", help="The history of a page to take nuggets from: a folder or JSON Lines."
        ),
    ] = None,
    topic: Annotated[
        str, typer.Option(metavar="ID", help="The topic of that history, if the project has several.")
    ] = "",
    unjudged: Annotated[
        bool,
        typer.Option(
            "--unjudged", help="Import only topics, pool and nuggets; everything else is still to be judged."
        ),
    ] = False,
    tables: Annotated[
        bool, typer.Option("--tables", help="From an export, import the tables without the history.")
    ] = False,
    judges: Annotated[
        int | None, typer.Option(min=1, max=100, help="How many people judge each item.", show_default=False)
    ] = None,
    guidelines: Annotated[
        str | None, typer.Option(metavar="FILE", help="Guidelines (Markdown), shown beside the data.")
    ] = None,
) -> None:
    """Bring topics, a pool and judgments to the desk; the project is made where there is none.

    The same once more changes nothing; another version of a folder changes what it says otherwise, but nothing that
    people changed since.
    """
    from tidings.annotation.desk.exchange.bringing import Inputs
    from tidings.annotation.store import Desk
    from tidings.core import open_store
    from tidings.following import steps_progress

    notes: list[str] = []
    inputs = Inputs.read(
        folder=folder,
        pool=pool,
        topics=topics,
        runs=run or [],
        streams=stream or [],
        revisions=revisions,
        topic=topic,
        guidelines=None if guidelines is None else read_guidelines(guidelines),
        unjudged=unjudged,
        tables=tables,
        notes=notes,
    )
    with open_store(store, durable=True) as opened, steps_progress("importing") as moved:
        lines = inputs.bring(Desk(opened), project, judges=judges, moved=moved)
    for line in (*notes, *lines):
        say(line)
