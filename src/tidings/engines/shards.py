"""Many events kept as one: what an engine asks for is paid once for a shard of events, not for each of them.

A shard is kept as parts: a snapshot of all its events, and after it what each batch changed. So a batch adds one part,
however many events it touched, and now and then the parts become a snapshot again. A token, which follows from all that
was ever changed, tells whether the shard that a worker still has in its memory is the one that is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple
from zlib import crc32

import msgspec
from msgspec import Struct

from tidings.engines.event_host import Decision, EventHost, Place
from tidings.engines.pairs import Pair
from tidings.errors import StoreError

__all__ = ["Arrivals", "KeptShard", "Shard", "ShardHead", "shard_of", "take_shard"]

_TOKEN_BYTES = 16
_LEAST_SNAPSHOT = 1 << 16

Kept = tuple[str, bytes | None, int | None]
"""An event's id, its state (None: it is over), and when it is due."""


def shard_of(event_id: str, shards: int) -> int:
    """The shard, from 0, that an event belongs to.

    >>> shard_of("storm", 64) == shard_of("storm", 64) < 64
    True
    """
    return crc32(event_id.encode()) % shards


class ShardHead(Struct, frozen=True, array_like=True):
    """What is kept of a shard beside its parts: its token, how many bytes its snapshot and what follows are.

    `wakes` is the time at which the first of its events is due (None: none is).
    """

    token: bytes = b""
    snapshot: int = 0
    changes: int = 0
    wakes: int | None = None

    def packed(self) -> bytes:
        """The head as bytes."""
        return msgspec.msgpack.encode(self)

    @staticmethod
    def unpacked(data: bytes) -> ShardHead:
        """The head that `packed` gave; StoreError where it is none."""
        try:
            return msgspec.msgpack.decode(data, type=ShardHead)
        except (msgspec.MsgspecError, ValueError):
            raise StoreError("found the head of a shard that is damaged; begin a new checkpoint") from None


class Shard:
    """The events of a shard by id: the state of each, and when it is due.

    >>> shard = Shard()
    >>> shard.put("storm", b"state", 60)
    >>> kept = shard.keep(ShardHead())
    >>> again = Shard.of(kept.parts, kept.head)
    >>> again.states, again.dues, kept.head.wakes
    ({'storm': b'state'}, {'storm': 60}, 60)
    """

    def __init__(self) -> None:
        self.states: dict[str, bytes] = {}
        self.dues: dict[str, int] = {}
        self._changed: dict[str, Kept] = {}

    @staticmethod
    def of(parts: Iterable[bytes], head: ShardHead) -> Shard:
        """The shard that was kept in these parts; StoreError where they are not those of the head."""
        shard, size = Shard(), 0
        try:
            for part in parts:
                size += len(part)
                for event_id, state, due in msgspec.msgpack.decode(part, type=list[Kept]):
                    shard._set(event_id, state, due)
        except (msgspec.MsgspecError, ValueError):
            size = -1
        if size != head.snapshot + head.changes:
            raise StoreError("found a shard of events that is damaged; begin a new checkpoint")
        return shard

    def put(self, event_id: str, state: bytes | None, due: int | None) -> None:
        """Keep an event so from now on; None: it is over."""
        if state == self.states.get(event_id) and due == self.dues.get(event_id):
            return
        self._set(event_id, state, due)
        self._changed[event_id] = (event_id, state, due)

    def _set(self, event_id: str, state: bytes | None, due: int | None) -> None:
        if state is None:
            self.states.pop(event_id, None)
        else:
            self.states[event_id] = state
        if due is None:
            self.dues.pop(event_id, None)
        else:
            self.dues[event_id] = due

    def keep(self, head: ShardHead) -> KeptShard:
        """What is to be kept, after what was changed since the last time."""
        wakes = min(self.dues.values(), default=None)
        if not self._changed:
            return KeptShard(msgspec.structs.replace(head, wakes=wakes), (), is_snapshot=False)
        part = msgspec.msgpack.encode(list(self._changed.values()))
        self._changed = {}
        token = blake2b(head.token + part, digest_size=_TOKEN_BYTES).digest()
        changes = head.changes + len(part)
        if changes <= max(head.snapshot, _LEAST_SNAPSHOT):
            return KeptShard(ShardHead(token, head.snapshot, changes, wakes), (part,), is_snapshot=False)
        whole = [(event_id, state, self.dues.get(event_id)) for event_id, state in self.states.items()]
        snapshot = msgspec.msgpack.encode(whole)
        return KeptShard(ShardHead(token, len(snapshot), 0, wakes), (snapshot,), is_snapshot=True)


class KeptShard(NamedTuple):
    """The head to keep, and the parts: all there are (`is_snapshot`), or those to be added."""

    head: ShardHead
    parts: tuple[bytes, ...]
    is_snapshot: bool


class Arrivals(Struct):
    """What came of one event in a batch: its pairs, which event it is, and how it was changed."""

    pairs: list[Pair] = []
    place: Place | None = None
    change: Place | None = None
    is_closed: bool = False


_NOTHING = Arrivals()


def take_shard(
    host: EventHost,
    shard: Shard,
    arrivals: Mapping[str, Arrivals],
    watermark: int,
    last_time: int | None = None,
) -> Iterator[tuple[str, Decision]]:
    """Let the events of a shard take what has come, and those that are due decide; the shard is changed with them.

    Args:
        host: decides.
        shard: where the events stand.
        arrivals: what came, by event.
        watermark: everything older (seconds UTC) has come.
        last_time: the stream has ended, and this was the time of its last document.
    """
    wanted = set(arrivals)
    wanted.update(event_id for event_id, due in shard.dues.items() if due <= watermark)
    if last_time is not None:
        wanted.update(shard.states)
    for event_id in sorted(wanted):
        came = arrivals.get(event_id, _NOTHING)
        decision = host.take(
            shard.states.get(event_id),
            came.pairs,
            place=came.place,
            watermark=watermark,
            change=came.change,
            is_closed=came.is_closed,
            last_time=last_time,
        )
        shard.put(event_id, decision.state, decision.wakes)
        yield event_id, decision
