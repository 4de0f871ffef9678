"""`first`: the first sentence of each document, the oldest baseline of news summarization."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from hashlib import blake2b
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, Sentence, Update
from tidings.following.systems.base import GatedFollower, QuerySystem


class First(QuerySystem, frozen=True, kw_only=True):
    """Emits the first relevant sentence of each document."""

    name: ClassVar[str] = "first"
    looks_around: ClassVar[bool] = False
    source: ClassVar[str] = (
        "the lead baseline of news summarization; Allan, Gupta and Khandelwal, SIGIR 2001, compare with it"
    )

    max_documents: Annotated[int, Meta(ge=1)] = 10_000

    def start(self, event: Event) -> FirstFollower:
        """A fresh follower of `event`."""
        return FirstFollower(self, event)


class FirstFollower(GatedFollower[First]):
    """Remembers which documents have been emitted, as 8 bytes each."""

    def __init__(self, system: First, event: Event) -> None:
        super().__init__(system, event)
        self._emitted: set[bytes] = set()
        self._order: deque[bytes] = deque()

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Emit the first relevant sentence of each document not emitted before."""
        stems, admits, emitted = self._analyzer.stems, self._gate.admits, self._emitted
        updates = []
        for sentence in sentences:
            if not admits(sentence.text, stems(sentence.text)):
                continue
            key = blake2b(sentence.doc_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            if key in emitted or not self._room(sentence.text):
                continue
            updates.append(self._tell(sentence, now, 1.0))
            emitted.add(key)
            self._order.append(key)
            if len(self._order) > self._system.max_documents:
                emitted.discard(self._order.popleft())
            self._changed()
        return updates

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode(b"".join(self._order))

    def _decode(self, data: bytes) -> None:
        keys = msgspec.msgpack.decode(data, type=bytes)
        self._order = deque(keys[i : i + 8] for i in range(0, len(keys), 8))
        self._emitted = set(self._order)
