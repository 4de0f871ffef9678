"""Many events kept as one: a shard of events, and the bytes that an engine keeps of each between two calls.

A shard is kept as parts: a snapshot of all its events and of what waits, and after it what each batch changed. So a
batch adds one part, however many events it touched, and now and then the parts become a snapshot again. A token, which
follows from all that was ever changed, tells whether the shard that a worker still has in its memory is the one that is
kept.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct

from tidings.core import Event, StoreError
from tidings.following.engines.offers import Offer

_NAME = b"tidings-shard"
_IDENTITY_BYTES = 8

VERSION = 3
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
    tidings.core.errors.StoreError: states of followed events of version 99 (expected 3 at most): a newer tidings \
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
            f"states of followed events of version {version} (expected {VERSION} at most): a newer tidings wrote "
            "them; install that version again"
        )
    if any(step not in MIGRATIONS for step in range(version, VERSION)):
        raise StoreError(
            f"found states of followed events of version {version}, which this tidings cannot bring to version "
            f"{VERSION}; start a new checkpoint, or install the earlier version again"
        )
    if data[identity_at:body_at] != identity:
        raise StoreError(
            "states of followed events of another system, pace, interval or model than this query has (expected "
            "the same ones); start a new checkpoint"
        )
    try:
        return msgspec.msgpack.decode(data[body_at:], type=ShardHead), version
    except (msgspec.MsgspecError, ValueError):
        raise damage_error() from None


def damage_error() -> StoreError:
    """The error for parts that are not what was kept."""
    return StoreError("the states of followed events are damaged; start a new checkpoint")


_TOKEN_BYTES = 16
_LEAST_SNAPSHOT = 1 << 16
_LARGEST_PART = 4 << 20
_FEW = 16
"""Of so many times as many that wait, each offer finds its own place: a shard is read again from thousands of parts."""


class _Change(Struct, array_like=True, frozen=True):
    # An event: its definition and number where they are other than before, what its follower remembers.
    event_id: str
    number: int | None = None
    event: Event | None = None
    follower: bytes | None = None
    is_over: bool = False


class _Part(Struct, array_like=True, frozen=True):
    # What a batch changed: events, what came and waits, and the time before which nothing waits any more.
    events: list[_Change]
    arrived: list[Offer]
    released: int


_decode = msgspec.msgpack.Decoder(_Part).decode
_EARLIEST = -(1 << 62)


class Shard:
    """The events of a shard that are followed, by id, and the offers that wait for their time, in order.

    `decided` is the time before which all was decided.

    >>> shard = Shard()
    >>> shard.put("storm", EventState(0, Event(id="storm", title="Storm", query="storm", end_time=59)))
    >>> kept = shard.keep(ShardHead(), lambda time: time + 1)
    >>> again = Shard.of(kept.parts, kept.head)
    >>> again.events == shard.events, kept.head.wakes
    (True, 60)
    """

    def __init__(self) -> None:
        self.events: dict[str, EventState] = {}
        self.waiting: list[Offer] = []
        self.decided = 0
        self.ends: dict[str, int] = {}
        """When followed events end, those that do."""
        self._changed: dict[str, bool] = {}
        self._arrived: list[Offer] = []
        self._released = _EARLIEST
        self._is_other = False

    @staticmethod
    def of(parts: Iterable[bytes], head: ShardHead, version: int | None = None) -> Shard:
        """The shard that was kept in these parts, of this version (None: the present one).

        Raises StoreError where they are not those of the head.
        """
        is_other = version not in (None, VERSION)
        shard, size = Shard(), 0
        shard.decided = head.decided
        try:
            for data in parts:
                size += len(data)
                shard._add(_migrate(data, version) if version is not None and is_other else _decode(data))
        except (msgspec.MsgspecError, ValueError, TypeError, KeyError):
            size = -1
        if size != head.snapshot + head.changes:
            raise damage_error()
        shard._is_other = is_other
        return shard

    def _add(self, part: _Part) -> None:
        for change in part.events:
            if change.is_over:
                self._drop(change.event_id)
            elif change.event is not None and change.number is not None:
                self._define(change.event_id, EventState(change.number, change.event, change.follower))
            else:
                self.events[change.event_id].follower = change.follower
        self._insert(part.arrived)
        del self.waiting[: self._first_from(part.released)]

    def put(self, event_id: str, state: EventState) -> None:
        """Follow an event so from now on."""
        self._define(event_id, state)
        self._changed[event_id] = True

    def remember(self, event_id: str, follower: bytes) -> None:
        """Note what the follower of an event remembers now."""
        state = self.events[event_id]
        if state.follower != follower:
            state.follower = follower
            self._changed.setdefault(event_id, False)

    def drop(self, event_id: str) -> None:
        """Let go of an event that is over."""
        self._drop(event_id)
        self._changed[event_id] = True

    def _define(self, event_id: str, state: EventState) -> None:
        self.events[event_id] = state
        if state.event.end_time is None:
            self.ends.pop(event_id, None)
        else:
            self.ends[event_id] = state.event.end_time

    def _drop(self, event_id: str) -> None:
        self.events.pop(event_id, None)
        self.ends.pop(event_id, None)

    def wait(self, offers: Collection[Offer]) -> None:
        """Let offers wait for their time."""
        if offers:
            self._insert(offers)
            self._arrived += offers

    def _insert(self, offers: Collection[Offer]) -> None:
        if len(offers) * _FEW < len(self.waiting):
            for offer in offers:
                insort(self.waiting, offer)
        else:
            self.waiting = sorted([*self.waiting, *offers])

    def release(self, before: int) -> list[Offer]:
        """The offers that are older than that: they wait no more."""
        count = self._first_from(before)
        released, self.waiting = self.waiting[:count], self.waiting[count:]
        if count:
            self._released = max(self._released, before)
        return released

    def _first_from(self, time: int) -> int:
        return bisect_left(self.waiting, time, key=_time_of)

    def withdraw(self, event_ids: Collection[str], goes: Callable[[Offer, str], bool]) -> list[Offer]:
        """Let what `goes` wait for these events no more; gives those offers as they were."""
        if not event_ids:
            return []
        withdrawn, rest = [], []
        for offer in self.waiting:
            gone = frozenset(event for event in offer.events if event in event_ids and goes(offer, event))
            if gone:
                withdrawn.append(offer)
            other = offer.without(gone) if gone else offer
            if other is not None:
                rest.append(other)
        if withdrawn:
            # In the order in which they are taken up again, where less of them is left.
            self.waiting, self._is_other = sorted(rest), True
        return withdrawn

    def keep(self, head: ShardHead, due: Callable[[int], int]) -> KeptShard:
        """What is to be kept, after what was changed since the last time.

        `due` says when what is of a time is decided.
        """
        times = [offer.time for offer in self.waiting[:1]]
        times += [min(self.ends.values())] if self.ends else []
        wakes = due(min(times)) if times else None
        head = msgspec.structs.replace(head, wakes=wakes, decided=self.decided)
        arrived = [offer for offer in self._arrived if offer.time >= self._released]
        if not (self._changed or arrived or self._is_other) and self._released == _EARLIEST:
            return KeptShard(head, (), is_snapshot=False)
        changes = [self._change(event_id, is_new=is_new) for event_id, is_new in self._changed.items()]
        part = msgspec.msgpack.encode(_Part(changes, arrived, self._released))
        size = head.changes + len(part)
        is_snapshot = self._is_other or size > max(head.snapshot, _LEAST_SNAPSHOT)
        self._changed, self._arrived, self._released, self._is_other = {}, [], _EARLIEST, False
        if is_snapshot:
            parts, size = self._snapshot(), 0
            head = msgspec.structs.replace(head, snapshot=sum(map(len, parts)))
        else:
            parts = (part,)
        token = blake2b(head.token, digest_size=_TOKEN_BYTES)
        for kept_part in parts:
            token.update(kept_part)
        head = msgspec.structs.replace(head, token=token.digest(), changes=size)
        return KeptShard(head, parts, is_snapshot=is_snapshot)

    def _snapshot(self) -> tuple[bytes, ...]:
        """All there is, in parts none of which is much larger than an engine likes."""
        parts, changes, size = [], [], 0
        for event_id, state in self.events.items():
            changes.append(self._change(event_id, is_new=True))
            size += len(state.follower or b"")
            if size > _LARGEST_PART:
                parts.append(msgspec.msgpack.encode(_Part(changes, [], _EARLIEST)))
                changes, size = [], 0
        return *parts, msgspec.msgpack.encode(_Part(changes, self.waiting, _EARLIEST))

    def _change(self, event_id: str, *, is_new: bool) -> _Change:
        state = self.events.get(event_id)
        if state is None:
            return _Change(event_id, is_over=True)
        if is_new:
            return _Change(event_id, state.number, state.event, state.follower)
        return _Change(event_id, follower=state.follower)


def _time_of(offer: Offer) -> int:
    return offer.time


def _migrate(data: bytes, version: int) -> _Part:
    content: Any = msgspec.msgpack.decode(data)
    for step in range(version, VERSION):
        content = MIGRATIONS[step](content)
    return msgspec.convert(content, _Part)


@dataclass(frozen=True, slots=True)
class KeptShard:
    """The head to keep, and the parts: all there are (`is_snapshot`), or those to be added."""

    head: ShardHead
    parts: tuple[bytes, ...]
    is_snapshot: bool
