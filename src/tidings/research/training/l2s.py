"""Learning `l2s`: the oracle, the search, and what it learns from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from tidings.core import Sentence, Trees, Update, UsageError, shared_analyzer
from tidings.following import Array, FeatureExtractor, WordModels, build_gate
from tidings.research.systems.l2s import DYNAMIC, FACTORS, L2S, L2SCosine, Policy, standard
from tidings.research.training.folds import FOLDS, deal, learn_words, means_left_out, summit, words_without
from tidings.research.training.l2s_search import Regression, Roller, advantages, loss, oracle
from tidings.research.training.labelled_events import JudgedEvent
from tidings.research.training.trainers import Learned, Training, read_options
from tidings.research.training.trees import learn_trees


@dataclass(frozen=True, eq=False)
class Stream:
    """The tellable sentences of one event in time order.

    Attributes:
        rows: static features [n, features].
        change: the change of documents per hour at each sentence.
        vectors: their unit vectors.
        nuggets: the nuggets of each as bits of a whole number.
        salience: what the trees are to predict.
        sentences: (sentence, time of its push).
    """

    event: JudgedEvent
    rows: Array
    change: Array
    vectors: list[dict[str, float]]
    nuggets: list[int]
    salience: Array
    sentences: list[tuple[Sentence, int]]

    def likeness(self, chosen: Sequence[int]) -> Array:
        """The cosines of the chosen sentences to each other [k, k]."""
        place: dict[str, int] = {}
        for number in chosen:
            for stem in self.vectors[number]:
                place.setdefault(stem, len(place))
        table = np.zeros((len(chosen), len(place)), dtype=np.float32)
        for line, number in enumerate(chosen):
            for stem, weight in self.vectors[number].items():
                table[line, place[stem]] = weight
        cosines: Array = (table @ table.T).astype(float)
        return cosines


def look(event: JudgedEvent, words: WordModels, system: L2S, *, noisy: int = 3) -> Stream:
    """What a follower of `system` would see of an event, with labels.

    A sentence of more than `noisy` nuggets counts as holding none (a list or a page rather than a sentence).
    """
    stems_of = shared_analyzer(system.language).stems
    relevant = build_gate(replace(system, min_words=0, max_words=0), event.event)
    gate = build_gate(system, event.event)
    extractor = FeatureExtractor(event.event, system.language, words=words, max_terms=system.max_terms)
    rows, change, vectors, nuggets, salience, kept = [], [], [], [], [], []
    likeness = nugget_likeness(event, extractor, system.language)
    for sentences, now in event.pushes:
        looked: list[Sentence] = []
        taken: dict[str, int] = {}
        for sentence in sentences:
            if relevant.admits(sentence.text, stems_of(sentence.text)):
                taken[sentence.doc_id] = taken.get(sentence.doc_id, 0) + 1
                if taken[sentence.doc_id] <= system.first_sentences:
                    looked.append(sentence)
        if not looked:
            continue
        featured = extractor.see(looked, now)
        pace = extractor.change(now)
        for read in featured:
            if not read.stems or not gate.admits(read.sentence.text, read.stems):
                continue
            matched = event.nuggets_of(read.sentence)
            rows.append(read.row)
            change.append(pace)
            vectors.append(read.vector)
            nuggets.append(sum(1 << nugget for nugget in matched) if len(matched) <= noisy else 0)
            salience.append(likeness(read.vector))
            kept.append((read.sentence, now))
    width = len(FeatureExtractor.names)
    return Stream(
        event,
        np.array(rows, dtype=float).reshape(len(rows), width),
        np.array(change, dtype=float),
        vectors,
        nuggets,
        np.array(salience, dtype=float),
        kept,
    )


def nugget_likeness(event: JudgedEvent, extractor: FeatureExtractor, language: str) -> Any:
    """A function: vector of a sentence → its highest cosine to any nugget of the event, within 0..1."""
    stems_of = shared_analyzer(language).stems
    postings: dict[str, list[tuple[int, float]]] = {}
    for number, text in enumerate(event.nugget_texts):
        for stem, weight in extractor.vector(stems_of(text)).items():
            postings.setdefault(stem, []).append((number, weight))

    def highest(vector: dict[str, float]) -> float:
        cosines: dict[int, float] = {}
        for stem, weight in vector.items():
            for number, other in postings.get(stem, ()):
                cosines[number] = cosines.get(number, 0.0) + weight * other
        return min(1.0, max(cosines.values(), default=0.0))

    return highest


_LARGEST = 2_500  # sentences of a stream whose likeness is computed once, not sample by sample


class Inputs:
    """Standardised static features with the one, and the factors, of each sentence of a stream."""

    def __init__(
        self,
        stream: Stream,
        mean: Array,
        scale: Array,
        predicted: Array,
        salience: tuple[float, float],
    ) -> None:
        self.stream = stream
        n = len(stream.rows)
        constant = np.ones((n, 1))
        self.base = np.hstack([standard(stream.rows, mean, scale), constant])
        value = ((predicted - salience[0]) * salience[1]).clip(-3, 3)
        self.factors = np.stack([constant[:, 0], value, stream.change, value * stream.change], axis=1)
        self._like = stream.likeness(range(n)) if n <= _LARGEST else None

    def roller(self, chosen: Array, weights: Array) -> Roller:
        """A policy on the chosen sentences."""
        static = len(weights) - 1 - len(DYNAMIC)
        factors = self.factors[chosen]
        parts = self.base[chosen] @ np.vstack([weights[:static], weights[-1:]])
        return Roller((parts * factors).sum(axis=1), factors @ weights[static:-1].T, self._likeness(chosen))

    def _likeness(self, chosen: Array) -> Array:
        if self._like is None:
            return self.stream.likeness(chosen.tolist())
        if len(chosen) == len(self._like):
            return self._like
        likeness: Array = self._like[np.ix_(chosen, chosen)]
        return likeness

    def conjoined(self, chosen: Array, met: Array) -> Array:
        """All features with all factors, in the order of the weights [n, features · factors]."""
        base = self.base[chosen]
        rows = np.hstack([base[:, :-1], met, base[:, -1:]])
        products: Array = (rows[:, :, None] * self.factors[chosen][:, None, :]).reshape(len(rows), -1)
        return products

    def scores(self, weights: Array, levels: Sequence[float], similarity: float) -> list[float]:
        """H of what the policy emits of the whole stream under each level."""
        emitted, _ = self.roller(np.arange(len(self.base)), weights).roll_in(levels, similarity)
        event = self.stream.event
        return [
            event.score(
                [
                    Update(event.event.id, sentence.doc_id, sentence.index, now, 1.0, sentence.text)
                    for tell, (sentence, now) in zip(row.tolist(), self.stream.sentences, strict=True)
                    if tell
                ]
            )["H"]
            for row in emitted
        ]


@dataclass(frozen=True)
class Mixture:
    """How a sample is rolled through.

    Attributes:
        roll_in: probability that the oracle, not the policy, rolls in.
        roll_out: β, probability that the oracle, not the policy, rolls out from a decision.
        similarity: highest cosine of what the policy emits to what it emitted before.
    """

    roll_in: float
    roll_out: float
    similarity: float = 1.0


def learn_sample(
    given: Inputs, weights: Array, regression: Regression, rng: Any, size: int, mixture: Mixture
) -> float:
    """Roll through one sample and show every decision on the way to the regression; the loss of what was emitted."""
    n = len(given.base)
    chosen = np.sort(rng.choice(n, min(size, n), replace=False))
    nuggets = [given.stream.nuggets[number] for number in chosen.tolist()]
    wanted = set(oracle(nuggets))
    roller = given.roller(chosen, weights)
    decided = [number in wanted for number in range(len(nuggets))] if rng.random() < mixture.roll_in else None
    emitted, met = roller.roll_in([0.0], mixture.similarity, decided)
    decisions: list[bool] = emitted[0].tolist()
    starts = np.flatnonzero(rng.random(len(chosen)) >= mixture.roll_out).tolist()
    summaries = roller.roll_out(decisions, starts, mixture.similarity)
    regression.add(given.conjoined(chosen, met[0]), np.array(advantages(nuggets, decisions, summaries)))
    return loss(wanted, [number for number, tell in enumerate(decisions) if tell])


Count = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(ge=0, le=1)]


class L2sOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `--set name=value` can change.

    Attributes:
        iterations: passes over the events, of which the second to the last can be kept (the paper's 20).
        starts: searches started over, whose policies are averaged pass by pass.
        samples: samples of an event in a pass (the paper's 10).
        sample_size: sentences of a sample (the paper's 100), drawn at random and kept in time order.
        mixture: β, probability that the oracle rolls out from a decision, and not the policy.
        ridge: weight of the penalty on large weights.
        noisy: a sentence of more nuggets counts as holding none (the paper's 3).
        trees, folds, rows: of the salience; trees that predict for an event learn from the other folds, from so many
            sentences of each event.
        max_words, similarity: of the system in training and in the checks.
    """

    iterations: Annotated[int, Meta(ge=2)] = 6
    starts: Count = 3
    samples: Count = 10
    sample_size: Count = 100
    mixture: Share = 0.5
    ridge: Annotated[float, Meta(gt=0)] = 0.1
    noisy: Count = 3
    trees: Count = 100
    rows: Count = 200
    folds: Annotated[int, Meta(ge=2)] = 4
    max_words: Annotated[int, Meta(ge=0)] = L2S().max_words
    similarity: Share | None = None


LEVELS = (-0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4)
"""Scores above which a sentence may come to be emitted."""


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn the word models, the salience and the policy; keep the pass and the level that are best on events left out.

    Those are the `development` events where there are some, and else the events learned from, fold by fold
    (`tidings.research.training.folds`). The first pass rolls in and out with the oracle, since there is no policy
    yet; it is never kept. The curve has a row for each later pass: its mean H on events left out, under the best level.

    Raises:
        UsageError: an unknown or impossible option, or nothing to learn from.
    """
    options = _options(training)
    system = L2S(max_words=options.max_words)
    training.progress(0, 1, "reading streams")
    left_out = words_without(events, system.language)
    streams = [
        look(event, words, system, noisy=options.noisy) for event, words in zip(events, left_out, strict=True)
    ]
    streams = [stream for stream in streams if len(stream.rows)]
    if not streams:
        raise UsageError("no sentence that passes the gate in any event (expected some to learn from)")
    words = learn_words(events, system.language)
    unseen = [look(event, words, system, noisy=options.noisy) for event in development]
    unseen = [stream for stream in unseen if len(stream.rows)]
    folds = 1 if unseen else len(deal(len(streams), FOLDS))
    steps, done = (folds + 1) * options.iterations, 0

    def scores(learned: Sequence[Stream], checked: Sequence[Stream]) -> Array:
        nonlocal done
        learner = _Learner(learned, options, training.seed)
        checks = learner.inputs(checked)
        values = []
        for weights, _ in learner.passes():
            values.append([check.scores(weights, LEVELS, learner.similarity) for check in checks])
            training.progress(done := done + 1, steps, "passes to choose from")
        return np.array(values[1:]).transpose(0, 2, 1)

    means = means_left_out(streams, unseen, scores)
    best, level = summit(means)
    learner = _Learner(streams, options, training.seed)
    kept = np.zeros(0)
    for number, (weights, mean_loss) in enumerate(islice(learner.passes(), best + 2), 1):
        kept = weights
        training.progress(done + number, steps, f"loss {mean_loss:.3f}")
    arrays, settings = learner.policy(words, kept, LEVELS[level]).export()
    settings["training"] = msgspec.to_builtins(options) | {"pass": best + 2}
    curve = [{"step": number + 2.0, "H": float(row.max())} for number, row in enumerate(means)]
    return Learned(arrays, settings, curve)


def _options(training: Training) -> L2sOptions:
    options = read_options(L2sOptions, training.options, training.system)
    if options.similarity is None:
        alike = L2SCosine().similarity if training.system == "l2s-cos" else 1.0
        options = msgspec.structs.replace(options, similarity=alike)
    return options


class _Learner:
    """The salience of some streams, and the search for a policy on them."""

    def __init__(self, streams: Sequence[Stream], options: L2sOptions, seed: int) -> None:
        self._streams, self._options, self._seed = streams, options, seed
        self.similarity = 1.0 if options.similarity is None else options.similarity
        rows = np.concatenate([stream.rows for stream in streams])
        self._mean = rows.mean(axis=0)
        self._scale = 1.0 / np.maximum(rows.std(axis=0), 1e-3)
        self._trees, self._predicted = self._salience(rows)
        joined = np.concatenate(self._predicted)
        self._salience_scale = (float(joined.mean()), float(1.0 / max(1e-6, joined.std())))

    def _salience(self, rows: Array) -> tuple[Trees, list[Array]]:
        # Predictions for a stream come from trees that have not seen it; the trees kept have seen all.
        options, streams = self._options, self._streams
        final = self._grow(streams)
        if len(streams) == 1:
            return final, [final.predict(rows)]
        predicted: list[Array] = [np.zeros(0)] * len(streams)
        folds = min(options.folds, len(streams))
        for fold in range(folds):
            trees = self._grow([stream for i, stream in enumerate(streams) if i % folds != fold])
            for i in range(fold, len(streams), folds):
                predicted[i] = trees.predict(streams[i].rows)
        return final, predicted

    def _grow(self, streams: Sequence[Stream]) -> Trees:
        rng = np.random.default_rng(self._seed)
        rows, targets = [], []
        for stream in streams:
            n = len(stream.rows)
            chosen = rng.choice(n, min(n, self._options.rows), replace=False)
            rows.append(stream.rows[chosen])
            targets.append(stream.salience[chosen])
        return learn_trees(
            np.concatenate(rows),
            np.concatenate(targets),
            trees=self._options.trees,
            seed=self._seed,
        )

    def policy(self, words: WordModels, weights: Array, level: float) -> Policy:
        """The policy of these weights."""
        return Policy(words, self._trees, self._mean, self._scale, self._salience_scale, weights, level)

    def inputs(self, streams: Sequence[Stream]) -> list[Inputs]:
        """Streams that were not learned from, as the policy sees them."""
        return [self._input(stream, self._trees.predict(stream.rows)) for stream in streams]

    def _input(self, stream: Stream, predicted: Array) -> Inputs:
        return Inputs(stream, self._mean, self._scale, predicted, self._salience_scale)

    def passes(self) -> Iterator[tuple[Array, float]]:
        """After each pass the mean weights of all starts, and the mean loss of what they emitted on the way."""
        options = self._options
        inputs = [
            self._input(stream, predicted)
            for stream, predicted in zip(self._streams, self._predicted, strict=True)
        ]
        shape = (inputs[0].base.shape[1] + len(DYNAMIC), len(FACTORS))
        chances = [np.random.default_rng([self._seed, start]) for start in range(options.starts)]
        regressions = [Regression(shape[0] * shape[1], options.ridge) for _ in chances]
        policies = [np.zeros(shape) for _ in chances]
        later = Mixture(0.0, options.mixture, self.similarity)
        for number in range(options.iterations):
            mixture = later if number else Mixture(1.0, 1.0, self.similarity)
            lost = [
                learn_sample(given, policy, regression, rng, options.sample_size, mixture)
                for rng, regression, policy in zip(chances, regressions, policies, strict=True)
                for given in inputs
                for _ in range(options.samples)
            ]
            policies = [regression.weights().reshape(shape) for regression in regressions]
            yield np.mean(policies, axis=0), float(np.mean(lost))
