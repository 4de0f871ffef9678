"""What speaks for telling a sentence and what against it: 28 features, from its words, the stream and what was emitted.

    text ──▶ looks, query ┐
    memory of the stream  ├──▶ 28 features ──▶ worth (additive_model.py)
    what was emitted      ┘

Everything is of the past: a sentence is held against what came before it. All memories are bounded.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import log, log1p, sqrt
from operator import attrgetter
from typing import Any

from msgspec import Struct

from tidings.protocols import Interest
from tidings.records import Event, Sentence
from tidings.systems.tidings.postings import Postings
from tidings.text import shared_analyzer
from tidings.text.casualties import find_casualties

__all__ = ["RARE", "Candidate", "FeatureState", "Limits", "find_interest"]

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
_DOCUMENT = attrgetter("doc_id")


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
    """A sentence under consideration: its stems (each once) with their weights, and its features."""

    stems: dict[str, float]
    norm: float
    casualties: dict[str, int]
    features: Any


def find_interest(event: Event, weights: Mapping[str, float], language: str) -> Interest | None:
    """What a document must hold in one of its sentences: two stems of the query, or one of its two rarest.

    None, everything, for an event whose query and title have no stems.
    """
    stems_of = shared_analyzer(language).stems
    stems = frozenset(stems_of(event.query)) or frozenset(stems_of(event.title))
    if not stems:
        return None
    rarest = sorted(stems, key=lambda stem: (-weights.get(stem, RARE), stem))[:2]
    return Interest(stems=stems, need=min(2, len(stems)), alone=frozenset(rarest), language=language)


class FeatureState:
    """What one event's follower has seen and emitted, and the features of the next sentence in view of it.

    `weights` are those of stems: how rare each is in the news, -log of its share of sentences. What a sentence costs
    does not grow without end: at most `memory` sentences and `max_kept` updates are held against it, by the stems and
    places that they share with it.
    """

    def __init__(self, event: Event, weights: Mapping[str, float], limits: Limits, language: str) -> None:
        self._analyzer = shared_analyzer(language)
        self._weights, self._limits = weights, limits
        self._interest = find_interest(event, weights, language)
        self._query = self._interest.stems if self._interest else frozenset()
        self._need = min(2, len(self._query))
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self._memory: Postings[int] = Postings()
        self.remembered: list[str] = []
        self.slot = 0
        self._topic: Counter[str] = Counter()
        self.seen: deque[int] = deque(maxlen=self._limits.seen)
        self._seen_set: set[int] = set()
        self.emitted: deque[str] = deque()
        self.emitted_count = 0
        self.casualties: dict[str, int] = {}
        self._emitted_stems: Postings[str] = Postings()
        self._norms: list[float] = []
        self._emitted_slot = 0
        self.has_changed = False

    @property
    def size_bytes(self) -> int:
        """Bytes that the memories of the stream and of what was emitted take, without their keys and texts."""
        return self._memory.size_bytes + self._emitted_stems.size_bytes

    def candidates(self, sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, Candidate]]:
        """The sentences of a push that can be updates, each with its features in view of all before it.

        Those of a document that does not interest the event (see `find_interest`) are passed over. The others join the
        memory of the stream if they are about the event. What is emitted must be noted, by `emit`, before the next.
        """
        for _, document in groupby(sentences, key=_DOCUMENT):
            own = tuple(document)
            if self._is_of_interest(own):
                for sentence in own:
                    candidate = self._consider(sentence)
                    if candidate is not None:
                        yield sentence, candidate

    def emit(self, candidate: Candidate) -> None:
        """Note that the candidate was emitted."""
        self.has_changed = True
        self._keep_emitted(candidate.stems, candidate.norm)
        for kind, value in candidate.casualties.items():
            self.casualties[kind] = max(value, self.casualties.get(kind, 0))
        self.emitted_count += 1

    def _is_of_interest(self, document: Sequence[Sentence]) -> bool:
        interest = self._interest
        if interest is None:
            return True
        stems_of = self._analyzer.stems
        return any(interest.met_by(stems_of(sentence.text)) for sentence in document)

    def _consider(self, sentence: Sentence) -> Candidate | None:
        # None if it cannot be an update, or its text was considered before.
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
        stems = self._weighed(text)
        if not stems:
            return None
        overlap = len(self._query.intersection(stems))
        if not overlap and not self._topical(stems):
            return None
        places = self._places(stems)
        candidate = self._candidate(sentence, words, stems, places, overlap)
        if overlap >= self._need:
            self._remember(stems, places)
        return candidate

    def _weighed(self, text: str) -> dict[str, float]:
        """The first stems of a text, each once, with their weights."""
        weight_of = self._weights.get
        return {stem: weight_of(stem, RARE) for stem in self._analyzer.stems(text)[:_MOST_STEMS]}

    def _is_new(self, text: str) -> bool:
        mark = zlib.crc32(text.encode("utf-8", "surrogatepass")) | (len(text) & 0xFFFF) << 32
        if mark in self._seen_set:
            return False
        if len(self.seen) == self.seen.maxlen:
            self._seen_set.discard(self.seen[0])
        self.has_changed = True
        self.seen.append(mark)
        self._seen_set.add(mark)
        return True

    def _learn(self, text: str) -> None:
        stems = self._weighed(text)
        if stems and len(self._query.intersection(stems)) >= self._need:
            self._remember(stems, self._places(stems))

    def _topical(self, stems: Iterable[str]) -> bool:
        # At least two stems that a twentieth of the memory has.
        need = max(2, len(self.remembered) // 20)
        topic, shared = self._topic, 0
        for stem in stems:
            if topic[stem] >= need:
                shared += 1
                if shared == 2:
                    return True
        return False

    def _candidate(
        self, sentence: Sentence, words: int, stems: dict[str, float], places: dict[int, float], overlap: int
    ) -> Candidate:
        from numpy import array

        text = sentence.text
        mass = sum(stems.values())
        norm = sqrt(sum(weight * weight for weight in stems.values()))
        count = len(stems)
        number_stems = _number_stems(self._analyzer.language)
        numbers = [stem for stem in stems if stem.isdigit() or stem in number_stems]
        casualties = {one.kind: one.value for one in find_casualties(text)} if numbers else {}
        features = [
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
            not _READER.isdisjoint(text.lower().split()),
            mass / count,
        ]
        features += self._against_stream(places)
        features += self._against_emitted(stems, mass, norm, numbers)
        highest = self.casualties
        rise = any(value > highest.get(kind, 0) for kind, value in casualties.items())
        features += [rise, bool(casualties) and not rise]
        return Candidate(stems, norm, casualties, array(features, dtype=float))

    def _against_stream(self, places: Mapping[int, float]) -> list[float]:
        from numpy import count_nonzero, partition

        count = len(self.remembered)
        if not count:
            return [0.0, 0.0, 0.0, 0.0, 0.0]
        cosines = self._memory.dots(places, count)
        top = partition(cosines, count - 5)[count - 5 :] if count > 5 else cosines
        return [
            float(cosines.sum()) / count,
            float(cosines.max()),
            int(count_nonzero(cosines > 0.3)) / count,
            int(count_nonzero(cosines > 0.5)) / count,
            float(top.sum()) / 5,
        ]

    def _against_emitted(
        self, stems: Mapping[str, float], mass: float, norm: float, numbers: Sequence[str]
    ) -> list[float]:
        from numpy import array, bincount, partition

        postings = self._emitted_stems
        uncovered = sum(weight for stem, weight in stems.items() if stem not in postings)
        new_numbers = sum(stem not in postings for stem in numbers)
        row, _, weight = postings.meet(stems)
        if not len(row):
            return [self.emitted_count, 0.0, 0.0, 0.0, 1.0 - uncovered / mass, uncovered, new_numbers]
        kept = len(self._norms)
        cosines = bincount(row, weights=weight * weight, minlength=kept) / array(self._norms)
        nearest = (partition(cosines, kept - 3)[kept - 3 :] if kept > 3 else cosines) / norm
        return [
            self.emitted_count,
            float(nearest.max()),
            float(nearest.sum()) / 3,
            float(bincount(row, weights=weight).max()) / mass,
            1.0 - uncovered / mass,
            uncovered,
            new_numbers,
        ]

    def _places(self, stems: Mapping[str, float]) -> dict[int, float]:
        """The hashed vector of length 1."""
        vector: dict[int, float] = {}
        squares = 0.0
        for stem, weight in stems.items():
            squares += weight * weight
            first, first_sign, second, second_sign = _places_of(stem)
            vector[first] = vector.get(first, 0.0) + first_sign * weight
            vector[second] = vector.get(second, 0.0) + second_sign * weight
        norm = sqrt(squares)
        return {place: value / norm for place, value in vector.items()}

    def _remember(self, stems: Mapping[str, float], places: Mapping[int, float]) -> None:
        text = " ".join(stems)
        if len(self.remembered) < self._limits.memory:
            self.remembered.append(text)
        else:
            oldest = self.remembered[self.slot].split()
            self._memory.remove_oldest({place for stem in oldest for place in _places_of(stem)[::2]})
            self._topic.subtract(oldest)
            for stem in oldest:
                if not self._topic[stem]:
                    del self._topic[stem]
            self.remembered[self.slot] = text
        self._topic.update(stems.keys())
        self._memory.add(self.slot, places)
        self.slot = (self.slot + 1) % self._limits.memory

    def _keep_emitted(self, stems: Mapping[str, float], norm: float) -> None:
        slot = self._emitted_slot
        if len(self.emitted) < self._limits.max_kept:
            self._norms.append(norm)
        else:
            self._emitted_stems.remove_oldest(self.emitted.popleft().split())
            self._norms[slot] = norm
        self.emitted.append(" ".join(stems))
        self._emitted_stems.add(slot, stems)
        self._emitted_slot = (slot + 1) % self._limits.max_kept

    def _weights_of(self, stems: Iterable[str]) -> dict[str, float]:
        weight_of = self._weights.get
        return {stem: weight_of(stem, RARE) for stem in stems}

    def parts(self) -> tuple[list[str], int, list[int], list[str], int, dict[str, int]]:
        """What `restore` takes."""
        return (
            self.remembered,
            self.slot,
            list(self.seen),
            list(self.emitted),
            self.emitted_count,
            self.casualties,
        )

    def restore(
        self,
        remembered: list[str],
        slot: int,
        seen: list[int],
        emitted: list[str],
        emitted_count: int,
        casualties: dict[str, int],
    ) -> None:
        """Become what these describe: the attributes of the same names."""
        self.forget()
        # The ring's oldest is at `slot` once it is full.
        self.remembered, self.slot = list(remembered), slot
        count = len(remembered)
        first = slot if count == self._limits.memory else 0
        for number in (*range(first, count), *range(first)):
            stems = self._weights_of(remembered[number].split())
            self._memory.add(number, self._places(stems))
            self._topic.update(stems.keys())
        self.seen.extend(seen)
        self._seen_set = set(self.seen)
        for text in emitted:
            stems = self._weights_of(text.split())
            self._keep_emitted(stems, sqrt(sum(weight * weight for weight in stems.values())))
        self.emitted_count, self.casualties = emitted_count, dict(casualties)


@lru_cache(maxsize=50_000)
def _places_of(stem: str) -> tuple[int, float, int, float]:
    """Two places of a stem in the hashed vectors, each with its sign."""
    code = zlib.crc32(stem.encode("utf-8", "surrogatepass"))
    other = zlib.crc32(b"%d" % code)
    return (
        code % DIMENSIONS,
        _HALF if code & 0x10000 else -_HALF,
        other % DIMENSIONS,
        _HALF if other & 0x10000 else -_HALF,
    )


@lru_cache(maxsize=8)
def _number_stems(language: str) -> frozenset[str]:
    return frozenset(map(shared_analyzer(language).stem, _NUMBER_WORDS.split())) - {""}
