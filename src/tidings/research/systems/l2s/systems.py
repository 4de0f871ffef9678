"""`l2s` and `l2s-cos`: a policy learned by search over streams, alone and with a cosine threshold behind it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import groupby
from math import exp
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from tidings.core import Event, Model, ModelCard, Sentence, Update, prepared, read_model, shared_analyzer
from tidings.following import (
    EmittedNumbers,
    FeatureExtractor,
    Overlap,
    QuerySystem,
    StatefulFollower,
    build_gate,
)
from tidings.research.systems.l2s.emitted_sentences import EmittedSentences
from tidings.research.systems.l2s.policy import Policy, dynamic

__all__ = ["L2S", "L2SCosine", "L2SFollower"]

_SOURCE = "Kedzie, Diaz and McKeown, IJCAI 2016 (arXiv 1605.03664)"


class L2S(QuerySystem, frozen=True, kw_only=True):
    """Tells a sentence where a policy learned by search prefers telling to skipping it.

    True to the paper: one pass, a decision for each sentence at once; static features (length, position, capitals,
    shares of names and numbers, language models, coverage of the query and of wider and narrower words, SumBasic,
    centrality and novelty within document and stream, predicted salience); dynamic ones (highest and mean cosine to
    what was told, whether anything was); each conjoined with salience, with the change of documents per hour and with
    both; learned by locally optimal search: what one other decision costs when oracle or policy goes on from there.

    Reconstructed: a thesaurus written by hand for WordNet, a tagger by lists and shapes for the entity tagger, models
    of judged sentences for those of Wikipedia and newswire, idf-weighted stems for lemmas, and no latent vectors.
    Near-duplicate articles stay: a pool holds single sentences of them. Ours: `max_words` (the loss of the paper knows
    nothing of verbosity), the mean of several searches, and the level of the score, chosen with the pass by folds.
    """

    name: ClassVar[str] = "l2s"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = _SOURCE

    overlap: Overlap = 1
    model: Annotated[
        str, Meta(description="file of learned weights; empty: those that come with tidings")
    ] = ""
    level: Annotated[
        float,
        Meta(description="added to the level chosen in training (scores are -1 to 1); higher tells less"),
    ] = 0.0
    first_sentences: Annotated[
        int, Meta(ge=1, description="sentences of a document (of one push) that are looked at")
    ] = 20
    max_kept: Annotated[int, Meta(ge=1, description="updates remembered; the oldest go first")] = 2_000
    max_terms: Annotated[int, Meta(ge=1, description="stems counted; the rarest half goes")] = 10_000

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return self.learned().card

    def start(self, event: Event) -> L2SFollower:
        """A fresh follower of `event`."""
        return L2SFollower(self, event, prepared(self.learned(), Policy.of), 1.0)

    def learned(self) -> Model:
        """The model that is used."""
        return read_model("l2s", self.model)


class L2SCosine(L2S, frozen=True, kw_only=True):
    """Tells what the policy of `l2s` prefers to tell, unless its cosine to an earlier update is too high.

    The LSCos of the paper: `l2s` with a threshold behind it. Weights made for either system serve both.
    """

    name: ClassVar[str] = "l2s-cos"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = _SOURCE

    similarity: Annotated[
        float,
        Meta(
            ge=0, le=1, description="highest cosine (idf-weighted stems) to any earlier update that is news"
        ),
    ] = 0.4

    def start(self, event: Event) -> L2SFollower:
        """A fresh follower of `event`."""
        return L2SFollower(self, event, prepared(self.learned(), Policy.of), self.similarity)

    def learned(self) -> Model:
        """The model that is used: trained as `l2s-cos`, or as `l2s`."""
        from tidings.core import UsageError

        try:
            return read_model("l2s" if not self.model else self.name, self.model)
        except UsageError:
            if not self.model:
                raise
            return read_model("l2s", self.model)


class L2SFollower(StatefulFollower):
    """Remembers the features of the stream and the stems of what it told."""

    def __init__(self, system: L2S, event: Event, policy: Policy, similarity: float) -> None:
        super().__init__(event)
        self._system = system
        self._policy = policy
        self._similarity = similarity
        self._analyzer = shared_analyzer(system.language)
        self._gate = build_gate(system, event)
        self._relevant = build_gate(_any_length(system), event)
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
        import numpy as np

        looked = self._look(sentences)
        if not looked:
            return []
        self._changed()
        featured = self._features.see(looked, now)
        wanted = [one for one in featured if one.stems and self._gate.admits(one.sentence.text, one.stems)]
        if not wanted:
            return []
        rows = np.array([one.row for one in wanted])
        policy, emitted = self._policy, self._emitted
        factors = policy.factors(rows, self._features.change(now))
        level = policy.level + self._system.level
        updates = []
        for one, static, factor in zip(wanted, policy.static_scores(rows), factors, strict=True):
            highest, summed = emitted.near(one.vector)
            like = highest > self._similarity + 1e-9
            if like and not self._numbers.has_change(one.sentence, one.stems):
                continue
            score = policy.score(static, factor, dynamic(highest, summed, len(emitted)))
            if score <= level or not self._room(one.sentence.text):
                continue
            confidence = 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))
            updates.append(self._tell(one.sentence, now, confidence))
            emitted.add(one.vector)
            self._kept.append(" ".join(one.stems))
            self._numbers.add(one.sentence, one.stems)
        return updates

    def _look(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        stems_of, admits = self._analyzer.stems, self._relevant.admits
        candidates: list[Sentence] = []
        for _, group in groupby(sentences, key=_document):
            relevant = [one for one in group if admits(one.text, stems_of(one.text))]
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


def _document(sentence: Sentence) -> str:
    return sentence.doc_id


def _any_length(system: L2S) -> L2S:
    return msgspec.structs.replace(system, min_words=0, max_words=0)
