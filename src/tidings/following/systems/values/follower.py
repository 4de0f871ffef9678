"""The follower of the systems that give values: a reader of documents, whose encoded state is kept until it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tidings.core import Sentence, ValueUpdate

__all__ = ["CLAIMED", "ValueFollower", "ValueReader"]

CLAIMED = frozenset({"", "en"})
"""The languages whose number words and nouns are known; of others no value is better than a wrong one."""


class ValueReader(Protocol):
    """What turns the documents of one event into values."""

    has_changed: bool

    def read(self, sentences: Sequence[Sentence], now: int) -> list[ValueUpdate]:
        """What these sentences change of the values at `now`."""
        ...

    def state(self) -> bytes:
        """Everything remembered."""
        ...

    def restore(self, data: bytes) -> None:
        """Become the reader whose `state()` gave `data`."""
        ...


class ValueFollower:
    """Hands what is published to its reader; every value is decided at once, so nothing waits for the end."""

    def __init__(self, reader: ValueReader) -> None:
        self._reader = reader
        self._cached: bytes | None = None

    def push(self, sentences: Sequence[Sentence], now: int) -> list[ValueUpdate]:
        """The values that have changed; documents that say that they are not in English are passed over."""
        if any(sentence.language not in CLAIMED for sentence in sentences):
            sentences = [sentence for sentence in sentences if sentence.language in CLAIMED]
            if not sentences:
                return []
        updates = self._reader.read(sentences, now)
        if self._reader.has_changed:
            self._reader.has_changed = False
            self._cached = None
        return updates

    def finish(self, now: int) -> list[ValueUpdate]:
        """Nothing: what is pushed is decided at once."""
        return []

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        if self._cached is None:
            self._cached = self._reader.state()
        return self._cached

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        self._reader.restore(data)
        self._cached = bytes(data)
