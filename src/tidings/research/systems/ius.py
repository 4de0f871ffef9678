"""`ius`: incremental update summarization, with a learned rank cut-off for every hour."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from math import exp, floor, log1p
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from tidings.core import (
    Event,
    Model,
    ModelCard,
    Sentence,
    Trees,
    Update,
    UsageError,
    VectorIndex,
    check_arrays,
    cosine,
    prepare,
    read_model,
    trees_shapes,
    unit_vector,
)
from tidings.following import (
    NAMES,
    Batch,
    FeaturedSentence,
    FeatureExtractor,
    IntervalFollower,
    IntervalSystem,
    WordModels,
    tag,
)

Array = np.ndarray[Any, Any]


OWN = ("copies", "alike", "new_stems", "new_numbers", "central", "silence", "told", "age", "company")
SENTENCE_FEATURES: tuple[str, ...] = (*NAMES, *OWN)
"""Features of a sentence: the shared ones, and those of its place in the interval and beside what was emitted."""

_DEPTHS = (1, 3, 5, 10)
_LEVELS = (-0.1, -0.05, 0.0, 0.05, 0.1, 0.2)
_AT_TOP = (
    "alike",
    "new_stems",
    "new_numbers",
    "central",
    "copies",
    "query_of_query",
    "lm_event_gain",
    "length",
    "capitalised",
    "stop_words",
)
INTERVAL_FEATURES: tuple[str, ...] = (
    # prevalence
    "offered",
    "held",
    "documents",
    "held_share",
    "surge",
    *(f"over_{level:g}" for level in _LEVELS),
    "positive_sum",
    *(f"score_{depth}" for depth in _DEPTHS),
    "best_rank",
    # novelty and quality of the first ones
    *(f"{name}_{depth}" for name in _AT_TOP for depth in _DEPTHS[:3]),
    "age",
    "silence",
    "told",
)
"""Features of an interval: prevalence at several depths, novelty and quality of the sentences ranked first."""

_COLUMN = {name: column for column, name in enumerate(SENTENCE_FEATURES)}
_WINDOW = 200  # intervals whose best scores are remembered, to say where a new one stands


class Interval(Struct):
    """One interval, read but not judged.

    Attributes:
        sentences, stems, vectors, copies: its different sentences that passed the gate.
        static: sentences × shared features.
        offered, documents: how much came, passing or not.
        change: the pace of documents, see the shared features.
        time: when it is decided.
    """

    sentences: list[Sentence]
    stems: list[tuple[str, ...]]
    vectors: list[dict[str, float]]
    copies: list[int]
    static: Any
    offered: int
    documents: int
    change: float
    time: int


def read_interval(batch: Batch, featured: Sequence[FeaturedSentence], change: float, now: int) -> Interval:
    """The interval that a batch and the shared features of its sentences make."""
    return Interval(
        [waiting.sentence for waiting in batch.waiting],
        [waiting.stems for waiting in batch.waiting],
        [unit_vector(waiting.stems) for waiting in batch.waiting],
        [waiting.copies for waiting in batch.waiting],
        np.array([sentence.row for sentence in featured], dtype=float).reshape(len(featured), len(NAMES)),
        batch.offered,
        batch.documents,
        change,
        now,
    )


class EmittedHistory:
    """What was emitted: vectors to compare with, the stems and numbers used, when the last was, and past best scores.

    Args:
        since: when the event began (seconds UTC).
        most: updates remembered; the oldest go first.
    """

    def __init__(self, since: int, most: int) -> None:
        self._since = since
        self._most = most
        self._restart((), 0, since, ())

    def _restart(
        self,
        kept: Iterable[tuple[int, str, str]],
        number: int,
        last: int,
        scores: Iterable[float],
    ) -> None:
        self._index = VectorIndex()
        self._kept: deque[tuple[int, str, str]] = deque()
        self._stems: Counter[str] = Counter()
        self._numbers: Counter[str] = Counter()
        for time, stems, numbers in kept:
            self._keep(time, tuple(stems.split()), tuple(numbers.split()))
        self.number = number
        self.last = last
        self.best = deque(scores, maxlen=_WINDOW)

    def add(self, sentence: Sentence, stems: Sequence[str], now: int) -> None:
        """Take in what was emitted at `now`."""
        numbers = [number for number in tag(sentence.text).numbers if number.isascii()]
        self._keep(now, tuple(stems), tuple(numbers))
        self.number += 1
        self.last = now

    def _keep(self, time: int, stems: tuple[str, ...], numbers: tuple[str, ...]) -> None:
        self._kept.append((time, " ".join(stems), " ".join(numbers)))
        self._index.add(unit_vector(stems), time)
        self._stems.update(stems)
        self._numbers.update(numbers)
        if len(self._kept) > self._most:
            self.remove_oldest()

    def remove_oldest(self) -> None:
        """Forget the update emitted first."""
        _, stems, numbers = self._kept.popleft()
        self._index.remove_oldest()
        self._stems -= Counter(stems.split())
        self._numbers -= Counter(numbers.split())

    def note(self, scores: Sequence[float], order: Sequence[int]) -> None:
        """Remember the best score of an interval, to say later where another one stands among the latest 200."""
        if order:
            self.best.append(scores[order[0]])

    def evict(self, before: int) -> bool:
        """Forget what was emitted before this time; whether there was anything."""
        some = False
        while self._kept and self._kept[0][0] < before:
            self.remove_oldest()
            some = True
        return some

    def alike(self, vector: dict[str, float]) -> float:
        """The highest cosine of a sentence's unit vector to what was emitted."""
        return self._index.nearest(vector)[0]

    def new_stems(self, stems: Sequence[str]) -> float:
        """The share of a sentence's different stems that were not emitted."""
        different = set(stems)
        return sum(1 for stem in different if stem not in self._stems) / (len(different) or 1)

    def new_numbers(self, text: str) -> float:
        """How many numbers a sentence holds that were not emitted, in halves: 0, .5 or 1."""
        return min(2, sum(1 for number in set(tag(text).numbers) if number not in self._numbers)) / 2

    def silence(self, now: int) -> float:
        """log(1 + hours since the last update, or since the event began) / 5."""
        return log1p(max(0, now - self.last) / 3600) / 5

    def age(self, now: int) -> float:
        """log(1 + hours since the event began) / 6."""
        return log1p(max(0, now - self._since) / 3600) / 6

    def state(self) -> list[Any]:
        """Plain values for msgpack."""
        return [list(self._kept), self.number, self.last, list(self.best)]

    def restore(self, values: Sequence[Any]) -> None:
        """Become what `state` gave."""
        kept, number, last, scores = values
        self._restart([(time, stems, numbers) for time, stems, numbers in kept], number, last, scores)


def sentence_features(interval: Interval, emitted: EmittedHistory) -> Array:
    """One row of SENTENCE_FEATURES for each sentence of the interval; all within about −1..1."""
    vectors = interval.vectors
    centre: dict[str, float] = {}
    for vector in vectors:
        for stem, weight in vector.items():
            centre[stem] = centre.get(stem, 0.0) + weight
    others = max(len(vectors) - 1, 1)
    shared = (
        emitted.silence(interval.time),
        log1p(emitted.number) / 5,
        emitted.age(interval.time),
        log1p(len(vectors)) / 5,
    )
    rows = [
        (
            log1p(copies - 1) / 4,
            emitted.alike(vector),
            emitted.new_stems(stems),
            emitted.new_numbers(sentence.text),
            max(0.0, sum(weight * centre[stem] for stem, weight in vector.items()) - 1.0) / others,
            *shared,
        )
        for sentence, stems, copies, vector in zip(
            interval.sentences, interval.stems, interval.copies, vectors, strict=True
        )
    ]
    own = np.array(rows, dtype=float).reshape(len(rows), len(OWN))
    matrix: Array = np.concatenate([interval.static, own], axis=1)
    return matrix


def line_up(interval: Interval, scores: Sequence[float], rows: Array, limit: float, most: int) -> list[int]:
    """The sentences in falling order of score, without those like anything emitted or ranked before them.

    `rows` is what `sentence_features` gave; a cosine above `limit` is too like. At most `most` are lined up.
    """
    alike = rows[:, _COLUMN["alike"]].tolist()
    chosen: list[int] = []
    vectors: list[dict[str, float]] = []
    for place in sorted(range(len(scores)), key=lambda i: (-scores[i], i)):
        if len(chosen) >= most:
            break
        if alike[place] > limit:
            continue
        vector = interval.vectors[place]
        if any(cosine(vector, other) > limit for other in vectors):
            continue
        chosen.append(place)
        vectors.append(vector)
    return chosen


def interval_features(
    interval: Interval, order: Sequence[int], scores: Sequence[float], rows: Array, emitted: EmittedHistory
) -> Array:
    """One row of INTERVAL_FEATURES; `order` is that of `line_up`, `rows` what `sentence_features` gave."""
    top = [scores[place] for place in order]
    lowest = min(top, default=0.0)
    values = [
        log1p(interval.offered) / 6,
        log1p(len(interval.sentences)) / 6,
        log1p(interval.documents) / 6,
        len(interval.sentences) / max(interval.offered, 1),
        interval.change,
    ]
    values += [sum(1 for score in top if score > level) / 3 for level in _LEVELS]
    values.append(sum(score for score in top if score > 0))
    values += [top[depth - 1] if depth <= len(top) else lowest for depth in _DEPTHS]
    best = max(top, default=-1e9)
    values.append(sum(1 for score in emitted.best if score < best) / (len(emitted.best) or 1))
    for name in _AT_TOP:
        column = _COLUMN[name]
        for depth in _DEPTHS[:3]:
            first = order[:depth]
            values.append(sum(float(rows[place, column]) for place in first) / (len(first) or 1))
    values += [emitted.age(interval.time), emitted.silence(interval.time), log1p(emitted.number) / 5]
    return np.array(values, dtype=float)


Learner = Literal["trees", "linear", "none"]


class CutOff:
    """The ranker and the two regressions of a model, ready to answer.

    Raises UsageError where the model was made for other features.
    """

    def __init__(self, model: Model) -> None:
        for said, expected in (
            ("sentence_features", list(SENTENCE_FEATURES)),
            ("interval_features", list(INTERVAL_FEATURES)),
        ):
            if model.settings.get(said) != expected:
                raise UsageError(
                    f"model of system {model.card.system!r}: other {said.replace('_', ' ')} than this version "
                    "computes (expected the same); train it again with `tidings train ius`"
                )
        shapes = {"cut_linear": "(interval_features+1)", "rank_start": "(1)", "cut_start": "(1)"}
        check_arrays(
            model,
            shapes | trees_shapes("rank") | trees_shapes("cut"),
            {"interval_features": len(INTERVAL_FEATURES)},
        )
        self.words = WordModels.read(model.arrays, model.settings)
        self._ranker = _read_trees(model, "rank", len(SENTENCE_FEATURES))
        self._trees = _read_trees(model, "cut", len(INTERVAL_FEATURES))
        self._linear = model.array("cut_linear").astype(float)
        self._scales = {learner: float(model.settings["scales"][learner]) for learner in ("trees", "linear")}

    def scores(self, rows: Array) -> Array:
        """What each sentence is worth: predicted latency-discounted gain less the price of its words."""
        return self._ranker.predict(rows)

    def length(self, row: Array, learner: Learner) -> float:
        """The predicted rank cut-off of an interval, as the regression gives it."""
        if learner == "linear":
            return float(row @ self._linear[:-1] + self._linear[-1])
        return float(self._trees.predict(row[None, :])[0])

    def scale(self, learner: Learner) -> float:
        """What predictions are multiplied by before they are rounded, chosen in training."""
        return self._scales[learner]


def trees_arrays(name: str, trees: Trees) -> dict[str, Any]:
    """Arrays for a model file from which `CutOff` reads the trees called `name`."""
    return {
        f"{name}_features": trees.features.astype(np.int16),
        f"{name}_thresholds": trees.thresholds,
        f"{name}_leaves": trees.leaves,
        f"{name}_start": np.array([trees.start], dtype=np.float32),
    }


def _read_trees(model: Model, name: str, width: int) -> Trees:
    start = float(model.array(f"{name}_start")[0])
    parts = (model.array(f"{name}_{part}") for part in ("features", "thresholds", "leaves"))
    return Trees(start, *parts).checked(width)


class Ius(IntervalSystem, frozen=True, kw_only=True):
    """Ranks the sentences of each hour and emits the best, as many as a learned regression predicts.

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

    model: str = ""
    learner: Learner = "trees"
    most: Annotated[int, Meta(ge=1)] = 8
    generosity: Annotated[float, Meta(ge=0)] = 1.0
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.4
    max_kept: Annotated[int, Meta(ge=1)] = 1_000
    memory_hours: Annotated[float, Meta(ge=0)] = 0

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("ius", self.model).card

    def start(self, event: Event) -> IusFollower:
        """A fresh follower of `event`; its model is read when the first interval ends."""
        return IusFollower(self, event)


class IusFollower(IntervalFollower[Ius]):
    """Remembers the words of the stream (for the features), what it emitted, and what the open hour brought."""

    def __init__(self, system: Ius, event: Event) -> None:
        super().__init__(system, event)
        self._memory_s = round(system.memory_hours * 3600)
        self._emitted = EmittedHistory(event.start_time or 0, system.max_kept)
        self._learned = prepare(read_model("ius", system.model), CutOff)
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
