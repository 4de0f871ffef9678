"""Learning `ius`: a ranker of sentences, and a regression from an interval to its best rank cut-off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta, Struct

from tidings.core import Sentence, Trees
from tidings.evaluation import latency_discount
from tidings.following import Array, WordModels
from tidings.research.systems.ius import (
    INTERVAL_FEATURES,
    SENTENCE_FEATURES,
    EmittedHistory,
    Interval,
    Ius,
    interval_features,
    line_up,
    read_interval,
    sentence_features,
    trees_arrays,
)
from tidings.research.training.folds import deal, export_words, read_intervals, summit, words_without
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.trainers import Learned, Training, read_options
from tidings.research.training.trees import learn_trees

UPDATES = 30
"""Updates that a summary is expected to have, where the ideal gain Z must be known before."""


@dataclass(frozen=True, eq=False)
class SentenceGains:
    """What a sentence would earn if emitted now: latency gains of its nuggets, and words matched for each of them."""

    gains: dict[int, float]
    words: int
    matched: list[tuple[int, int, int]]


@dataclass(frozen=True, eq=False)
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
        intervals = [read_interval(*parts) for parts in read_intervals(event, words, system)]
        sentence_gains = [
            [_gains_of(event, sentence, interval.time) for sentence in interval.sentences]
            for interval in intervals
        ]
        judged = event.judged
        return cls(
            event,
            intervals,
            sentence_gains,
            judged.best_mean(UPDATES),
            judged.total_gain,
            judged.mean_words,
        )


def _gains_of(event: JudgedEvent, sentence: Sentence, now: int) -> SentenceGains:
    gains, times = event.gains, event.times
    by_nugget = {n: gains[n] * latency_discount(times[n], now) for n in event.nuggets_of(sentence)}
    text = event.judged.texts.get(sentence.id)
    return SentenceGains(by_nugget, text[1] if text else 1, event.spans_of(sentence))


@dataclass(eq=False)
class Earnings:
    """What has been emitted about an event in training, and what it earned.

    The harmonic mean of nE[LG] = G/(V·Z) and LC = G/R is 2G/(Z·V + R), where G is the latency gain, V the
    verbosity and R the gain of all nuggets: so a summary of mean h is improved by whatever has G > (h/2)·Z·V.
    """

    labelled_event: LabelledEvent
    covered: set[int] = field(default_factory=set)
    gain: float = 0.0
    verbosity: float = 0.0
    updates: int = 0

    def look(self, gains_of_sentence: SentenceGains) -> tuple[float, float]:
        """(latency gain, verbosity) that emitting a sentence would add now."""
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
        """H of what was emitted so far."""
        judged = self.labelled_event.event.judged
        if not self.updates:
            return 0.0
        return 2.0 * self.gain / (judged.best_mean(self.updates) * self.verbosity + judged.total_gain)


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


Score = Callable[[int, Array, Earnings], Sequence[float]]
"""(number of the interval, features of its sentences, earnings so far) -> a score for each."""


@dataclass(frozen=True, eq=False)
class Turn:
    """An interval whose cut-off is to be chosen.

    Attributes:
        number: of the interval.
        order: its sentences as they are lined up.
        scores, rows: of its sentences, and their features.
        emitted, earnings: so far.
    """

    number: int
    order: list[int]
    scores: Sequence[float]
    rows: Array
    emitted: EmittedHistory
    earnings: Earnings


Choose = Callable[[Turn], int]
"""The cut-off of an interval."""


def walk(labelled_event: LabelledEvent, system: Ius, score: Score, choose: Choose) -> Earnings:
    """Follow an event by a way of scoring and a way of cutting; returns what that earned."""
    emitted = EmittedHistory(labelled_event.event.event.start_time or 0, system.max_kept)
    earnings = Earnings(labelled_event)
    for number, interval in enumerate(labelled_event.intervals):
        rows = sentence_features(interval, emitted)
        scores = score(number, rows, earnings)
        order = line_up(interval, scores, rows, system.similarity, system.most)
        cut = choose(Turn(number, order, scores, rows, emitted, earnings))
        emitted.note(scores, order)
        for place in order[:cut]:
            emitted.add(interval.sentences[place], interval.stems[place], interval.time)
            earnings.add(labelled_event.sentence_gains[number][place])
    return earnings


Policy = Callable[[Array], float]
"""The cut-off of an interval by its features, as a regression gives it."""

_SCALES = (0.7, 1.0, 1.4, 2.0, 2.8)  # tried for the cut-off, by events left out
_PENALTY = 30.0  # of the weights of the linear regression on standardised features


class IusOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the trainer."""

    minutes: Annotated[int, Meta(ge=1)] = 60
    """Length of an interval."""
    goal: Annotated[float, Meta(gt=0, lt=1)] = 0.2
    """H, the harmonic mean at which gain and words are weighed."""
    trees: Annotated[int, Meta(ge=1)] = 80
    """Trees of the ranker."""
    depth: Annotated[int, Meta(ge=1, le=6)] = 3
    """Questions on the way through a tree of the ranker."""
    cut_trees: Annotated[int, Meta(ge=1)] = 60
    """Trees of the cut-off."""
    cut_depth: Annotated[int, Meta(ge=1, le=6)] = 3
    """Questions on the way through a tree of the cut-off."""
    parts: Annotated[int, Meta(ge=2)] = 10
    """Parts of the events for what is fitted to unseen events."""
    rows: Annotated[int, Meta(ge=100)] = 20_000
    """Most sentences that a ranker learns from."""
    terms: Annotated[int, Meta(ge=1)] = 4_000
    """Terms of the word models that are kept."""


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn from `events`; the `development` events join them, since nothing here is stopped early.

    Rankers that score an event while cut-offs are learned never saw that event, nor did its word models: otherwise the
    cut-offs would trust scores that are better than any on events to come.
    """
    options = read_options(IusOptions, training.options, training.system)
    events = [*events, *development]
    if len(events) < options.parts:
        options = msgspec.structs.replace(options, parts=max(2, len(events)))
    system = Ius(minutes=options.minutes)
    steps = 4
    labelled_events = []
    for number, (event, words) in enumerate(zip(events, words_without(events), strict=True)):
        training.progress(0, steps, f"reading {event.event.id} ({number + 1} of {len(events)})")
        labelled_events.append(LabelledEvent.of(event, words, system))
    prices = [0.5 * options.goal * labelled_event.ideal for labelled_event in labelled_events]
    dealt = deal(len(labelled_events), options.parts)
    rng = np.random.default_rng(training.seed)

    # 1. The ranker: from what sentences were worth beside what the best policy had emitted, then beside what a first
    # ranker emitted, since the best policy leaves less to tell than any that is learned.
    def ranker_of(chosen: Sequence[int]) -> Trees:
        rows = np.concatenate([examples[i][0] for i in chosen])
        targets = np.concatenate([examples[i][1] for i in chosen])
        if len(rows) > options.rows:
            some = rng.choice(len(rows), options.rows, replace=False)
            rows, targets = rows[some], targets[some]
        return learn_trees(
            rows, targets, trees=options.trees, depth=options.depth, rate=0.08, seed=training.seed
        )

    def rankers_of(words: str) -> list[Trees]:
        rankers: dict[int, Trees] = {}
        for number, (others, part) in enumerate(dealt):
            training.progress(1, steps, f"{words} ranker without part {number + 1}")
            rankers.update(dict.fromkeys(part, ranker_of(others)))
        return [rankers[i] for i in range(len(labelled_events))]

    pairs = list(zip(labelled_events, prices, strict=True))
    examples = [_net_gains(labelled_event, price, system, None) for labelled_event, price in pairs]
    rankers = rankers_of("first")
    examples = [
        _net_gains(labelled_event, price, system, ranker)
        for labelled_event, price, ranker in zip(labelled_events, prices, rankers, strict=True)
    ]
    rankers = rankers_of("second")

    # 2. Cut-offs that would have been best: first telling what is best, then telling what was learned.
    training.progress(2, steps, "cut-offs")
    cuts = [
        _cuts(labelled_events[i], prices[i], system, rankers[i], None) for i in range(len(labelled_events))
    ]
    first, _ = _regressions(range(len(labelled_events)), cuts, options, training.seed)
    again = [
        _cuts(labelled_event, price, system, ranker, _by_trees(first))
        for (labelled_event, price), ranker in zip(pairs, rankers, strict=True)
    ]
    cuts = [
        (np.concatenate([rows, more_rows]), np.concatenate([targets, more_targets]))
        for (rows, targets), (more_rows, more_targets) in zip(cuts, again, strict=True)
    ]

    # 3. Regressions, and the factor that is best where neither ranker nor regression has seen the event.
    training.progress(3, steps, "regressions")
    scales, curve = _scales(labelled_events, dealt, cuts, rankers, system, options, training.seed)
    cut_trees, cut_linear = _regressions(range(len(labelled_events)), cuts, options, training.seed)
    ranker = ranker_of(range(len(labelled_events)))
    arrays, settings = export_words(events, options.terms)
    settings |= {
        "sentence_features": list(SENTENCE_FEATURES),
        "interval_features": list(INTERVAL_FEATURES),
        "scales": scales,
        "options": msgspec.to_builtins(options),
    }
    arrays |= trees_arrays("rank", ranker) | trees_arrays("cut", cut_trees)
    arrays["cut_linear"] = cut_linear.astype(np.float32)
    training.progress(steps, steps, "done")
    return Learned(arrays, settings, curve)


def _net_gains(
    labelled_event: LabelledEvent, price: float, system: Ius, ranker: Trees | None
) -> tuple[Array, Array]:
    """Features of all sentences, and what each was worth beside what the ranker (None: the best policy) had emitted."""
    kept: list[Array] = []
    values: list[float] = []

    def score(number: int, rows: Array, earnings: Earnings) -> list[float]:
        looked = [
            earnings.look(gains_of_sentence) for gains_of_sentence in labelled_event.sentence_gains[number]
        ]
        net_gains = [gain - price * verbosity for gain, verbosity in looked]
        kept.append(rows)
        values.extend(net_gains)
        return net_gains if ranker is None else ranker.predict(rows).tolist()

    walk(labelled_event, system, score, _oracle(labelled_event, price) if ranker is None else _positive)
    return np.concatenate(kept) if kept else np.zeros((0, len(SENTENCE_FEATURES))), np.array(values)


def _positive(turn: Turn) -> int:
    return sum(1 for place in turn.order if turn.scores[place] > 0)


def _oracle(labelled_event: LabelledEvent, price: float) -> Choose:
    gains = labelled_event.sentence_gains
    return lambda turn: best_cut(turn.earnings, [gains[turn.number][place] for place in turn.order], price)[0]


def _features(labelled_event: LabelledEvent, turn: Turn) -> Array:
    interval = labelled_event.intervals[turn.number]
    return interval_features(interval, turn.order, turn.scores, turn.rows, turn.emitted)


def _cuts(
    labelled_event: LabelledEvent, price: float, system: Ius, ranker: Trees, policy: Policy | None
) -> tuple[Array, Array]:
    """Features of all intervals and the best cut-off of each, while the best (or a policy's) cut-offs decide."""
    rows_of, best = [], []
    oracle = _oracle(labelled_event, price)

    def choose(turn: Turn) -> int:
        features = _features(labelled_event, turn)
        cut = oracle(turn)
        rows_of.append(features)
        best.append(cut)
        return cut if policy is None else floor(policy(features) + 0.5)

    walk(labelled_event, system, _by(ranker), choose)
    return np.array(rows_of).reshape(len(rows_of), len(INTERVAL_FEATURES)), np.array(best, dtype=float)


def _by(ranker: Trees) -> Score:
    return lambda number, rows, earnings: ranker.predict(rows).tolist()


def _regressions(
    chosen: Sequence[int], cuts: Sequence[tuple[Array, Array]], options: IusOptions, seed: int
) -> tuple[Trees, Array]:
    """Boosted trees and the weights of a linear regression, from intervals of these events."""
    rows = np.concatenate([cuts[i][0] for i in chosen])
    targets = np.concatenate([cuts[i][1] for i in chosen])
    trees = learn_trees(rows, targets, trees=options.cut_trees, depth=options.cut_depth, rate=0.08, seed=seed)
    return trees, _ridge(rows, targets)


def _by_trees(trees: Trees) -> Policy:
    return lambda row: float(trees.predict(row[None, :])[0])


def _ridge(rows: Array, targets: Array) -> Array:
    """Weights and intercept of a linear regression on standardised features, written for raw ones."""
    centre, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale > 1e-6, scale, 1.0)
    inputs = (rows - centre) / scale
    mean = targets.mean()
    solution = np.linalg.solve(
        inputs.T @ inputs + _PENALTY * np.eye(rows.shape[1]), inputs.T @ (targets - mean)
    )
    weights = solution / scale
    return np.append(weights, mean - weights @ centre)


def _scales(
    labelled_events: Sequence[LabelledEvent],
    dealt: Sequence[tuple[Sequence[int], Sequence[int]]],
    cuts: Sequence[tuple[Array, Array]],
    rankers: Sequence[Trees],
    system: Ius,
    options: IusOptions,
    seed: int,
) -> tuple[dict[str, float], list[dict[str, float]]]:
    """For each regression the factor with the best mean H on events that neither it nor the ranker has seen."""
    by_kind: dict[str, Any] = {name: np.zeros(len(_SCALES)) for name in ("trees", "linear")}
    for others, part in dealt:
        trees, weights = _regressions(others, cuts, options, seed)
        linear: Policy = lambda row, own=weights: float(row @ own[:-1] + own[-1])  # type: ignore[misc]  # noqa: E731
        for name, policy in (("trees", _by_trees(trees)), ("linear", linear)):
            for column, scale in enumerate(_SCALES):
                for i in part:
                    mean = _follow(labelled_events[i], system, rankers[i], policy, scale)
                    by_kind[name][column] += mean / len(labelled_events)
    scales = {name: _SCALES[summit(means)[0]] for name, means in by_kind.items()}
    curve = [
        {"step": scale, **{f"H-{name}": float(means[column]) for name, means in by_kind.items()}}
        for column, scale in enumerate(_SCALES)
    ]
    return scales, curve


def _follow(labelled_event: LabelledEvent, system: Ius, ranker: Trees, policy: Policy, scale: float) -> float:
    def choose(turn: Turn) -> int:
        return max(0, floor(scale * policy(_features(labelled_event, turn)) + 0.5))

    return walk(labelled_event, system, _by(ranker), choose).mean
