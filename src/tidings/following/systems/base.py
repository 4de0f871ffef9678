"""What systems share: the query gate, room left by a budget, and cached state."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, ClassVar, Generic, Literal, TypeVar, cast

from msgspec import Meta, Struct

from tidings.core import (
    AnswerBook,
    Event,
    Interest,
    ModelCard,
    Sentence,
    System,
    Update,
    count_words,
    shared_analyzer,
)
from tidings.following.systems.stages import (
    Room,
    SurroundedFollower,
    Surroundings,
    changed_options,
    written_spec,
)

if TYPE_CHECKING:
    from tidings.analysis import NewsJudge

Overlap = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class Understood:
    """How a follower understands an event: stems of the query, other forms and spellings of them that it met, and the
    terms by which it knows the story, the heaviest first. `apart` are stems of the query that no article held beside
    its names.

    >>> Understood(lambda text: [text.lower().rstrip("s")], ("rebel",), (), ("rebel",)).in_words(["Rebels flee"]).terms
    ('Rebels',)
    """

    stems_of: Callable[[str], Sequence[str]]
    query: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()

    def in_words(self, texts: Iterable[str]) -> Understood:
        """The same with words of these texts for the stems, the first that has each; without terms that none has."""
        wanted = {*self.query, *self.variants, *self.terms}
        found: dict[str, str] = {}
        said = (word.strip(_MARKS) for text in texts for word in text.split())
        for word in dict.fromkeys(word.removesuffix("'s").removesuffix("’s") for word in said):
            stems = self.stems_of(word)
            if len(stems) == 1 and stems[0] in wanted:
                found.setdefault(stems[0], word)
        query, variants, apart = (
            tuple(found.get(stem, stem) for stem in part) for part in (self.query, self.variants, self.apart)
        )
        terms = tuple(found[stem] for stem in self.terms if len(found.get(stem, "")) >= _SHORTEST)
        return Understood(self.stems_of, query, variants, terms, apart)


_MARKS = ".,;:!?\"'()[]`“”‘’"
_SHORTEST = 3
"""Letters of a term that says something to a reader: not "de"."""


class SystemBase(Struct, frozen=True, kw_only=True):
    """What hosts ask of a system but `name` and `start`: no budget, no model, everything of interest."""

    any_language: ClassVar[bool] = True
    """Whether it decides as well on documents of any language; where not, it knows its option `language` alone."""

    shares_events: ClassVar[bool] = False
    """Whether its followers may know something of each other's events: then all stay in one process."""

    @property
    def spec(self) -> str:
        """The name with the options that are not at their default."""
        return written_spec(cast("System", self).name, changed_options(self))

    @property
    def card(self) -> ModelCard | None:
        """None: nothing learned; systems that have the option `model` give the card of that model."""
        return None

    def interest(self, event: Event) -> Interest | None:
        """Everything."""
        return None

    def understood(self, event: Event, memory: bytes) -> Understood | None:
        """By which words the event is followed whose follower gave that state; None where no words are learned."""
        return None

    def judge_with(self, book: AnswerBook | None) -> NewsJudge | None:
        """The judge that its followers are to ask, keeping its answers in `book` (None: in memory); None: nobody."""
        return None


class QuerySystem(SystemBase, frozen=True, kw_only=True):
    """The options of every system that begins by asking whether a sentence matches the query."""

    looks_around: ClassVar[bool] = True
    """Whether sentences that the gate does not admit can change what is decided on others."""

    overlap: Overlap = 2
    terms: Literal["query", "title", "both"] = "query"
    min_words: Annotated[int, Meta(ge=0)] = 0
    max_words: Annotated[int, Meta(ge=0)] = 40
    language: str = "english"

    def __post_init__(self) -> None:
        check_language(self.language)

    def interest(self, event: Event) -> Interest | None:
        """The stems that the gate asks for, of which a document must hold enough in one of its sentences."""
        gate = build_gate(self, event)
        if not gate.need:
            return None
        return Interest(stems=gate.stems, need=gate.need, whole=self.looks_around, language=self.language)


_count_words = lru_cache(maxsize=1_024)(count_words)  # one sentence is asked about by many events


class Gate(Struct, frozen=True):
    """The stems of an event's query and how many of them make a sentence relevant.

    >>> gate = Gate(frozenset({"ferri", "fire", "port"}), 2)
    >>> gate.admits("Fire, houses", ("fire", "hous")), gate.admits("Fire in port", ("fire", "port"))
    (False, True)
    """

    stems: frozenset[str]
    need: int
    min_words: int = 0
    max_words: int = 0

    def admits(self, text: str, stems: Sequence[str]) -> bool:
        """Whether a sentence of this text and these stems is relevant, and of a fitting length."""
        need = self.need
        if need > 0:
            if self.stems.isdisjoint(stems):
                return False
            if need > 1 and len(self.stems.intersection(stems)) < need:
                return False
        if self.min_words or self.max_words:
            words = _count_words(text)
            return self.min_words <= words and (not self.max_words or words <= self.max_words)
        return True


def build_gate(system: QuerySystem, event: Event) -> Gate:
    """The gate of one event; an event whose query has no stem is asked about by its title, or not at all."""
    stems_of = shared_analyzer(system.language).stems
    text = {"query": event.query, "title": event.title}.get(system.terms, f"{event.query} {event.title}")
    stems = frozenset(stems_of(text)) or frozenset(stems_of(event.title))
    return Gate(stems, min(system.overlap, len(stems)), system.min_words, system.max_words)


class StatefulFollower(SurroundedFollower):
    """A follower that keeps its encoded state until something changes.

    A child implements `push`, `_encode` and `_decode`; it calls `_changed()` whenever what it remembers
    changes, and asks `_room(text)` before it tells a sentence, because a budget may leave none.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self._left = Room()
        self._cached: bytes | None = None

    @abstractmethod
    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Decide at `now` which of these sentences to tell."""

    def finish(self, now: int) -> list[Update]:
        """Nothing: what is pushed is decided at once."""
        return []

    def enter(self, surroundings: Surroundings) -> None:
        """Plan for the room that a budget leaves."""
        self._left = surroundings.room

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        if self._cached is None:
            self._cached = self._encode()
        return self._cached

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        self._decode(data)
        self._cached = bytes(data)

    @abstractmethod
    def _encode(self) -> bytes: ...

    @abstractmethod
    def _decode(self, data: bytes) -> None: ...

    def _changed(self) -> None:
        self._cached = None

    def _room(self, text: str) -> bool:
        """Take room for one update of this text; False when the budget has none."""
        return self._left.take(text)

    def _tell(self, sentence: Sentence, now: int, confidence: float) -> Update:
        return Update(
            self.event.id,
            sentence.doc_id,
            sentence.index,
            now,
            confidence,
            sentence.text,
            sentence.published_time,
            sentence.source,
            sentence.title,
            sentence.url,
        )


def check_language(language: str) -> None:
    """Raise a UsageError that lists the languages there are, unless `language` is one of them."""
    import Stemmer

    from tidings.core import NAMES, UsageError, code_of

    if language in Stemmer.algorithms() or (code_of(language) and language != "en+icu"):
        return
    codes, names = ", ".join(sorted(NAMES)), ", ".join(Stemmer.algorithms())
    raise UsageError(f"language {language!r} (expected one of {codes} (codes of ISO 639-1), {names})")


Asking = TypeVar("Asking", bound=QuerySystem)


class GatedFollower(StatefulFollower, Generic[Asking]):
    """A follower that begins by asking whether a sentence matches the query."""

    def __init__(self, system: Asking, event: Event) -> None:
        super().__init__(event)
        self._system = system
        self._analyzer = shared_analyzer(system.language)
        self._gate = build_gate(system, event)
