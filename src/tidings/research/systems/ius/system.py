"""`ius`: hour by hour, rank what came and tell as many of the first as a regression says the hour is worth."""

from __future__ import annotations

from math import exp, floor
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, ModelCard, Update, prepared, read_model
from tidings.following import Batch, FeatureExtractor, IntervalFollower, IntervalSystem
from tidings.research.systems.ius.cutoff import CutOff, Learner
from tidings.research.systems.ius.interval import (
    EmittedHistory,
    Interval,
    interval_features,
    line_up,
    read_interval,
    sentence_features,
)

__all__ = ["Ius", "IusFollower"]


class Ius(IntervalSystem, frozen=True, kw_only=True):
    """Ranks what an hour brought and tells the first of it, as many as a learned regression says.

    True to the paper: intervals; a ranking of the interval's sentences; a regression (linear, or of trees) from
    features of prevalence, novelty and quality at several depths of the ranking to the rank cut-off, 0 allowed;
    learned from the cut-offs that would have been best on training events; no update like an earlier one.

    Reconstructed, since only the abstract and accounts of the paper were at hand: the list of features; the ranker
    (boosted trees that predict a sentence's gain less the price of its words; the paper compares several); the
    target, the cut-off that adds most to Σ gain − (h/2)·Z·Σ V, which is what raises the harmonic mean of nE[LG]
    and LC above h; boosted trees for model trees; a factor on the prediction, chosen on training events.
    """

    name: ClassVar[str] = "ius"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = (
        "McCreadie, Macdonald and Ounis, Incremental update summarization: adaptive sentence selection based on "
        "prevalence and novelty, CIKM 2014"
    )

    model: Annotated[
        str, Meta(description="file of a trained model; empty: the one that comes with tidings")
    ] = ""
    learner: Annotated[
        Learner, Meta(description="regression that says how many to tell; none: all of positive score")
    ] = "trees"
    most: Annotated[int, Meta(ge=1, description="most sentences told at the end of an interval")] = 8
    generosity: Annotated[
        float, Meta(ge=0, description="how many more to tell than learned: a factor on the predicted cut-off")
    ] = 1.0
    similarity: Annotated[
        float, Meta(ge=0, le=1, description="highest cosine (stem counts) to an earlier update")
    ] = 0.4
    max_kept: Annotated[int, Meta(ge=1, description="updates remembered; the oldest go first")] = 1_000
    memory_hours: Annotated[
        float, Meta(ge=0, description="hours of event time for which an update is remembered; 0: for ever")
    ] = 0

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("ius", self.model).card

    def start(self, event: Event) -> IusFollower:
        """A fresh follower of `event`; its model is read when the first interval ends."""
        return IusFollower(self, event)


class IusFollower(IntervalFollower):
    """Remembers the words of the stream (for the features), what it told, and what the open hour brought."""

    def __init__(self, system: Ius, event: Event) -> None:
        super().__init__(system, event)
        self._system = system
        self._memory_s = round(system.memory_hours * 3600)
        self._emitted = EmittedHistory(event.start_time or 0, system.max_kept)
        self._learned = prepared(read_model("ius", system.model), CutOff)
        self._extractor = FeatureExtractor(event, system.language, words=self._learned.words)

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        featured = self._extractor.see([waiting.sentence for waiting in batch.waiting], now)
        if self._memory_s:
            self._emitted.evict(now - self._memory_s)
        if not featured:
            return []
        interval = read_interval(batch, featured, self._extractor.change(now), now)
        order, scores, cut = self._judge(interval)
        updates: list[Update] = []
        for place in order:
            if len(updates) >= cut:
                break
            sentence = interval.sentences[place]
            if self._room(sentence.text):
                updates.append(self._tell(sentence, now, _confidence(scores[place])))
                self._emitted.add(sentence, interval.stems[place], now)
        return updates

    def _judge(self, interval: Interval) -> tuple[list[int], list[float], int]:
        system, emitted, learned = self._system, self._emitted, self._learned
        rows = sentence_features(interval, emitted)
        scores = learned.scores(rows).tolist()
        order = line_up(interval, scores, rows, system.similarity, system.most)
        if system.learner == "none":
            length = float(sum(1 for place in order if scores[place] > 0))
        else:
            row = interval_features(interval, order, scores, rows, emitted)
            length = learned.length(row, system.learner) * learned.scale(system.learner)
        emitted.note(scores, order)
        cut = floor(length * system.generosity + 0.5)
        return order, scores, cut

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode([self._waiting_state(), self._extractor.state(), self._emitted.state()])

    def _decode(self, data: bytes) -> None:
        waiting, words, emitted = msgspec.msgpack.decode(data, type=tuple[list[Any], bytes, list[Any]])
        self._restore_waiting(waiting)
        self._extractor.restore(words)
        self._emitted.restore(emitted)


def _confidence(score: float) -> float:
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, 4.0 * score))))
