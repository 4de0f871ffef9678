"""What stands around a system when it decides: stages, one inside of the other, and what they hand to each other.

A stage is configuration; `start(event, surroundings)` gives what stands around one event's follower. It sees what is
offered before the follower does (`receive`) and what the follower gives after it (`give`), and remembers what it needs
for that. What a follower inside heeds itself (a budget's room, the gate of a pace, what updates mean, the news value
that is asked for, a judge) it finds in its surroundings, where the stages put it.

`Budget` allows so many updates and so many words in any hour of event time. `StoryProfile` passes on only documents
that are like a story. Its profile is fixed: the stems of the story at the time when it was
chosen (`tidings stories --follow`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict, fields, replace

from tidings.core import Event, Interest, ModelCard, Output, Sentence, System, Update

if TYPE_CHECKING:
    from tidings.analysis import NewsJudge
    from tidings.following.systems.meanings import EncodedMeanings
    from tidings.following.systems.pace.gate import PaceGate


UNLIMITED = 1 << 60
"""Room for as many updates or words as anyone can have."""

Period = tuple[int | None, int | None]
"""The first and the last time of a stream, as far as they are known."""


def changed_options(options: Struct) -> dict[str, Any]:
    """The options that are not at their default, by name."""
    defaults = {option.name: option.default for option in fields(options)}
    return {key: value for key, value in asdict(options).items() if value != defaults[key]}


def written_spec(name: str, options: dict[str, Any]) -> str:
    """A system's name with options, as `make` reads it.

    >>> written_spec("cosine", {"similarity": 0.25, "words_per_hour": 50.0, "stop": True})
    'cosine:similarity=0.25,words_per_hour=50,stop=yes'
    """
    parts = ",".join(f"{key}={_text(value)}" for key, value in options.items())
    return f"{name}:{parts}" if parts else name


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


class Room:
    """How much may still be emitted by a push.

    >>> room = Room(updates=2, words=5)
    >>> [room.take(text) for text in ("One two three.", "Four five six.", "Seven.", "Eight.")]
    [True, False, True, False]
    """

    __slots__ = ("updates", "words")

    def __init__(self, updates: int = UNLIMITED, words: int = UNLIMITED) -> None:
        self.updates, self.words = updates, words

    @property
    def is_limited(self) -> bool:
        """Whether there is room, but not for all that comes."""
        return 0 < self.updates < UNLIMITED // 2

    def take(self, text: str) -> bool:
        """Take room for one update of this text; False where there is none."""
        if self.updates <= 0:
            return False
        if self.words < UNLIMITED:
            words = len(text.split())
            if words > self.words:
                return False
            self.words -= words
        self.updates -= 1
        return True


@dataclass(slots=True)
class Surroundings:
    """What stages and a follower need of what is around them.

    Attributes:
        heeds: what of `gate`, `meanings` and `news` the follower heeds itself; the stages do the rest.
        period: of the stream.
        judge: who is asked about candidates.
        room: what a budget leaves.
        gate: admits candidates, at a pace.
        meanings: what the updates have said.
        news: the least news value of sentences of articles.
        reasons: why sentences are left out, by document and sentence; None where nobody keeps a ledger.
    """

    heeds: frozenset[str] = frozenset()
    period: Period = (None, None)
    judge: NewsJudge | None = None
    room: Room = field(default_factory=Room)
    gate: PaceGate | None = None
    meanings: EncodedMeanings | None = None
    news: float = 0.0
    reasons: dict[tuple[str, int], str] | None = None

    def leave(self, sentences: Iterable[Sentence], reason: str) -> None:
        """Say why these sentences are left out, where someone keeps a ledger."""
        if self.reasons is not None:
            self.reasons.update(
                dict.fromkeys(((sentence.doc_id, sentence.index) for sentence in sentences), reason)
            )


class SurroundedFollower(ABC):
    """A follower that heeds what is around it; any other one decides as if it were alone."""

    @property
    def heeds(self) -> frozenset[str]:
        """What of `gate`, `meanings` and `news` it heeds itself, before it emits."""
        return frozenset()

    @property
    def learned(self) -> frozenset[str]:
        """The words of the story that it has learned, by which documents are of interest too."""
        return frozenset()

    @abstractmethod
    def enter(self, surroundings: Surroundings) -> None:
        """Heed these surroundings from now on; called before the first push."""


class Stage(Struct, frozen=True, kw_only=True):
    """The configuration of a stage: its fields are its options, which stand in the spec beside those of the system."""

    stage: ClassVar[str] = ""
    """By what its memory is called."""

    remembers: ClassVar[str] = ""
    """What that is, in words; "" for nothing."""

    version: ClassVar[int] = 1
    """Of its memory; raised when that is written otherwise."""

    @property
    def is_needed(self) -> bool:
        """Whether its options ask for anything."""
        return bool(changed_options(self))

    @property
    def memory_of(self) -> str:
        """What its memory depends on, in words: where they differ it starts over."""
        return written_spec("", changed_options(self))

    def card(self, inner: ModelCard | None) -> ModelCard | None:
        """The card of the model that decides, where that inside has this one."""
        return inner

    def interest(self, event: Event, inner: Interest | None, system: System) -> Interest | None:
        """What interests the event, where this interests what is inside; `system` is the innermost."""
        return inner

    def start(self, event: Event, surroundings: Surroundings) -> StageFollower | None:
        """What stands around the follower of an event; None where the follower inside does all of it."""
        raise NotImplementedError


class StageFollower:
    """A stage at work on one event."""

    def receive(self, sentences: Sequence[Sentence], now: int) -> Sequence[Sentence]:
        """What of these goes further in, before it is decided; nothing comes at the end."""
        return sentences

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """What of these outputs goes further out; `sentences` are those received, None at the end."""
        return outputs

    def state(self) -> bytes:
        """Everything remembered, as msgpack; b"" as long as that is nothing."""
        return b""

    def restore(self, data: bytes) -> None:
        """Become what gave `data`; b"": as it began."""
        return


HOUR_S = 3600


class Budget(Stage, frozen=True, kw_only=True):
    """How much may be emitted within any 3,600 seconds of event time; 0 leaves it free."""

    stage: ClassVar[str] = "budget"
    remembers: ClassVar[str] = "what was emitted in the last hour"

    updates_per_hour: Annotated[int, Meta(ge=0)] = 0
    words_per_hour: Annotated[int, Meta(ge=0)] = 0

    def start(self, event: Event, surroundings: Surroundings) -> BudgetFollower:
        """What counts the updates of an event."""
        return BudgetFollower(surroundings.room, self.updates_per_hour, self.words_per_hour)


class BudgetFollower(StageFollower):
    """Counts what was emitted in the last hour, or another span, and says what room is left.

    A follower that heeds the room wastes none, and takes no held-back sentence for emitted, or decides itself which it
    takes for said; of any other the updates that go over the budget are dropped, the earliest in its order staying.
    """

    def __init__(self, room: Room, updates: int, words: int = 0, *, span_s: int = HOUR_S) -> None:
        self._room, self._span_s = room, span_s
        self._updates, self._words = updates or UNLIMITED, words or UNLIMITED
        self._left = self._updates, self._words
        self._emitted: deque[tuple[int, int, int]] = deque()  # (time, updates, words), one for each moment

    def receive(self, sentences: Sequence[Sentence], now: int) -> Sequence[Sentence]:
        """All of them; what is left of the budget is room from now on."""
        emitted = self._emitted
        while emitted and emitted[0][0] <= now - self._span_s:
            emitted.popleft()
        updates_left = self._updates - sum(number for _, number, _ in emitted)
        words_left = self._words - sum(words for _, _, words in emitted)
        self._left = self._room.updates, self._room.words = updates_left, words_left
        return sentences

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """What of these is within the budget."""
        updates_left, words_left = self._left
        kept: list[Output] = []
        updates = total = 0
        for output in outputs:
            if not isinstance(output, Update):
                kept.append(output)
                continue
            words = len(output.text.split())
            if updates < updates_left and total + words <= words_left:
                kept.append(output)
                updates += 1
                total += words
        if updates:
            self._emitted.append((now, updates, total))
        return kept

    def state(self) -> bytes:
        """What was emitted in the last hour."""
        return msgspec.msgpack.encode(list(self._emitted)) if self._emitted else b""

    def restore(self, data: bytes) -> None:
        """Become what gave `data`."""
        self._emitted = deque(msgspec.msgpack.decode(data, type=list[tuple[int, int, int]]) if data else ())


_DOCUMENT = attrgetter("doc_id")


class StoryProfile(Stage, frozen=True, kw_only=True):
    """Which documents a system is given: those that are like a story, or all."""

    stage: ClassVar[str] = "story"

    profile: str = ""
    profile_likeness: Annotated[float, Meta(ge=0, le=1)] = 0.15

    def __post_init__(self) -> None:
        self._weights()

    def _weights(self) -> dict[str, float]:
        if not self.profile:
            return {}
        from tidings.following.grouping.profiles import parse_profile

        return parse_profile(self.profile)

    @property
    def is_needed(self) -> bool:
        """Whether there is a profile."""
        return bool(self.profile)

    def interest(self, event: Event, inner: Interest | None, system: System) -> Interest | None:
        """What interests the system inside, but in whole documents."""
        return None if inner is None else replace(inner, whole=True)

    def start(self, event: Event, surroundings: Surroundings) -> StoryFollower:
        """What leaves out the documents of other stories."""
        return StoryFollower(self._weights(), self.profile_likeness, surroundings)


class StoryFollower(StageFollower):
    """Leaves out documents that are not like a profile; it remembers nothing."""

    def __init__(
        self, profile: Mapping[str, float], level: float, surroundings: Surroundings | None = None
    ) -> None:
        self._profile, self._level = profile, level
        self._surroundings = surroundings or Surroundings()

    def receive(self, sentences: Sequence[Sentence], now: int) -> Sequence[Sentence]:
        """Those of the story's documents."""
        documents = (list(document) for _, document in groupby(sentences, key=_DOCUMENT))
        kept: list[Sentence] = []
        for document in documents:
            if self._is_like(document):
                kept += document
            else:
                self._surroundings.leave(document, "off-topic")
        return kept

    def _is_like(self, document: Sequence[Sentence]) -> bool:
        from tidings.following.grouping.profiles import document_weights, profile_likeness

        title, language = document[0].title, document[0].language
        texts = [sentence.text for sentence in document if sentence.text != title]
        return profile_likeness(self._profile, document_weights(title, texts, language)) >= self._level
