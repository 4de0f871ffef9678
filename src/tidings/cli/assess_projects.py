"""`tidings assess projects`: which there are."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.desk_options import StoreOption
from tidings.cli.output import say

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="assess projects")(projects)


def projects(
    store: StoreOption,
    add: Annotated[str, typer.Option(metavar="NAME", help="Make a project of that name.")] = "",
    judges: Annotated[int, typer.Option(min=1, max=100, help="How many people judge each item.")] = 1,
) -> None:
    """List the projects of a store, or make one."""
    from tidings.store import open_store
    from tidings.store.desk import Desk

    with open_store(store, durable=True) as opened:
        desk = Desk(opened)
        if add:
            desk.projects.add(add, judges=judges)
            say(f"made project {add}")
        for one in desk.projects.all():
            print(one.name)  # noqa: T201
