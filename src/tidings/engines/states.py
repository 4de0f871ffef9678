"""What an engine keeps of an event between two calls: bytes that begin with what they are, and of which version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from tidings.engines.pairs import Pair
from tidings.errors import StoreError
from tidings.records import Event

__all__ = ["MIGRATIONS", "VERSION", "HostState", "pack_state", "unpack_state"]

_NAME = b"tidings-event"
_IDENTITY_BYTES = 8

VERSION = 1
"""Of the bytes of a state; raised with each change of `HostState`, together with a migration from the one before."""

MIGRATIONS: Mapping[int, Callable[[Any], Any]] = {}
"""By version, what makes of the content of such a state (lists, dicts, bytes, as msgpack has them) that of the next."""


class HostState(Struct, array_like=True, kw_only=True):
    """An event that is being followed: its definition, what its follower remembers, what waits for its time.

    `number` is its place among the events. `waiting` is in order. What is older than `decided` comes
    too late.
    """

    event: Event
    number: int
    follower: bytes | None = None
    waiting: list[Pair] = []
    decided: int = 0


def pack_state(state: HostState, identity: bytes) -> bytes:
    """A state as bytes; `identity` tells which settings they are good for."""
    return _NAME + bytes([VERSION]) + identity + msgspec.msgpack.encode(state)


def unpack_state(data: bytes, identity: bytes, where: str) -> HostState:
    """The state that `pack_state` gave, brought to this version where an earlier one wrote it.

    Args:
        data: the bytes.
        identity: of the settings that go on.
        where: what the state is of, for messages.

    Raises:
        StoreError: a later version wrote it, it belongs to other settings, or it is damaged.

    >>> state = HostState(event=Event(id="storm", title="Storm", query="storm"), number=0)
    >>> unpack_state(pack_state(state, b"settings"), b"settings", "event storm") == state
    True
    >>> unpack_state(b"tidings-event" + bytes([99]), b"settings", "event storm")
    Traceback (most recent call last):
    tidings.errors.StoreError: event storm: found a state of version 99, expected 1 at most: a newer tidings wrote it; \
install that version again
    """
    version_at, identity_at = len(_NAME), len(_NAME) + 1
    body_at = identity_at + _IDENTITY_BYTES
    if not data.startswith(_NAME) or len(data) <= version_at:
        raise _damaged(where)
    version = data[version_at]
    if version > VERSION:
        raise StoreError(
            f"{where}: found a state of version {version}, expected {VERSION} at most: a newer tidings wrote it; "
            "install that version again"
        )
    if data[identity_at:body_at] != identity:
        raise StoreError(
            f"{where}: found a state of another system, pace, interval or model than this query has, expected the same "
            "ones; begin a new checkpoint"
        )
    try:
        content = msgspec.msgpack.decode(data[body_at:])
        while version < VERSION:
            content = MIGRATIONS[version](content)
            version += 1
        return msgspec.convert(content, HostState)
    except KeyError:
        raise StoreError(
            f"{where}: found a state of version {version}, which this tidings cannot bring to version {VERSION}; "
            "begin a new checkpoint"
        ) from None
    except (msgspec.MsgspecError, ValueError, TypeError):
        raise _damaged(where) from None


def _damaged(where: str) -> StoreError:
    return StoreError(f"{where}: found a state that is damaged; begin a new checkpoint")
