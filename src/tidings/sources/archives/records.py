"""One record of a web archive, as its reader gives it."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["BROKEN", "MOST_BLOCK", "WITH_DOCUMENTS", "ArchivedRecord"]

MOST_BLOCK = 32 << 20
"""Bytes of a record that are read; larger ones are passed over."""

WITH_DOCUMENTS = ("response", "resource", "conversion")
"""The kinds of records that hold what a server gave, or what was made of it."""

BROKEN = "a record that cannot be read"


class ArchivedRecord(Struct, frozen=True, kw_only=True):
    """A record of a WARC or ARC file.

    Args:
        place: the byte of the file from which on it can be read.
        kind: of record: `response`, `resource`, `conversion`, `request`, `revisit`, `metadata`, `warcinfo`, ….
        url: that was asked for, as written.
        date: when, as written.
        content_type: of the block: `application/http` for what a server gave.
        block: its bytes, at most `MOST_BLOCK`.
        truncated: why the crawler cut it; "" where it did not.
        fault: what is wrong with it, though it was read; "" for nothing.
        broken: whether nothing of it can be read.
    """

    place: int
    kind: str
    url: str = ""
    date: str = ""
    content_type: str = ""
    block: bytes = b""
    truncated: str = ""
    fault: str = ""
    broken: bool = False
