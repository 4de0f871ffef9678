"""What decides: stages, in one order, around a system.

From the outside in, so that each sees what those before it let in, and changes what those after it give:

    support     counts which outlets say an update again
    ledger      notes what is left out, and why
    marks       holds back what resembles an update that a reader marked
    budget      so many updates and words in an hour
    pace        about so many updates in a day, an hour or in all
    story       the documents of a story alone
    entities    entities of each day beside the updates
    values      values beside the updates
    news        the news of whole articles alone
    meanings    nothing that an update has said in other words
    system      for each language, a follower of the system, or of `centroid` where it does not know the language

What a decider remembers of an event is a map from the name of a stage to its memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import (
    AnswerBook,
    Event,
    Follower,
    Interest,
    ModelCard,
    Output,
    ReaderMark,
    Sentence,
    StoreError,
    System,
    code_of,
)
from tidings.following.systems.base import SystemBase, Understood
from tidings.following.systems.beside import EntitiesBeside, ValuesBeside
from tidings.following.systems.languages import LanguageFollower, Segmentation, has_any_language, system_for
from tidings.following.systems.ledger import Ledger, LedgerFollower, LedgerKeeping, read_ledger
from tidings.following.systems.marks import Marks, MarksFollower
from tidings.following.systems.meanings import Comparison
from tidings.following.systems.news import News
from tidings.following.systems.pace.stage import AtPace
from tidings.following.systems.stages import (
    Budget,
    Period,
    Stage,
    StageFollower,
    StoryProfile,
    SurroundedFollower,
    Surroundings,
    changed_options,
    written_spec,
)
from tidings.following.systems.support import SupportCounting

if TYPE_CHECKING:
    from tidings.analysis import NewsJudge

STAGES: tuple[type[Stage], ...] = (
    SupportCounting,
    LedgerKeeping,
    Marks,
    Budget,
    AtPace,
    StoryProfile,
    EntitiesBeside,
    ValuesBeside,
    News,
    Comparison,
)
"""All stages, from the outside in."""


SYSTEM = "system"
"""What the memory of the system itself is called; that of another language has the language's code after it."""


class Decider(Struct, frozen=True):
    """A system with the stages around it, from the outside in; itself a system.

    Without a `segmentation` every document is read as in the system's own language. The `period` is that of the stream,
    for a pace that counts updates in all.
    """

    system: System
    stages: tuple[Stage, ...] = ()
    segmentation: Segmentation | None = None
    period: Period = (None, None)
    judge: NewsJudge | None = None

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.system.name

    @property
    def spec(self) -> str:
        """The system with its options, and with those of the stages."""
        optional = [stage for stage in reversed(self.stages) if not isinstance(stage, Marks)]
        options = changed_options(self.system) if isinstance(self.system, Struct) else {}
        for part in (self.segmentation or Segmentation(), *optional):
            options |= changed_options(part)
        return written_spec(self.system.name, options)

    @property
    def card(self) -> ModelCard | None:
        """The card of the model that decides."""
        card = self.system.card
        for stage in reversed(self.stages):
            card = stage.card(card)
        return card

    def interest(self, event: Event) -> Interest | None:
        """What interests an event."""
        return self._interest(event, self.system)

    def interest_in(self, event: Event, language: str) -> Interest | None:
        """What interests an event among documents of a language (a code of ISO 639-1)."""
        return self._interest(event, self.system_in(language))

    def _interest(self, event: Event, system: System) -> Interest | None:
        interest = system.interest(event)
        for stage in reversed(self.stages):
            interest = stage.interest(event, interest, system)
        return interest

    def system_in(self, language: str) -> System:
        """The system that decides on documents of a language."""
        if self.segmentation is None:
            return self.system
        return system_for(self.system, language, self.segmentation)

    def start(self, event: Event) -> DecidingFollower:
        """A fresh follower of `event`."""
        return DecidingFollower(self, event)

    @property
    def pace(self) -> AtPace | None:
        """The pace, where there is one."""
        return next((stage for stage in self.stages if isinstance(stage, AtPace)), None)

    @property
    def needs_period(self) -> bool:
        """Whether it is at a pace in all, so that the period of what it follows must be known."""
        return self.pace is not None and self.pace.is_total

    def within(self, first: int | None, last: int | None) -> Decider:
        """The same in a stream of this period."""
        return replace(self, period=(first, last)) if self.needs_period else self

    def check_periods(self, events: Sequence[Event]) -> None:
        """Raise a UsageError for the first event whose pace needs to know more of its period than is known."""
        if self.pace is not None:
            for event in events:
                self.pace.period_of(event, self.period)

    def understood(self, event: Event, state: bytes) -> Understood | None:
        """How the event is understood whose follower gave the state; None where nobody says.

        Raises:
            StoreError: no such state.
        """
        memory = _memories(state).get(SYSTEM)
        if memory is None or not isinstance(self.system, SystemBase):
            return None
        try:
            return self.system.understood(event, memory[2])
        except msgspec.MsgspecError:
            raise StoreError("a memory of the system that cannot be read") from None

    def answering(self, answers: AnswerBook | None) -> Decider:
        """The same; where the system names a judge, its answers are kept in the book, or in memory without one."""
        judge = self.system.judge_with(answers) if isinstance(self.system, SystemBase) else None
        return self if judge is None else replace(self, judge=judge)


def in_order(stages: Iterable[Stage]) -> tuple[Stage, ...]:
    """Stages from the outside in."""
    return tuple(sorted(stages, key=lambda stage: STAGES.index(type(stage))))


def as_decider(system: System) -> Decider:
    """A system as a decider, with no other stages than it has."""
    return system if isinstance(system, Decider) else Decider(system)


def innermost(system: System) -> System:
    """The system that decides, without the stages around it."""
    return as_decider(system).system


def replace_innermost(system: System, other: System) -> System:
    """The same stages around another system."""
    return replace(system, system=other) if isinstance(system, Decider) else other


def known_language(system: System) -> str:
    """The code of the one language that a system knows; "" where it knows any.

    >>> from tidings.following.systems import make
    >>> known_language(make("tidings:about=10/day")), known_language(make("cosine"))
    ('en', '')
    """
    inner = innermost(system)
    return "" if has_any_language(inner) else code_of(getattr(inner, "language", "en"))


def ledger_in(state: bytes) -> Ledger:
    """The ledger in what a follower remembers; an empty one where none is kept.

    Raises:
        StoreError: no such state.
    """
    return read_ledger(_memories(state).get(LedgerKeeping.stage, (1, "", b""))[2])


def _memories(state: bytes) -> dict[str, _Memory]:
    try:
        return _decode(state)
    except (msgspec.MsgspecError, ValueError):
        raise StoreError("a state that cannot be read (expected a map of stages)") from None


_Memory = tuple[int, str, bytes]
"""Of a stage: its version, what it depends on, and the memory itself."""

_decode = msgspec.msgpack.Decoder(dict[str, _Memory]).decode


class DecidingFollower:
    """An event followed by a system with its stages."""

    __slots__ = ("_core", "_heeding", "_marked", "_stages")

    def __init__(self, decider: Decider, event: Event) -> None:
        self._core: Follower
        if decider.segmentation is None:
            self._core = decider.system.start(event)
        else:
            self._core = LanguageFollower(decider.system, decider.segmentation, event)
        self._heeding = self._core if isinstance(self._core, SurroundedFollower) else None
        around = Surroundings(period=decider.period, judge=decider.judge)
        if self._heeding is not None:
            around.heeds = self._heeding.heeds
        started = [(stage, stage.start(event, around)) for stage in decider.stages]
        if self._heeding is not None:
            self._heeding.enter(around)
        self._stages: list[tuple[Stage, StageFollower]] = [
            (stage, follower) for stage, follower in started if follower is not None
        ]
        self._marked = [own for _, own in self._stages if isinstance(own, MarksFollower | LedgerFollower)]

    @property
    def core(self) -> Follower:
        """The follower that decides, inside of all stages."""
        return self._core

    @property
    def learned(self) -> frozenset[str]:
        """The words of the story that the system has learned, by which documents are of interest too."""
        return self._heeding.learned if self._heeding is not None else frozenset()

    def mark(self, mark: ReaderMark) -> None:
        """Heed what a reader says of an update, where marks are heeded."""
        for own in self._marked:
            own.mark(mark)

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What is decided of these sentences, as it comes out of the stages."""
        if not self._stages:
            return self._core.push(sentences, now)
        received = []
        for _, stage in self._stages:
            received.append(sentences)
            sentences = stage.receive(sentences, now)
        outputs = self._core.push(sentences, now)
        for (_, stage), own in zip(reversed(self._stages), reversed(received), strict=True):
            outputs = stage.give(outputs, own, now)
        return outputs

    def finish(self, now: int) -> Sequence[Output]:
        """What is decided at the end, as it comes out of the stages."""
        for _, stage in self._stages:
            stage.receive((), now)
        outputs = self._core.finish(now)
        for _, stage in reversed(self._stages):
            outputs = stage.give(outputs, None, now)
        return outputs

    def state(self) -> bytes:
        """By name, what the stages and the system remember."""
        memories: dict[str, _Memory] = {}
        for stage, follower in self._stages:
            memory = follower.state()
            if memory:
                memories[stage.stage] = stage.version, stage.memory_of, memory
        for name, memory in self._core_states().items():
            memories[name] = 1, "", memory
        return msgspec.msgpack.encode(memories)

    def _core_states(self) -> dict[str, bytes]:
        if not isinstance(self._core, LanguageFollower):
            return {SYSTEM: self._core.state()}
        return {f"{SYSTEM} {key}".rstrip(): memory for key, memory in self._core.states().items()}

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`; a stage whose options are others now starts over.

        Raises:
            StoreError: no such state, or that of another version.
        """
        memories = _memories(data)
        for stage, follower in self._stages:
            version, memory_of, memory = memories.get(stage.stage, (stage.version, "", b""))
            if version != stage.version:
                raise StoreError(f"memory of {stage.stage} of version {version} (expected {stage.version})")
            follower.restore(memory if memory_of == stage.memory_of else b"")
        own = {
            name.removeprefix(SYSTEM).strip(): memory
            for name, (_, _, memory) in memories.items()
            if name.partition(" ")[0] == SYSTEM
        }
        if isinstance(self._core, LanguageFollower):
            self._core.restore_states(own)
        else:
            self._core.restore(own[""])
