"""The trainer of `l2s` and `l2s-cos`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from tidings.errors import UsageError
from tidings.models.trees import Trees
from tidings.systems.features import WordModels
from tidings.systems.l2s import DYNAMIC, FACTORS, L2S, L2SCosine, Policy
from tidings.training.l2s.inputs import Inputs, learn_sample
from tidings.training.l2s.prepare import Stream, look
from tidings.training.l2s.search import Regression
from tidings.training.labelled_events import JudgedEvent
from tidings.training.options import read_options
from tidings.training.trainers import Learned, Training
from tidings.training.trees import learn_trees
from tidings.training.word_models import learn_words, words_without

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["L2sOptions", "train"]


Count = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(ge=0, le=1)]


class L2sOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `--set name=value` can change.

    Attributes:
        iterations: at most so many passes over the events (the paper's 20).
        patience: passes without a better development score after which learning stops.
        samples: samples of an event in a pass (the paper's 10).
        sample_size: sentences of a sample (the paper's 100), drawn at random and kept in time order.
        mixture: probability with which the oracle, not the policy, rolls in, in the first pass; it halves with each.
        ridge: weight of the penalty on large weights.
        noisy: a sentence of more nuggets counts as holding none (the paper's 3).
        trees, folds, rows: of the salience; trees that predict for an event learn from the other folds, from so many
            sentences of each event.
        overlap: of the gate in training; 0 leaves it open.
        max_words, level, similarity: of the system in training and in the checks.
    """

    iterations: Count = 20
    patience: Count = 4
    samples: Count = 10
    sample_size: Count = 100
    mixture: Share = 0.0
    ridge: Annotated[float, Meta(gt=0)] = 0.01
    noisy: Count = 3
    trees: Count = 100
    rows: Count = 200
    folds: Annotated[int, Meta(ge=2)] = 4
    overlap: Annotated[int, Meta(ge=0)] = 0
    max_words: Annotated[int, Meta(ge=0)] = L2S().max_words
    level: float = L2S().level
    similarity: Share | None = None


_CHECKED = 6  # events of the learning ones that choose the pass where there is no development event


def train(events: Sequence[JudgedEvent], development: Sequence[JudgedEvent], training: Training) -> Learned:
    """Learn the word models, the salience and the policy; the pass that is best on `development` is kept.

    Without development events every n-th of the events learned from chooses, which favours what was learned by heart;
    a linear policy holds little of that.

    Raises:
        UsageError: an unknown or impossible option, or nothing to learn from.
    """
    options = _options(training)
    system = L2S(overlap=options.overlap, max_words=options.max_words)
    steps = options.iterations + 2
    training.progress(0, steps, "reading streams")
    left_out = words_without(events, system.language)
    streams = [
        look(event, words, system, noisy=options.noisy) for event, words in zip(events, left_out, strict=True)
    ]
    words = learn_words(events, system.language)
    unseen = [look(event, words, system, noisy=options.noisy) for event in development]
    training.progress(1, steps, "salience")
    return _Learner(streams, words, options, training).search(unseen)


def _options(training: Training) -> L2sOptions:
    options = read_options(L2sOptions, training.options, training.system)
    if options.similarity is None:
        alike = L2SCosine().similarity if training.system == "l2s-cos" else 1.0
        options = msgspec.structs.replace(options, similarity=alike)
    return options


class _Learner:
    def __init__(
        self, streams: list[Stream], words: WordModels, options: L2sOptions, training: Training
    ) -> None:
        import numpy as np

        self._streams = [stream for stream in streams if len(stream.rows)]
        if not self._streams:
            raise UsageError(
                "found no sentence that passes the gate in any event, expected some to learn from"
            )
        self._words = words
        self._options = options
        self._training = training
        rows = np.concatenate([stream.rows for stream in self._streams])
        self._mean = rows.mean(axis=0)
        self._scale = 1.0 / np.maximum(rows.std(axis=0), 1e-3)
        self._trees, predicted = self._salience(rows)
        joined = np.concatenate(predicted)
        self._salience_scale = (float(joined.mean()), float(1.0 / max(1e-6, joined.std())))
        self._predicted = predicted

    def _salience(self, rows: ndarray[Any, Any]) -> tuple[Trees, list[ndarray[Any, Any]]]:
        # Predictions for a stream come from trees that have not seen it; the trees kept have seen all.
        import numpy as np

        options, streams = self._options, self._streams
        final = self._grow(streams)
        if len(streams) == 1:
            return final, [final.predict(rows)]
        predicted: list[ndarray[Any, Any]] = [np.zeros(0)] * len(streams)
        folds = min(options.folds, len(streams))
        for fold in range(folds):
            trees = self._grow([stream for i, stream in enumerate(streams) if i % folds != fold])
            for i in range(fold, len(streams), folds):
                predicted[i] = trees.predict(streams[i].rows)
        return final, predicted

    def _grow(self, streams: Sequence[Stream]) -> Trees:
        import numpy as np

        rng = np.random.default_rng(self._training.seed)
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
            seed=self._training.seed,
        )

    def policy(self, weights: ndarray[Any, Any]) -> Policy:
        return Policy(self._words, self._trees, self._mean, self._scale, self._salience_scale, weights)

    def search(self, unseen: Sequence[Stream]) -> Learned:
        import numpy as np

        options, training = self._options, self._training
        rng = np.random.default_rng(training.seed)
        inputs = [
            Inputs(stream, self._mean, self._scale, predicted, self._salience_scale)
            for stream, predicted in zip(self._streams, self._predicted, strict=True)
        ]
        checks = [
            Inputs(stream, self._mean, self._scale, self._trees.predict(stream.rows), self._salience_scale)
            for stream in unseen
            if len(stream.rows)
        ] or inputs[:: -(-len(inputs) // _CHECKED)]
        shape = (inputs[0].base.shape[1] + len(DYNAMIC), len(FACTORS))
        regression = Regression(shape[0] * shape[1], options.ridge)
        weights = np.zeros(shape)
        best, since, curve = (-1.0, weights), 0, []
        for step in range(1, options.iterations + 1):
            mixture = options.mixture * 0.5 ** (step - 1)
            lost = [
                learn_sample(given, weights, regression, rng, options.sample_size, mixture)
                for given in inputs
                for _ in range(options.samples)
            ]
            weights = regression.weights().reshape(shape)
            score = float(
                np.mean([check.score(weights, options.level, options.similarity) for check in checks])
            )
            curve.append({"step": float(step), "H": score, "loss": float(np.mean(lost))})
            training.progress(step + 1, options.iterations + 2, f"H {score:.4f}")
            since += 1
            if score > best[0]:
                best, since = (score, weights), 0
            if since >= options.patience:
                break
        arrays, settings = self.policy(best[1]).export()
        settings["training"] = msgspec.to_builtins(options)
        return Learned(arrays, settings, curve)
