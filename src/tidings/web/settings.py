"""How pages are served."""

from __future__ import annotations

from msgspec import Struct

from tidings.web.security.body_size import MOST_BYTES

__all__ = ["SiteSettings"]


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
