"""Who asks: accounts that are signed in, the same for the desk and for live pages.

Routes name `SignedInVisitor` as a dependency where somebody must be signed in.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from msgspec import Struct

from tidings.core import Account, judge_layer
from tidings.web.accounts import SiteAccounts
from tidings.web.settings import SiteSettings

# Those that only look at what others found are `async`: they need no thread of their own, which takes a millisecond.

__all__ = [
    "COOKIE",
    "LARGEST",
    "SignInNeeded",
    "SignedInVisitor",
    "Visitor",
    "accounts_of",
    "settings_of",
    "visitor_or_none",
]

COOKIE = "tidings_desk"
LARGEST = 2**31 - 1
"""The greatest number that anything of ours has."""


class Visitor(Struct, frozen=True):
    """Who is signed in."""

    account: Account
    session_id: int

    @property
    def layer(self) -> str:
        """The layer of what they judge alone."""
        return judge_layer(self.account.id)


class SignInNeeded(Exception):  # noqa: N818 - it is no error but a way to the sign-in page
    """Nobody is signed in."""


def accounts_of(request: Request) -> SiteAccounts:
    """The accounts of the store that is served."""
    accounts: SiteAccounts = request.app.state.desk
    return accounts


def settings_of(request: Request) -> SiteSettings:
    """How it is served."""
    settings: SiteSettings = request.app.state.settings
    return settings


def visitor_or_none(request: Request) -> Visitor | None:
    """Who is signed in, if anyone is."""
    token = request.cookies.get(COOKIE, "")
    if not token:
        return None
    settings = settings_of(request)
    found = accounts_of(request).entrances.enter(
        token,
        idle_s=settings.idle_s,
        longest_s=settings.longest_s,
        project=_number(request.path_params.get("project", "")),
        topic=_number(request.path_params.get("topic", "")),
    )
    visitor = None if found is None else Visitor(found.account, found.session_id)
    request.state.entrance = found
    request.state.visitor = visitor
    return visitor


def _number(said: str) -> int:
    """The number that an address has in a place; 0, which none of ours has, for what is none of ours."""
    number = int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 0
    return number if number <= LARGEST else 0


async def signed_in(visitor: Annotated[Visitor | None, Depends(visitor_or_none)]) -> Visitor:
    """Who is signed in; SignInNeeded where nobody is."""
    if visitor is None:
        raise SignInNeeded
    return visitor


SignedInVisitor = Annotated[Visitor, Depends(signed_in)]
