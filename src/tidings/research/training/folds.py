"""What trainers take from events that they leave out: when to stop, a level or a setting, and words.

The events to learn from are dealt into a few folds. Without each fold in turn the system is learned, and what it scores
on that fold's events is kept for every choice there is. The choice with the best mean over all events is taken, and the
system is learned once more, from all of them. So every event has its say and none judges what it taught, while a few
events set aside would be few, and lost. Word models are learned so that no event is scored by words that it gave
itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from tidings.core import Update, shared_analyzer
from tidings.following import (
    Array,
    Batch,
    FeaturedSentence,
    FeatureExtractor,
    IntervalFollower,
    IntervalSystem,
    WordModels,
)
from tidings.research.training.labelled_events import JudgedEvent

E = TypeVar("E")

FOLDS = 3
"""Into how many folds the events to learn from are dealt, where a trainer has no reason for another number."""

Measure = Callable[[Sequence[int], Sequence[int]], Array]
"""measure(learned, left_out): scores of shape (*choices, left_out) when learned from the events of those numbers."""


def deal(count: int, folds: int) -> list[tuple[list[int], list[int]]]:
    """(learned, left out) for each fold of `count` events, dealt in turn; one event alone is both.

    Dealt in turn, so that each fold has events of every year, as the folds of plans do.

    >>> deal(5, 2)
    [([1, 3], [0, 2, 4]), ([0, 2, 4], [1, 3])]
    >>> deal(1, 3)
    [([0], [0])]
    """
    everything = list(range(count))
    if count < 2:
        return [(everything, everything)] if count else []
    dealt = [everything[fold::folds] for fold in range(min(folds, count))]
    return [([number for number in everything if number not in out], out) for out in dealt]


def means_by_folds(count: int, folds: int, measure: Measure) -> Array:
    """The mean over `count` events of what each choice scored in the fold that left the event out; shape: the choices'.

    >>> import numpy as np
    >>> means_by_folds(4, 2, lambda learned, left_out: np.array([[float(n) for n in left_out], [1.0] * len(left_out)]))
    array([1.5, 1. ])
    """
    scores = [np.asarray(measure(learned, left_out)) for learned, left_out in deal(count, folds)]
    means: Array = np.concatenate(scores, axis=-1).mean(axis=-1)
    return means


def means_left_out(
    events: Sequence[E], unseen: Sequence[E], scores: Callable[[Sequence[E], Sequence[E]], Array]
) -> Array:
    """The mean of each choice over events not learned from: the `unseen` ones, or fold by fold where there are none.

    `scores(learned, checked)` gives what each choice scores on the checked events, of shape (*choices, checked).
    """
    if unseen:
        means: Array = scores(events, unseen).mean(axis=-1)
        return means
    return means_by_folds(
        len(events),
        FOLDS,
        lambda learned, out: scores([events[n] for n in learned], [events[n] for n in out]),
    )


def summit(means: Array) -> tuple[int, ...]:
    """Where the means of ordered choices are highest, each taken with its neighbours along every axis (¼, ½, ¼).

    The middle of a good stretch, not a lucky point; an axis of fewer than three choices is taken as it is.

    >>> import numpy as np
    >>> summit(np.array([0.0, 0.9, 0.0, 0.5, 0.6, 0.5])), int(np.array([0.0, 0.9, 0.0, 0.5, 0.6, 0.5]).argmax())
    ((4,), 1)
    """
    smooth = np.asarray(means, dtype=float)
    for axis in range(smooth.ndim):
        if smooth.shape[axis] < 3:
            continue
        around = [(0, 0)] * smooth.ndim
        around[axis] = (1, 1)
        padded = np.moveaxis(np.pad(smooth, around, mode="edge"), axis, 0)
        smooth = np.moveaxis(0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:], 0, axis)
    return tuple(int(place) for place in np.unravel_index(int(smooth.argmax()), smooth.shape))


class _FeatureReader(IntervalFollower[IntervalSystem]):
    """Tells nothing, and keeps the features of each interval as a follower would have computed them."""

    def __init__(self, system: IntervalSystem, event: JudgedEvent, words: WordModels) -> None:
        super().__init__(system, event.event)
        self._extractor = FeatureExtractor(event.event, system.language, words=words)
        self.intervals: list[tuple[Batch, list[FeaturedSentence], float, int]] = []

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        featured = self._extractor.see([waiting.sentence for waiting in batch.waiting], now)
        if featured:
            self.intervals.append((batch, featured, self._extractor.change(now), now))
        return []

    def _encode(self) -> bytes:
        return b""

    def _decode(self, data: bytes) -> None:
        return None


def read_intervals(
    event: JudgedEvent, words: WordModels, system: IntervalSystem
) -> list[tuple[Batch, list[FeaturedSentence], float, int]]:
    """Each interval in which a sentence passes the gate: what it held, its features, the pace and the time."""
    reader = _FeatureReader(system, event, words)
    event.run(reader)
    return reader.intervals


def export_words(events: Sequence[JudgedEvent], terms: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """(arrays, settings) of the word models of these events, cut down to so many terms, for a model file."""
    arrays, settings = learn_words(events).trimmed(terms).export()
    arrays["word_counts"] = np.asarray(arrays["word_counts"]).clip(0, 65_535).astype(np.uint16)
    return arrays, settings


@dataclass(eq=False)
class _Counted:
    kind: str
    sentences: int = 0
    text: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    news: Counter[str] = field(default_factory=Counter)


def learn_words(events: Sequence[JudgedEvent], language: str = "english") -> WordModels:
    """The word models of all these events."""
    return _models([_count(event, language) for event in events], [None])[0]


def words_without(events: Sequence[JudgedEvent], language: str = "english") -> list[WordModels]:
    """For each event the word models of all others: what a trainer computes that event's features with.

    A model that had seen an event's own words would look far better on it than on events to come.
    """
    return _models([_count(event, language) for event in events], range(len(events)))


@lru_cache(maxsize=64)
def _count(event: JudgedEvent, language: str) -> _Counted:
    # Only judged sentences, each text once: a mixed stream would count every pool for every event.
    stems_of = shared_analyzer(language).stems
    counted = _Counted(event.event.type or "other")
    texts: set[str] = set()
    for sentence, _ in event.sentences:
        if sentence.text in texts or not event.is_judged(sentence):
            continue
        texts.add(sentence.text)
        stems = stems_of(sentence.text)[:300]
        counted.sentences += 1
        counted.text.update(stems)
        counted.documents.update(set(stems))
        if event.nuggets_of(sentence):
            counted.news.update(stems)
    return counted


def _models(parts: Sequence[_Counted], without: Sequence[int | None]) -> list[WordModels]:
    # One table of terms for all; leaving an event out is taking its counts away.
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part.text)
    terms = WordModels.choose(total)
    place = {term: row for row, term in enumerate(terms)}
    kinds = sorted({part.kind for part in parts})
    own: list[Array] = []
    for part in parts:
        table = np.zeros((len(terms), 2 + len(kinds)), dtype=np.int32)
        for column, counted in ((0, part.text), (1, part.documents), (2 + kinds.index(part.kind), part.news)):
            for term, n in counted.items():
                row = place.get(term)
                if row is not None:
                    table[row, column] = n
        own.append(table)
    counts: Array = np.stack(own).sum(axis=0, dtype=np.int32)
    sentences = sum(part.sentences for part in parts)
    return [
        WordModels(terms, kinds, counts, sentences)
        if left is None
        else WordModels(terms, kinds, counts - own[left], sentences - parts[left].sentences)
        for left in without
    ]
