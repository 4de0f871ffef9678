"""`tidings assess users`: who signs in, and what they are in which project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.annotation.verbs.projects import project_named
from tidings.core import described, say, terminal_width
from tidings.web import VERB_OPTIONS, need_names, needs_web

if TYPE_CHECKING:
    from tidings.annotation.store import Desk
    from tidings.core import Account


@described(__file__, VERB_OPTIONS)
def assess_users(
    store: str,
    add: str | None = None,
    project: str | None = None,
    role: str = "assessor",
    password_file: str = "",
    invite: str | None = None,
    disable: str | None = None,
    enable: str | None = None,
) -> None:
    """List the accounts of a store, create one, or change one.

    An account without a password gets a link to the desk where its owner chooses one.
    """
    needs_web()
    from tidings.annotation.store import Desk
    from tidings.core import UsageError, open_store
    from tidings.web import hash_password

    need_names(
        {"--add": add, "--project": project, "--invite": invite, "--disable": disable, "--enable": enable}
    )
    if role not in ("assessor", "lead"):
        raise UsageError(f"--role {role}: choose assessor or lead.")
    if (project or password_file) and not add:
        raise UsageError("--project and --password-file need --add NAME.")
    hashed = hash_password(_first_line(password_file)) if password_file else ""
    writes = any((add, invite, disable, enable))
    with open_store(store, durable=True, read_only=not writes) as opened:
        desk = Desk(opened)
        if add:
            place = project_named(desk, project) if project else None
            account = desk.accounts.find(add) or desk.accounts.add(add)
            if place is not None:
                desk.projects.set_member(place.id, account.id, "lead" if role == "lead" else "assessor")
            if hashed:
                desk.accounts.set_password(account.id, hashed)
            elif not account.password_hash:
                _invite(desk, account)
        if invite:
            _invite(desk, _find_account(desk, invite))
        if disable:
            desk.accounts.disable(_find_account(desk, disable).id)
        if enable:
            desk.accounts.enable(_find_account(desk, enable).id)
        _list(desk)


def _invite(desk: Desk, account: Account) -> None:
    path = f"/welcome/{desk.accounts.invite(account.id)}"
    say(f"To choose a password, {account.name} opens this path on your site: {path}")


def _find_account(desk: Desk, name: str) -> Account:
    from tidings.core import UsageError

    account = desk.accounts.find(name)
    if account is None:
        names = ", ".join(account.name for account in desk.accounts.all()) or "none"
        raise UsageError(f"no account named {name}; the store has: {names}")
    return account


def _list(desk: Desk) -> None:
    """A row for each account."""
    from tidings.core import Table, render

    roles: dict[int, list[str]] = {}
    for project in desk.projects.all():
        for member in desk.projects.members(project.id):
            word = f"{project.name} (lead)" if member.role == "lead" else project.name
            roles.setdefault(member.account_id, []).append(word)
    rows = []
    for person in desk.accounts.all():
        state = (
            "disabled"
            if person.disabled_time is not None
            else ""
            if person.password_hash
            else "no password yet"
        )
        rows.append((person.name, state, ", ".join(roles.get(person.id, []))))
    if not rows:
        say("No accounts yet. Create one with --add NAME.")
        return
    print(render(Table(("account", "sign-in", "projects"), tuple(rows)), width=terminal_width()))  # noqa: T201
    for names in _alike([account.name for account in desk.accounts.all()]):
        say(f"{' and '.join(names)} differ in case alone: each signs in with the name as it is written here")


def _alike(names: list[str]) -> list[list[str]]:
    """Names that differ in case alone, which older stores may hold."""
    from tidings.web import same_name

    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(same_name(name), []).append(name)
    return [group for group in groups.values() if len(group) > 1]


def _first_line(path: str) -> str:
    import sys
    from pathlib import Path

    from tidings.core import UsageError

    try:
        text = sys.stdin.readline() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as a password: {error}") from error
    return text.split("\n", 1)[0].rstrip("\r")
