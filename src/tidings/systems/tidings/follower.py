"""The system `tidings` and its follower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.records import Event, ModelCard, Sentence, Update
from tidings.systems.base import Language, StatefulFollower, SystemBase, check_language
from tidings.systems.models import Model, prepared, read_model
from tidings.systems.tidings.additive_model import AdditiveModel, stem_weights
from tidings.systems.tidings.feature_state import FeatureState, Limits

__all__ = ["Tidings", "TidingsFollower"]


class Tidings(SystemBase, frozen=True, kw_only=True):
    """Tells a sentence when what it adds is worth the words it takes, as learned from judged events.

    Each sentence is decided on at once, by 28 features (`tidings.systems.tidings.feature_state`): how it looks,
    how it fits the query, how it fits what the stream has said of the event so far (a memory that grows with the
    event), and how much of it was told already. Their learned sum estimates by how much the event's H rises if it is
    told (`tidings.systems.tidings.additive_model`). A text that was considered once is not considered again.
    """

    name: ClassVar[str] = "tidings"
    source: ClassVar[str] = "tidings itself; measures of TREC Temporal Summarization as the aim of learning"

    model: Annotated[
        str, Meta(description="model file that `tidings train tidings` made; empty: the one that comes along")
    ] = ""
    level: Annotated[
        float, Meta(description="added to the worth that a sentence needs; above 0 tells less, below 0 more")
    ] = 0.0
    min_words: Annotated[int, Meta(ge=1, description="words of the shortest sentence that may be told")] = 4
    max_words: Annotated[int, Meta(ge=1, description="words of the longest sentence that may be told")] = 25
    memory: Annotated[
        int,
        Meta(ge=8, le=4096, description="sentences about the event that are remembered; the oldest go first"),
    ] = 512
    max_kept: Annotated[int, Meta(ge=1, description="updates remembered; the oldest go first")] = 200
    language: Language = "english"

    def __post_init__(self) -> None:
        check_language(self.language)

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("tidings", self.model).card

    def start(self, event: Event) -> TidingsFollower:
        """A fresh follower of `event`."""
        return TidingsFollower(self, event)


def _weights(model: Model) -> tuple[AdditiveModel, dict[str, float], float]:
    return AdditiveModel.of(model), stem_weights(model), float(model.settings.get("level", 0.0))


class TidingsFollower(StatefulFollower):
    """Remembers what the stream said of the event and what was told."""

    def __init__(self, system: Tidings, event: Event) -> None:
        super().__init__(event)
        self._worth, weights, level = prepared(read_model("tidings", system.model), _weights)
        self._level = level + system.level
        limits = Limits(system.min_words, system.max_words, system.memory, system.max_kept)
        self._evidence = FeatureState(event, weights, limits, system.language)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Tell, in order, each sentence that is worth more than the level."""
        evidence, worth, level = self._evidence, self._worth, self._level
        updates = []
        if sentences:
            self._changed()
        for sentence in sentences:
            candidate = evidence.consider(sentence)
            if candidate is None:
                continue
            value = worth(candidate.figures)
            if value > level and self._room(sentence.text):
                updates.append(self._tell(sentence, now, value - level))
                evidence.tell(candidate)
        return updates

    def _encode(self) -> bytes:
        known = self._evidence
        return msgspec.msgpack.encode(
            (known.remembered, known.slot, list(known.seen), list(known.told), known.told_count, known.tolls)
        )

    def _decode(self, data: bytes) -> None:
        kind = tuple[list[str], int, list[int], list[str], int, dict[str, int]]
        self._evidence.restore(*msgspec.msgpack.decode(data, type=kind))
