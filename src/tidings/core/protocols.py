"""What the rooms expect of each other, one verb each.

A *system* is configuration and learned weights; `start(event)` gives a *follower*. A follower is
the plain function (event, state, sentences) -> (state, outputs), written as an object: `push` takes
what was published since the last call in time order and sees nothing from after `now`; `finish` is asked once, at the
end of the event, for what the follower still holds. Whoever hosts it (the follow loop, the web page, a distributed
engine) keeps its state between calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from tidings.core.records import (
    Document,
    Event,
    ModelCard,
    Nugget,
    Output,
    PooledUpdate,
    Position,
    PossibleMatch,
    Sentence,
)
from tidings.core.text.spelling import is_spelling, sound_of


@runtime_checkable
class Follower(Protocol):
    """One event being followed by one system."""

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """Decide, at time `now` (seconds UTC), which of these sentences to tell.

        `sentences` are ordered by (published_time, doc_id, index) within a call, and all of them have
        published_time <= now; `now` never falls from call to call. Returned outputs carry time == now.
        """

    def finish(self, now: int) -> Sequence[Output]:
        """Decide on what is still held, at the event's end: what `push` would give if time went on forever.

        Called after the last `push` before the event's end or, of a stream with an end, at its end; `now` is that time.
        A follower that holds nothing back gives nothing.
        """

    def state(self) -> bytes:
        """Everything the follower remembers, in a form that holds no code (msgpack)."""

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""


class Sorter(Protocol):
    """Documents put in the order of their times, those of the same time in the order in which they were added."""

    def add(self, document: Document) -> None:
        """Take a document."""

    def __iter__(self) -> Iterator[Document]:
        """All of them, in order; nothing is added after that."""

    def close(self) -> None:
        """Let go of what they took."""


class Encoder(Protocol):
    """Anything that is called with texts and gives a vector of floats for each: an array of shape [texts, d].
    Texts that mean the same are to have vectors of a high cosine, whatever their languages.
    """

    def __call__(self, texts: list[str]) -> Any:
        """The vectors, in the order of the texts."""


class AnswerBook(Protocol):
    """Where the answers of a judge are kept, by the key of the question."""

    @property
    def since(self) -> int:
        """When the run began (seconds UTC): a question that nobody could answer before that is asked again."""

    def get(self, key: str) -> str | None:
        """The answer to the question of this key; None where there is none."""

    def put(self, key: str, answer: str) -> None:
        """Keep an answer, at once: whoever is stopped after this finds it again."""


class Interest(Struct, frozen=True, kw_only=True):
    """What a document must hold to be worth a look for an event: in one of its sentences `need` of these stems.

    Of the stems in `alone` a single one is enough. A document of interest is offered `whole`, or only those of its
    sentences that hold enough, for followers that would pass over the others anyway. `language` names the Snowball
    stemmer that made the stems. A host that follows many events asks nothing of the others.

    `forms` are other stems that count as one of these, as (form, stem): libyan for libya. Those in `names` count too
    where they are spelled otherwise (`tidings.core.is_spelling`). `pooled` is what sentences must hold that a track
    has pooled for events; None for the same.

    What it `learns`: its followers name words of the story (`learned`), and a whole document that holds three of them
    is of interest too (`is_learned`).

    >>> interest = Interest(stems=frozenset({"ferri", "fire", "port"}), need=2, alone=frozenset({"ferri"}))
    >>> interest.met_by(["fire"]), interest.met_by(["fire", "port"]), interest.met_by(["ferri"])
    (False, True, True)
    """

    stems: frozenset[str]
    need: int = 1
    alone: frozenset[str] = frozenset()
    whole: bool = True
    language: str = "english"
    forms: tuple[tuple[str, str], ...] = ()
    names: frozenset[str] = frozenset()
    pooled: Interest | None = None
    learns: bool = False

    def met_by(self, stems: Iterable[str]) -> bool:
        """Whether a sentence of these stems is of interest."""
        shared = self.stems.intersection(stems)
        if not self._is_enough(shared) and (self.forms or self.names):
            shared = self.find(stems)
        return self._is_enough(shared)

    def _is_enough(self, shared: frozenset[str]) -> bool:
        return bool(shared) and (len(shared) >= self.need or not self.alone.isdisjoint(shared))

    def find(self, stems: Iterable[str]) -> frozenset[str]:
        """Which of its stems these are, also in another form."""
        if not self.forms and not self.names:
            return self.stems.intersection(stems)
        stems = frozenset(stems)
        found = self.stems.intersection(stems)
        names = self.names - found
        sounds = {sound_of(stem) for stem in stems} if names else set()
        return found.union(
            (stem for form, stem in self.forms if form in stems),
            (
                name
                for name in names
                if sound_of(name) in sounds and any(is_spelling(name, stem) for stem in stems)
            ),
        )

    def meant_by(self, stems: Iterable[str]) -> list[str]:
        """Those of the stems that are one of its own, also in another form."""
        forms = self.stems.union(form for form, _ in self.forms)
        sounds: dict[str, list[str]] = {}
        for name in self.names:
            sounds.setdefault(sound_of(name), []).append(name)
        return [
            stem
            for stem in stems
            if stem in forms or any(is_spelling(name, stem) for name in sounds.get(sound_of(stem), ()))
        ]


LEARNED_NEED = 3
"""How many words that a follower has learned a document must hold."""


def is_learned(words: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether a document of these stems holds three of the words that a follower has learned."""
    return len(words) >= LEARNED_NEED and len(words & stems) >= LEARNED_NEED


@runtime_checkable
class System(Protocol):
    """A way of summarizing: immutable configuration, able to follow any number of events.

    `tidings.following.systems.base.SystemBase` has every member but `name` and `start`, for systems that need
    nothing else.
    """

    @property
    def name(self) -> str:
        """The registered name, as `--system` takes it."""

    @property
    def spec(self) -> str:
        """The shortest text from which `make` gives an equal system: its name, and options not at their default."""

    @property
    def card(self) -> ModelCard | None:
        """The card of the model that it decides by; None where it has learned nothing."""

    def interest(self, event: Event) -> Interest | None:
        """What interests this event; None: everything does.

        A document that does not hold it changes nothing: its followers, given it, tell nothing and remember nothing.
        """

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`; two of them given the same input give the same outputs."""


class Saved(Struct, frozen=True, kw_only=True):
    """What a checkpoint holds: where each source stands and what each event's follower remembers."""

    positions: tuple[Position, ...] = ()
    states: dict[str, bytes] = {}
    finished: bool = False


class Matcher(Protocol):
    """Says which updates of an event say which of its nuggets: what assessors do, done by a program."""

    def match(self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]) -> Iterator[PossibleMatch]:
        """The pairs that may be a match, in the order of the updates; a pair that is not given is none.

        All of one event, each update once. What assessors linked is not looked at.
        """
