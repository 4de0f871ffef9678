"""What stands around every page: which hosts, bodies and requests of other sites are taken, and the headers sent.

Requests that another site makes a browser send are refused, unless they only read. A browser says in Sec-Fetch-Site
where a request comes from; one that does not say so has an Origin, which must be the server's own. A client that sends
neither is no browser, and holds no cookie that someone else could use.

A site answers to its own names alone. A page of another site can have its name lead to our address; what it then asks
for comes with that name as Host. Such a request is refused, and no link is made of a name that someone made up.

`RateLimit` bounds how often an address may ask; `Shares` bounds the connections it holds open.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tidings.core import UsageError

MOST_BYTES = 8 * 2**20
"""More than any page of the desk sends: the longest say where each of some thousand matches of a split nugget goes."""

WITHIN_S = 60.0
"""So long may all of it take."""


class Middleware:
    """ASGI middleware; a child says in `handle` what becomes of a request of HTTP. All else is passed on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass on what is none."""
        await (self.handle if scope["type"] == "http" else self.app)(scope, receive, send)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it."""
        raise NotImplementedError


class BodyLimit(Middleware):
    """ASGI middleware that answers 413 to a longer body, and 408 to one that takes longer.

    Bodies are read before it is known who sends them.
    """

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES, within_s: float = WITHIN_S) -> None:
        super().__init__(app)
        self._most, self._within_s = most, within_s

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; the application, asking for its body, is told that it is too long."""
        said = Headers(scope=scope).get("content-length", "")
        announced = int(said) if said.isascii() and said.isdigit() and len(said) < 20 else 0
        got, is_whole = 0, False
        ends = asyncio.get_running_loop().time() + self._within_s

        async def receive_some() -> Message:
            nonlocal got, is_whole
            if is_whole:  # what comes now says that nobody listens any more, whenever that is
                return await receive()
            try:
                async with asyncio.timeout_at(ends):
                    message = {} if announced > self._most else await receive()
            except TimeoutError:
                raise HTTPException(408, "The request was too slow. Send it again.") from None
            is_whole = not message.get("more_body", False)
            got += len(message.get("body", b""))
            if max(announced, got) > self._most:
                raise HTTPException(
                    413, f"this is too long: at most {self._most // 2**10:,} KiB are taken at once"
                )
            return message

        await self.app(scope, receive_some, send)


_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class CrossSiteGuard(Middleware):
    """ASGI middleware that answers 403 to what would write and comes from another site."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if from_another_site(scope["method"], Headers(scope=scope), scope["scheme"]):
            answer = PlainTextResponse("Refused: this request came from another site.", status_code=403)
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
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return None
    if parts.hostname is None or parts.scheme not in ("http", "https"):
        return None
    return parts.scheme, parts.hostname.lower(), port or (443 if parts.scheme == "https" else 80)


POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""No script, style or address but our own files: an escaping that was forgotten runs nothing."""

_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class SafeHeaders(Middleware):
    """ASGI middleware that adds them; what says nothing about caching is not stored."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and its answer back with the headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class HeadAsGet(Middleware):
    """ASGI middleware that lets GET answer HEAD. An answer without end is told that nobody listens any more."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as GET, and of its answer the head."""
        if scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        has_begun = False

        async def receive_or_gone() -> Message:
            return {"type": "http.disconnect"} if has_begun else await receive()

        async def send_head(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self.app({**scope, "method": "GET"}, receive_or_gone, send_head)


OWN = frozenset({"127.0.0.1", "::1", "localhost"})
"""What every desk answers to."""
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104


class HostGuard(Middleware):
    """ASGI middleware that answers 400 to what is sent to a name that is not the desk's."""

    def __init__(self, app: ASGIApp, names: Collection[str] = OWN) -> None:
        super().__init__(app)
        self._names = frozenset(names)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if not answers_to(self._names, Headers(scope=scope).get("host", "")):
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
    if name in {known.lower() for known in names}:
        return True
    return not _EVERYWHERE.isdisjoint(names) and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def public_address(url: str) -> str:
    """The address under which others reach the desk, without a slash at the end; UsageError where it is none.

    >>> public_address("https://desk.example.org/")
    'https://desk.example.org'
    >>> public_address("desk.example.org")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: --public-url desk.example.org is not a web address. Use one such as https://desk.example.org.
    """
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        named = False
    expected = f"{parts.scheme}://{parts.netloc}" if named else ""
    if not named or parts.scheme not in ("http", "https") or "@" in url or url.removesuffix("/") != expected:
        raise UsageError(
            f"--public-url {url} is not a web address. Use one such as https://desk.example.org."
        )
    return expected


class UnderPath(Middleware):
    """ASGI middleware that says under which path the application stands (`root_path`), and lets addresses have it."""

    def __init__(self, app: ASGIApp, root_path: str) -> None:
        super().__init__(app)
        self._root_path = root_path

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        root, path = self._root_path, scope["path"]
        whole = path if path == root or path.startswith(f"{root}/") else root + path
        await self.app({**scope, "root_path": root, "path": whole}, receive, send)


End = Callable[[], None]
"""Ends a connection, whatever is still to be sent, and stands for it here."""


class Shares:
    """The open connections of a server, by address.

    Args:
        most: how many there may be (0: any number).
        of_one: and from one address (0: any number) …
        proxies: … but for these addresses and networks, which ask for others.

    >>> from functools import partial
    >>> ended, shares = [], Shares(4, 2)
    >>> first, second, third = [partial(ended.append, number) for number in (1, 2, 3)]
    >>> [shares.add(one, "192.0.2.1") for one in (first, second, third)]
    [True, True, False]
    >>> shares.note_waiting(first)
    >>> shares.add(third, "192.0.2.1"), ended
    (True, [1])
    """

    def __init__(self, most: int = 0, of_one: int = 0, proxies: Sequence[str] = ()) -> None:
        self._most, self._of_one = most, of_one
        self._proxies = [ip_network(proxy, strict=False) for proxy in proxies]
        # In the order in which they came. Those that wait send no request at the moment: the longest waits first.
        # (A plain dict is slow to find its first where those before it were taken out.)
        self._by_address: dict[str, OrderedDict[End, None]] = {}
        self._addresses: dict[End, str] = {}
        self._waiting: OrderedDict[End, None] = OrderedDict()

    def add(self, connection: End, address: str) -> bool:
        """Whether a new connection may stay; where there are too many, the one that waits longest makes room."""
        where = "" if self._is_proxy(address) else neighbourhood(address)
        held = self._by_address.get(where, OrderedDict())
        if where and self._of_one and len(held) >= self._of_one:
            idle = next((connection for connection in held if connection in self._waiting), None)
            if idle is None:
                return False
            self._end(idle)
        # Who is one too many is refused with its first request, where none makes room.
        if self._most and len(self._addresses) + 1 >= self._most and self._waiting:
            self._end(next(iter(self._waiting)))
        self._by_address.setdefault(where, OrderedDict())[connection] = None
        self._addresses[connection] = where
        return True

    def remove(self, connection: End) -> None:
        """Forget a connection that has ended."""
        self.note_working(connection)
        where = self._addresses.pop(connection, None)
        if where is not None:
            held = self._by_address[where]
            del held[connection]
            if not held:
                del self._by_address[where]

    def note_waiting(self, connection: End) -> None:
        """A connection waits for a request."""
        self._waiting[connection] = None

    def note_working(self, connection: End) -> None:
        """A connection has a request that is being answered, or none at all."""
        self._waiting.pop(connection, None)

    def _end(self, connection: End) -> None:
        self.remove(connection)
        connection()

    def _is_proxy(self, address: str) -> bool:
        try:
            ip = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self._proxies)


_MOST_ADDRESSES = 10_000  # remembered, so that memory is bounded


class Tokens:
    """Tokens of each address.

    Args:
        per_s: so many come each second …
        most: … up to so many, which is what there are in the beginning.
        clock: seconds that never go back.

    >>> now = [0.0]
    >>> tokens = Tokens(2, 3, lambda: now[0])
    >>> [tokens.wait_s("a") for _ in range(4)], tokens.wait_s("b")
    ([0.0, 0.0, 0.0, 0.5], 0.0)
    >>> now[0] = 0.5
    >>> tokens.wait_s("a"), tokens.wait_s("a")
    (0.0, 0.5)
    """

    def __init__(self, per_s: float, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s, self._most, self._clock = per_s, max(most, 1), clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, address: str) -> float:
        """Take one; 0, or where there is none the seconds until there is."""
        now = self._clock()
        left, at = self._buckets.pop(address, (float(self._most), now))
        left = min(self._most, left + (now - at) * self._per_s)
        wait = 0.0 if left >= 1 else (1 - left) / self._per_s
        self._buckets[address] = (left if wait else left - 1, now)
        # Those that asked longest ago are forgotten: most of them have a full bucket again.
        if len(self._buckets) > _MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return wait


class RateLimit(Middleware):
    """ASGI middleware that answers 429, and when to come again, to an address that asks too often."""

    def __init__(
        self, app: ASGIApp, per_s: float, at_once: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(app)
        self._tokens = Tokens(per_s, at_once, clock)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        client = scope.get("client")
        wait = self._tokens.wait_s(neighbourhood(client[0] if client else ""))
        if not wait:
            await self.app(scope, receive, send)
            return
        seconds = math.ceil(wait)
        answer = JSONResponse(
            {"message": f"Too many requests from your address. Try again in {seconds} s"},
            status_code=429,
            headers={"retry-after": str(seconds)},
        )
        await answer(scope, receive, send)


def neighbourhood(address: str) -> str:
    """What counts as one address: of IPv6 the 64 bits that one network has.

    One of IPv4 that is written as IPv6 (mapped) is that of IPv4. What is no address, as a proxy may send it, is one
    and the same whatever it says: who makes such names up does not become many.

    >>> neighbourhood("192.0.2.7"), neighbourhood("::ffff:192.0.2.7"), neighbourhood("2001:db8::1:2%eth0")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    >>> neighbourhood("unknown"), neighbourhood("_hidden"), neighbourhood("999.1.1.1")
    ('unknown', 'unknown', 'unknown')
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(ip, IPv6Address):
        return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))
    return str(ip)
