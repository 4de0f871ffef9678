"""The features of sentences on a stream, as systems that learn see them, and the counts that these rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tidings.core import Event, Sentence
from tidings.following.systems.features.tags import SURFACE, stems_of, surface, tag
from tidings.following.systems.features.word_models import WordModels, WordScores, expand

if TYPE_CHECKING:
    from numpy import ndarray


_FAST_S = 3_600 / log(2)  # half-lives of one hour and of a day
_SLOW_S = 86_400 / log(2)  # a half-life of a day
_LOG_25 = log(25.0)


class TermCounts:
    """Counts of stems over a stream: all of them, and those of about the last hour and the last day (fading).

    When more than `most` stems are held the rarest half goes. `weight(stem)` scales the counts of the centroid,
    Σ_w n(w)·weight(w), whose length is kept up to date.
    """

    def __init__(self, most: int, weight: Callable[[str], float]) -> None:
        self._most = most
        self._weight = weight
        self.counts: dict[str, list[float]] = {}  # stem → [count, fading by the hour, by the day, time]
        self.total = 0.0
        self._square = 0.0

    def add(self, stems: Iterable[str], now: int) -> None:
        """Count these stems at time `now`."""
        counts, weight = self.counts, self._weight
        for stem in stems:
            row = counts.get(stem)
            if row is None:
                counts[stem] = [1.0, 1.0, 1.0, float(now)]
                self._square += weight(stem) ** 2
            else:
                self._square += weight(stem) ** 2 * (2.0 * row[0] + 1.0)
                gone = now - row[3]
                row[0] += 1.0
                if gone > 0:
                    row[1] = row[1] * exp(-gone / _FAST_S) + 1.0
                    row[2] = row[2] * exp(-gone / _SLOW_S) + 1.0
                    row[3] = float(now)
                else:
                    row[1] += 1.0
                    row[2] += 1.0
            self.total += 1.0
        if len(counts) > self._most:
            self._prune()

    def _prune(self) -> None:
        ranked = sorted(self.counts.items(), key=lambda item: item[1][0])
        for stem, _ in ranked[: len(ranked) // 2]:
            del self.counts[stem]
        self.total = sum(row[0] for row in self.counts.values())
        self._square = sum((self._weight(stem) * row[0]) ** 2 for stem, row in self.counts.items())

    @property
    def length(self) -> float:
        """The Euclidean length of the centroid."""
        return sqrt(max(self._square, 0.0))

    def burst(self, stem: str, now: int) -> float:
        """How much more often a stem is said in the last hour than in the last day, within -1..1; 0 where alike.

        log((1 + 24·f) / (1 + s)) / log 25 for fading counts f (half-life one hour) and s (one day).
        """
        row = self.counts.get(stem)
        if row is None:
            return 0.0
        gone = now - row[3]
        fast, slow = row[1], row[2]
        if gone > 0:
            fast *= exp(-gone / _FAST_S)
            slow *= exp(-gone / _SLOW_S)
        return max(-1.0, min(1.0, log((1.0 + 24.0 * fast) / (1.0 + slow)) / _LOG_25))

    def export(self) -> list[object]:
        """Plain values for msgpack."""
        return [self.total, self._square, [[stem, *row] for stem, row in self.counts.items()]]

    def load(self, total: float, square: float, rows: Sequence[Sequence[object]]) -> None:
        """Become the counts that `export` wrote."""
        self.total, self._square = total, square
        self.counts = {str(row[0]): [float(value) for value in row[1:]] for row in rows}  # type: ignore[arg-type]


class NameCounts:
    """Counts of names of one kind, at most `most` different ones: the rarest half goes when there are more."""

    def __init__(self, most: int, counts: Iterable[tuple[str, int]] = ()) -> None:
        self._most = most
        self.counts: dict[str, int] = dict(counts)
        self.total = sum(self.counts.values())

    def add(self, names: Iterable[str]) -> None:
        """Count these names."""
        counts = self.counts
        for name in names:
            counts[name] = counts.get(name, 0) + 1
            self.total += 1
        if len(counts) > self._most:
            ranked = sorted(counts.items(), key=lambda item: item[1])
            self.counts = dict(ranked[len(ranked) // 2 :])
            self.total = sum(self.counts.values())

    def mean(self, names: Sequence[str]) -> float:
        """The mean share of these names among all counted, within 0..1; 0 for none."""
        if not names or not self.total:
            return 0.0
        counts = self.counts
        return sum(counts.get(name, 0) for name in names) / (self.total * len(names))


class Pace:
    """How many documents come in an hour, now and over the day before.

    Counted in steps of five minutes, the last 25 hours of them.
    """

    STEP_S = 300
    STEPS = 300

    def __init__(self, steps: Iterable[tuple[int, int]] = ()) -> None:
        self._steps: dict[int, int] = dict(steps)
        self._first: int | None = next(iter(self._steps), None)

    def add(self, documents: int, now: int) -> None:
        """Count documents that came at `now`."""
        if documents <= 0:
            return
        step = now // self.STEP_S
        self._steps[step] = self._steps.get(step, 0) + documents
        while next(iter(self._steps)) <= step - self.STEPS:
            del self._steps[next(iter(self._steps))]

    def change(self, now: int) -> float:
        """log((1 + documents of the last hour) / (1 + mean per hour of the 24 hours before)) / 4, within -1..1."""
        step = now // self.STEP_S
        recent = before = 0
        for at, documents in self._steps.items():
            if at > step - 12:
                recent += documents
            elif at > step - self.STEPS:
                before += documents
        return max(-1.0, min(1.0, log((1.0 + recent) / (1.0 + before / 24.0)) / 4.0))

    def export(self) -> list[tuple[int, int]]:
        """Plain values for msgpack."""
        return list(self._steps.items())


TEXT_FEATURE_GROUPS: dict[str, tuple[str, ...]] = {
    "basic": ("position", "first", *SURFACE),
    "query": (
        "query_of_sentence",
        "query_of_query",
        "synonyms_of_sentence",
        "synonyms_of_set",
        "broader_of_sentence",
        "broader_of_set",
        "narrower_of_sentence",
        "narrower_of_set",
    ),
    "lm": ("lm_kind", "lm_event", "lm_text", "lm_kind_gain", "lm_event_gain"),
    "geographic": (),
    "document": (
        "document_sum",
        "document_mean",
        "document_novelty",
        "document_novelty_geometric",
        "document_degree",
        "document_centroid_rank",
        "document_sentences",
    ),
    "stream": (
        "stream_sum",
        "stream_mean",
        "stream_max",
        "stream_centroid",
        "stream_persons",
        "stream_locations",
        "stream_organizations",
        "stream_numbers",
        "stream_unseen",
    ),
    "burst": ("burst_mean", "burst_max"),
}
"""The features by group; `geographic` (places on a map) has none here."""

NAMES: tuple[str, ...] = tuple(name for group in TEXT_FEATURE_GROUPS.values() for name in group)

_MOST_PAIRED = 20  # sentences of a document that are compared with each other
_LOG_SCALE = 1.0 / 15.0


class FeaturedSentence(Struct, gc=False):
    """One sentence with what was computed of it.

    Attributes:
        sentence: as it came.
        stems: its stems in order.
        vector: stem → weight (count · idf), of Euclidean length 1; empty for no stems.
        row: the features in the order of `NAMES`.
    """

    sentence: Sentence
    stems: tuple[str, ...]
    vector: dict[str, float]
    row: list[float]


class FeatureExtractor:
    """Reads an event's stream push by push and gives each sentence its features; none looks ahead.

    All features are within -1..1, and the same input gives the same figures. Give it the sentences that passed
    the gate: the features of the stream are counted over what it is given.

    Without `words` the features of the group lm are 0 and all stems weigh the same.
    """

    names = NAMES

    def __init__(
        self,
        event: Event,
        language: str = "english",
        *,
        words: WordModels | None = None,
        max_terms: int = 10_000,
        max_names: int = 1_000,
    ) -> None:
        self._language = language
        self._around = expand(event.query, event.title, event.type, language)
        self._scores: WordScores | None = None if words is None else words.scores(event.type)
        self._idf: dict[str, float] = {} if self._scores is None else dict(self._scores.idf)
        self._max_terms = max_terms
        self._max_names = max_names
        self._forget()

    def _forget(self) -> None:
        self._terms = TermCounts(self._max_terms, self._weight)
        self._names = [NameCounts(self._max_names) for _ in range(4)]
        self._pace = Pace()

    def _weight(self, stem: str) -> float:
        return self._idf.get(stem, 1.0)

    def see(self, sentences: Sequence[Sentence], now: int) -> list[FeaturedSentence]:
        """Take in what came at `now` (sentences of a document side by side) and compute it."""
        featured: list[FeaturedSentence] = []
        documents = 0
        for _, group in groupby(sentences, key=_document):
            part = [self._one(sentence) for sentence in group]
            self._document(part)
            featured += part
            documents += 1
        for read in featured:
            self._terms.add(dict.fromkeys(read.stems), now)
            tagged = tag(read.sentence.text)
            kinds = (tagged.persons, tagged.locations, tagged.organizations, tagged.numbers)
            for counts, names in zip(self._names, kinds, strict=True):
                if names:
                    counts.add(names)
        self._pace.add(documents, now)
        for read in featured:
            self._stream(read, now)
        return featured

    def static(self, sentences: Sequence[Sentence], now: int) -> ndarray[Any, Any]:
        """The same as an array [sentences, features] of float64."""
        import numpy as np

        rows = [sentence.row for sentence in self.see(sentences, now)]
        return np.array(rows, dtype=float).reshape(len(rows), len(NAMES))

    def change(self, now: int) -> float:
        """The change of documents per hour, within -1..1: see `Pace.change`."""
        return self._pace.change(now)

    def vector(self, stems: Iterable[str]) -> dict[str, float]:
        """Stem → count · idf, scaled to Euclidean length 1; empty for no stems (or none that weighs anything)."""
        weights: dict[str, float] = {}
        idf = self._idf
        for stem in stems:
            weights[stem] = weights.get(stem, 0.0) + idf.get(stem, 1.0)
        length = sum(weight * weight for weight in weights.values()) ** 0.5
        if length <= 0:
            return {}
        scale = 1.0 / length
        return {stem: weight * scale for stem, weight in weights.items()}

    def _one(self, sentence: Sentence) -> FeaturedSentence:
        text = sentence.text
        stems = stems_of(text, self._language)
        weights = self.vector(stems)
        row = [1.0 / (1.0 + max(0, sentence.index)), float(sentence.index <= 0), *surface(text)]
        kept = frozenset(weights)
        n = len(kept) or 1
        around = self._around
        for wanted in (around.query, around.synonyms, around.broader, around.narrower):
            shared = len(wanted & kept)
            row.append(shared / n)
            row.append(shared / (len(wanted) or 1))
        row += self._likelihood(stems)
        return FeaturedSentence(sentence, stems, weights, row)

    def _likelihood(self, stems: Sequence[str]) -> tuple[float, ...]:
        scores = self._scores
        if scores is None or not stems:
            return (0.0,) * 5
        get, unknown = scores.logs.get, scores.unknown
        kind = event = text = 0.0
        for stem in stems:
            a, b, c = get(stem, unknown)
            kind += a
            event += b
            text += c
        scale = _LOG_SCALE / len(stems)
        return (
            max(-1.0, kind * scale),
            max(-1.0, event * scale),
            max(-1.0, text * scale),
            _within(5.0 * (kind - text) * scale),
            _within(5.0 * (event - text) * scale),
        )

    def _document(self, part: list[FeaturedSentence]) -> None:
        counts: dict[str, float] = {}
        total = 0.0
        for sentence in part:
            for stem in sentence.stems:
                counts[stem] = counts.get(stem, 0.0) + 1.0
            total += len(sentence.stems)
        size = min(1.0, log(1.0 + len(part)) / log(51.0))
        paired = part[:_MOST_PAIRED]
        near = (
            [[_dot(sentence.vector, other.vector) for other in paired] for sentence in paired]
            if len(part) > 1
            else []
        )
        degrees = [
            sum(1 for k, value in enumerate(line) if value > 0.1 and k != i) for i, line in enumerate(near)
        ]
        edges = sum(degrees) or 1
        centrality = [sum(line) for line in near]
        for i, sentence in enumerate(part):
            share = sum(counts[stem] for stem in sentence.vector) / total if total else 0.0
            row = sentence.row
            row.append(min(1.0, share))
            row.append(share / (len(sentence.vector) or 1))
            if i >= len(near):
                row += (1.0, 1.0, 1.0, 0.0 if near else 1.0, size)
                continue
            unlike = [max(0.0, 1.0 - value) for k, value in enumerate(near[i]) if k != i]
            below = sum(1 for value in centrality if value < centrality[i])
            row += (
                sum(unlike) / len(unlike),
                _geometric(unlike),
                1.0 - degrees[i] / edges,
                (below + 1) / len(paired),
                size,
            )

    def _stream(self, sentence: FeaturedSentence, now: int) -> None:
        terms = self._terms
        counts, burst = terms.counts, terms.burst
        total = terms.total or 1.0
        summed = most = product = 0.0
        unseen = 0
        bursts = []
        idf = self._idf
        for stem, weight in sentence.vector.items():
            row = counts.get(stem)
            if row is None:
                continue
            count = row[0]
            summed += count
            most = max(most, count)
            if count <= 1.0:
                unseen += 1
            product += weight * count * idf.get(stem, 1.0)
            bursts.append(burst(stem, now))
        n = len(sentence.vector) or 1
        length = terms.length
        tagged = tag(sentence.sentence.text)
        persons, locations, organizations, numbers = self._names
        sentence.row += (
            min(1.0, summed / total),
            min(1.0, 10.0 * summed / total / n),
            min(1.0, 10.0 * most / total),
            _within(product / length) if length > 0 else 0.0,
            persons.mean(tagged.persons),
            locations.mean(tagged.locations),
            organizations.mean(tagged.organizations),
            numbers.mean(tagged.numbers),
            unseen / n,
            sum(bursts) / n,
            max(bursts, default=0.0),
        )

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        names = [list(counts.counts.items()) for counts in self._names]
        return msgspec.msgpack.encode([self._terms.export(), names, self._pace.export()])

    def restore(self, data: bytes) -> None:
        """Become the extractor whose `state()` gave `data`."""
        self._forget()
        terms, names, pace = msgspec.msgpack.decode(
            data,
            type=tuple[
                tuple[float, float, list[list[Any]]], list[list[tuple[str, int]]], list[tuple[int, int]]
            ],
        )
        self._terms.load(*terms)
        self._names = [NameCounts(self._max_names, counts) for counts in names]
        self._pace = Pace(pace)


def _document(sentence: Sentence) -> str:
    return sentence.doc_id


def _within(value: float) -> float:
    return max(-1.0, min(1.0, value))


def _dot(vector: dict[str, float], other: dict[str, float]) -> float:
    if len(vector) > len(other):
        vector, other = other, vector
    get = other.get
    total = 0.0
    for stem, weight in vector.items():
        total += weight * get(stem, 0.0)
    return min(total, 1.0)


def _geometric(values: Sequence[float]) -> float:
    product = 1.0
    for value in values:
        product *= value
    return float(product ** (1.0 / len(values))) if values else 1.0
