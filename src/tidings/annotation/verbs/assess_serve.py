"""`tidings assess serve`: the assessors' desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.core import described, say
from tidings.web import VERB_OPTIONS, first_account, first_link, has_passwords

if TYPE_CHECKING:
    from tidings.annotation.store import Desk


@described(__file__, VERB_OPTIONS)
def assess_serve(
    store: str,
    port: int = 8571,
    host: str = "127.0.0.1",
    public_url: str = "",
) -> None:
    """Serve the assessors' desk: people judge in their browsers, and each judgment is stored at once.

    If nobody can sign in yet, an account called lead is created; open the printed link to choose its password.
    Projects without members are led by the first account.
    """
    from urllib.parse import urlsplit

    from tidings.web import needs_web

    needs_web()
    from tidings.annotation.pages.app import run
    from tidings.annotation.store import Desk
    from tidings.core import open_store
    from tidings.web import SiteSettings, check_address, listening, public_address

    public = public_address(public_url) if public_url else ""
    hosts = [host, *([urlsplit(public).hostname or ""] if public else [])]
    https = public.startswith("https:")
    settings = SiteSettings(
        https=https,
        public_url=public,
        hosts=tuple(hosts),
        trusted_proxies=("127.0.0.1",) if https else (),
        # More than an office behind one address has open at once.
        connections=3000,
        connections_of_one=1500,
    )
    # The address first: where it is taken, nothing is made in the store.
    with listening(host, port) as listener, open_store(store, durable=True) as opened:
        desk = Desk(opened)
        check_address(host, has_accounts=has_passwords(desk))
        link = _first_link(desk)
        run(
            desk,
            listener,
            settings=settings,
            ready=lambda address: say(f"The desk is at {address}{link} (Ctrl-C to stop)"),
        )


def _first_link(desk: Desk) -> str:
    """Where the first account chooses its password; empty where someone has one. It leads what nobody works on."""
    first = first_account(desk, "lead")
    for project in desk.projects.all():
        if not desk.projects.members(project.id):
            desk.projects.set_member(project.id, first.id, "lead")
    return first_link(desk, "lead")
