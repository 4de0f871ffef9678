"""Any system on the documents of a story alone: those that are like its profile; the others never reach it.

The profile is fixed: the stems of the story at the time when it was chosen (`tidings stories --follow`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from tidings.core import Event, Interest, Sentence, System
from tidings.following.systems.stages import Stage, StageFollower, Surroundings

_DOCUMENT = attrgetter("doc_id")


class StoryProfile(Stage, frozen=True, kw_only=True):
    """Which documents a system is given: those that are like a story, or all."""

    stage: ClassVar[str] = "story"

    profile: str = ""
    profile_likeness: Annotated[float, Meta(ge=0, le=1)] = 0.15

    def __post_init__(self) -> None:
        self._weights()

    def _weights(self) -> dict[str, float]:
        from tidings.following.grouping.profiles import parse_profile

        return parse_profile(self.profile) if self.profile else {}

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
