"""Trains `tidings`: what would telling this sentence now do to the event's H?

With gains G = Σ R(n) L(n), verbosity V and Z of the run so far, H = 2G / (Z V + R), where R = Σ R(n) over all nuggets.
Telling a sentence of new gain g and verbosity v changes it, to first order, by

    y = 2 (g - H/2 · Z v) / (Z V + R)

which is the gradient of H towards that sentence. The worth of a sentence is learned by ridge regression of y on curves
of its features. y depends on what was emitted before, so the examples are those that the learner's own policy meets: it
follows the training events, its sentences are labelled by the judgments, the regression is repeated on all examples so
far, and so on (dataset aggregation: Ross, Gordon and Bagnell, AISTATS 2011). What a policy meets hangs on chance, so
this is begun several times, and the weights are the mean of those of the last rounds of all. The level is the one under
which the training events' mean H is best, each level taken with its neighbours.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from tidings.errors import UsageError
from tidings.systems.base import check_language
from tidings.systems.tidings.additive_model import AdditiveModel
from tidings.systems.tidings.feature_names import FEATURES
from tidings.systems.tidings.feature_state import Candidate, FeatureState, Limits
from tidings.systems.tidings.text_features import RARE, TextReader
from tidings.text import shared_analyzer
from tidings.training.labelled_events import JudgedEvent
from tidings.training.options import read_options
from tidings.training.trainers import Learned, Training

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["TidingsOptions", "train"]

ALPHA_S = 21_600
LEVELS = (-0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35)


class TidingsOptions(Struct, frozen=True, kw_only=True):
    """What `--set name=value` can change: see `train`."""

    starts: Annotated[int, Meta(ge=1, le=100)] = 4
    rounds: Annotated[int, Meta(ge=1, le=100)] = 3
    ridge: Annotated[float, Meta(gt=0, le=1e9)] = 600.0
    thinned: Annotated[int, Meta(ge=0, le=100)] = 0
    language: str = "english"


COMMONEST = 0.3
"""A stem's share of an event's sentences counts at most this much: beyond, it names the event."""


@dataclass
class _Stream:
    """One event as a stream of labelled sentences, and what the regression knows of it."""

    judged_event: JudgedEvent
    weights: dict[str, float]
    keep: float = 1.0
    seed: int = 0
    features: list[Any] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    h: float = 0.25
    cost: float = 0.0
    z: float = 1.0


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn the worth of sentences from judged events.

    TidingsOptions: `starts`, `rounds` (of following and fitting in each), `ridge` (strength of the penalty), `thinned`
    (further streams of each event in which each sentence stays with a probability of .3 to .9: more examples, and no
    better ones), `language`.
    The curve has one row a round: the mean H of the training events, each followed with the level of the time, and of
    the development events.

    Raises:
        UsageError: an unknown option, or no events.
    """
    options = _options(training)
    if not events:
        raise UsageError("found no events to train on, expected some")
    limits = Limits()
    language = options.language
    rounds = options.rounds
    shares = _shares(events, language)
    rng = random.Random(training.seed)
    streams = []
    for judged_event in events:
        own = _weights(shares, leave_out=judged_event)
        streams.append(_Stream(judged_event, own))
        for _ in range(options.thinned):
            streams.append(_Stream(judged_event, own, rng.uniform(0.3, 0.9), rng.getrandbits(32)))
    for stream in streams:
        _begin(stream)
    everyone = _weights(shares)
    tests = [_Stream(judged_event, everyone) for judged_event in development]
    starts = options.starts
    steps = (starts * rounds + len(LEVELS)) * len(streams)
    curve: list[dict[str, float]] = []
    latest: list[AdditiveModel] = []
    policy: AdditiveModel | None = None
    level, done = 0.1, 0
    for start in range(starts):
        if start:
            for stream in streams:
                stream.features, stream.gains, stream.costs = [], [], []
                _begin(stream)
        policy, fits = None, []
        for number in range(rounds):
            scores = []
            for stream in streams:
                about = level + rng.uniform(-0.1, 0.15)
                score = _follow(stream, policy, about, limits, language, rng, learn=True)
                if stream.keep == 1.0:
                    scores.append(score)
                done += 1
                training.progress(done, steps, f"start {start + 1}, round {number + 1} of {rounds}")
            if policy is not None and not start:
                tested = [_follow(stream, policy, level, limits, language, rng) for stream in tests]
                curve.append(_row(number, scores, tested))
            policy = _fit(streams, options.ridge)
            fits.append(policy)
        latest += fits[-max(2, rounds // 2) :]
    policy = _mean(latest)
    means = []
    for chosen in LEVELS:
        scores = []
        for stream in streams:
            scores.append(_follow(stream, policy, chosen, limits, language, rng))
            done += 1
            training.progress(min(done, steps), steps, "level")
        means.append(sum(scores) / len(scores))
    level = LEVELS[_summit(means)]
    whole = [stream for stream in streams if stream.keep == 1.0]
    curve.append(
        _row(
            rounds,
            [_follow(stream, policy, level, limits, language, rng) for stream in whole],
            [_follow(stream, policy, level, limits, language, rng) for stream in tests],
        )
    )
    return Learned(_arrays(policy, everyone), {"level": level, "features": list(FEATURES)}, curve)


def _summit(means: Sequence[float]) -> int:
    """Where a curve is highest when each point is the mean of itself and its neighbours."""
    smooth = [
        sum(means[max(0, at - 1) : at + 2]) / len(means[max(0, at - 1) : at + 2]) for at in range(len(means))
    ]
    return smooth.index(max(smooth))


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


def _begin(stream: _Stream) -> None:
    event = stream.judged_event.prepared.events[stream.judged_event.event.id]
    stream.z = event.best_mean(30)
    stream.cost = 30 * (1 + 14 / max(1.0, event.mean_words))


def _follow(
    stream: _Stream,
    policy: AdditiveModel | None,
    level: float,
    limits: Limits,
    language: str,
    rng: random.Random,
    learn: bool = False,
) -> float:
    """Follow the stream with this worth (at first with a rule of thumb) and give H; with `learn`, keep examples."""
    judged_event = stream.judged_event
    state = FeatureState(judged_event.event, TextReader(stream.weights, language), limits)
    chooser = random.Random(stream.seed)
    covered: set[int] = set()
    emitted, gained, cost = 0, 0.0, 0.0
    for sentences, now in judged_event.pushes:
        kept = [one for one in sentences if stream.keep == 1.0 or chooser.random() < stream.keep]
        of_all = (pair for document in state.documents(kept) for pair in state.candidates(document))
        for sentence, candidate in of_all:
            value = policy(candidate.features) if policy is not None else initial_policy(candidate, rng)
            tell = value > level
            if not (tell or learn):
                continue
            new = judged_event.nuggets_of(sentence) - covered
            gain = sum(judged_event.gains[n] * _latency(now - judged_event.times[n]) for n in new)
            verbosity = judged_event.verbosity(sentence, new)
            if learn:
                stream.features.append(candidate.features)
                stream.gains.append(gain)
                stream.costs.append(verbosity)
            if tell:
                state.emit(candidate)
                covered |= new
                emitted, gained, cost = emitted + 1, gained + gain, cost + verbosity
    h, z = _h(judged_event, emitted, gained, cost)
    if learn and emitted:
        stream.h = max(0.08, (stream.h + h) / 2)
        stream.cost = (stream.cost + cost) / 2
        stream.z = (stream.z + z) / 2
    return h


def initial_policy(candidate: Candidate, rng: random.Random) -> float:
    features = dict(zip(FEATURES, candidate.features, strict=True))
    near = max(0.0, features["emitted_nearest"] - 0.35)
    return float(features["query_share"] + 2 * features["stream_mean"] - 6 * near - 0.7 + rng.gauss(0, 0.3))


def _latency(late_s: int) -> float:
    return 1 - 2 / math.pi * math.atan(late_s / ALPHA_S)


def _h(judged_event: JudgedEvent, emitted: int, gained: float, cost: float) -> tuple[float, float]:
    event = judged_event.prepared.events[judged_event.event.id]
    z = event.best_mean(max(1, emitted))
    return 2 * gained / (z * cost + event.total_gain) if emitted else 0.0, z


def _fit(streams: Sequence[_Stream], ridge: float) -> AdditiveModel:
    import numpy as np

    features = np.array([row for stream in streams for row in stream.features])
    labels = []
    for stream in streams:
        total = stream.judged_event.prepared.events[stream.judged_event.event.id].total_gain
        gains, costs = np.array(stream.gains), np.array(stream.costs)
        labels.append(2 * (gains - stream.h / 2 * stream.z * costs) / (stream.z * stream.cost + total))
    y = np.concatenate(labels)
    y = y.clip(np.quantile(y, 0.002), np.quantile(y, 0.998))
    y /= y.std()
    low, high = np.quantile(features, 0.005, axis=0), np.quantile(features, 0.995, axis=0)
    kept = features.clip(low, high)
    mean, deviation = kept.mean(axis=0), kept.std(axis=0) + 1e-6
    z = (kept - mean) / deviation
    basis = np.concatenate([z, z * z, np.abs(z)], axis=1)
    offset = basis.mean(axis=0)
    basis = basis - offset
    penalty = ridge * len(streams) / 24 * np.eye(basis.shape[1])
    curves = np.linalg.solve(basis.T @ basis + penalty, basis.T @ (y - y.mean()))
    bias = float(y.mean() - offset @ curves)
    return AdditiveModel(low, high, mean, deviation, curves.reshape(3, -1), bias)


def _mean(latest: Sequence[AdditiveModel]) -> AdditiveModel:
    """The mean of several rounds' curves and of the ranges they were measured in, which hardly differ."""
    count = len(latest)
    parts = ("low", "high", "mean", "deviation", "curves", "bias")
    return AdditiveModel(**{part: sum(getattr(policy, part) for policy in latest) / count for part in parts})


def _arrays(policy: AdditiveModel, weights: Mapping[str, float]) -> dict[str, ndarray[Any, Any]]:
    import numpy as np

    stems = sorted(weights)
    arrays = {
        name: np.asarray(getattr(policy, name), dtype=np.float32)
        for name in ("low", "high", "mean", "deviation", "curves")
    }
    arrays["bias"] = np.array([policy.bias], dtype=np.float32)
    arrays["stems"] = np.frombuffer("\n".join(stems).encode(), dtype=np.uint8)
    arrays["stem_weights"] = np.array([weights[stem] for stem in stems], dtype=np.float16)
    return arrays
