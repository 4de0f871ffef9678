"""`allan2001`: useful and novel, each by a language model; Allan, Gupta and Khandelwal, SIGIR 2001.

For sentence k with stems w_1..w_n, in logarithms throughout:

    useful(k) = (Π_w P(w | topic))^(1/n)
    r_i       = (Π_w P(w | s_i))^(1/n)             for each earlier sentence s_i (or cluster of them)
    novel(k)  = 1 - mean r_i | Π (1 - r_i)^(1/N) | 1 - max r_i
    interesting(k) = useful(k) · novel(k)^v

The paper ranks the sentences of a topic by `interesting`; someone who must decide at once needs a level. The level is
absolute (`normalise=none`), a quantile of the scores met so far (`quantile`), or the two factors are replaced by
their running quantiles before they are multiplied (`rank`), because 1 - r hardly differs from 1 while useful spans
orders of magnitude. For the same reason r_i can be divided by the probability of the sentence under its own
model (`calibrate`), so that a copy of an earlier sentence has r = 1.

`rank=all` is the paper's own task: every sentence is emitted, with `interesting` as its confidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import exp, fsum, log
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from tidings.core import (
    Additive,
    Dirichlet,
    Event,
    Interest,
    JelinekMercer,
    LanguageModel,
    PaperAdditive,
    RunningQuantile,
    Sentence,
    SentenceModels,
    Smoothing,
    Update,
    own_mean_log,
)
from tidings.following.systems.base import GatedFollower, QuerySystem
from tidings.following.systems.changed_numbers import EmittedNumbers


class Usefulness:
    """The models that usefulness asks, story by story: `open`, then `mean_log` and `add` by turns, then `close`.

    `topic`: all stories before this one (the first story asks itself). `sentences`: all sentences before
    this one (the first asks its story). `story`: the story at hand, as a whole. `average`: the mean over
    the stories so far, the one at hand included, of their relative frequencies, each story weighing the
    same however long it is. `none`: everything is equally useful.
    """

    def __init__(self, kind: str, smoothing: Smoothing, topic: LanguageModel) -> None:
        self._kind = kind
        self._smoothing = smoothing
        self._topic = topic
        self._story = LanguageModel()
        self._stems: list[Sequence[str]] = []

    def open(self, story: list[Sequence[str]]) -> None:
        """Begin a story, given the stems of all its sentences."""
        self._stems = story
        self._story = LanguageModel()
        for stems in story:
            self._story.add(stems)
        if self._kind == "average":
            self._topic.add((stem for stems in story for stem in stems), 1.0 / self._story.size)

    def mean_log(self, stems: Sequence[str]) -> float:
        """log of useful(s), the geometric mean of P(w | model) over the stems."""
        if self._kind == "none":
            return 0.0
        model = self._topic if self._kind != "story" and self._topic.counts else self._story
        return model.mean_log(stems, self._smoothing)

    def add(self, stems: Sequence[str]) -> None:
        """The sentence has been scored: it is now among the previous ones."""
        if self._kind == "sentences":
            self._topic.add(stems)

    def close(self) -> None:
        """The story is over: it is now among the previous ones."""
        if self._kind == "topic":
            for stems in self._stems:
                self._topic.add(stems)
        self._stems = []


_RANKING: dict[str, Any] = {
    "useful": "topic",
    "earlier": "all",
    "smoothing": "paper",
    "novel_weight": 1.0,
    "normalise": "none",
    "level": float("-inf"),
    "overlap": 0,
    "max_words": 0,
}
"""What `rank=all` sets."""

_LEAST = 1e-9  # novelty is kept above this, so that its logarithm exists


class Allan2001(QuerySystem, frozen=True, kw_only=True):
    """Emits sentences that are useful (likely for the topic) and novel (unlikely given earlier ones)."""

    name: ClassVar[str] = "allan2001"
    source: ClassVar[str] = "Allan, Gupta and Khandelwal, Temporal summaries of news topics, SIGIR 2001"

    useful: Literal["topic", "sentences", "story", "average", "none"] = "average"
    novel: Literal["average", "geometric", "maximum", "none"] = "maximum"
    earlier: Literal["all", "told"] = "told"
    clusters: Annotated[int, Meta(ge=0, le=1000)] = 0
    smoothing: Literal["paper", "additive", "jelinek", "dirichlet"] = "dirichlet"
    epsilon: Annotated[float, Meta(gt=0)] = 0.01
    vocabulary: Annotated[int, Meta(ge=1)] = 10_000
    weight: Annotated[float, Meta(gt=0, lt=1)] = 0.7
    mu: Annotated[float, Meta(gt=0)] = 10.0
    calibrate: bool = True
    novel_weight: Annotated[float, Meta(ge=0)] = 0.5
    normalise: Literal["none", "quantile", "rank"] = "rank"
    level: float = 0.35
    window: Annotated[int, Meta(ge=1)] = 2_000
    memory_hours: Annotated[float, Meta(ge=0)] = 0
    max_kept: Annotated[int, Meta(ge=1)] = 1_000

    rank: Literal["no", "all"] = "no"

    def as_ranking(self) -> Allan2001:
        """The same with what `rank=all` sets, where it is not set otherwise."""
        usual = Allan2001()
        unset = {
            name: value for name, value in _RANKING.items() if getattr(self, name) == getattr(usual, name)
        }
        return msgspec.structs.replace(self, **unset)

    def interest(self, event: Event) -> Interest | None:
        """Everything: its models are of all that comes."""
        return None

    def start(self, event: Event) -> Allan2001Follower:
        """A fresh follower of `event`."""
        return Allan2001Follower(self.as_ranking() if self.rank == "all" else self, event)


class _State(Struct, array_like=True):
    topic: dict[str, float]
    topic_size: float
    background: dict[str, float]
    kept: list[tuple[int, str]]
    clusters: list[dict[str, float]]
    scores: list[list[float]]
    numbers: Any


class Allan2001Follower(GatedFollower[Allan2001]):
    """Keeps the topic's model, the earlier sentences (or clusters), and the latest scores."""

    def __init__(self, system: Allan2001, event: Event) -> None:
        super().__init__(system, event)
        self._memory_s = round(system.memory_hours * 3600)
        self._restart(_State({}, 0.0, {}, [], [], [[], [], []], ()))

    def _restart(self, state: _State) -> None:
        system = self._system
        self._background = LanguageModel(state.background)
        self._smoothing = self._smooth()
        self._topic = LanguageModel(state.topic)
        self._topic.size = state.topic_size  # the sum as it was added up, to the last bit
        self._useful = Usefulness(system.useful, self._smoothing, self._topic)
        self._numbers = EmittedNumbers(system.max_kept)
        self._numbers.restore(state.numbers)
        self._models = SentenceModels(most=system.max_kept)
        for time, stems in state.kept:
            self._models.add(stems.split(), time)
        self._clusters = [LanguageModel(counts, max_terms=2_000) for counts in state.clusters]
        self._interest, self._usefuls, self._novels = (
            RunningQuantile(system.window, scores) for scores in state.scores
        )

    def _smooth(self) -> Smoothing:
        system = self._system
        if system.smoothing == "paper":
            return PaperAdditive(system.epsilon)
        if system.smoothing == "additive":
            return Additive(system.epsilon, system.vocabulary)
        if system.smoothing == "jelinek":
            return JelinekMercer(system.weight, self._background)
        return Dirichlet(system.mu, self._background)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Score and decide the sentences of each story before the next story is looked at."""
        if self._memory_s and self._models.evict(now - self._memory_s):
            self._changed()
        updates: list[Update] = []
        for _, story in groupby(sentences, key=_doc_id):
            updates.extend(self._story(list(story), now))
        return updates

    def _story(self, sentences: list[Sentence], now: int) -> Iterator[Update]:
        relevant = []
        learns = self._system.smoothing in ("jelinek", "dirichlet")
        for sentence in sentences:
            stems = self._analyzer.stems(sentence.text)
            if learns and stems:
                self._background.add(stems)
                self._changed()
            if stems and self._gate.admits(sentence.text, stems):
                relevant.append((sentence, stems))
            elif self._system.rank == "all" and self._room(sentence.text):
                yield self._tell(sentence, now, _confidence(float("-inf")))
        if not relevant:
            return
        self._changed()
        self._useful.open([stems for _, stems in relevant])
        for sentence, stems in relevant:
            level = self._level(self._useful.mean_log(stems), self._novelty(sentence, stems))
            emitted = level >= self._system.level and self._room(sentence.text)
            self._useful.add(stems)
            if emitted or self._system.earlier == "all":
                self._keep(stems, now)
            if emitted:
                self._numbers.add(sentence, stems)
                yield self._tell(sentence, now, _confidence(level))
        self._useful.close()

    def _level(self, useful: float, novel: float) -> float:
        system = self._system
        score = useful + system.novel_weight * log(novel)
        if system.normalise == "none":
            return score
        if system.normalise == "quantile":
            return self._interest.add(score)
        return float(self._usefuls.add(useful) * self._novels.add(novel) ** system.novel_weight)

    def _novelty(self, sentence: Sentence, stems: Sequence[str]) -> float:
        pooled = self._system.novel
        likeness = [] if pooled == "none" else self._likeness(stems)
        changed = self._system.rank == "no" and self._numbers.has_change(sentence, stems)
        if not likeness or changed:
            return 1.0
        if pooled == "maximum":
            return max(_LEAST, 1.0 - max(value for value, _ in likeness))
        number = sum(n for _, n in likeness)
        if pooled == "average":
            return max(_LEAST, 1.0 - fsum(value * n for value, n in likeness) / number)
        # fsum: the sum must not depend on the order, which a restored follower may not share.
        return exp(fsum(n * log(max(_LEAST, 1.0 - value)) for value, n in likeness) / number)

    def _likeness(self, stems: Sequence[str]) -> list[tuple[float, int]]:
        if self._system.clusters:
            likeness = [(exp(model.mean_log(stems, self._smoothing)), 1) for model in self._clusters]
        else:
            likeness = self._models.probabilities(stems, self._smoothing)
        if self._system.calibrate:
            own = exp(own_mean_log(stems, self._smoothing))
            likeness = [(min(1.0, value / own), n) for value, n in likeness]
        return likeness

    def _keep(self, stems: Sequence[str], now: int) -> None:
        most = self._system.clusters
        if not most:
            self._models.add(stems, now)
            return
        likeness = [value for value, _ in self._likeness(stems)]
        best = max(range(len(likeness)), key=likeness.__getitem__, default=-1)
        if len(self._clusters) < most and (best < 0 or likeness[best] < 0.5):
            self._clusters.append(LanguageModel(max_terms=2_000))
            best = -1
        self._clusters[best].add(stems)

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode(
            _State(
                self._topic.counts,
                self._topic.size,
                self._background.counts,
                [(time, " ".join(stems)) for time, stems in self._models.items()],
                [model.counts for model in self._clusters],
                [self._interest.values(), self._usefuls.values(), self._novels.values()],
                self._numbers.state(),
            )
        )

    def _decode(self, data: bytes) -> None:
        self._restart(msgspec.msgpack.decode(data, type=_State))


def _doc_id(sentence: Sentence) -> str:
    return sentence.doc_id


def _confidence(level: float) -> float:
    return level if 0.0 < level <= 1.0 else 1.0 / (1.0 + exp(min(-level, 700.0)))
