"""Trains `tidings`: what would emitting this sentence now do to the event's H?

With gains G = Σ R(n) L(n), verbosity V and Z of the run so far, H = 2G / (Z V + R), where R = Σ R(n) over all nuggets.
Telling a sentence of new gain g and verbosity v changes it, to first order, by

    y = 2 (g - H/2 · Z v) / (Z V + R)

which is the gradient of H towards that sentence; for g stands the mean of the gains above 0 that were met in the event,
because words hardly tell which nugget weighs more, and most of y's variance is that. The worth of a sentence is learned
by ridge regression of y on curves of its features. y depends on what was emitted before, so the examples are those that
the learner's own policy meets: it follows the training events, its sentences are labelled by the judgments, the
regression is repeated on all examples so far, and so on (dataset aggregation: Ross, Gordon and Bagnell, AISTATS 2011).

Whether a sentence matches a nugget depends on many features, and each little on what was emitted: this is learned
first (`tidings.research.training.replays`), and is to the regression one feature, of which it gets what others say
who did not learn from that event.

What a policy meets depends on chance, so this is begun several times, and the weights are the mean of those of the last
rounds of all. A sentence is emitted where its worth is above 0, where H is expected to rise: levels that fared best on
the events that were learned from, or on some that were left out, fared no better on others.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from tidings.core import UsageError, shared_analyzer
from tidings.following import RARE, TIDINGS_FEATURES, WEIGHED, AdditiveModel, Array, Limits, check_language
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.replays import Ranges, Relevance, Replay, Worth
from tidings.research.training.trainers import Learned, Training, read_options

COMMONEST = 0.3
"""A stem's share of an event's sentences counts at most this much: beyond, it names the event."""

_PARTS = ("low", "high", "mean", "deviation", "curves", "relevance_curves")
LEVEL = 0.0
"""Told is what is worth more."""

_LEAST_H = 0.08  # H below this counts as this, so that words always cost something
_FIRST_UPDATES = 30  # from which Z and V are first estimated
_TRIED_ABOUT = 0.1  # the level around which others are tried


class TidingsOptions(Struct, frozen=True, kw_only=True):
    """What `--set name=value` can change: see `train`."""

    starts: Annotated[int, Meta(ge=1, le=100)] = 4
    rounds: Annotated[int, Meta(ge=1, le=100)] = 3
    ridge: Annotated[float, Meta(gt=0, le=1e9)] = 600.0
    language: str = "english"


@dataclass
class _Examples:
    """What a start met of one event so far, and what the regression knows of it."""

    replay: Replay
    features: list[Any] = field(default_factory=list)
    gains: list[Any] = field(default_factory=list)
    costs: list[Any] = field(default_factory=list)
    h: float = 0.25
    cost: float = 0.0
    z: float = 1.0

    def __post_init__(self) -> None:
        event = self.replay.judged_event.judged
        self.z = event.best_mean(_FIRST_UPDATES)
        self.cost = _FIRST_UPDATES * (1 + 14 / max(1.0, event.mean_words))

    def meet(self, worth: Worth, level: float) -> float:
        """Follow the event, keep every candidate as an example, and give H."""
        followed = self.replay.follow(worth, level)
        self.features.append(followed.features)
        self.gains.append(_level(followed.gains))
        self.costs.append(followed.costs)
        if followed.updates:
            self.h = max(_LEAST_H, (self.h + followed.h) / 2)
            self.cost = (self.cost + followed.cost) / 2
            self.z = (self.z + followed.z) / 2
        return followed.h

    def labels(self) -> Array:
        """y of each example, by the means of H, V and Z so far."""
        gains, costs = np.concatenate(self.gains), np.concatenate(self.costs)
        y: Array = 2 * (gains - self.h / 2 * self.z * costs)
        return y / (self.z * self.cost + self.replay.total_gain)


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn the worth of sentences from judged events.

    TidingsOptions: `starts`, `rounds` (of following and fitting in each), `ridge` (strength of the penalty),
    `language`. The curve has one row a round of the first start: the mean H of the events it learned from, and of the
    development events; the last row is of the whole.

    Raises:
        UsageError: an unknown option, or no events.
    """
    options = _options(training)
    if not events:
        raise UsageError("no events to train on (expected some)")
    replays = read_replays(events, options.language, training)
    everyone = stem_weights_of(events, options.language)
    tests = [Replay(judged_event, everyone, options.language, Limits()) for judged_event in development]
    curve: list[dict[str, float]] = []
    worth = learn_worth(replays, options, training, tests, curve)
    rows = [[replay.follow(worth.rows, LEVEL).h for replay in group] for group in (replays, tests)]
    curve.append(_row(options.rounds, *rows))
    return Learned(_arrays(worth, everyone), {"level": LEVEL, "features": list(TIDINGS_FEATURES)}, curve)


def read_replays(events: Sequence[JudgedEvent], language: str, training: Training) -> list[Replay]:
    """The streams of these events, read once; each with the stem weights that the others give."""
    shares = _shares(events, language)
    replays = []
    for number, judged_event in enumerate(events):
        training.progress(number, len(events), "reading")
        weights = _weights(shares, leave_out=judged_event)
        replays.append(Replay(judged_event, weights, language, Limits()))
    return replays


def stem_weights_of(events: Sequence[JudgedEvent], language: str) -> dict[str, float]:
    """The weight of each stem that these events use: -log of its mean share of their sentences."""
    return _weights(_shares(events, language))


def learn_worth(
    replays: Sequence[Replay],
    options: TidingsOptions,
    training: Training,
    tests: Sequence[Replay] = (),
    curve: list[dict[str, float]] | None = None,
) -> AdditiveModel:
    """Learn from streams that were read; `curve` is given the rows of the first start, with those of `tests`."""
    rng = random.Random(training.seed)
    relevance = Relevance(replays, options.ridge)
    fits: list[AdditiveModel] = []
    for start in range(options.starts):
        training.progress(start, options.starts, f"start {start + 1}")
        fits += _learn_start(replays, relevance, options, rng, tests, curve if not start else None)
    return mean_of(fits)


def _learn_start(
    replays: Sequence[Replay],
    relevance: Relevance,
    options: TidingsOptions,
    rng: random.Random,
    tests: Sequence[Replay],
    curve: list[dict[str, float]] | None,
) -> list[AdditiveModel]:
    """What the last rounds of one start learned."""
    examples = [_Examples(replay) for replay in replays]
    fits: list[AdditiveModel] = []
    for number in range(options.rounds):
        scores = []
        for event_examples, held_out in zip(examples, relevance.held_out, strict=True):
            worth: Worth = first_worth(len(event_examples.replay.features), rng)
            if fits:
                worth = partial(fits[-1].rows, relevance=held_out)
            scores.append(event_examples.meet(worth, _TRIED_ABOUT + rng.uniform(-0.1, 0.15)))
        if fits and curve is not None:
            tested = [replay.follow(fits[-1].rows, LEVEL).h for replay in tests]
            curve.append(_row(number, scores, tested))
        fits.append(_fit(examples, relevance, options.ridge))
    return fits[-max(2, options.rounds // 2) :]


def _options(training: Training) -> TidingsOptions:
    options = read_options(TidingsOptions, training.options, training.system)
    check_language(options.language)
    return options


def _row(number: int, training: Sequence[float], development: Sequence[float]) -> dict[str, float]:
    row = {"step": float(number), "training H": sum(training) / len(training)}
    if development:
        row["H"] = sum(development) / len(development)
    return row


def _shares(events: Sequence[JudgedEvent], language: str) -> dict[int, dict[str, float]]:
    """For each event, the share of its different sentences that hold a stem."""
    stems_of = shared_analyzer(language).stems
    shares = {}
    for judged_event in events:
        texts = {sentence.text for sentence, _ in judged_event.sentences}
        counts = Counter(stem for text in texts for stem in set(stems_of(text)[:120]))
        shares[id(judged_event)] = {
            stem: min(count / len(texts), COMMONEST) for stem, count in counts.items() if count > 1
        }
    return shares


def _weights(
    shares: Mapping[int, Mapping[str, float]], leave_out: JudgedEvent | None = None
) -> dict[str, float]:
    """-log of the mean share over the events; an event is held against the others only."""
    kept = [share for key, share in shares.items() if leave_out is None or key != id(leave_out)]
    total: Counter[str] = Counter()
    for share in kept:
        total.update(share)
    events = max(1, len(kept))
    return {stem: -math.log(value / events + math.exp(-RARE)) for stem, value in total.items()}


def first_worth(count: int, rng: random.Random) -> Worth:
    """The rule of thumb that a start begins with, for so many candidates, with noise of its own."""
    noise = np.array([rng.gauss(0, 0.3) for _ in range(count)])
    share, mean, nearest = map(TIDINGS_FEATURES.index, ("query_share", "stream_mean", "emitted_nearest"))

    def worth(rows: Array, begin: int, end: int) -> Array:
        own = rows[begin:end]
        near = np.maximum(0.0, own[:, nearest] - 0.35)
        value: Array = own[:, share] + 2 * own[:, mean] - 6 * near - 0.7 + noise[begin:end]
        return value

    return worth


def _level(gains: Array) -> Array:
    """Each gain above 0 as large as their mean."""
    is_gain = gains > 0
    return np.where(is_gain, gains[is_gain].mean() if is_gain.any() else 0.0, 0.0)


def _fit(examples: Sequence[_Examples], relevance: Relevance, ridge: float) -> AdditiveModel:
    pairs = zip(examples, relevance.held_out, strict=True)
    features = np.concatenate(
        [np.column_stack((rows, known)) for example, known in pairs for rows in example.features]
    )
    y = np.concatenate([example.labels() for example in examples])
    y = y.clip(np.quantile(y, 0.002), np.quantile(y, 0.998))
    y /= y.std()
    ranges = relevance.ranges.widen(Ranges.of(features))
    basis = ranges.basis(features)
    offset = basis.mean(axis=0)
    basis -= offset
    square, side = basis.T @ basis, basis.T @ (y - y.mean())
    columns = len(TIDINGS_FEATURES) + 1
    own = np.flatnonzero(
        np.isin(np.arange(len(side)) % columns, [*map(TIDINGS_FEATURES.index, WEIGHED), columns - 1])
    )
    inner = square[np.ix_(own, own)] + ridge * len(examples) / 24 * np.eye(len(own))
    curves = np.zeros(len(side))
    curves[own] = np.linalg.solve(inner, side[own])
    bias = float(y.mean() - offset @ curves)
    return AdditiveModel(
        ranges.low,
        ranges.high,
        ranges.mean,
        ranges.deviation,
        curves.reshape(3, -1),
        bias,
        relevance.curves.reshape(3, -1),
        relevance.bias,
    )


def mean_of(models: Sequence[AdditiveModel]) -> AdditiveModel:
    """The mean of several curves and of the ranges they were measured in, which hardly differ."""
    count = len(models)
    parts = [*_PARTS, "bias", "relevance_bias"]
    return AdditiveModel(**{part: sum(getattr(model, part) for model in models) / count for part in parts})


def _arrays(policy: AdditiveModel, weights: Mapping[str, float]) -> dict[str, Array]:
    stems = sorted(weights)
    arrays = {name: np.asarray(getattr(policy, name), dtype=np.float32) for name in _PARTS}
    arrays["bias"] = np.array([policy.bias], dtype=np.float32)
    arrays["relevance_bias"] = np.array([policy.relevance_bias], dtype=np.float32)
    arrays["stems"] = np.frombuffer("\n".join(stems).encode(), dtype=np.uint8)
    arrays["stem_weights"] = np.array([weights[stem] for stem in stems], dtype=np.float16)
    return arrays
