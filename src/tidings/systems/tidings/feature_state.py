"""What speaks for telling a sentence and what against it: 28 figures, from its words, the stream and what was told.

    text ──▶ looks, query ┐
    memory of the stream  ├──▶ 28 figures ──▶ worth (worth.py)
    what was told         ┘

Everything is of the past: a sentence is held against what came before it. All memories are bounded.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from math import log, log1p, sqrt
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tidings.records import Event, Sentence
from tidings.text import shared_analyzer
from tidings.text.casualties import find_casualties

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["FIGURES", "RARE", "Candidate", "FeatureState", "Limits"]

FIGURES = (
    "words",
    "log_words",
    "stop_share",
    "capitals",
    "numbers",
    "query_stems",
    "query_share",
    "query_density",
    "log_index",
    "ends_well",
    "commas",
    "signs",
    "speaks_to_reader",
    "mean_weight",
    "stream_mean",
    "stream_nearest",
    "stream_share_3",
    "stream_share_5",
    "stream_top_5",
    "told",
    "told_nearest",
    "told_top_3",
    "told_contains",
    "covered",
    "uncovered",
    "new_numbers",
    "toll_rises",
    "toll_known",
)
"""The figures by name, in their order.

- words, log_words: length; stop_share: share of stop words; capitals: capitalised words per word; numbers: stems in
  digits, and number words;
- query_stems, query_share, query_density: stems of the query in the sentence: their number, per stem of the query, per
  stem of the sentence;
- log_index: log(1 + place in the document); ends_well: a closing sign at its end; commas and signs (| : / @ # [ ] ...)
  per word; speaks_to_reader: I, you, we...; mean_weight: mean weight (rarity) of its stems;
- stream_*: cosines to the latest sentences about the event: their mean, the largest, the share above .3 and above .5,
  the mean of the five largest;
- told: updates told; told_nearest, told_top_3: the largest cosine to an update, the mean of the three largest;
  told_contains: the largest share of its weight that one update holds; covered: the share that they hold together;
  uncovered: the weight that none holds; new_numbers: numbers that no update holds;
- toll_rises: it states more dead, injured, missing ... than any update did; toll_known: it states such a number, and
  none that is higher.
"""

RARE = 8.5
"""Weight of a stem that the training events hardly used: -log(2e-4), to one decimal."""

DIMENSIONS = 512
"""Width of the hashed vectors by which the stream is remembered; each stem has two places in it."""

_HALF = sqrt(0.5)

_CAPITALISED = re.compile(r"\b[A-Z][a-z]+").findall
_SIGNS = re.compile(r"[|:/@#\[\]()_\-]").findall
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
)
_READER = frozenset({"i", "you", "we", "my", "your", "our"})
_CLOSING = frozenset(".!?\"'")
_MOST_STEMS = 120


class Limits(Struct, frozen=True):
    """How much is remembered, and which sentences are looked at."""

    min_words: int = 4
    max_words: int = 25
    memory: int = 512
    max_kept: int = 200

    @property
    def seen(self) -> int:
        """How many texts are known again."""
        return 8 * self.memory


class Candidate(Struct, gc=False):
    """A sentence under consideration: its stems (each once), their weight, and its figures."""

    stems: tuple[str, ...]
    mass: float
    norm: float
    tolls: dict[str, int]
    figures: Any
    vector: Any
    on_topic: bool


class FeatureState:
    """What one event's follower has seen and told, and the figures of the next sentence in view of it.

    `weights` are those of stems: how rare each is in the news, -log of its share of sentences.
    """

    def __init__(self, event: Event, weights: Mapping[str, float], limits: Limits, language: str) -> None:
        self._analyzer = shared_analyzer(language)
        self._weights, self._limits = weights, limits
        stems = self._analyzer.stems
        self._query = frozenset(stems(event.query)) or frozenset(stems(event.title))
        self._need = min(2, len(self._query))
        self._number_stems = frozenset(map(self._analyzer.stem, _NUMBER_WORDS.split())) - {""}
        self._places: dict[str, tuple[int, float, int, float]] = {}
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        import numpy as np

        limits = self._limits
        self._memory = np.zeros((limits.memory, DIMENSIONS), dtype=np.float32)
        self.remembered: list[str] = []
        self.slot = 0
        self._topic: Counter[str] = Counter()
        self.seen: deque[int] = deque(maxlen=limits.seen)
        self._seen_set: set[int] = set()
        self.told: deque[str] = deque()
        self.told_count = 0
        self.tolls: dict[str, int] = {}
        self._holding: dict[str, list[int]] = {}
        self._norms: dict[int, float] = {}

    def consider(self, sentence: Sentence) -> Candidate | None:
        """The sentence with its figures; None if it cannot be an update or its text was considered before.

        The sentence joins the memory of the stream if it is about the event, for those that come after it.
        """
        text = sentence.text
        words = len(text.split())
        limits = self._limits
        if not limits.min_words <= words <= limits.max_words:
            # Long sentences are never told, but show what the event is about.
            if words <= 60 and words > limits.max_words and self._is_new(text):
                self._learn(text)
            return None
        if not self._is_new(text):
            return None
        stems = tuple(dict.fromkeys(self._analyzer.stems(text)[:_MOST_STEMS]))
        if not stems:
            return None
        overlap = len(self._query.intersection(stems))
        if not overlap and not self._topical(stems):
            return None
        candidate = self._candidate(sentence, text, words, stems, overlap)
        if candidate.on_topic:
            self._remember(stems, candidate.vector)
        return candidate

    def tell(self, candidate: Candidate) -> None:
        """Note that the candidate was told."""
        self._add_told(candidate.stems, candidate.norm)
        for kind, value in candidate.tolls.items():
            self.tolls[kind] = max(value, self.tolls.get(kind, 0))
        self.told_count += 1

    def _is_new(self, text: str) -> bool:
        mark = zlib.crc32(text.encode("utf-8", "surrogatepass")) | (len(text) & 0xFFFF) << 32
        if mark in self._seen_set:
            return False
        if len(self.seen) == self.seen.maxlen:
            self._seen_set.discard(self.seen[0])
        self.seen.append(mark)
        self._seen_set.add(mark)
        return True

    def _learn(self, text: str) -> None:
        stems = tuple(dict.fromkeys(self._analyzer.stems(text)[:_MOST_STEMS]))
        if len(self._query.intersection(stems)) >= self._need and stems:
            self._remember(stems, self._vector(stems)[0])

    def _topical(self, stems: Sequence[str]) -> bool:
        # At least two stems that a twentieth of the memory has.
        need = max(2, len(self.remembered) // 20)
        topic, found = self._topic, 0
        for stem in stems:
            if topic[stem] >= need:
                found += 1
                if found == 2:
                    return True
        return False

    def _candidate(
        self, sentence: Sentence, text: str, words: int, stems: tuple[str, ...], overlap: int
    ) -> Candidate:
        from numpy import array

        vector, mass, norm = self._vector(stems)
        count = len(stems)
        numbers = [stem for stem in stems if stem.isdigit() or stem in self._number_stems]
        tolls = {toll.kind: toll.value for toll in find_casualties(text)} if numbers else {}
        lowered = text.lower().split()
        figures = [
            words,
            log(words),
            1.0 - count / words,
            len(_CAPITALISED(text)) / words,
            len(numbers),
            overlap,
            overlap / max(1, len(self._query)),
            overlap / count,
            log1p(max(0, sentence.index)),
            text[-1:] in _CLOSING,
            text.count(",") / words,
            len(_SIGNS(text)) / words,
            not _READER.isdisjoint(lowered),
            mass / count,
        ]
        figures += self._against_stream(vector)
        figures += self._against_told(stems, mass, norm, numbers)
        known = self.tolls
        rises = any(value > known.get(kind, 0) for kind, value in tolls.items())
        figures += [rises, bool(tolls) and not rises]
        return Candidate(stems, mass, norm, tolls, array(figures, dtype=float), vector, overlap >= self._need)

    def _against_stream(self, vector: ndarray[Any, Any]) -> list[float]:
        from numpy import count_nonzero, partition

        held = len(self.remembered)
        if not held:
            return [0.0, 0.0, 0.0, 0.0, 0.0]
        cosines = self._memory[:held] @ vector
        top = partition(cosines, held - 5)[held - 5 :] if held > 5 else cosines
        return [
            float(cosines.mean()),
            float(cosines.max()),
            int(count_nonzero(cosines > 0.3)) / held,
            int(count_nonzero(cosines > 0.5)) / held,
            float(top.sum()) / 5,
        ]

    def _against_told(
        self, stems: Sequence[str], mass: float, norm: float, numbers: Sequence[str]
    ) -> list[float]:
        weights, holding = self._weights, self._holding
        dots: dict[int, float] = {}
        shared: dict[int, float] = {}
        uncovered = 0.0
        for stem in stems:
            weight = weights.get(stem, RARE)
            held = holding.get(stem)
            if not held:
                uncovered += weight
                continue
            square = weight * weight
            for number in held:
                dots[number] = dots.get(number, 0.0) + square
                shared[number] = shared.get(number, 0.0) + weight
        norms = self._norms
        nearest = sorted((dot / norms[number] for number, dot in dots.items()), reverse=True)[:3]
        return [
            self.told_count,
            nearest[0] / norm if nearest else 0.0,
            sum(nearest) / (3 * norm),
            max(shared.values()) / mass if shared else 0.0,
            1.0 - uncovered / mass,
            uncovered,
            sum(1 for number in numbers if number not in holding),
        ]

    def _vector(self, stems: Sequence[str]) -> tuple[ndarray[Any, Any], float, float]:
        """The hashed vector of length 1, the weight of all stems, and the length before it was made 1."""
        from numpy import float32, zeros

        weights, places = self._weights, self._places
        vector = zeros(DIMENSIONS, dtype=float32)
        mass = squares = 0.0
        for stem in stems:
            weight = weights.get(stem, RARE)
            mass += weight
            squares += weight * weight
            place = places.get(stem)
            if place is None:
                if len(places) >= 50_000:
                    places.clear()
                place = places[stem] = _places(stem)
            vector[place[0]] += place[1] * weight
            vector[place[2]] += place[3] * weight
        norm = sqrt(squares)
        vector /= norm
        return vector, mass, norm

    def _remember(self, stems: Sequence[str], vector: ndarray[Any, Any]) -> None:
        if len(self.remembered) < self._limits.memory:
            self.remembered.append(" ".join(stems))
        else:
            self._topic.subtract(self.remembered[self.slot].split())
            for stem in self.remembered[self.slot].split():
                if not self._topic[stem]:
                    del self._topic[stem]
            self.remembered[self.slot] = " ".join(stems)
        self._topic.update(stems)
        self._memory[self.slot] = vector
        self.slot = (self.slot + 1) % self._limits.memory

    def _add_told(self, stems: Sequence[str], norm: float) -> None:
        number = (max(self._norms) + 1) if self._norms else 0
        if len(self.told) >= self._limits.max_kept:
            oldest = min(self._norms)
            for stem in self.told.popleft().split():
                held = self._holding[stem]
                held.remove(oldest)
                if not held:
                    del self._holding[stem]
            del self._norms[oldest]
        self.told.append(" ".join(stems))
        self._norms[number] = norm
        for stem in stems:
            self._holding.setdefault(stem, []).append(number)

    def restore(
        self,
        remembered: list[str],
        slot: int,
        seen: list[int],
        told: list[str],
        told_count: int,
        tolls: dict[str, int],
    ) -> None:
        """Become what these describe: the attributes of the same names."""
        self.forget()
        for number, text in enumerate(remembered):
            stems = text.split()
            self._memory[number] = self._vector(stems)[0]
            self._topic.update(stems)
        self.remembered, self.slot = list(remembered), slot
        self.seen.extend(seen)
        self._seen_set = set(self.seen)
        for text in told:
            stems = text.split()
            self._add_told(stems, self._vector(stems)[2])
        self.told_count, self.tolls = told_count, dict(tolls)


def _places(stem: str) -> tuple[int, float, int, float]:
    """Two places of a stem in the hashed vectors, each with its sign."""
    code = zlib.crc32(stem.encode("utf-8", "surrogatepass"))
    other = zlib.crc32(b"%d" % code)
    return (
        code % DIMENSIONS,
        _HALF if code & 0x10000 else -_HALF,
        other % DIMENSIONS,
        _HALF if other & 0x10000 else -_HALF,
    )
