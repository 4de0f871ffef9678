"""What the verbs of `tidings assess` and `tidings serve` share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Account, pip_install
    from tidings.web.accounts import SiteAccounts

VERB_OPTIONS = __file__
"""Beside this file stands what the options of these verbs are for, for `described`."""


def need_names(given: Mapping[str, str | None]) -> None:
    """UsageError where the name after an option is empty.

    >>> need_names({"--add": "ferry", "--change": None})
    >>> need_names({"--add": " "})
    Traceback (most recent call last):
    tidings.core.errors.UsageError: write a name after --add
    """
    from tidings.core import UsageError

    for option, name in given.items():
        if name is not None and not name.strip():
            raise UsageError(f"write a name after {option}")


def needs_web() -> None:
    """UsageError where the extra `web` is not installed."""
    from importlib.util import find_spec

    from tidings.core import UsageError

    missing = [
        name for name in ("fastapi", "uvicorn", "argon2", "python_multipart") if find_spec(name) is None
    ]
    if missing:
        raise UsageError(f"No {missing[0]} installed. Run: {pip_install('[web]')}")


@contextmanager
def demo_store(store: str | None, name: str) -> Iterator[str]:
    """Where a demonstration is kept: where that was said, else in a file of that name until the end of the block."""
    if store is not None:
        yield store
        return
    from pathlib import Path
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="tidings-demo-") as folder:
        yield str(Path(folder) / name)


def has_passwords(desk: SiteAccounts) -> bool:
    """Whether someone can sign in."""
    return any(account.password_hash for account in desk.accounts.all())


def first_account(desk: SiteAccounts, name: str) -> Account:
    """The oldest account; one of that name is made where there is none."""
    accounts = sorted(desk.accounts.all(), key=lambda account: account.id)
    return accounts[0] if accounts else desk.accounts.add(name)


def first_link(desk: SiteAccounts, name: str) -> str:
    """Where the first account chooses its password; empty where someone has one."""
    if has_passwords(desk):
        return ""
    return f"/welcome/{desk.accounts.invite(first_account(desk, name).id)}"
