"""What a tracker of values has to beat: the last number seen, the largest so far, the most frequent of a day, nothing.

All but the last read the same mentions as `values`, so they differ only in how they choose among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.analysis import Relevance
from tidings.core import Event, Sentence, ValueUpdate
from tidings.following.systems.values.follower import ValueFollower
from tidings.following.systems.values.tracker import ValueSystem
from tidings.following.values.claims import Claim, claim_of
from tidings.following.values.tracker import mentions_of

__all__ = ["DailyValue", "LargestValue", "LastValue", "NoValue"]

_ORGANISERS = ("deaths", "injuries", "displaced", "financialimpact")


class LastValue(ValueSystem, frozen=True, kw_only=True):
    """Gives the last number seen of each attribute."""

    name: ClassVar[str] = "last-value"
    source: ClassVar[str] = "a baseline"

    def start(self, event: Event) -> ValueFollower:
        """A fresh follower of `event`."""
        return ValueFollower(_Remembering(event, "last"))


class LargestValue(ValueSystem, frozen=True, kw_only=True):
    """Gives the largest number so far of each attribute."""

    name: ClassVar[str] = "largest-value"
    source: ClassVar[str] = "a baseline"

    def start(self, event: Event) -> ValueFollower:
        """A fresh follower of `event`."""
        return ValueFollower(_Remembering(event, "largest"))


class DailyValue(ValueSystem, frozen=True, kw_only=True):
    """Gives the number that was named most often within a day, the last of them where several were."""

    name: ClassVar[str] = "daily-value"
    source: ClassVar[str] = "a baseline"

    hours: Annotated[float, Meta(gt=0, description="hours that are looked back")] = 24.0
    max_kept: Annotated[int, Meta(ge=1, le=65_536, description="mentions remembered of each attribute")] = 512

    def start(self, event: Event) -> ValueFollower:
        """A fresh follower of `event`."""
        return ValueFollower(_Remembering(event, "frequent", round(self.hours * 3600), self.max_kept))


class NoValue(ValueSystem, frozen=True, kw_only=True):
    """Gives zero for everything, once: the organisers' baseline."""

    name: ClassVar[str] = "no-value"
    source: ClassVar[str] = "TREC 2013 Temporal Summarization overview, value tracking"

    def start(self, event: Event) -> ValueFollower:
        """A fresh follower of `event`."""
        return ValueFollower(_Zero(event))


class _Remembering:
    # Attribute → (time, value) of the mentions that the choice asks for, the current one at the end.

    def __init__(self, event: Event, choice: str, seconds: int = 0, most: int = 1) -> None:
        self._event, self._choice, self._seconds, self._most = event, choice, seconds, most
        self._relevance = Relevance(event)
        self._seen: dict[str, list[tuple[int, float]]] = {}
        self._current: dict[str, float] = {}
        self.has_changed = False

    def read(self, sentences: Sequence[Sentence], now: int) -> list[ValueUpdate]:
        before = dict(self._current)
        last: dict[str, ValueUpdate] = {}
        for _, document in groupby(sentences, key=attrgetter("doc_id")):
            for sentence, mentions in mentions_of(self._relevance, document):
                for mention in mentions:
                    claim = claim_of(mention, sentence)
                    if claim is not None and claim.weight > 0:
                        self._note(mention.attribute, claim)
                        self._choose(mention.attribute, claim, now, last)
        return [last[name] for name in sorted(last) if before.get(name) != self._current[name]]

    def _note(self, attribute: str, claim: Claim) -> None:
        self.has_changed = True
        seen = self._seen.setdefault(attribute, [])
        if self._choice == "largest" and seen and seen[-1][1] >= claim.value:
            return
        seen.append((claim.time, claim.value))
        if self._seconds:
            while seen[0][0] <= claim.time - self._seconds:
                del seen[0]
        if len(seen) > self._most:
            del seen[0]

    def _choose(self, attribute: str, claim: Claim, now: int, last: dict[str, ValueUpdate]) -> None:
        seen = self._seen[attribute]
        value = seen[-1][1]
        if self._choice == "frequent":
            counts = Counter(value for _, value in seen)
            value = max(reversed(seen), key=lambda one: counts[one[1]])[1]
        if self._current.get(attribute) != value:
            self._current[attribute] = value
            one = claim.evidence()
            last[attribute] = ValueUpdate(
                self._event.id, now, attribute, (value,), 1.0, one.doc_id, one.sentence_index, (one,)
            )

    def state(self) -> bytes:
        return msgspec.msgpack.encode((sorted(self._seen.items()), sorted(self._current.items())))

    def restore(self, data: bytes) -> None:
        kind = tuple[list[tuple[str, list[tuple[int, float]]]], list[tuple[str, float]]]
        seen, current = msgspec.msgpack.decode(data, type=kind)
        self._seen, self._current = dict(seen), dict(current)


class _Zero:
    # Says zero when it first sees a document of interest.

    def __init__(self, event: Event) -> None:
        self._event = event
        self._relevance = Relevance(event)
        self._silent = True
        self.has_changed = False

    def read(self, sentences: Sequence[Sentence], now: int) -> list[ValueUpdate]:
        if not self._silent or not self._relevance.relevant(sentences):
            return []
        self._silent, self.has_changed = False, True
        return [ValueUpdate(self._event.id, now, attribute, (0.0,)) for attribute in _ORGANISERS]

    def state(self) -> bytes:
        return msgspec.msgpack.encode(self._silent)

    def restore(self, data: bytes) -> None:
        self._silent = msgspec.msgpack.decode(data, type=bool)
