"""Who asks: accounts that are signed in, the same for the desk and for live pages.

Routes name `SignedInVisitor` as a dependency where someone must be signed in.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from msgspec import Struct

from tidings.core import Account, judge_layer
from tidings.web.accounts import SiteAccounts
from tidings.web.guards import MOST_BYTES


class SiteSettings(Struct, frozen=True, kw_only=True):
    """How the desk, or live pages, are served.

    Args:
        idle_s: a sign-in ends after so long without a request.
        longest_s: and after so long in any case.
        failures: so many failed sign-ins of a name from an address, and ten times as many from an address, …
        failures_within_s: … within so long, and no more are heard until it has passed.
        name_failures: so many failed sign-ins of a name from all addresses together …
        name_failures_within_s: … within so long.
        links_sign_in: a link for a new account signs in at once, without a password: for demonstrations alone.
        https: whether browsers come by https, behind a proxy; the cookie is then sent by nothing else.
        public_url: where others reach the desk, for the links that it makes; empty: where who asks for one does.
        hosts: names and addresses that it answers to, and those of its own machine.
        root_path: what a proxy takes off the path before it asks here, such as /news.
        trusted_proxies: addresses and networks whose word is taken for who asks, and by http or https.
        requests_per_s: how many requests an address may send each second in the long run (0: any number) …
        requests_at_once: … and how many at once.
        connections: how many connections may be open (0: any number) …
        connections_of_one: … and how many from one address that is no trusted proxy.
        longest_body: of how many bytes the body of a request may be; it is held before it is known who sends it.
    """

    idle_s: int = 12 * 3600
    longest_s: int = 30 * 86400
    failures: int = 5
    failures_within_s: int = 900
    name_failures: int = 50
    name_failures_within_s: int = 3600
    https: bool = False
    links_sign_in: bool = False
    public_url: str = ""
    hosts: tuple[str, ...] = ()
    root_path: str = ""
    trusted_proxies: tuple[str, ...] = ()
    requests_per_s: float = 0.0
    requests_at_once: int = 0
    connections: int = 0
    connections_of_one: int = 0
    longest_body: int = MOST_BYTES


# Those that only look at what others found are `async`: they need no thread of their own, which takes a millisecond.


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
