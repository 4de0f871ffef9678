"""Which feeds are meant: addresses as they are given, and those of lists in OPML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tidings.core import FormatError, UsageError
from tidings.sources.polling.requests import host_of

_LONGEST = 2000  # characters of an address
_MOST = 20_000  # feeds of one service


def is_address(name: str) -> bool:
    """Whether a name is an address of the web.

    >>> is_address("HTTPS://a.example/feed"), is_address("feeds.opml"), is_address("ftp://a.example/")
    (True, False, False)
    """
    return name[:8].lower().startswith(("http://", "https://"))


def is_polled(name: str) -> bool:
    """Whether a name is an address of the web, or of a list (OPML) that names such; the file of a feed is read instead.

    >>> is_polled("https://a.example/feed"), is_polled("news.jsonl")
    (True, False)
    """
    ending = Path(name).suffix.lower()
    if is_address(name) or ending not in (".opml", ".xml"):
        return is_address(name)
    if not Path(name).is_file():
        return True
    from tidings.sources.feeds.opml import read_opml

    try:
        named = read_opml(name)
    except FormatError:
        return ending == ".opml"
    return any(feed.is_on_the_web for feed in named) or (not named and ending == ".opml")


def feed_addresses(names: Sequence[str]) -> list[str]:
    """The addresses that are named, and those of the lists that are, each once and in that order.

    Of a list, what is a file beside it or another list is left out: neither can be polled.

    Raises:
        UsageError: a name is neither; FormatError: a list cannot be read, or holds none.
    """
    addresses: dict[str, None] = {}
    for name in names:
        if not is_address(name) and not Path(name).is_file():
            raise UsageError(
                f"{name}: neither a file nor an address of the web (expected the address of a feed "
                "(https://…) or a list of feeds (OPML))"
            )
        for address in [name] if is_address(name) else _list(name):
            addresses.setdefault(_check(address, name))
    if len(addresses) > _MOST:
        raise UsageError(f"{len(addresses):,} feeds are too many: {_MOST:,} may be polled; split the lists")
    return list(addresses)


def _list(path: str) -> list[str]:
    from tidings.sources.feeds.opml import read_opml

    addresses = [feed.url for feed in read_opml(path) if feed.is_on_the_web and not feed.is_list]
    if not addresses:
        raise FormatError.of(
            path, 0, "no feed on the web", 'a list of feeds in OPML: <outline xmlUrl="https://…"/>'
        )
    return addresses


def _check(address: str, where: str) -> str:
    if not host_of(address) or len(address) > _LONGEST or not address.isprintable() or " " in address:
        raise FormatError.of(
            where, 0, f"{address[:80]!r} as a feed", "an address of the web: https://host/path"
        )
    return address
