"""How many connections one address may hold open, and which of those that wait make room when there are too many."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Protocol

from tidings.web.security.rates import neighbourhood

__all__ = ["Connection", "Shares"]


class Connection(Protocol):
    """A connection that can be ended."""

    def end(self) -> None:
        """End it, whatever is still to be sent."""


class Shares:
    """The open connections of a server, by address.

    Args:
        most: how many there may be (0: any number).
        of_one: and from one address (0: any number) …
        proxies: … but for these addresses and networks, which ask for others.

    >>> class Open:
    ...     def end(self):
    ...         print("ended")
    >>> shares, first = Shares(4, 2), Open()
    >>> shares.add(first, "192.0.2.1"), shares.add(Open(), "192.0.2.1"), shares.add(Open(), "192.0.2.1")
    (True, True, False)
    >>> shares.note_waiting(first)
    >>> shares.add(Open(), "192.0.2.1")
    ended
    True
    """

    def __init__(self, most: int = 0, of_one: int = 0, proxies: Sequence[str] = ()) -> None:
        self._most, self._of_one = most, of_one
        self._proxies = [ip_network(one, strict=False) for one in proxies]
        # In the order in which they came. Those that wait send no request at the moment: the longest waits first.
        # (A plain dict is slow to find its first where those before it were taken out.)
        self._by_address: dict[str, OrderedDict[Connection, None]] = {}
        self._addresses: dict[Connection, str] = {}
        self._waiting: OrderedDict[Connection, None] = OrderedDict()

    def add(self, connection: Connection, address: str) -> bool:
        """Whether a new connection may stay; where there are too many, the one that waits longest makes room."""
        where = "" if self._is_proxy(address) else neighbourhood(address)
        held = self._by_address.get(where, OrderedDict())
        if where and self._of_one and len(held) >= self._of_one:
            idle = next((one for one in held if one in self._waiting), None)
            if idle is None:
                return False
            self._end(idle)
        # Who is one too many is refused with its first request, where none makes room.
        if self._most and len(self._addresses) + 1 >= self._most and self._waiting:
            self._end(next(iter(self._waiting)))
        self._by_address.setdefault(where, OrderedDict())[connection] = None
        self._addresses[connection] = where
        return True

    def remove(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        self.note_working(connection)
        where = self._addresses.pop(connection, None)
        if where is not None:
            held = self._by_address[where]
            del held[connection]
            if not held:
                del self._by_address[where]

    def note_waiting(self, connection: Connection) -> None:
        """A connection waits for a request."""
        self._waiting[connection] = None

    def note_working(self, connection: Connection) -> None:
        """A connection has a request that is being answered, or none at all."""
        self._waiting.pop(connection, None)

    def _end(self, connection: Connection) -> None:
        self.remove(connection)
        connection.end()

    def _is_proxy(self, address: str) -> bool:
        try:
            ip = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        return any(ip in network for network in self._proxies)
