"""How often an address may ask, how many connections it may hold open, and which make room when there are too many."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tidings.web.guards import Middleware

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
