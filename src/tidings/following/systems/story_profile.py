"""Any system on the documents of a story alone: those that are like its profile; the others never reach it.

The profile is fixed: the stems of the story at the time when it was chosen (`tidings stories --follow`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tidings.core import BudgetedDecider, Event, Follower, Interest, Output, PacedDecider, Sentence
from tidings.following.systems.base import WrappedSystem

_DOCUMENT = attrgetter("doc_id")


class StoryProfile(Struct, frozen=True, kw_only=True):
    """Which documents a system is given: those that are like a story, or all."""

    profile: Annotated[
        str,
        Meta(
            description="stems of a story with their weights (`ferri 100 fire 50`): only documents like it are "
            "looked at; empty: all"
        ),
    ] = ""
    profile_likeness: Annotated[
        float,
        Meta(ge=0, le=1, description="lowest cosine of a document to the profile"),
    ] = 0.15


class StorySystem(WrappedSystem, frozen=True):
    """A system that is given the documents of a story."""

    story: StoryProfile

    def __post_init__(self) -> None:
        from tidings.following.grouping.profiles import parse_profile

        parse_profile(self.story.profile)

    @property
    def limit(self) -> StoryProfile:
        """The profile."""
        return self.story

    def interest(self, event: Event) -> Interest | None:
        """What interests the system inside, but in whole documents."""
        interest = self.system.interest(event)
        return None if interest is None else replace(interest, whole=True)

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`, given the documents of the story."""
        from tidings.following.grouping.profiles import parse_profile

        profile = parse_profile(self.story.profile)
        return StoryFollower(self.system.start(event), profile, self.story.profile_likeness)


class StoryFollower:
    """Leaves out documents that are not like a profile; what it remembers is what the follower inside does."""

    def __init__(self, inner: Follower, profile: Mapping[str, float], level: float) -> None:
        self._inner, self._profile, self._level = inner, profile, level
        if isinstance(inner, BudgetedDecider):
            self.allow = inner.allow
        if isinstance(inner, PacedDecider):
            self.keep_pace = inner.keep_pace

    def push(self, sentences: Sequence[Sentence], now: int) -> Sequence[Output]:
        """What the follower inside emits of the story's documents."""
        documents = (list(document) for _, document in groupby(sentences, key=_DOCUMENT))
        return self._inner.push(
            [sentence for document in documents if self._is_like(document) for sentence in document], now
        )

    def finish(self, now: int) -> Sequence[Output]:
        """What the follower inside still emits at the end."""
        return self._inner.finish(now)

    def state(self) -> bytes:
        """The state of the follower inside."""
        return self._inner.state()

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        self._inner.restore(data)

    def _is_like(self, document: Sequence[Sentence]) -> bool:
        from tidings.following.grouping.profiles import document_weights, profile_likeness

        title, language = document[0].title, document[0].language
        texts = [sentence.text for sentence in document if sentence.text != title]
        return profile_likeness(self._profile, document_weights(title, texts, language)) >= self._level
