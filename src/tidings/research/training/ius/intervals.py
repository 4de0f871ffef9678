"""Training events as intervals with what each sentence of them would earn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tidings.core import Sentence, Update
from tidings.evaluation import latency_discount
from tidings.following import Batch, FeatureExtractor, IntervalFollower, WordModels
from tidings.research.systems.ius import (
    EmittedHistory,
    Interval,
    Ius,
    line_up,
    read_interval,
    sentence_features,
)
from tidings.research.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

__all__ = ["Earnings", "LabelledEvent", "SentenceGains", "best_cut", "walk"]

UPDATES = 30
"""Updates that a summary is expected to have, where the ideal gain Z must be known before."""


@dataclass(eq=False)
class SentenceGains:
    """What a sentence would earn if told now: latency gains of its nuggets, and words matched for each of them."""

    gains: dict[int, float]
    words: int
    matched: list[tuple[int, int, int]]


@dataclass(eq=False)
class LabelledEvent:
    """A training event read interval by interval.

    Attributes:
        event: the judged event.
        intervals: in time order.
        worths: for each interval, what each of its sentences would earn.
        ideal: Z, the mean gain of the best 30 nuggets.
        total_gain: Σ R(n).
        mean_words: mean length of a nugget.
    """

    event: JudgedEvent
    intervals: list[Interval]
    sentence_gains: list[list[SentenceGains]]
    ideal: float
    total_gain: float
    mean_words: float

    @classmethod
    def of(cls, event: JudgedEvent, words: WordModels, system: Ius) -> LabelledEvent:
        """Read an event as a follower of `system` would, with the word models of other events."""
        reader = _Reader(system, event, words)
        event.run(reader)
        prepared_event = event.prepared.events[event.event.id]
        sentence_gains = [
            [_gains_of(event, sentence, interval.time) for sentence in interval.sentences]
            for interval in reader.intervals
        ]
        return cls(
            event,
            reader.intervals,
            sentence_gains,
            prepared_event.best_mean(UPDATES),
            prepared_event.total_gain,
            prepared_event.mean_words,
        )


class _Reader(IntervalFollower):
    """Tells nothing and keeps each interval as a follower would have judged it."""

    def __init__(self, system: Ius, event: JudgedEvent, words: WordModels) -> None:
        super().__init__(system, event.event)
        self._extractor = FeatureExtractor(event.event, system.language, words=words)
        self.intervals: list[Interval] = []

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        featured = self._extractor.see([waiting.sentence for waiting in batch.waiting], now)
        if featured:
            self.intervals.append(read_interval(batch, featured, self._extractor.change(now), now))
        return []

    def _encode(self) -> bytes:
        return b""

    def _decode(self, data: bytes) -> None:
        return None


def _gains_of(event: JudgedEvent, sentence: Sentence, now: int) -> SentenceGains:
    gains, times = event.gains, event.times
    by_nugget = {n: gains[n] * latency_discount(times[n], now) for n in event.nuggets_of(sentence)}
    prepared_event = event.prepared.events[event.event.id].texts.get(sentence.id)
    return SentenceGains(by_nugget, prepared_event[1] if prepared_event else 1, event.spans_of(sentence))


@dataclass(eq=False)
class Earnings:
    """What has been told of an event in training, and what it earned.

    The harmonic mean of nE[LG] = G/(V·Z) and LC = G/R is 2G/(Z·V + R), where G is the latency gain, V the
    verbosity and R the gain of all nuggets: so a summary of mean h is improved by whatever has G > (h/2)·Z·V.
    """

    labelled_event: LabelledEvent
    covered: set[int] = field(default_factory=set)
    gain: float = 0.0
    verbosity: float = 0.0
    updates: int = 0

    def look(self, gains_of_sentence: SentenceGains) -> tuple[float, float]:
        """(latency gain, verbosity) that telling a sentence would add now."""
        gain = sum(value for nugget, value in gains_of_sentence.gains.items() if nugget not in self.covered)
        matched: set[int] = set()
        for nugget, start, end in gains_of_sentence.matched:
            if nugget not in self.covered:
                matched.update(range(start, end))
        return gain, 1.0 + max(0, gains_of_sentence.words - len(matched)) / self.labelled_event.mean_words

    def add(self, gains_of_sentence: SentenceGains) -> None:
        """Tell it."""
        gain, verbosity = self.look(gains_of_sentence)
        self.gain += gain
        self.verbosity += verbosity
        self.updates += 1
        self.covered.update(gains_of_sentence.gains)

    def copy(self) -> Earnings:
        """The same, to be spent apart."""
        return Earnings(self.labelled_event, set(self.covered), self.gain, self.verbosity, self.updates)

    @property
    def mean(self) -> float:
        """H as far as told."""
        prepared_event = self.labelled_event.event.prepared.events[self.labelled_event.event.event.id]
        if not self.updates:
            return 0.0
        return (
            2.0
            * self.gain
            / (prepared_event.best_mean(self.updates) * self.verbosity + self.labelled_event.total_gain)
        )


def best_cut(earnings: Earnings, line: Iterable[SentenceGains], price: float) -> tuple[int, float]:
    """How many of the first sentences of `line` to tell, so that Σ gain − price·Σ V is greatest; and that sum.

    Of equal ones the smallest number.
    """
    tried = earnings.copy()
    best, cut = 0.0, 0
    for number, gains_of_sentence in enumerate(line, start=1):
        tried.add(gains_of_sentence)
        value = (tried.gain - earnings.gain) - price * (tried.verbosity - earnings.verbosity)
        if value > best + 1e-12:
            best, cut = value, number
    return cut, best


Score = Callable[[int, "Floats", Earnings], Sequence[float]]
"""(number of the interval, features of its sentences, earnings so far) -> a score for each."""

Choose = Callable[[int, list[int], Sequence[float], "Floats", EmittedHistory, Earnings], int]
"""(number of the interval, its ranking, scores, features of sentences, what was told, earnings so far) -> cut-off."""


def walk(labelled_event: LabelledEvent, system: Ius, score: Score, choose: Choose) -> Earnings:
    """Follow an event by a way of scoring and a way of cutting; returns what that earned."""
    emitted = EmittedHistory(labelled_event.event.event.start_time or 0, system.max_kept)
    earnings = Earnings(labelled_event)
    for number, interval in enumerate(labelled_event.intervals):
        rows = sentence_features(interval, emitted)
        scores = score(number, rows, earnings)
        order = line_up(interval, scores, rows, system.similarity, system.most)
        cut = choose(number, order, scores, rows, emitted, earnings)
        emitted.note(scores, order)
        for place in order[:cut]:
            emitted.add(interval.sentences[place], interval.stems[place], interval.time)
            earnings.add(labelled_event.sentence_gains[number][place])
    return earnings
