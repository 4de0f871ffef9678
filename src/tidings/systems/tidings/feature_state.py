"""What speaks for telling a sentence and what against it: 28 features, from its words, the stream and what was emitted.

    text ──▶ looks, query ┐
    memory of the stream  ├──▶ 28 features ──▶ worth (additive_model.py)
    what was emitted      ┘

Everything is of the past: a sentence is held against what came before it. All memories are bounded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from math import log1p
from typing import Any

from msgspec import Struct

from tidings.articles.reader import ArticleReader, ArticleSentence
from tidings.protocols import Interest
from tidings.records import Event, Sentence
from tidings.systems.tidings.article_features import ArticleView
from tidings.systems.tidings.postings import Postings
from tidings.systems.tidings.text_features import (
    RARE,
    ReadDocument,
    ReadSentence,
    TextReader,
    WeighedText,
    norm_of,
    places_of,
    two_places,
)
from tidings.systems.tidings.topic import Topic
from tidings.text import shared_analyzer

__all__ = ["ArticleCandidate", "Candidate", "FeatureState", "Limits", "find_interest"]


class Limits(Struct, frozen=True):
    """How much is remembered, and which sentences are looked at."""

    min_words: int = 4
    max_words: int = 25
    memory: int = 512
    max_kept: int = 200
    max_sentences: int = 2_000
    article_words: int = 45
    longest: int = 60
    least_value: float = 0.1
    likeness: float = 0.4
    same_likeness: float = 0.75
    contained: float = 0.6

    @property
    def seen(self) -> int:
        """How many texts are known again."""
        return 8 * self.memory


class ArticleCandidate(Struct):
    """A sentence of a whole article under consideration: what it does, its words, and the decision's features."""

    sentence: Sentence
    answer: ArticleSentence
    stems: dict[str, float]
    norm: float
    casualties: dict[str, int]
    row: tuple[float, ...]


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

    What a sentence costs does not grow without end: at most `memory` sentences and `max_kept` updates are held against
    it, by the stems and places that they share with it.
    """

    def __init__(self, event: Event, reader: TextReader, limits: Limits) -> None:
        self._reader, self._limits = reader, limits
        self._interest = find_interest(event, reader.weights, reader.analyzer.language)
        self._query = self._interest.stems if self._interest else frozenset()
        self._need = min(2, len(self._query))
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self._memory: Postings[int] = Postings()
        self.remembered: list[str] = []
        self.slot = 0
        self._topic = Topic()
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

    def documents(self, sentences: Sequence[Sentence]) -> Iterator[ReadDocument]:
        """The documents of a push that interest the event (see `find_interest`)."""
        for document in self._reader.documents(sentences):
            if self._is_of_interest(document):
                yield document

    def candidates(self, document: ReadDocument) -> Iterator[tuple[Sentence, Candidate]]:
        """The sentences of a document that can be updates, each with its features in view of all before it.

        They join the memory of the stream if they are about the event. What is emitted must be noted, by `emit`, before
        the next.
        """
        asked = tuple(self._query.intersection(document.stems))
        for one in document.sentences[: self._limits.max_sentences]:
            candidate = self._consider(one, asked)
            if candidate is not None:
                yield one.sentence, candidate

    def article_candidates(self, document: ReadDocument, articles: ArticleReader) -> list[ArticleCandidate]:
        """The sentences of an article that may be news, each with its features in view of all articles before it.

        Unlike those of `candidates` they need not hold a word of the query: what they are about is told by the article
        around them. They join the memory of the stream when all have been looked at.
        """
        article = self._reader.article(document, articles)
        limits, found, learned = self._limits, [], []
        about = ArticleView(article, self._query, self._need, self._topic.common)
        for number, (one, answer) in enumerate(zip(article.sentences, article.answers, strict=True)):
            if number >= limits.max_sentences:
                break
            if one.words < limits.min_words or one.words > limits.longest or not self._is_new(one.mark):
                continue
            if about.overlaps[number] >= self._need:
                learned.append(one)
            if answer.news_value < limits.least_value or answer.surface.foreign:
                continue
            if one.words <= limits.article_words:
                weighed = self._reader.weighed(one)
                if weighed.stems:
                    looks = self._reader.looks(one.sentence.text, weighed)
                    stream = self._against_stream(self._reader.places(weighed))
                    row = about.row(number, answer, stream, len(looks.numbers))
                    found.append(
                        ArticleCandidate(
                            one.sentence, answer, weighed.stems, weighed.norm, looks.casualties, row
                        )
                    )
        for one in learned:
            weighed = self._reader.weighed(one)
            self._remember(weighed.stems, self._reader.places(weighed))
        return found

    def repeats(self, candidate: ArticleCandidate) -> bool:
        """Whether an update has told what a candidate of an article says: like it, or holding most of its words.

        Where it gives a number that no update has given, or more casualties, only the same words repeat.
        """
        mass = sum(candidate.stems.values())
        numbers = [stem for stem in candidate.stems if stem.isdigit()]
        row = self._against_emitted(candidate.stems, mass, candidate.norm, numbers)
        nearest, contained, new_numbers = row[1], row[3], row[6]
        highest = self.casualties
        rises = any(value > highest.get(kind, 0) for kind, value in candidate.casualties.items())
        limits = self._limits
        if rises or new_numbers:
            return nearest > limits.same_likeness
        return nearest > limits.likeness or contained > limits.contained

    def emit(self, candidate: Candidate | ArticleCandidate) -> None:
        """Note that the candidate was emitted."""
        self.has_changed = True
        self._keep_emitted(candidate.stems, candidate.norm)
        for kind, value in candidate.casualties.items():
            self.casualties[kind] = max(value, self.casualties.get(kind, 0))
        self.emitted_count += 1

    def _is_of_interest(self, document: ReadDocument) -> bool:
        interest = self._interest
        if interest is None or not interest.alone.isdisjoint(document.stems):
            return True
        if len(interest.stems.intersection(document.stems)) < interest.need:
            return False
        return any(interest.met_by(one.stems) for one in document.sentences)

    def _consider(self, one: ReadSentence, asked: Sequence[str]) -> Candidate | None:
        # None if it cannot be an update, or its text was considered before; `asked` are the query's stems that the
        # document holds.
        words, limits = one.words, self._limits
        if not limits.min_words <= words <= limits.max_words:
            # Long sentences are never told, but show what the event is about.
            if words <= 60 and words > limits.max_words and self._is_new(one.mark):
                self._learn(one, asked)
            return None
        if not self._is_new(one.mark):
            return None
        weighed = one.weighed or self._reader.weighed(one)
        stems = weighed.stems
        overlap = 0
        for stem in asked:
            if stem in stems:
                overlap += 1
        if not overlap and not self._topical(stems):
            return None
        candidate = self._candidate(one.sentence, weighed, overlap)
        if overlap >= self._need:
            self._remember(stems, self._reader.places(weighed))
        return candidate

    def _is_new(self, mark: int) -> bool:
        if mark in self._seen_set:
            return False
        if len(self.seen) == self.seen.maxlen:
            self._seen_set.discard(self.seen[0])
        self.has_changed = True
        self.seen.append(mark)
        self._seen_set.add(mark)
        return True

    def _learn(self, one: ReadSentence, asked: Sequence[str]) -> None:
        if len(asked) < self._need:
            return
        weighed = self._reader.weighed(one)
        if weighed.stems and sum(stem in weighed.stems for stem in asked) >= self._need:
            self._remember(weighed.stems, self._reader.places(weighed))

    def _topical(self, stems: Mapping[str, float]) -> bool:
        # At least two stems that a twentieth of the memory has.
        common = self._topic.common
        return not common.isdisjoint(stems) and len(common & stems.keys()) >= 2

    def _candidate(self, sentence: Sentence, weighed: WeighedText, overlap: int) -> Candidate:
        import numpy as np

        reader = self._reader
        looks = reader.looks(sentence.text, weighed)
        stems, mass, norm = weighed.stems, weighed.mass, weighed.norm
        count = len(stems)
        casualties, highest = looks.casualties, self.casualties
        rise = any(value > highest.get(kind, 0) for kind, value in casualties.items())
        features = (
            *looks.first,
            overlap,
            overlap / max(1, len(self._query)),
            overlap / count,
            log1p(max(0, sentence.index)),
            looks.ends_well,
            looks.commas,
            looks.signs,
            looks.speaks_to_reader,
            mass / count,
            *self._against_stream(reader.places(weighed)),
            *self._against_emitted(stems, mass, norm, looks.numbers),
            rise,
            bool(casualties) and not rise,
        )
        return Candidate(stems, norm, casualties, np.array(features, dtype=float))

    def _against_stream(self, places: Mapping[int, float]) -> list[float]:
        import numpy as np

        count = len(self.remembered)
        if not count:
            return [0.0, 0.0, 0.0, 0.0, 0.0]
        cosines = self._memory.dots(places, count)
        top = np.partition(cosines, count - 5)[count - 5 :] if count > 5 else cosines
        return [
            float(cosines.sum()) / count,
            float(cosines.max()),
            int(np.count_nonzero(cosines > 0.3)) / count,
            int(np.count_nonzero(cosines > 0.5)) / count,
            float(top.sum()) / 5,
        ]

    def _against_emitted(
        self, stems: Mapping[str, float], mass: float, norm: float, numbers: Sequence[str]
    ) -> list[float]:
        import numpy as np

        postings = self._emitted_stems
        if not self._norms:
            return [self.emitted_count, 0.0, 0.0, 0.0, 0.0, mass, len(numbers)]
        uncovered = sum(weight for stem, weight in stems.items() if stem not in postings)
        new_numbers = sum(stem not in postings for stem in numbers)
        row, _, weight = postings.meet(stems)
        if not len(row):
            return [self.emitted_count, 0.0, 0.0, 0.0, 1.0 - uncovered / mass, uncovered, new_numbers]
        kept = len(self._norms)
        cosines = np.bincount(row, weights=weight * weight, minlength=kept) / np.array(self._norms)
        nearest = (np.partition(cosines, kept - 3)[kept - 3 :] if kept > 3 else cosines) / norm
        return [
            self.emitted_count,
            float(nearest.max()),
            float(nearest.sum()) / 3,
            float(np.bincount(row, weights=weight).max()) / mass,
            1.0 - uncovered / mass,
            uncovered,
            new_numbers,
        ]

    def _remember(self, stems: Mapping[str, float], places: Mapping[int, float]) -> None:
        text = " ".join(stems)
        if len(self.remembered) < self._limits.memory:
            self.remembered.append(text)
        else:
            oldest = self.remembered[self.slot].split()
            self._memory.remove_oldest({place for stem in oldest for place in two_places(stem)[::2]})
            self._topic.remove(oldest)
            self.remembered[self.slot] = text
        self._topic.add(stems, len(self.remembered))
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
            stems = self._reader.weigh(remembered[number].split())
            self._memory.add(number, places_of(stems))
            self._topic.add(stems, count)
        self.seen.extend(seen)
        self._seen_set = set(self.seen)
        for text in emitted:
            stems = self._reader.weigh(text.split())
            self._keep_emitted(stems, norm_of(stems))
        self.emitted_count, self.casualties = emitted_count, dict(casualties)
