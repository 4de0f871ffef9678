"""`tidings assess users`: accounts."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.desk_options import StoreOption, needs_web, project_named
from tidings.cli.output import say

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command(name="assess users")(users)


def users(
    store: StoreOption,
    add: Annotated[str, typer.Option(metavar="NAME", help="Make an account of that name.")] = "",
    password_file: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Its password: the first line of a file; - asks on standard input."
        ),
    ] = "",
    project: Annotated[str, typer.Option(metavar="NAME", help="Take the account into this project.")] = "",
    role: Annotated[str, typer.Option(help="As what: assessor or lead.")] = "assessor",
) -> None:
    """List the accounts of a store, or make one; without a password it gets a link with which to choose one."""
    needs_web()
    from tidings.errors import UsageError
    from tidings.store import open_store
    from tidings.store.desk import Desk
    from tidings.web.security.passwords import hash_password

    if role not in ("assessor", "lead"):
        raise UsageError(f"found --role {role}, expected assessor or lead")
    with open_store(store, durable=True) as opened:
        desk = Desk(opened)
        if add:
            place = project_named(desk, project) if project else None
            hashed = hash_password(_first_line(password_file)) if password_file else ""
            account = desk.accounts.find(add) or desk.accounts.add(add, hashed)
            if place is not None:
                desk.projects.set_member(place.id, account.id, "lead" if role == "lead" else "assessor")
            if not hashed and not account.password_hash:
                say(f"{add} chooses a password at /welcome/{desk.accounts.invite(account.id)} of the desk")
        for one in desk.accounts.all():
            print(one.name)  # noqa: T201


def _first_line(path: str) -> str:
    import sys
    from pathlib import Path

    from tidings.errors import UsageError

    try:
        text = sys.stdin.readline() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as a password: {error}") from error
    return text.split("\n", 1)[0].rstrip("\r")
