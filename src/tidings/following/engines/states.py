"""What an engine keeps of followed events between two calls: bytes that begin with what they are, and which version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import Event, StoreError

__all__ = ["MIGRATIONS", "VERSION", "EventState", "ShardHead", "pack_head", "unpack_head"]

_NAME = b"tidings-shard"
_IDENTITY_BYTES = 8

VERSION = 2
"""Of what is kept of a shard; raised with each change of its parts, together with a migration from the one before."""

MIGRATIONS: Mapping[int, Callable[[Any], Any]] = {}
"""By version, what makes of the content of a part (lists, bytes, as msgpack has them) that of the next version."""


class EventState(Struct, array_like=True):
    """An event that is being followed: its place among the events, its definition, what its follower remembers."""

    number: int
    event: Event
    follower: bytes | None = None


class ShardHead(Struct, frozen=True, array_like=True):
    """What is kept of a shard beside its parts: its token, how many bytes its snapshot and what follows are.

    `decided` is the time before which all was decided, `wakes` that at which something is due (None: nothing is).
    """

    token: bytes = b""
    snapshot: int = 0
    changes: int = 0
    decided: int = 0
    wakes: int | None = None


def pack_head(head: ShardHead, identity: bytes) -> bytes:
    """A head as bytes; `identity` tells which settings the shard is good for."""
    return _NAME + bytes([VERSION]) + identity + msgspec.msgpack.encode(head)


def unpack_head(data: bytes, identity: bytes) -> tuple[ShardHead, int]:
    """The head that `pack_head` gave, and the version of the parts that it stands for.

    Args:
        data: the bytes.
        identity: of the settings that go on.

    Raises:
        StoreError: a later version wrote it, or one that cannot be brought here; it is of other settings, or damaged.

    >>> unpack_head(pack_head(ShardHead(wakes=60), b"settings"), b"settings") == (ShardHead(wakes=60), VERSION)
    True
    >>> unpack_head(b"tidings-shard" + bytes([99]), b"settings")
    Traceback (most recent call last):
    tidings.core.errors.StoreError: found states of followed events of version 99, expected 2 at most: a newer tidings \
wrote them; install that version again
    """
    version_at, identity_at = len(_NAME), len(_NAME) + 1
    body_at = identity_at + _IDENTITY_BYTES
    if not data.startswith(_NAME) or len(data) <= version_at:
        raise StoreError(
            "found states of followed events that are damaged, or of an earlier tidings, which named no version; begin "
            "a new checkpoint"
        )
    version = data[version_at]
    if version > VERSION:
        raise StoreError(
            f"found states of followed events of version {version}, expected {VERSION} at most: a newer tidings wrote "
            "them; install that version again"
        )
    if any(step not in MIGRATIONS for step in range(version, VERSION)):
        raise StoreError(
            f"found states of followed events of version {version}, which this tidings cannot bring to version "
            f"{VERSION}; begin a new checkpoint, or install the earlier version again"
        )
    if data[identity_at:body_at] != identity:
        raise StoreError(
            "found states of followed events of another system, pace, interval or model than this query has, expected "
            "the same ones; begin a new checkpoint"
        )
    try:
        return msgspec.msgpack.decode(data[body_at:], type=ShardHead), version
    except (msgspec.MsgspecError, ValueError):
        raise damaged() from None


def damaged() -> StoreError:
    """The error for parts that are not what was kept."""
    return StoreError("found states of followed events that are damaged; begin a new checkpoint")
