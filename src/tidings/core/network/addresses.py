"""Which addresses may be asked: those of the public internet, unless others are allowed.

A name is looked up once, every address that it has is checked, and the connection is made to one that was checked: a
name that is looked up again, and then has another address, changes nothing. A host that is written as a number
(decimal, octal, hexadecimal) is resolved to the address that it means before it is checked, and a redirect is checked
like an address that was given.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import httpcore

from tidings.core.errors import TidingsError
from tidings.core.files.data import data_beside

_NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
_EMBEDDED = 0xFFFF_FFFF  # the last 32 bits, which hold an address of IPv4
_LOOPBACK = ".localhost"
_DATA = data_beside(__file__)
_NOT_PUBLIC_4 = tuple(map(IPv4Network, _DATA["not_public_4"]))

_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = tuple(map(IPv6Network, _DATA["not_public_6"]))


class PrivateAddressError(TidingsError):
    """A host has no address but such as are not on the public internet."""


def is_public(address: str) -> bool:
    """Whether an address is one of the public internet.

    Loopback, private, link-local, shared (CGNAT), multicast, reserved ones and those of examples are not, nor are
    addresses of IPv6 that stand for such a one of IPv4 (mapped, compatible, 6to4, NAT64).

    >>> [is_public(one) for one in ("93.184.215.14", "127.0.0.1", "100.64.0.1", "169.254.169.254", "::ffff:10.0.0.1")]
    [True, False, False, False, False]
    >>> [is_public(one) for one in ("2606:4700::1111", "64:ff9b::7f00:1", "fe80::1%eth0", "2002:7f00:1::")]
    [True, False, False, False]
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        inner = _find_embedded(parsed)
        if inner is not None:
            return is_public(str(inner))
        return parsed in _PUBLIC_6 and not any(parsed in network for network in _NOT_PUBLIC_6)
    return not any(parsed in network for network in _NOT_PUBLIC_4)


def is_link_local(address: str) -> bool:
    """Whether an address is link-local: where clouds tell machines their secrets, and no feed is.

    >>> is_link_local("169.254.169.254"), is_link_local("fe80::1%eth0"), is_link_local("::ffff:169.254.1.1")
    (True, True, True)
    >>> is_link_local("10.0.0.1"), is_link_local("127.0.0.1")
    (False, False)
    """
    parsed = ip_address(address.partition("%")[0])
    inner = _find_embedded(parsed) if isinstance(parsed, IPv6Address) else None
    return parsed.is_link_local or (inner is not None and inner.is_link_local)


def _find_embedded(address: IPv6Address) -> IPv4Address | None:
    number = int(address)
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if any(address in network for network in _NAT64) or 0xFFFF < number <= _EMBEDDED:
        return IPv4Address(number & _EMBEDDED)
    return None


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects to addresses that were checked, and to nothing else.

    Args:
        allow_private: whether addresses of a private network may be asked; link-local ones never are.
        option: what a user gives to allow them.
    """

    def __init__(self, *, allow_private: bool = False, option: str = "--allow-private") -> None:
        self._allow_private, self._option = allow_private, option
        self._inner: httpcore.AsyncNetworkBackend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to the first address of `host` that may be asked and answers."""
        addresses = await _look_up(host, port, timeout)
        is_allowed = is_public if not self._allow_private else lambda address: not is_link_local(address)
        allowed = [found_address for found_address in addresses if is_allowed(found_address)]
        if not allowed and (self._allow_private or all(map(is_link_local, addresses))):
            raise PrivateAddressError(
                f"{host} is at {addresses[0]}, a link-local address, which is never contacted"
            )
        if not allowed:
            raise PrivateAddressError(
                f"{host} is at {addresses[0]}, which is not on the public internet; {self._option} allows it"
            )
        failure: Exception | None = None
        for address in allowed:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore.ConnectError(f"{host} has no address")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """None is ever made."""
        raise httpcore.ConnectError("a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def _look_up(host: str, port: int, timeout: float | None) -> list[str]:
    name = host.lower().rstrip(".")
    if name == _LOOPBACK[1:] or name.endswith(_LOOPBACK):  # RFC 6761: never asked of anyone
        return ["127.0.0.1"]
    try:
        async with asyncio.timeout(timeout):
            found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except TimeoutError as error:
        raise httpcore.ConnectTimeout(f"the name {host} was not found in time") from error
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"the name {host} is not known") from error
    addresses = list(dict.fromkeys(str(answer[4][0]) for answer in found))
    if not addresses:
        raise httpcore.ConnectError(f"{host} has no address")
    return addresses
