"""Which feeds are meant: addresses as they are given, and lists of them in OPML."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.parsers import expat

from tidings.errors import FormatError, Problem, UsageError
from tidings.formats.content import as_content
from tidings.sources.polling.requests import host_of

__all__ = ["feed_addresses", "is_address", "read_list"]

_LONGEST = 2000
_MOST = 20_000


def is_address(name: str) -> bool:
    """Whether a name is an address of the web.

    >>> is_address("HTTPS://a.example/feed"), is_address("feeds.opml"), is_address("ftp://a.example/")
    (True, False, False)
    """
    return name[:8].lower().startswith(("http://", "https://"))


def feed_addresses(names: Sequence[str]) -> list[str]:
    """The addresses that are named, and those of the lists that are, each once and in that order.

    Raises:
        UsageError: a name is neither; FormatError: a list cannot be read, or holds none.
    """
    addresses: dict[str, None] = {}
    for name in names:
        if not is_address(name) and not Path(name).is_file():
            raise UsageError(
                f"{name}: found neither a file nor an address of the web, expected the address of a feed "
                "(https://…) or a list of feeds (OPML)"
            )
        for address in [name] if is_address(name) else read_list(name):
            addresses.setdefault(_checked(address, name))
    if len(addresses) > _MOST:
        raise UsageError(f"found {len(addresses):,} feeds, expected at most {_MOST:,}; split the lists")
    return list(addresses)


def read_list(path: str | Path) -> list[str]:
    """The addresses of feeds in an OPML file (the xmlUrl of its outlines), in its order.

    Raises:
        FormatError: it is no OPML, or names no feed.
    """
    content = as_content(path)
    addresses: list[str] = []
    depth = 0
    parser = expat.ParserCreate()

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        if not depth and name.lower() != "opml":
            raise _no_list(content.name, f"<{name[:40]}>")
        depth += 1
        url = next((value for key, value in attributes.items() if key.lower() == "xmlurl"), "").strip()
        if name.lower() == "outline" and url:
            addresses.append(url)

    def refuse(*declared: object) -> None:
        raise _no_list(content.name, "a document type")

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content.read(), True)
    except expat.ExpatError as error:
        raise FormatError(
            [
                Problem(
                    content.name,
                    error.lineno,
                    f"bad XML ({expat.ErrorString(error.code)})",
                    "a list of feeds in OPML",
                )
            ]
        ) from error
    if not addresses:
        raise _no_list(content.name, "no feed")
    return addresses


def _no_list(name: str, what: str) -> FormatError:
    return FormatError([Problem(name, 0, what, 'a list of feeds in OPML: <outline xmlUrl="https://…"/>')])


def _checked(address: str, where: str) -> str:
    if (
        not is_address(address)
        or not host_of(address)
        or len(address) > _LONGEST
        or not address.isprintable()
    ):
        raise FormatError(
            [Problem(where, 0, f"{address[:80]!r} as a feed", "an address of the web: https://host/path")]
        )
    return address
