"""Requests that another site makes a browser send are refused, unless they only read.

A browser says in Sec-Fetch-Site where a request comes from; one that does not say so has an Origin, which must be the
server's own. A client that sends neither is no browser, and holds no cookie that somebody else could use.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["CrossSiteGuard", "from_another_site"]

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class CrossSiteGuard:
    """ASGI middleware that answers 403 to what would write and comes from another site."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http" and from_another_site(
            scope["method"], Headers(scope=scope), scope["scheme"]
        ):
            answer = PlainTextResponse(
                "refused: this request comes from another site than the desk's", status_code=403
            )
            await answer(scope, receive, send)
            return
        await self.app(scope, receive, send)


def from_another_site(method: str, headers: Headers, scheme: str) -> bool:
    """Whether a request would write and was made by another site's page.

    >>> from_another_site("POST", Headers({"sec-fetch-site": "cross-site"}), "http")
    True
    >>> from_another_site("POST", Headers({"origin": "http://desk:80", "host": "desk"}), "http")
    False
    """
    if method in _READING:
        return False
    said = headers.get("sec-fetch-site")
    if said is not None:
        return said not in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return False
    own = f"{scheme}://{headers.get('host', '')}"
    return _tuple(origin) != _tuple(own)


def _tuple(origin: str) -> tuple[str, str, int] | None:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return None
    if parts.hostname is None or parts.scheme not in ("http", "https"):
        return None
    return parts.scheme, parts.hostname.lower(), port or (443 if parts.scheme == "https" else 80)
