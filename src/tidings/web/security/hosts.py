"""The desk answers to its own names alone.

A page of another site can have its name lead to the desk's address; what it then asks for comes with that name as Host.
Such a request is refused, and no link is made of a name that somebody made up.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tidings.core import UsageError

__all__ = ["OWN", "HostGuard", "answers_to", "public_address"]

OWN = frozenset({"127.0.0.1", "::1", "localhost"})
"""What every desk answers to."""
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104


class HostGuard:
    """ASGI middleware that answers 400 to what is sent to a name that is not the desk's."""

    def __init__(self, app: ASGIApp, names: Collection[str] = OWN) -> None:
        self.app = app
        self._names = frozenset(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http" and not answers_to(self._names, Headers(scope=scope).get("host", "")):
            answer = PlainTextResponse(
                "refused: the desk is not known by the name in this address; who runs it can say it with --public-url",
                status_code=400,
            )
            await answer(scope, receive, send)
            return
        await self.app(scope, receive, send)


def answers_to(names: Collection[str], host: str) -> bool:
    """Whether a request's Host is one of these names, whatever the port; one that listens everywhere has any address.

    >>> answers_to(OWN, "LOCALHOST:8571"), answers_to(OWN, "[::1]:80"), answers_to(OWN, "evil.example")
    (True, True, False)
    >>> answers_to({"0.0.0.0"}, "192.168.1.5:8571"), answers_to({"0.0.0.0"}, "evil.example")
    (True, False)
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in {one.lower() for one in names}:
        return True
    return not _EVERYWHERE.isdisjoint(names) and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def public_address(url: str) -> str:
    """The address under which others reach the desk, without a slash in the end; UsageError where it is none.

    >>> public_address("https://desk.example.org/")
    'https://desk.example.org'
    >>> public_address("desk.example.org")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: found --public-url desk.example.org, expected such as https://desk.example.org
    """
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        named = False
    expected = f"{parts.scheme}://{parts.netloc}" if named else ""
    if not named or parts.scheme not in ("http", "https") or "@" in url or url.removesuffix("/") != expected:
        raise UsageError(f"found --public-url {url}, expected such as https://desk.example.org")
    return expected
