"""What is remembered of an event's earlier days: the contexts of the day before, and a few counts of each entity."""

from __future__ import annotations

from datetime import date

import msgspec
from msgspec import Struct, field

__all__ = ["EARLIER_COUNTS", "DayBefore", "Earlier", "Memory"]

MOST_ENTITIES = 50_000
"""Entities whose counts are kept; those not named for longest go first."""

EARLIER_COUNTS = 5
"""Days of news whose document frequencies are kept of an entity."""


class DayBefore(Struct, kw_only=True):
    """The last day that had news: its contexts as stems, with their documents' confidence, and what entities had there.

    `contexts` leads from an entity's id to the numbers of its sentences, `companions` to the ids of the entities
    beside it, `labels` from its labels to (mentions, documents).
    """

    date: str = ""
    sentences: list[list[str]] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    contexts: dict[int, list[int]] = field(default_factory=dict)
    companions: dict[int, list[int]] = field(default_factory=dict)
    labels: dict[int, dict[str, tuple[int, int]]] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)


class Earlier(Struct):
    """An entity before today: first and last day's number and date, days, mentions, documents a day (latest last)."""

    first: int
    last: int
    last_date: str
    days: int = 0
    mentions: int = 0
    documents: int = 0
    latest: list[tuple[int, float]] = field(default_factory=list)


class Memory(Struct, kw_only=True):
    """All that is kept between days. `days` counts days of news, `documents` their documents."""

    days: int = 0
    documents: int = 0
    last_date: str = ""
    before: DayBefore = field(default_factory=DayBefore)
    entities: dict[int, Earlier] = field(default_factory=dict)
    topics: bytes = b""
    topic_steps: int = 0

    def name(self, entity: int, day: str, mentions: int, documents: int, share: float) -> None:
        """Take in that an entity was named on the day that is being closed, in so large a share of its documents."""
        counts = self.entities.pop(entity, None) or Earlier(self.days, self.days, day)
        counts.last, counts.last_date = self.days, day
        counts.days += 1
        counts.mentions += mentions
        counts.documents += documents
        counts.latest = [*counts.latest[1 - EARLIER_COUNTS :], (self.days, share)]
        self.entities[entity] = counts
        if len(self.entities) > MOST_ENTITIES:
            del self.entities[next(iter(self.entities))]

    def days_since(self, day: str) -> int:
        """Days from the last day of news to `day`; 0 before the first."""
        return day_difference(self.last_date, day) if self.last_date else 0

    def export(self) -> bytes:
        """As bytes that `read` makes the same memory of."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def read(cls, data: bytes) -> Memory:
        """From what `export` gave.

        >>> Memory.read(Memory(days=3).export()).days
        3
        """
        return msgspec.msgpack.decode(data, type=cls)


def day_difference(one: str, other: str) -> int:
    """Days from one date (YYYY-MM-DD) to another; 0 where one of them is no date.

    >>> day_difference("2013-04-30", "2013-05-02")
    2
    """
    try:
        return (date.fromisoformat(other) - date.fromisoformat(one)).days
    except ValueError:
        return 0
