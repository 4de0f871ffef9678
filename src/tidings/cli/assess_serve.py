"""`tidings assess serve`: the assessors' desk."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.desk_options import HostOption, PortOption, StoreOption
from tidings.cli.output import say

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="assess serve")(serve)


def serve(
    store: StoreOption,
    port: PortOption = 8571,
    host: HostOption = "127.0.0.1",
    https: Annotated[
        bool, typer.Option("--https", help="Browsers come by https, through a proxy of yours in front of it.")
    ] = False,
) -> None:
    """Serve the assessors' desk: people judge in their browsers, and each judgment is in the store at once.

    Where the store has no account yet, one is made for you, called lead; the link that is printed chooses its password.
    """
    from tidings.cli.desk_options import needs_web

    needs_web()
    from tidings.store import open_store
    from tidings.store.desk import Desk
    from tidings.web.serving import check_address, run
    from tidings.web.settings import DeskSettings

    with open_store(store, durable=True) as opened:
        desk = Desk(opened)
        check_address(host, has_accounts=any(one.password_hash for one in desk.accounts.all()))
        link = ""
        if not desk.accounts.all():
            lead = desk.accounts.add("lead")
            for project in desk.projects.all():
                desk.projects.set_member(project.id, lead.id, "lead")
            link = f"/welcome/{desk.accounts.invite(lead.id)}"
        run(
            desk,
            host=host,
            port=port,
            settings=DeskSettings(https=https),
            ready=lambda address: say(f"the desk is at {address}{link} (Ctrl-C ends it)"),
        )
