"""Any system in any language: for each language that an event's documents are in, a follower that reads it.

A system that decides by words alone is begun once for each language, with that language's words, stop words and stems.
One that has learned what news in English looks like decides on English; other languages are left to `centroid`. What
two languages say is compared by an encoder alone (`tidings.following.systems.meanings`): without one a fact told in
German is told again in French.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from tidings.core import (
    ICU,
    UNSPACED,
    BudgetedDecider,
    ComparingDecider,
    Event,
    Follower,
    Meanings,
    Output,
    PacedDecider,
    PaceKeeper,
    Sentence,
    System,
    Update,
    code_of,
)
from tidings.following.systems.base import WrappedSystem, innermost, replace_innermost

if TYPE_CHECKING:
    pass


FALLBACK = "centroid"
"""Decides where a system does not know the language."""

_MANY = b"\xc1"  # begins no msgpack: the state of several followers


class Segmentation(Struct, frozen=True, kw_only=True):
    """How words are found where no blanks stand between them."""

    segmenter: Annotated[
        Literal["pairs", "icu"],
        Meta(
            description="words of Chinese, Japanese, Thai, Lao, Khmer and Burmese: pairs of characters, or those of "
            "ICU's dictionaries (needs the extra `words`)"
        ),
    ] = "pairs"


class LanguageSystem(WrappedSystem, frozen=True):
    """A system that reads each document in the document's own language."""

    segmentation: Segmentation = Segmentation()

    @property
    def limit(self) -> Segmentation:
        """How words are found."""
        return self.segmentation

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`."""
        return LanguageFollower(self, event)

    def in_language(self, language: str) -> System:
        """The system that decides on documents of a language (a code of ISO 639-1; "": not said).

        >>> from tidings.following.systems import make
        >>> [LanguageSystem(make(name)).in_language("de").spec for name in ("cosine", "tidings")]
        ['cosine:language=de', 'centroid:language=de']
        """
        inner = innermost(self.system)
        own: str | None = getattr(inner, "language", None)
        if own is None or not language:
            return self.system
        name = language + ICU if self.segmentation.segmenter == "icu" and language in UNSPACED else language
        if name == language and code_of(own) == language:
            return self.system
        if has_any_language(inner):
            other: System = replace(inner, language=name)  # type: ignore[type-var]
        else:
            from tidings.following.systems.centroid import Centroid

            other = Centroid(language=name)
        return replace_innermost(self.system, other)


def has_any_language(system: object) -> bool:
    """Whether a system decides by words alone, whatever their language; a plug-in is taken to know what it does."""
    return bool(getattr(system, "any_language", True))


def known_language(system: System) -> str:
    """The code of the one language that a system knows; "" where it knows any.

    >>> from tidings.following.systems import make
    >>> known_language(make("tidings:about=10/day")), known_language(make("cosine"))
    ('en', '')
    """
    inner = innermost(system)
    return "" if has_any_language(inner) else code_of(getattr(inner, "language", "en"))


def with_languages(system: System) -> System:
    """The same system with its limits, reading each document in the document's own language."""
    part = system
    while isinstance(part, WrappedSystem):
        if isinstance(part, LanguageSystem):
            return system
        part = part.system
    return replace_innermost(system, LanguageSystem(part))


class LanguageFollower:
    """A follower for each language; as long as there is only the system's own, its state is that one's."""

    def __init__(self, system: LanguageSystem, event: Event) -> None:
        self._system, self._event = system, event
        self._default = event.languages[0] if event.languages else ""
        self._keys: dict[str, str] = {}
        self._followers: dict[str, Follower] = {}
        self._settings: list[tuple[str, Any]] = []
        own = system.system.start(event)
        self._own_key = self._key(code_of(getattr(innermost(system.system), "language", "")))
        self._followers[self._own_key] = own
        # What `isinstance` of the protocols would say: that takes a tenth of a millisecond, for each of many followers.
        if hasattr(own, "allow"):
            self.allow = self._allow
        if hasattr(own, "keep_pace"):
            self.keep_pace = self._keep_pace
        if hasattr(own, "compare"):
            self.compare = self._compare
        if hasattr(own, "require_news"):
            self.require_news = cast("Any", own).require_news
        self._room: tuple[int, int] | None = None
        self._gate: PaceKeeper | None = None
        self._meanings: Meanings | None = None

    def _key(self, language: str) -> str:
        # Languages that one follower reads have one key.
        key = self._keys.get(language)
        if key is None:
            code = code_of(language or self._default)
            key = "" if self._system.in_language(code) is self._system.system else code
            self._keys[language] = key
        return key

    def _follower(self, key: str) -> Follower:
        follower = self._followers.get(key)
        if follower is None:
            follower = self._system.in_language(key).start(self._event)
            if self._gate is not None and isinstance(follower, PacedDecider):
                follower.keep_pace(self._gate)
            if self._meanings is not None and isinstance(follower, ComparingDecider):
                follower.compare(self._meanings)
            self._followers[key] = follower
        return follower

    def _allow(self, updates: int, words: int) -> None:
        self._room = (updates, words)

    def _keep_pace(self, gate: PaceKeeper) -> None:
        self._gate = gate
        for follower in self._followers.values():
            if isinstance(follower, PacedDecider):
                follower.keep_pace(gate)

    def _compare(self, meanings: Meanings) -> None:
        self._meanings = meanings
        for follower in self._followers.values():
            if isinstance(follower, ComparingDecider):
                follower.compare(meanings)

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the follower of each language tells of the sentences in it."""
        keys = {self._key(sentence.language) for sentence in sentences}
        if len(keys) == 1:
            return self._pushed(keys.pop(), sentences, now)
        outputs: list[Output] = []
        for key in sorted(keys):
            outputs += self._pushed(
                key, [sentence for sentence in sentences if self._key(sentence.language) == key], now
            )
        return outputs

    def _pushed(self, key: str, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        follower = self._followers.get(key) or self._follower(key)
        if self._room is not None and isinstance(follower, BudgetedDecider):
            follower.allow(*self._room)
        outputs = follower.push(sentences, now)
        self._take_room(outputs)
        return outputs

    def _take_room(self, outputs: Sequence[Output]) -> None:
        if self._room is not None and outputs:
            updates, words = self._room
            told = [len(output.text.split()) for output in outputs if isinstance(output, Update)]
            self._room = (max(0, updates - len(told)), max(0, words - sum(told)))

    def finish(self, now: int) -> Sequence[Output]:
        """What the follower of each language still tells."""
        outputs: list[Output] = []
        for key in sorted(self._followers):
            follower = self._followers[key]
            if self._room is not None and isinstance(follower, BudgetedDecider):
                follower.allow(*self._room)
            given = follower.finish(now)
            self._take_room(given)
            outputs += given
        return outputs

    def state(self) -> bytes:
        """The state of the one follower, or of each by its language."""
        if len(self._followers) == 1:
            return next(iter(self._followers.values())).state()
        states = {key: self._followers[key].state() for key in sorted(self._followers)}
        return _MANY + msgspec.msgpack.encode(states)

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        if not data.startswith(_MANY):
            self._followers = {self._own_key: self._followers[self._own_key]}
            self._followers[self._own_key].restore(data)
            return
        for key, state in msgspec.msgpack.decode(data[len(_MANY) :], type=dict[str, bytes]).items():
            self._follower(key).restore(state)
