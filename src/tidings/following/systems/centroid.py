"""`centroid`: sentences near the middle of what is being said; the centroid of MEAD, kept up online.

The centroid of an event is the sum of the tf·idf of its matching sentences, each halved every `half_life_hours`
of event time:

    C_t(w) = Σ_s tf(w, s) · idf_s(w) · 2^(-(t - t_s) / h)

keeping the `terms_kept` heaviest stems. A sentence scores

    score = c(s) + position_weight / (1 + i)

with c(s) the cosine of its tf·idf to C before it (`per=cosine`), or the mean of C/max C over its stems (`per=word`),
or their sum (`per=sentence`, as in MEAD: long sentences score high), and i its number in its document. It is emitted
if that score is among the top 1 - `level` of the latest `window` scores and its highest cosine to an earlier
update is at most `similarity`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from tidings.core import Event, RunningQuantile, Sentence, Update, Vector
from tidings.following.systems.base import QuerySystem
from tidings.following.systems.changed_numbers import EmittedNumbers
from tidings.following.systems.scoring_follower import QueryFollower
from tidings.following.systems.tfidf import EmittedVectors, RunningIdf


class Centroid(QuerySystem, frozen=True, kw_only=True):
    """Emits sentences close to the centroid of recent sentences, unless they are similar to an update.

    True to the source: the centroid of tf·idf, the score by centroid and position, the penalty for what repeats
    a chosen sentence (here a limit). Reconstructed, because MEAD ranks a finished cluster of documents: the centroid
    forgets with event time, idf counts the event's matching sentences so far, and in place of a compression rate stands
    a running quantile. MEAD's overlap with the first sentence of the document is left out: a stream may bring
    documents without their first sentence.
    """

    name: ClassVar[str] = "centroid"
    source: ClassVar[str] = (
        "Radev, Jing, Stys and Tam, Centroid-based summarization of multiple documents, IP&M 40, 2004"
    )

    per: Literal["cosine", "word", "sentence"] = "cosine"
    half_life_hours: Annotated[float, Meta(gt=0)] = 96.0
    position_weight: Annotated[float, Meta(ge=0)] = 0.0
    level: Annotated[float, Meta(ge=0, le=1)] = 0.4
    window: Annotated[int, Meta(ge=1)] = 500
    terms_kept: Annotated[int, Meta(ge=1)] = 1_000
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.175
    memory_hours: Annotated[float, Meta(ge=0)] = 0
    max_kept: Annotated[int, Meta(ge=1)] = 5_000

    def start(self, event: Event) -> CentroidFollower:
        """A fresh follower of `event`."""
        return CentroidFollower(self, event)


class CentroidFollower(QueryFollower):
    """Remembers the centroid, the latest scores, how often stems occurred, and the vectors of what it emitted."""

    def __init__(self, system: Centroid, event: Event) -> None:
        super().__init__(system, event)
        self._system = system
        self._idf = RunningIdf()
        self._emitted = EmittedVectors(most=system.max_kept, memory_s=round(system.memory_hours * 3600))
        self._numbers = EmittedNumbers(system.max_kept)
        self._centre = DecayingSum(round(system.half_life_hours * 3600), system.terms_kept)
        self._scores = RunningQuantile(system.window)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Emit, in order, each sentence that is near the centroid and unlike everything emitted so far."""
        if self._emitted.evict(now):
            self._changed()
        system, emitted = self._system, self._emitted
        updates = []
        for sentence, stems, rank in self._candidates(sentences):
            if not stems:
                continue
            self._idf.add(stems)
            self._changed()
            weights = self._idf.weights(stems)
            score = self._score(sentence, stems, weights)
            self._centre.add(weights, now)
            place = self._scores.add(round(score, 9))
            if self._pace is None and place < system.level:
                continue
            length = sqrt(sum(weight * weight for weight in weights.values()))
            vector = {stem: weight / length for stem, weight in weights.items()}
            if self._pace is not None:
                likeness = emitted.likeness(vector)
                if likeness > system.similarity and not self._numbers.has_change(sentence, stems):
                    if self._repeats(likeness):
                        continue
                    score -= likeness - system.similarity
            elif emitted.has_like(vector, system.similarity) and not self._numbers.has_change(
                sentence, stems
            ):
                continue
            if not self._chooses(sentence, score, own=True, rank=rank):
                continue
            updates.append(self._tell(sentence, now, place))
            emitted.add(vector, now)
            self._numbers.add(sentence, stems)
        return updates

    def _score(self, sentence: Sentence, stems: Sequence[str], weights: Vector) -> float:
        centre, per = self._centre, self._system.per
        if per == "cosine":
            likeness = centre.cosine(weights)
        else:
            likeness = centre.share(stems)
            if per == "word":
                likeness /= len(stems)
        return likeness + self._system.position_weight / (1 + sentence.index)

    def _encode(self) -> bytes:
        parts = [self._idf.state(), self._emitted.state(), self._centre.state(), self._scores.values()]
        parts.append(self._numbers.state())
        return msgspec.msgpack.encode(parts)

    def _decode(self, data: bytes) -> None:
        idf, emitted, centre, scores, numbers = msgspec.msgpack.decode(data)
        self._idf.restore(idf)
        self._emitted.restore(emitted)
        self._centre.restore(centre)
        self._numbers.restore(numbers)
        self._scores = RunningQuantile(self._system.window, scores)


class DecayingSum:
    """A sum of vectors in which each counts half after every half-life; only its heaviest terms are kept.

    What is stored is the sum times a factor that grows instead of weights that shrink, so that adding a vector costs as
    much as the vector is long. With more than twice `most` terms the lightest go.

    >>> centre = DecayingSum(half_life_s=3600, most=10)
    >>> centre.add({"fire": 1.0}, 0)
    >>> centre.add({"port": 1.0}, 3600)
    >>> centre.share(["fire"]), centre.share(["port"]), centre.share(["sea"])
    (0.5, 1.0, 0.0)
    """

    def __init__(self, half_life_s: int, most: int) -> None:
        self._half_life_s = max(1, half_life_s)
        self._most = most
        self._from: int | None = None
        self._weights: Vector = {}
        self._squares = self._heaviest = 0.0

    def add(self, vector: Vector, time: int) -> None:
        """Count `vector` from `time` on; times must not fall."""
        if self._from is None:
            self._from = time
        ages = (time - self._from) / self._half_life_s
        if ages > 200:
            self._settle(time, ages)
            ages = 0.0
        factor, weights = 2.0**ages, self._weights
        for stem, weight in vector.items():
            old = weights.get(stem, 0.0)
            new = old + weight * factor
            weights[stem] = new
            self._squares += new * new - old * old
            self._heaviest = max(self._heaviest, new)
        if len(weights) > 2 * self._most:
            self._prune()

    def cosine(self, vector: Vector) -> float:
        """The cosine of `vector` to the sum, within 0..1; 0 for nothing."""
        length = sqrt(self._squares * sum(weight * weight for weight in vector.values()))
        if not length > 0.0:
            return 0.0
        weights = self._weights
        return min(1.0, sum(weight * weights.get(stem, 0.0) for stem, weight in vector.items()) / length)

    def share(self, stems: Sequence[str]) -> float:
        """Σ over the stems of their weight relative to the heaviest term's; 0 for nothing."""
        if not self._heaviest:
            return 0.0
        weights = self._weights
        return sum(weights.get(stem, 0.0) for stem in stems) / self._heaviest

    def _settle(self, time: int, ages: float) -> None:
        shrink = 2.0 ** -min(ages, 1_000.0)
        self._weights = {s: w * shrink for s, w in self._weights.items() if w * shrink > 1e-30}
        self._from = time
        self._measure()

    def _prune(self) -> None:
        ranked = sorted(self._weights.items(), key=lambda item: -item[1])
        self._weights = dict(ranked[: self._most])
        self._measure()

    def _measure(self) -> None:
        self._squares = sum(weight * weight for weight in self._weights.values())
        self._heaviest = max(self._weights.values(), default=0.0)

    def state(self) -> Any:
        """The sum, as plain values."""
        return self._from, self._weights, self._squares, self._heaviest

    def restore(self, state: Any) -> None:
        """Become what gave `state`."""
        self._from, weights, self._squares, self._heaviest = state
        self._weights = dict(weights)
