"""`apsal`: affinity propagation whose exemplars are chosen for being salient."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from math import exp, sqrt
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct

from tidings.core import (
    Event,
    ModelCard,
    Sentence,
    Update,
    Vector,
    cosine,
    prepare,
    read_model,
    tokens,
    unit_vector,
)
from tidings.following import (
    Batch,
    EmittedNumbers,
    FeatureExtractor,
    IntervalFollower,
    IntervalSystem,
    Overlap,
    WaitingSentence,
    affinity_propagation,
)
from tidings.research.systems.apsal_knowledge import Knowledge

Array = np.ndarray[Any, Any]


_PAGE = re.compile(r"\b(?:flash|javascript|css)\b", re.IGNORECASE)
_SOCIAL = re.compile(
    r"\b(?:facebook|twitter|google\+?|myspace|linkedin|stumbleupon|digg|reddit|pinterest|tumblr|delicious)\b",
    re.IGNORECASE,
)
_LAST_SENTENCE = 200  # of a document; later ones are not looked at


class Apsal(IntervalSystem, frozen=True, kw_only=True):
    """Emits the sentences of each hour that are predicted to be salient and represent a group.

    True to the paper and its code: hourly batches without copies; sentences of more than nine alphabetic words, with
    fewer than two names of social sites and fewer than two of Flash, JavaScript and CSS; salience by one Gaussian
    process for each training event (target: highest likeness to a nugget; RBF-ARD and white kernels, one for each
    group of features; predictions averaged); likeness of latent vectors (weighted textual matrix factorization),
    standardised within the hour; preferences biased by salience; affinity propagation with damping .7; groups of two or
    more; a limit of .2264 to the likeness of earlier updates, and one to standardised salience.

    Reconstructed: features are this library's own (no places on a map, no WordNet, word models of judged pools in
    place of Wikipedia's and Gigaword's); the latent space is learned from the training pools; a document's sentences
    from the 200th on are left out, since its length is not known ahead. A pool is a sample, so hours of 4 sentences
    are enough (paper: 10), and salience is standardised over the event so far (`normalise=hour`: within the hour).
    For the same reason the limits are others here: with the published `salience=1,group=2,similarity=0.2264` a pool
    gives three updates an event. `group` and `similarity` come with the model, chosen in training on events left out.
    """

    name: ClassVar[str] = "apsal"
    any_language: ClassVar[bool] = False
    source: ClassVar[str] = (
        "Kedzie, McKeown and Diaz, Predicting salient updates for disaster summarization, ACL 2015; latent vectors: "
        "Guo and Diab, ACL 2012"
    )

    overlap: Overlap = 1
    model: str = ""
    least: Annotated[int, Meta(ge=2)] = 4
    group: Annotated[int, Meta(ge=0)] = 0
    salience: float = 0.0
    normalise: Literal["event", "hour"] = "event"
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.0
    vectors: Literal["words", "latent"] = "words"
    words: Annotated[int, Meta(ge=0)] = 10
    damping: Annotated[float, Meta(ge=0.5, lt=1)] = 0.7
    rounds: Annotated[int, Meta(ge=1)] = 500
    max_held: Annotated[int, Meta(ge=1)] = 200
    max_kept: Annotated[int, Meta(ge=1)] = 1_000
    memory_hours: Annotated[float, Meta(ge=0)] = 0

    @property
    def card(self) -> ModelCard:
        """The card of its model."""
        return read_model("apsal", self.model).card

    def start(self, event: Event) -> ApsalFollower:
        """A fresh follower of `event`."""
        return ApsalFollower(self, event, prepare(read_model("apsal", self.model), Knowledge.of))


def similarities_and_preferences(latent: Array, salience: Array) -> tuple[Array, Array]:
    """What affinity propagation is given: n × n likenesses and n preferences, all at most 0.

    Cosines of the unit vectors `latent` (n × K) are standardised over the pairs, S = (A − mean)/sd; with
    m = max(max S, max salience), likenesses are S − m and preferences salience − m: a sentence as salient as the likest
    pair is alike stands for itself at no cost.

    >>> import numpy as np
    >>> x = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> S, P = similarities_and_preferences(x, np.array([2.0, 0.0, 1.0]))
    >>> S.round(3)[0].tolist(), P.tolist()
    ([-0.586, -0.586, -2.707], [0.0, -2.0, -1.0])
    """
    likeness = latent @ latent.T
    pairs = likeness[np.triu_indices(len(likeness), 1)]
    spread = float(pairs.std()) if pairs.size else 0.0
    likeness = (likeness - (pairs.mean() if pairs.size else 0.0)) / (spread if spread > 1e-9 else 1.0)
    most = max(
        float(likeness[~np.eye(len(likeness), dtype=bool)].max(initial=-np.inf)), float(salience.max())
    )
    return likeness - most, salience - most


class Exemplar(Struct):
    """A sentence that stands for `size` sentences of its interval, itself counted; its salience is standardised."""

    waiting: WaitingSentence
    salience: float
    size: int
    latent: Any


class ApsalFollower(IntervalFollower[Apsal]):
    """Remembers the words of the stream (for the features), past salience in sum, and what it emitted."""

    def __init__(self, system: Apsal, event: Event, knowledge: Knowledge) -> None:
        super().__init__(system, event)
        self._memory_s = round(system.memory_hours * 3600)
        self._learned = knowledge
        self._group = system.group or knowledge.group
        self._limit = system.similarity or knowledge.similarity
        self._extractor = FeatureExtractor(event, system.language, words=self._learned.words)
        self._restart((0, 0.0, 0.0), ())

    def _restart(self, past: tuple[int, float, float], emitted: Sequence[tuple[int, str]]) -> None:
        self._past = past  # sentences so far, their mean salience, and the sum of squares around it
        self._emitted: deque[tuple[int, tuple[str, ...], Vector, Any]] = deque()
        self._numbers = EmittedNumbers(self._system.max_kept)
        for time, words in emitted:
            self._remember(time, tuple(words.split()))

    def _accepts(self, text: str, stems: Sequence[str]) -> bool:
        if not super()._accepts(text, stems):
            return False
        alphabetic = sum(1 for token in tokens(text) if any(map(str.isalpha, token)))
        return (
            alphabetic >= self._system.words
            and len(_SOCIAL.findall(text)) < 2
            and len(_PAGE.findall(text)) < 2
        )

    def _take(self, sentence: Sentence) -> None:
        if sentence.index < _LAST_SENTENCE:
            super()._take(sentence)

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        return self.choose(self.exemplars(batch, now), now)

    def exemplars(self, batch: Batch, now: int) -> list[Exemplar]:
        """The sentences of an interval that stand for others or for themselves, the most salient first."""
        waiting = batch.waiting
        featured = self._extractor.see([sentence.sentence for sentence in waiting], now)
        if not featured:
            return []
        salience = self._standardise(self._learned.salience([sentence.row for sentence in featured]))
        if len(waiting) < self._system.least:
            return []
        latent = self._learned.space.vectors([sentence.stems for sentence in waiting])
        likeness, preferences = similarities_and_preferences(latent, salience)
        sizes = Counter(
            affinity_propagation(likeness, preferences, self._system.damping, self._system.rounds).tolist()
        )
        return [
            Exemplar(waiting[number], float(salience[number]), sizes[number], latent[number])
            for number in sorted(sizes, key=lambda number: (-salience[number], number))
        ]

    def choose(self, exemplars: Sequence[Exemplar], now: int) -> list[Update]:
        """Tell those exemplars of an interval that are within the limits."""
        self._evict(now)
        updates: list[Update] = []
        for exemplar in exemplars:
            if exemplar.size < self._group or exemplar.salience < self._system.salience:
                continue
            waiting = exemplar.waiting
            if self._repeats(waiting, exemplar.latent) or not self._room(waiting.sentence.text):
                continue
            updates.append(
                self._tell(waiting.sentence, now, 1.0 / (1.0 + exp(-min(exemplar.salience, 30.0))))
            )
            self._remember(now, waiting.stems)
            self._numbers.add(waiting.sentence, waiting.stems)
        return updates

    def _standardise(self, predicted: Array) -> Array:
        """(salience − mean)/sd, over the hour or over the event so far with this hour; 0 where nothing differs."""
        number, mean, squares = self._past
        for value in predicted.tolist():
            number += 1
            step = value - mean
            mean += step / number
            squares += step * (value - mean)
        self._past = (number, mean, squares)
        spread = sqrt(squares / number)
        if self._system.normalise == "hour":
            mean, spread = float(predicted.mean()), float(predicted.std())
        standardised: Array = (predicted - mean) / (spread if spread > 1e-12 else 1.0)
        return standardised

    def _repeats(self, sentence: WaitingSentence, latent: Array) -> bool:
        return self._is_like(sentence.stems, latent) and not self._numbers.has_change(
            sentence.sentence, sentence.stems
        )

    def _is_like(self, stems: tuple[str, ...], latent: Array) -> bool:
        limit = self._limit
        if self._system.vectors == "latent":
            return any(float(latent @ other) > limit for _, _, _, other in self._emitted)
        vector = unit_vector(stems)
        return any(cosine(vector, other) > limit for _, _, other, _ in self._emitted)

    def _remember(self, time: int, stems: tuple[str, ...]) -> None:
        latent = self._learned.space.vectors([stems])[0] if self._system.vectors == "latent" else None
        self._emitted.append((time, stems, unit_vector(stems), latent))
        if len(self._emitted) > self._system.max_kept:
            self._emitted.popleft()

    def _evict(self, now: int) -> None:
        while self._memory_s and self._emitted and self._emitted[0][0] < now - self._memory_s:
            self._emitted.popleft()

    def _encode(self) -> bytes:
        emitted = [(time, " ".join(stems)) for time, stems, _, _ in self._emitted]
        return msgspec.msgpack.encode(
            [self._waiting_state(), self._extractor.state(), list(self._past), emitted, self._numbers.state()]
        )

    def _decode(self, data: bytes) -> None:
        waiting, words, past, emitted, numbers = msgspec.msgpack.decode(
            data, type=tuple[list[Any], bytes, tuple[int, float, float], list[tuple[int, str]], list[Any]]
        )
        self._restore_waiting(waiting)
        self._extractor.restore(words)
        self._restart(past, emitted)
        self._numbers.restore(numbers)
