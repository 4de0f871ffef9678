"""The first account of a store: a link with which it chooses its password, while nobody has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Account
    from tidings.web.accounts import SiteAccounts

__all__ = ["first_account", "first_link", "has_passwords"]


def has_passwords(desk: SiteAccounts) -> bool:
    """Whether somebody can sign in."""
    return any(account.password_hash for account in desk.accounts.all())


def first_account(desk: SiteAccounts, name: str) -> Account:
    """The oldest account; one of that name is made where there is none."""
    accounts = sorted(desk.accounts.all(), key=lambda one: one.id)
    return accounts[0] if accounts else desk.accounts.add(name)


def first_link(desk: SiteAccounts, name: str) -> str:
    """Where the first account chooses its password; empty where somebody has one."""
    if has_passwords(desk):
        return ""
    return f"/welcome/{desk.accounts.invite(first_account(desk, name).id)}"
