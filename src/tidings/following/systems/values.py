"""Systems that give values instead of updates: the tracker, and the baselines that it has to beat.

The baselines but `no-value` read the same mentions as `values`, so they differ only in how they choose among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, ClassVar, Protocol

import msgspec
from msgspec import Meta

from tidings.analysis import Relevance
from tidings.core import TREC_ATTRIBUTES, Event, Interest, Sentence, Update, ValueUpdate
from tidings.following.systems.base import SystemBase
from tidings.following.values.series import Claim, Rules, claim_of
from tidings.following.values.value_tracker import PlaceTracker, ValueTracker, mentions_of

CLAIMED = frozenset({"", "en"})
"""The languages whose number words and nouns are known; of others no value is better than a wrong one."""


class ValueReader(Protocol):
    """What turns the documents of one event into values."""

    has_changed: bool

    def read(
        self, sentences: Sequence[Sentence], now: int, updates: Sequence[Update] = ()
    ) -> list[ValueUpdate]:
        """What these sentences, and the updates that are emitted at `now`, change of the values."""
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

    def push(
        self, sentences: Sequence[Sentence], now: int, updates: Sequence[Update] = ()
    ) -> list[ValueUpdate]:
        """The values that have changed; documents that say that they are not in English are passed over.

        `updates` are those that are emitted at `now`, by what the values stand beside.
        """
        others = {sentence.doc_id for sentence in sentences if sentence.language not in CLAIMED}
        if others:
            sentences = [sentence for sentence in sentences if sentence.language in CLAIMED]
            updates = [update for update in updates if update.doc_id not in others]
        if not sentences and not updates:
            return []
        values = self._reader.read(sentences, now, updates)
        if self._reader.has_changed:
            self._reader.has_changed = False
            self._cached = None
        return values

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


class ValueSystem(SystemBase, frozen=True, kw_only=True):
    """What systems that give values share: a document must hold a word of the event to be looked at."""

    any_language: ClassVar[bool] = False

    def interest(self, event: Event) -> Interest | None:
        """Any stem of query and title."""
        stems = Relevance(event).stems
        return Interest(stems=stems) if stems else None


class TrackedValues(ValueSystem, frozen=True, kw_only=True):
    """Gives the current number of deaths, injuries, missing, displaced, arrested, and the damage in dollars.

    Each mention of a number is a claim with a weight (`tidings.analysis.values`); claims of several documents, and
    recent ones, make the current value, which is given whenever it changes, with the sentences that support it.
    """

    name: ClassVar[str] = "values"
    source: ClassVar[str] = "tidings itself; the task of TREC Temporal Summarization 2013, value tracking"

    half_life_hours: Annotated[float, Meta(gt=0)] = 48.0
    keep: Annotated[float, Meta(ge=1)] = 1.3
    rise: Annotated[float, Meta(ge=1)] = 1.6
    doubling: Annotated[float, Meta(gt=1)] = 2.0
    tripling: Annotated[float, Meta(gt=1)] = 3.0
    places: bool = False
    max_kept: Annotated[int, Meta(ge=8, le=4096)] = 128

    def start(self, event: Event) -> ValueFollower:
        """A fresh follower of `event`."""
        rules = Rules(
            half_life_s=self.half_life_hours * 3600.0,
            keep=self.keep,
            rise=self.rise,
            doubling=self.doubling,
            tripling=self.tripling,
            max_claims=self.max_kept,
        )
        tracker = ValueTracker(event, rules)
        return ValueFollower(WithPlaces(tracker, PlaceTracker(event)) if self.places else tracker)


class WithPlaces:
    """Reads numbers and places: two readers as one."""

    def __init__(self, numbers: ValueTracker, places: PlaceTracker) -> None:
        self._readers: tuple[ValueReader, ...] = (numbers, places)
        self.has_changed = False

    def read(
        self, sentences: Sequence[Sentence], now: int, updates: Sequence[Update] = ()
    ) -> list[ValueUpdate]:
        """What the sentences change of the numbers, and of the place."""
        values = [value for reader in self._readers for value in reader.read(sentences, now, updates)]
        self.has_changed = any(reader.has_changed for reader in self._readers)
        for reader in self._readers:
            reader.has_changed = False
        return values

    def state(self) -> bytes:
        """The states of both."""
        return msgspec.msgpack.encode([reader.state() for reader in self._readers])

    def restore(self, data: bytes) -> None:
        """Become the reader whose `state()` gave `data`."""
        for reader, state in zip(self._readers, msgspec.msgpack.decode(data, type=list[bytes]), strict=True):
            reader.restore(state)


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

    hours: Annotated[float, Meta(gt=0)] = 24.0
    max_kept: Annotated[int, Meta(ge=1, le=65536)] = 512

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

    def read(
        self, sentences: Sequence[Sentence], now: int, updates: Sequence[Update] = ()
    ) -> list[ValueUpdate]:
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
            value = max(reversed(seen), key=lambda pair: counts[pair[1]])[1]
        if self._current.get(attribute) != value:
            self._current[attribute] = value
            evidence = claim.evidence()
            last[attribute] = ValueUpdate(
                self._event.id,
                now,
                attribute,
                (value,),
                1.0,
                evidence.doc_id,
                evidence.sentence_index,
                (evidence,),
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

    def read(
        self, sentences: Sequence[Sentence], now: int, updates: Sequence[Update] = ()
    ) -> list[ValueUpdate]:
        if not self._silent or not self._relevance.relevant(sentences):
            return []
        self._silent, self.has_changed = False, True
        return [
            ValueUpdate(self._event.id, now, attribute, (0.0,))
            for attribute in TREC_ATTRIBUTES
            if attribute != "location"
        ]

    def state(self) -> bytes:
        return msgspec.msgpack.encode(self._silent)

    def restore(self, data: bytes) -> None:
        self._silent = msgspec.msgpack.decode(data, type=bool)
