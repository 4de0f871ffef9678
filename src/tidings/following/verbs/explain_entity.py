"""`tidings explain --entity`: why an entity stands where it does on a day, feature by feature."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tidings.core import takes_options
from tidings.following.hosting import DEFAULT_ENTITIES
from tidings.following.run_options import RunOptions


@takes_options("explain")
def explain_entity(
    options: RunOptions,
    entity: Annotated[str, typer.Option(help="Its name, or any name by which the day's documents call it.")],
    day: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The day, by UTC.")],
    query: Annotated[list[str] | None, typer.Option(help="Follow what these words are about; once.")] = None,
    event: Annotated[
        list[str] | None, typer.Option(help="Id of a topic of the streams, or an event file; once.")
    ] = None,
    system: Annotated[
        str, typer.Option(metavar="NAME[:OPTION=VALUE,…]", help="Who ranks, as for `tidings entities`.")
    ] = DEFAULT_ENTITIES,
    features: Annotated[int, typer.Option(min=1, help="Features to show at most.")] = 15,
    form: Annotated[
        Literal["table", "json"], typer.Option("--format", "-f", help="For people, or all of it as JSON.")
    ] = "table",
) -> None:
    """Tell why an entity stands where it does on a day: what each feature adds to its score, and what is said of it.

    The sources are read up to that day, as `tidings entities` reads them.
    """
    from tidings.core import Problems
    from tidings.following.hosting.digests import open_story
    from tidings.following.hosting.entities import entity_system, explain_entity as explain
    from tidings.following.verbs.options import only_query

    entity_system(system)
    problems = Problems(lenient=True) if options["lenient"] else None
    why = "an entity stands on a day of one event"
    asked = only_query(query, event, None, why)
    story = open_story(
        options["sources"], asked, names=list(event or ()), pool=options["pool"], problems=problems
    )
    explained = explain(story.documents, story.event, day, entity, system)
    if form == "json":
        import msgspec

        typer.echo(msgspec.json.encode(explained).decode())
        return
    from rich.console import Console

    from tidings.following.report.entities import print_explained_entity

    print_explained_entity(Console(), explained, features)
