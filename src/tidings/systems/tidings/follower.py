"""The system `tidings` and its follower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings.models.files import Model, prepared, read_model
from tidings.protocols import Interest
from tidings.records import Event, ModelCard, Sentence, Update
from tidings.systems.base import Language, SystemBase, check_language
from tidings.systems.scoring_follower import ScoringFollower
from tidings.systems.tidings.additive_model import AdditiveModel, stem_weights
from tidings.systems.tidings.feature_names import FEATURES
from tidings.systems.tidings.feature_state import FeatureState, Limits, find_interest
from tidings.systems.tidings.text_features import TextReader

__all__ = ["Tidings", "TidingsFollower"]


class Tidings(SystemBase, frozen=True, kw_only=True):
    """Tells a sentence when what it adds is worth the words it takes, as learned from judged events.

    Each sentence is decided on at once, by 28 features (`tidings.systems.tidings.feature_state`): how it looks,
    how it fits the query, how it fits what the stream has said of the event so far (a memory that grows with the
    event), and how much of it was told already. Their learned sum estimates by how much the event's H rises if it is
    told (`tidings.systems.tidings.additive_model`). A text that was considered once is not considered again, and a
    document that holds too little of the query in each of its sentences is passed over.
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
    max_sentences: Annotated[
        int,
        Meta(
            ge=1, description="sentences of a document that are looked at; those after them are passed over"
        ),
    ] = 2_000
    language: Language = "english"

    def __post_init__(self) -> None:
        check_language(self.language)

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("tidings", self.model).card

    def interest(self, event: Event) -> Interest | None:
        """Two stems of the query in a sentence, or one of its two rarest."""
        weights = prepared(read_model("tidings", self.model), _learned)[1]
        return find_interest(event, weights, self.language)

    def start(self, event: Event) -> TidingsFollower:
        """A fresh follower of `event`."""
        return TidingsFollower(self, event)


def _learned(model: Model) -> tuple[AdditiveModel, dict[str, float], float]:
    return AdditiveModel.of(model), stem_weights(model), float(model.settings.get("level", 0.0))


def _readers(model: Model) -> dict[str, TextReader]:
    """By language, what all followers read texts with: filled when it is needed."""
    return {}


def _reader(model: Model, language: str) -> TextReader:
    readers = prepared(model, _readers)
    if language not in readers:
        readers[language] = TextReader(prepared(model, _learned)[1], language)
    return readers[language]


_NEAREST = FEATURES.index("emitted_nearest")


class TidingsFollower(ScoringFollower):
    """Remembers what the stream said of the event and what was emitted."""

    def __init__(self, system: Tidings, event: Event) -> None:
        super().__init__(event)
        model = read_model("tidings", system.model)
        self._worth, _, level = prepared(model, _learned)
        self._level = level + system.level
        limits = Limits(
            system.min_words, system.max_words, system.memory, system.max_kept, system.max_sentences
        )
        self._features = FeatureState(event, _reader(model, system.language), limits)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Tell, in order, each sentence that is worth more than the level."""
        features, worth, level = self._features, self._worth, self._level
        updates = []
        for sentence, candidate in features.candidates(sentences):
            if self._repeats(candidate.features[_NEAREST]):
                continue
            value = worth(candidate.features)
            if self._chooses(sentence, value, own=value > level):
                updates.append(self._tell(sentence, now, value - level))
                features.emit(candidate)
        if features.has_changed:
            features.has_changed = False
            self._changed()
        return updates

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode(self._features.parts())

    def _decode(self, data: bytes) -> None:
        kind = tuple[list[str], int, list[int], list[str], int, dict[str, int]]
        self._features.restore(*msgspec.msgpack.decode(data, type=kind))
