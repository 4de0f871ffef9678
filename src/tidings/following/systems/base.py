"""What systems share: their names as text, the query gate, room left by a budget, cached state, and what wraps them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

from msgspec import Meta, Struct
from msgspec.structs import asdict, fields, replace

from tidings.core import (
    Budget,
    Event,
    Interest,
    ModelCard,
    Sentence,
    System,
    Update,
    count_words,
    shared_analyzer,
)

if TYPE_CHECKING:
    from tidings.core import System


def changed_options(options: Struct) -> dict[str, Any]:
    """The options that are not at their default, by name."""
    defaults = {field.name: field.default for field in fields(options)}
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


class Unlimited(Struct, frozen=True):
    """The limit of what sets none."""


class WrappedSystem(Struct, frozen=True):
    """A system around another; a child adds a limit, its options and `start`."""

    system: System

    @property
    def limit(self) -> Struct:
        """The options of the limit, which stand in the spec beside those of the system inside."""
        raise NotImplementedError

    @property
    def options(self) -> dict[str, Any]:
        """The options that are not at their default, of the system inside and of the limit."""
        inner = self.system
        if isinstance(inner, WrappedSystem):
            own = inner.options
        else:
            own = changed_options(inner) if isinstance(inner, Struct) else {}
        return own | changed_options(self.limit)

    @property
    def name(self) -> str:
        """The name of the system inside."""
        return self.system.name

    @property
    def spec(self) -> str:
        """The system inside with its options, and the limit's."""
        return written_spec(self.system.name, self.options)

    @property
    def budget(self) -> Budget:
        """The budget of the system inside."""
        return self.system.budget

    @property
    def card(self) -> ModelCard | None:
        """The card of the system inside."""
        return self.system.card

    def interest(self, event: Event) -> Interest | None:
        """What interests the system inside."""
        return self.system.interest(event)

    def interest_in(self, event: Event, language: str) -> Interest | None:
        """What interests the system inside among documents of a language (a code of ISO 639-1)."""
        return self.in_language(language).interest(event)

    def in_language(self, language: str) -> System:
        """The same limits around what decides on documents of a language (see
        `tidings.following.systems.languages`)."""
        inner = self.system
        other = inner.in_language(language) if isinstance(inner, WrappedSystem) else inner
        own = cast("System", self)
        return own if other is inner else cast("System", replace(self, system=other))


class SilentSystem(WrappedSystem, frozen=True):
    """A system around another that has no option of its own: its spec is that of the system inside, which decides."""

    @property
    def limit(self) -> Struct:
        """None."""
        return Unlimited()

    @property
    def spec(self) -> str:
        """That of the system inside."""
        return self.system.spec


def innermost(system: System) -> System:
    """The system that decides, without the limits around it."""
    while isinstance(system, WrappedSystem):
        system = system.system
    return system


def replace_innermost(system: System, other: System) -> System:
    """The same limits around another system."""
    if not isinstance(system, WrappedSystem):
        return other
    changed: System = replace(system, system=replace_innermost(system.system, other))
    return changed


UNLIMITED = 1 << 60
"""Room for as many updates or words as anybody can have."""

Overlap = Annotated[
    int,
    Meta(
        ge=0,
        description="stems of the query that a sentence must hold (all where the query has fewer); 0: any",
    ),
]
Terms = Annotated[
    Literal["query", "title", "both"],
    Meta(description="where the query's stems come from: the event's query, its title or both"),
]
Language = Annotated[
    str,
    Meta(
        description="language of documents that do not say theirs: a code of ISO 639-1 such as de, or Snowball's name"
    ),
]


class SystemBase(Struct, frozen=True, kw_only=True):
    """What hosts ask of a system but `name` and `start`: no budget, no model, everything of interest."""

    any_language: ClassVar[bool] = True
    """Whether it decides as well on documents of any language; where not, it knows its option `language` alone."""

    @property
    def spec(self) -> str:
        """The name with the options that are not at their default."""
        return written_spec(cast("System", self).name, changed_options(self))

    @property
    def budget(self) -> Budget:
        """None of its own."""
        return Budget()

    @property
    def card(self) -> ModelCard | None:
        """None: nothing learned; systems that have the option `model` give the card of that model."""
        return None

    def interest(self, event: Event) -> Interest | None:
        """Everything."""
        return None


class QuerySystem(SystemBase, frozen=True, kw_only=True):
    """The options of every system that begins by asking whether a sentence matches the query."""

    looks_around: ClassVar[bool] = True
    """Whether sentences that the gate does not admit can change what is decided on others."""

    overlap: Overlap = 2
    terms: Terms = "query"
    min_words: Annotated[int, Meta(ge=0, description="words of the shortest sentence that may be told")] = 0
    max_words: Annotated[
        int, Meta(ge=0, description="words of the longest sentence that may be told; 0: any length")
    ] = 40
    language: Language = "english"

    def __post_init__(self) -> None:
        check_language(self.language)

    def interest(self, event: Event) -> Interest | None:
        """The stems that the gate asks for, of which a document must hold enough in one of its sentences."""
        gate = build_gate(self, event)
        if not gate.need:
            return None
        return Interest(stems=gate.stems, need=gate.need, whole=self.looks_around, language=self.language)


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
            words = count_words(text)
            return self.min_words <= words and (not self.max_words or words <= self.max_words)
        return True


def build_gate(system: QuerySystem, event: Event) -> Gate:
    """The gate of one event; an event whose query has no stem is asked about by its title, or not at all."""
    stems_of = shared_analyzer(system.language).stems
    text = {"query": event.query, "title": event.title}.get(system.terms, f"{event.query} {event.title}")
    stems = frozenset(stems_of(text)) or frozenset(stems_of(event.title))
    return Gate(stems, min(system.overlap, len(stems)), system.min_words, system.max_words)


class StatefulFollower(ABC):
    """A follower that keeps its encoded state until something changes.

    A child implements `push`, `_encode` and `_decode`; it calls `_changed()` whenever what it remembers
    changes, and asks `_room(text)` before it tells a sentence, because a budget may have been set by `allow`.
    """

    def __init__(self, event: Event) -> None:
        self.event = event
        self._updates_left = UNLIMITED
        self._words_left = UNLIMITED
        self._cached: bytes | None = None

    @abstractmethod
    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Decide at `now` which of these sentences to tell."""

    def finish(self, now: int) -> list[Update]:
        """Nothing: what is pushed is decided at once."""
        return []

    def allow(self, updates: int, words: int) -> None:
        """Set how much may be told by the next push; a follower that knows this plans for it."""
        self._updates_left = updates
        self._words_left = words

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
        if self._updates_left <= 0:
            return False
        if self._words_left < UNLIMITED:
            words = len(text.split())
            if words > self._words_left:
                return False
            self._words_left -= words
        self._updates_left -= 1
        return True

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
