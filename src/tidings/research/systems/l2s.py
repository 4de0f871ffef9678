"""Learning to search: decisions over a stream, learned by imitating an oracle that knows the judgments."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import exp
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np
from msgspec import Meta

from tidings.core import (
    Event,
    Model,
    ModelCard,
    Sentence,
    Trees,
    Update,
    UsageError,
    check_arrays,
    prepare,
    read_model,
    trees_shapes,
)
from tidings.following import (
    NAMES,
    EmittedNumbers,
    FeatureExtractor,
    GatedFollower,
    Overlap,
    QuerySystem,
    WordModels,
    build_gate,
)

Array = np.ndarray[Any, Any]


DYNAMIC = ("told_max", "told_mean", "told_nothing", "told_unlike")
"""The features that depend on what was emitted: highest and mean cosine to it, nothing yet, nothing alike yet."""

FACTORS = ("alone", "salience", "change", "salience_change")
"""What every feature is conjoined with: one, predicted salience, change of documents per hour, both."""

_WIDEST = 3.0  # standard deviations at which a static feature is cut off


def dynamic(highest: float, summed: float, emitted: int) -> tuple[float, float, float, float]:
    """The dynamic features of a sentence, from its highest and summed cosine to the `emitted` updates.

    >>> dynamic(0.0, 0.0, 0), dynamic(0.5, 0.75, 3)
    ((0.0, 0.0, 1.0, 1.0), (0.5, 0.25, 0.0, 0.0))
    """
    mean = summed / emitted if emitted else 0.0
    return highest, mean, float(emitted == 0), float(highest <= 0.0)


class Policy:
    """score(x, s) = Σ_f Σ_k w[f,k]·x_f·c_k; a sentence is selected where the score is above a level.

    x holds the static features (standardised, cut at ±3), the dynamic ones and a one; c = `FACTORS`, with salience
    standardised likewise and the change of documents as `FeatureExtractor.change` gives it.

    Attributes:
        weights: [features, 4], the static features first, then the dynamic ones, then the one.
        level: the score above which it served best in training.
    """

    def __init__(
        self,
        words: WordModels,
        trees: Trees,
        mean: Array,
        scale: Array,
        salience: tuple[float, float],
        weights: Array,
        level: float = 0.0,
    ) -> None:
        self.words = words
        self.level = level
        self.trees = trees
        self.mean = mean.astype(float)
        self.scale = scale.astype(float)
        self.salience = salience
        self.weights = weights.astype(float)
        self._static = self.weights[: len(NAMES)]
        self._one = self.weights[-1]
        self.dynamic_weights: list[list[float]] = self.weights[len(NAMES) : -1].tolist()

    def standard(self, rows: Array) -> Array:
        """The static features standardised and cut off."""
        return standard(rows, self.mean, self.scale)

    def factors(self, rows: Array, change: float) -> list[list[float]]:
        """`FACTORS` of each row of raw static features."""
        mean, scale = self.salience
        predicted = self.trees.predict(rows)
        return [
            [1.0, value, change, value * change]
            for value in ((max(-_WIDEST, min(_WIDEST, (x - mean) * scale))) for x in predicted.tolist())
        ]

    def static_scores(self, rows: Array) -> list[list[float]]:
        """Σ_f w[f,k]·x_f of the static features and the one, for each row and each k."""
        scores: list[list[float]] = (self.standard(rows) @ self._static + self._one).tolist()
        return scores

    def score(self, static: list[float], factors: list[float], dynamic_values: tuple[float, ...]) -> float:
        """The score of selecting, from what the static features gave, the factors and the dynamic features."""
        total = 0.0
        for k, factor in enumerate(factors):
            part = static[k]
            for value, weights in zip(dynamic_values, self.dynamic_weights, strict=True):
                part += value * weights[k]
            total += part * factor
        return total

    def export(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """(arrays, settings) that `read` makes the same policy of."""
        arrays = {
            "mean": self.mean.astype(np.float32),
            "scale": self.scale.astype(np.float32),
            "weights": self.weights.astype(np.float32),
        }
        settings: dict[str, Any] = {
            "features": list(NAMES),
            "salience": list(self.salience),
            "level": self.level,
        }
        for more, more_settings in (self.words.export(), self.trees.export()):
            arrays |= more
            settings |= more_settings
        return arrays, settings

    @classmethod
    def of(cls, model: Model) -> Policy:
        """The policy of a model file; its shapes are checked."""
        shapes = {"mean": "(features)", "scale": "(features)", "weights": "(features+dynamic+1, factors)"}
        if model.settings.get("features") == list(NAMES):
            sizes = {"features": len(NAMES), "dynamic": len(DYNAMIC), "factors": len(FACTORS)}
            check_arrays(model, shapes | trees_shapes("salience"), sizes=sizes)
        policy = cls.read(model.arrays, model.settings)
        policy.trees.checked(len(NAMES))
        return policy

    @classmethod
    def read(cls, arrays: Mapping[str, Any], settings: Mapping[str, Any]) -> Policy:
        """From what `export` gave.

        Raises:
            UsageError: the features are not those of this version.
        """
        if settings.get("features") != list(NAMES):
            raise UsageError("a model with other features (expected those of this version); train it again")
        mean, scale = settings["salience"]
        return cls(
            WordModels.read(arrays, settings),
            Trees.read(arrays, settings),
            arrays["mean"],
            arrays["scale"],
            (float(mean), float(scale)),
            arrays["weights"],
            float(settings.get("level", 0.0)),
        )


def standard(rows: Array, mean: Array, scale: Array) -> Array:
    """(rows - mean) · scale, cut at ±3."""
    scaled: Array = ((rows - mean) * scale).clip(-_WIDEST, _WIDEST)
    return scaled


class EmittedSentences:
    """At most `most` unit vectors of updates, found through the terms that they share; the oldest go first.

    >>> before = EmittedSentences(most=10)
    >>> before.add({"ferri": 0.6, "fire": 0.8})
    >>> before.near({"fire": 1.0}), before.near({"snow": 1.0})
    ((0.8, 0.8), (0.0, 0.0))
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: deque[tuple[int, Mapping[str, float]]] = deque()
        self._postings: dict[str, dict[int, float]] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, vector: Mapping[str, float]) -> None:
        """Keep one more vector."""
        number = self._next
        self._next = number + 1
        self._kept.append((number, vector))
        for stem, weight in vector.items():
            self._postings.setdefault(stem, {})[number] = weight
        if len(self._kept) > self._most:
            gone, old = self._kept.popleft()
            for stem in old:
                posting = self._postings[stem]
                del posting[gone]
                if not posting:
                    del self._postings[stem]

    def near(self, vector: Mapping[str, float]) -> tuple[float, float]:
        """(highest cosine, sum of cosines) to what is kept; (0, 0) where nothing shares a term."""
        cosines: dict[int, float] = {}
        postings = self._postings
        for stem, weight in vector.items():
            posting = postings.get(stem)
            if posting is not None:
                for number, other in posting.items():
                    cosines[number] = cosines.get(number, 0.0) + weight * other
        if not cosines:
            return 0.0, 0.0
        return min(1.0, max(cosines.values())), sum(cosines.values())


_SOURCE = "Kedzie, Diaz and McKeown, IJCAI 2016 (arXiv 1605.03664)"


class L2S(QuerySystem, frozen=True, kw_only=True):
    """Emits a sentence if a policy learned by search prefers emitting it to skipping it.

    True to the paper: one pass, a decision for each sentence at once; static features (length, position, capitals,
    shares of names and numbers, language models, coverage of the query and of wider and narrower words, SumBasic,
    centrality and novelty within document and stream, predicted salience); dynamic ones (highest and mean cosine to
    what was emitted, whether anything was); each conjoined with salience, with the change of documents per hour and
    with both; learned by locally optimal search: what another decision costs when oracle or policy goes on from there.

    Reconstructed: a thesaurus written by hand for WordNet, a tagger by lists and shapes for the entity tagger, models
    of judged sentences for those of Wikipedia and newswire, idf-weighted stems for lemmas, and no latent vectors.
    Near-duplicate articles stay: a pool holds single sentences of them. Ours: `max_words` (the loss of the paper knows
    nothing of verbosity), the mean of several searches, and the level of the score, chosen with the pass by folds.
    """

    name: ClassVar[str] = "l2s"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = _SOURCE

    overlap: Overlap = 1
    model: str = ""
    level: float = 0.0
    first_sentences: Annotated[int, Meta(ge=1)] = 20
    max_kept: Annotated[int, Meta(ge=1)] = 2_000
    max_terms: Annotated[int, Meta(ge=1)] = 10_000

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return self.learned().card

    def start(self, event: Event) -> L2SFollower:
        """A fresh follower of `event`."""
        return L2SFollower(self, event, prepare(self.learned(), Policy.of), 1.0)

    def learned(self) -> Model:
        """The model that is used."""
        return read_model("l2s", self.model)


class L2SCosine(L2S, frozen=True, kw_only=True):
    """Emits what the policy of `l2s` prefers to emit, unless its cosine with an earlier update is too high.

    The LSCos of the paper: `l2s` with a threshold behind it. Weights made for either system serve both.
    """

    name: ClassVar[str] = "l2s-cos"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = _SOURCE

    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.4

    def start(self, event: Event) -> L2SFollower:
        """A fresh follower of `event`."""
        return L2SFollower(self, event, prepare(self.learned(), Policy.of), self.similarity)

    def learned(self) -> Model:
        """The model that is used: trained as `l2s-cos`, or as `l2s`."""
        from tidings.core import UsageError

        try:
            return read_model("l2s" if not self.model else self.name, self.model)
        except UsageError:
            if not self.model:
                raise
            return read_model("l2s", self.model)


class L2SFollower(GatedFollower[L2S]):
    """Remembers the features of the stream and the stems of what it emitted."""

    def __init__(self, system: L2S, event: Event, policy: Policy, similarity: float) -> None:
        super().__init__(system, event)
        self._policy = policy
        self._similarity = similarity
        self._relevant = build_gate(msgspec.structs.replace(system, min_words=0, max_words=0), event)
        self._forget()

    def _forget(self) -> None:
        system = self._system
        self._features = FeatureExtractor(
            self.event, system.language, words=self._policy.words, max_terms=system.max_terms
        )
        self._emitted = EmittedSentences(system.max_kept)
        self._kept: deque[str] = deque(maxlen=system.max_kept)
        self._numbers = EmittedNumbers(system.max_kept)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Decide sentence by sentence; all of a push have been read before the first is decided."""
        looked = self._look(sentences)
        if not looked:
            return []
        self._changed()
        featured = self._features.see(looked, now)
        wanted = [
            seen for seen in featured if seen.stems and self._gate.admits(seen.sentence.text, seen.stems)
        ]
        if not wanted:
            return []
        rows = np.array([seen.row for seen in wanted])
        policy, emitted = self._policy, self._emitted
        factors = policy.factors(rows, self._features.change(now))
        level = policy.level + self._system.level
        updates = []
        for seen, static, factor in zip(wanted, policy.static_scores(rows), factors, strict=True):
            highest, summed = emitted.near(seen.vector)
            like = highest > self._similarity + 1e-9
            if like and not self._numbers.has_change(seen.sentence, seen.stems):
                continue
            score = policy.score(static, factor, dynamic(highest, summed, len(emitted)))
            if score <= level or not self._room(seen.sentence.text):
                continue
            confidence = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))
            updates.append(self._tell(seen.sentence, now, confidence))
            emitted.add(seen.vector)
            self._kept.append(" ".join(seen.stems))
            self._numbers.add(seen.sentence, seen.stems)
        return updates

    def _look(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        stems_of, admits = self._analyzer.stems, self._relevant.admits
        candidates: list[Sentence] = []
        for _, group in groupby(sentences, key=lambda sentence: sentence.doc_id):
            relevant = [sentence for sentence in group if admits(sentence.text, stems_of(sentence.text))]
            candidates += relevant[: self._system.first_sentences]
        return candidates

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode([self._features.state(), list(self._kept), self._numbers.state()])

    def _decode(self, data: bytes) -> None:
        self._forget()
        features, kept, numbers = msgspec.msgpack.decode(data, type=tuple[bytes, list[str], list[Any]])
        self._numbers.restore(numbers)
        self._features.restore(features)
        for stems in kept:
            self._emitted.add(self._features.vector(stems.split(" ")))
            self._kept.append(stems)
