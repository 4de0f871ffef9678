"""Any system in any language: for each language that an event's documents are in, a follower that reads it.

A system that decides by words alone is begun once for each language, with that language's words, stop words and stems.
One that has learned what news in English looks like decides on English; other languages are left to `centroid`. What
two languages say is compared by an encoder alone (`tidings.following.systems.meanings`): without one a fact emitted in
German is emitted again in French.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import ICU, UNSPACED, Event, Follower, Output, Sentence, System, Update, code_of
from tidings.following.systems.stages import SurroundedFollower, Surroundings

FALLBACK = "centroid"
"""Decides where a system does not know the language."""


class Segmentation(Struct, frozen=True, kw_only=True):
    """How words are found where no blanks stand between them."""

    segmenter: Literal["pairs", "icu"] = "pairs"


def system_for(system: System, language: str, segmentation: Segmentation) -> System:
    """The system that decides on documents of a language (a code of ISO 639-1; "": not said) in a system's place.

    >>> from tidings.following.systems import make
    >>> [system_for(make(name), "de", Segmentation()).spec for name in ("cosine", "tidings")]
    ['cosine:language=de', 'centroid:language=de']
    """
    own: str | None = getattr(system, "language", None)
    if own is None or not language:
        return system
    name = language + ICU if segmentation.segmenter == "icu" and language in UNSPACED else language
    if name == language and code_of(own) == language:
        return system
    if has_any_language(system):
        other: System = replace(system, language=name)  # type: ignore[type-var]
        return other
    from tidings.following.systems.centroid import Centroid

    return Centroid(language=name)


def has_any_language(system: object) -> bool:
    """Whether a system decides by words alone, whatever their language; a plug-in is taken to know what it does."""
    return bool(getattr(system, "any_language", True))


class LanguageFollower(SurroundedFollower):
    """A follower for each language in which anything was offered."""

    def __init__(self, system: System, segmentation: Segmentation, event: Event) -> None:
        self._system, self._segmentation, self._event = system, segmentation, event
        self._default = event.languages[0] if event.languages else ""
        self._keys: dict[str, str] = {}
        self._surroundings: Surroundings | None = None
        self._own: Follower = system.start(event)
        self._own_key = self._key(code_of(getattr(system, "language", "")))
        self._followers: dict[str, Follower] = {self._own_key: self._own}

    @property
    def heeds(self) -> frozenset[str]:
        """What the system's own follower heeds."""
        return self._own.heeds if isinstance(self._own, SurroundedFollower) else frozenset()

    @property
    def learned(self) -> frozenset[str]:
        """What the system's own follower has learned."""
        return self._own.learned if isinstance(self._own, SurroundedFollower) else frozenset()

    def enter(self, surroundings: Surroundings) -> None:
        """Let each follower heed these from now on."""
        # A follower of another language heeds no more than the system's own, beside which stages do the rest.
        self._surroundings = dataclasses.replace(
            surroundings,
            gate=surroundings.gate if "gate" in surroundings.heeds else None,
            meanings=surroundings.meanings if "meanings" in surroundings.heeds else None,
        )
        if isinstance(self._own, SurroundedFollower):
            self._own.enter(self._surroundings)

    def _key(self, language: str) -> str:
        # Languages that one follower reads have one key.
        key = self._keys.get(language)
        if key is None:
            code = code_of(language or self._default)
            key = "" if self._system_for(code) is self._system else code
            self._keys[language] = key
        return key

    def _system_for(self, language: str) -> System:
        return system_for(self._system, language, self._segmentation)

    def _follower(self, key: str) -> Follower:
        follower = self._followers.get(key)
        if follower is None:
            follower = self._system_for(key).start(self._event)
            if self._surroundings is not None and isinstance(follower, SurroundedFollower):
                follower.enter(self._surroundings)
            self._followers[key] = follower
        return follower

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the follower of each language emits of the sentences in it."""
        keys = {self._key(sentence.language) for sentence in sentences}
        if len(keys) == 1:
            return self._follower(keys.pop()).push(sentences, now)
        outputs: list[Output] = []
        for key in sorted(keys):
            own = [sentence for sentence in sentences if self._key(sentence.language) == key]
            outputs += self._within_room(partial(self._follower(key).push, own, now))
        return outputs

    def finish(self, now: int) -> Sequence[Output]:
        """What the follower of each language still emits."""
        outputs: list[Output] = []
        for key in sorted(self._followers):
            outputs += self._within_room(partial(self._followers[key].finish, now))
        return outputs

    def _within_room(self, decide: Callable[[], Sequence[Output]]) -> Sequence[Output]:
        """What is decided; it leaves less room to the next language."""
        if self._surroundings is None:
            return decide()
        room = self._surroundings.room
        updates, words = room.updates, room.words
        outputs = decide()
        emitted = [len(output.text.split()) for output in outputs if isinstance(output, Update)]
        room.updates, room.words = max(0, updates - len(emitted)), max(0, words - sum(emitted))
        return outputs

    def states(self) -> dict[str, bytes]:
        """By language, what its follower remembers; "" is the system's own."""
        return {key: self._followers[key].state() for key in sorted(self._followers)}

    def state(self) -> bytes:
        """What all of them remember."""
        return msgspec.msgpack.encode(self.states())

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        self.restore_states(msgspec.msgpack.decode(data, type=dict[str, bytes]))

    def restore_states(self, states: Mapping[str, bytes]) -> None:
        """Become the follower whose `states()` gave these."""
        self._followers = {self._own_key: self._own}
        for key, state in states.items():
            self._follower(key).restore(state)
