"""`random`: each sentence emitted by the toss of one coin, the baseline that any method must beat."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, Sentence, Update
from tidings.following.systems.base import GatedFollower, QuerySystem


class Random(QuerySystem, frozen=True, kw_only=True):
    """Emits each relevant sentence with the same probability."""

    name: ClassVar[str] = "random"
    looks_around: ClassVar[bool] = False
    source: ClassVar[str] = "the random baseline of Allan, Gupta and Khandelwal, SIGIR 2001"

    probability: Annotated[float, Meta(ge=0, le=1)] = 0.1
    seed: int = 0

    def start(self, event: Event) -> RandomFollower:
        """A fresh follower of `event`."""
        return RandomFollower(self, event)


def coin(seed: int, event_id: str, sentence_id: str) -> float:
    """A number in [0, 1) that depends on these three alone, so not on order, sharding or machine.

    >>> coin(0, "TS14.11", "1326502200-8b5e-3") == coin(0, "TS14.11", "1326502200-8b5e-3")
    True
    """
    key = f"{seed}\x1f{event_id}\x1f{sentence_id}".encode("utf-8", "surrogatepass")
    return (int.from_bytes(blake2b(key, digest_size=8).digest()) >> 11) / (1 << 53)


class RandomFollower(GatedFollower[Random]):
    """Remembers nothing."""

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Tell those of the relevant sentences whose coin falls below the probability."""
        stems, gate = self._analyzer.stems, self._gate
        updates = []
        for sentence in sentences:
            if not gate.admits(sentence.text, stems(sentence.text)):
                continue
            tossed = coin(self._system.seed, self.event.id, sentence.id)
            if tossed < self._system.probability and self._room(sentence.text):
                updates.append(self._tell(sentence, now, 1.0 - tossed))
        return updates

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode(None)

    def _decode(self, data: bytes) -> None:
        msgspec.msgpack.decode(data, type=None)
