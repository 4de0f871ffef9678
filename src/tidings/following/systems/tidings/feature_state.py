"""What speaks for telling a sentence and what against it: 32 features, from its words, the stream and what was emitted.

    text ──▶ looks, query ┐
    memory of the stream  ├──▶ 32 features ──▶ worth (model.py)
    what was emitted      ┘

Everything is of the past: a sentence is held against what came before it. All memories are bounded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf, log, log1p
from typing import Any

from msgspec.structs import replace

from tidings.analysis import ArticleReader, Openings, Relevance, is_of_ongoing
from tidings.core import Event, Sentence, Update, is_learned
from tidings.following.systems.support import KEEP_S
from tidings.following.systems.tidings.candidates import (
    EMITTED_HALF_LIFE_S,
    FRESH_S,
    PACED_EMITTED,
    PACED_LENGTH,
    PACED_WORDS,
    ArticleCandidate,
    Candidate,
    Limits,
    Wording,
    is_no_news,
    repeats,
)
from tidings.following.systems.tidings.model import ArticleView, article_row
from tidings.following.systems.tidings.stream_memory import ANY_ORDER, Pairs, Postings, StreamMemory, Topic
from tidings.following.systems.tidings.text_features import (
    ReadArticle,
    ReadDocument,
    ReadSentence,
    TextReader,
    WeighedText,
    casualties_of,
    norm_of,
)

_TOP = 3
_STATES, _OF_NOW, _ALONE, _MOST_TIMES = 0.5, 0.4, 0.2, 3
"""What is asked of a sentence that raises a toll: it states, is of the day, stands alone, and by how much it may."""


class FeatureState:
    """What one event's follower has seen and emitted, and the features of the next sentence in view of it.

    What a sentence costs does not grow without end: at most `memory` sentences and `max_kept` updates are held against
    it, by the stems and places that they share with it.
    """

    def __init__(self, event: Event, reader: TextReader, limits: Limits, terms: str = "") -> None:
        self._reader, self._limits = reader, limits
        self._event = event
        self._interest = reader.interest(event, terms)
        self._query = self._interest.stems if self._interest else frozenset()
        self._need = min(2, len(self._query))
        self.learned: frozenset[str] = frozenset()
        self._asked = self._query | frozenset(reader.analyzer.stems(event.title))
        self._wants: Callable[[int, str], bool] | None = None
        self._most_emitted, self.least_news = inf, 0.0
        self.forget()

    @cached_property
    def _relevance(self) -> Relevance:
        return Relevance(self._event)

    def widen(self, wants: Callable[[int, str], bool]) -> None:
        """Serve a pace: longer sentences too and, where `wants` says so, others of a document that is of interest.

        How many updates there are is then the reader's choice: their number says nothing about the next one any more,
        and no sentence is the worse for its length, which in training it was because its words were to be read.
        """
        self._wants = wants
        self._most_emitted = PACED_EMITTED
        self._limits = replace(self._limits, max_words=max(PACED_WORDS, self._limits.max_words))

    def _wanted(self, rank: int, sentence: Sentence) -> bool:
        return self._wants is not None and self._wants(rank, sentence.doc_id)

    def forget(self) -> None:
        """Begin again."""
        self.words = self._query
        self._stream = StreamMemory(self._limits.memory, self._asked)
        self.seen: deque[int] = deque(maxlen=self._limits.seen)
        self._seen_set: set[int] = set()
        self._most_seen = self._limits.seen
        self.emitted: deque[str] = deque()
        self.emitted_count = 0.0
        self.emitted_time = self.first_time = self._now = 0
        self._emitted_now = 0.0
        self.casualties: dict[str, int] = {}
        self.openings = Openings()
        self._emitted_stems: Postings[str] = Postings()
        self._norms: list[float] = []
        self._emitted_times: list[int] = []
        self._emitted_slot = 0
        self.has_changed = False

    @property
    def remembered(self) -> list[str]:
        """The stems of what is remembered of the stream, each sentence as a text."""
        return self._stream.remembered

    @property
    def topic(self) -> Topic:
        """What is common in that."""
        return self._stream.topic

    def rarity(self, stem: str) -> float:
        """How rare a stem is in what is remembered of the stream, as a logarithm."""
        return log((2 + len(self._stream.remembered)) / (1 + self.topic.counts.get(stem, 0)))

    @property
    def size_bytes(self) -> int:
        """Bytes that the memories of the stream and of what was emitted take, without their keys and texts."""
        return self._stream.size_bytes + self._emitted_stems.size_bytes

    def documents(self, sentences: Sequence[Sentence]) -> list[ReadDocument]:
        """The documents of a push that interest the event (see `TextReader.interest`)."""
        return [one for one in self._reader.documents(sentences) if self._is_of_interest(one)]

    def candidates(self, document: ReadDocument) -> Iterator[tuple[Sentence, Candidate]]:
        """The sentences of a document that can be updates, each with its features in view of all before it.

        They join the memory of the stream if they are about the event. What is emitted must be noted, by `emit`, before
        the next.
        """
        limits, reader, common = self._limits, self._reader, self.topic.common
        asked = self._query & document.stems
        for sentence in self._unseen(document):
            if sentence.words > limits.max_words:
                # Long sentences are never emitted, but show what the event is about.
                if len(asked) >= self._need:
                    self._learn(sentence, asked)
                continue
            weighed = sentence.weighed or reader.weighed(sentence)
            stems, overlap, rank = weighed.stems, 0, 0
            for stem in asked:
                if stem in stems:
                    overlap += 1
            # It is topical where it has two stems that a twentieth of the memory has.
            if not overlap and (common.isdisjoint(stems) or len(common & stems.keys()) < 2):
                rank = 2
                if not stems or not self._wanted(rank, sentence.sentence):
                    continue
            candidate = self._candidate(sentence, weighed, overlap)
            candidate.rank = rank
            if overlap >= self._need:
                self._remember(sentence, weighed)
            yield sentence.sentence, candidate

    def read(self, document: ReadDocument, articles: ArticleReader) -> ReadArticle:
        """The document read whole, as its source's articles open."""
        return self._reader.article(document, articles, self.openings.level(document.source))

    def article_candidates(
        self, document: ReadDocument, articles: ArticleReader, *, is_about: bool = False
    ) -> list[ArticleCandidate] | None:
        """The sentences of an article that may be news, in view of all before; None where it only mentions the event.

        At a pace such an article is asked too, when all others are used up. Unlike those of `candidates` sentences need
        not hold a word of the query: the article around them says what they are about.
        """
        article, reader = self.read(document, articles), self._reader
        if article.article.opens_glued is not None:
            self.openings.learn(document.source, article.article.opens_glued)
            self.has_changed = True
        limits, found, learned = self._limits, list[tuple[int, ReadSentence, WeighedText, int, bool]](), []
        need = self._need if self.words == self._query else 2
        about = ArticleView(article, self.words, need, self.topic.common)
        aside = not (is_about or about.is_about)
        if aside and self._wants is None:
            return None
        read = article.article
        answers, foreign = read.answers.tolist(), (read.surfaces.foreign & ~read.surfaces.terse).tolist()
        for number, one in enumerate(article.sentences[: limits.max_sentences]):
            if one.words < limits.min_words or one.words > limits.longest or not self._is_new(one.mark):
                continue
            if len(one.sentence.text) > limits.most_letters:
                continue
            if about.overlaps[number] >= about.need and not aside:
                learned.append(one)
            news_value = answers[number][0]
            raises = not aside and self._raises_toll(one, answers[number])
            rank = 2 if aside or (news_value < limits.least_value and not raises) else 0
            if self._wants is not None and (
                read.kind == "comments" or is_no_news(read.modes[number], read.surfaces, number)
            ):
                rank = 3
            unfit = foreign[number] or news_value < self.least_news
            unfit = unfit or number in read.unfit
            if unfit or (rank and not self._wanted(rank, one.sentence)):
                continue
            if one.words > limits.article_words:
                continue
            weighed = reader.weighed(one)
            if weighed.stems:
                found.append((number, one, weighed, rank, raises))
        means = self._stream.means([(reader.places(weighed), one.held) for _, one, weighed, _, _ in found])
        remembered = len(self._stream.remembered)
        candidates = [
            ArticleCandidate(
                one.sentence,
                weighed,
                tuple(answers[number]),
                article_row(answers[number][0], mean, remembered),
                rank,
                raises,
            )
            for (number, one, weighed, rank, raises), mean in zip(found, means, strict=True)
        ]
        for one in learned:
            self._remember(one, reader.weighed(one))
        return None if aside and not candidates else candidates

    def raises_toll(self, casualties: Mapping[str, int]) -> bool:
        """Whether so many dead are more than any update has given, though not of another order."""
        highest = self.casualties.get("deaths", 0)
        return highest < casualties.get("deaths", 0) <= _MOST_TIMES * highest

    def _raises_toll(self, one: ReadSentence, answers: Sequence[float]) -> bool:
        """Whether a sentence of the event's own article gives the whole event more dead than any update has.

        It needs no likelihood of its own: the article says what it is about, and without it the updates would stand
        below the toll. More than thrice as many are another event's, or want their context. A war has no toll that a
        sentence of a day raises.
        """
        _, states, news, alone = answers
        if states < _STATES or news < _OF_NOW or alone < _ALONE or not self.casualties.get("deaths"):
            return False
        text, title = one.sentence.text, one.sentence.title
        casualties = casualties_of(text, self._reader.weighed(one))
        if not self.raises_toll(casualties):
            return False
        from tidings.following.values.stated import LASTING_S, stated_numbers

        if is_of_ongoing(self._event, LASTING_S, f"{title} {text}"):
            return False
        return any(
            mention.attribute == "deaths"
            and mention.value == casualties["deaths"]
            and not (mention.doubts or mention.quantity.qualifier == "at most")
            for mention in stated_numbers(
                self._relevance,
                Update(
                    "", "", 0, self._now, text=text, published_time=one.sentence.published_time, title=title
                ),
                lasts=False,
            )
        )

    def repeats(
        self, candidate: ArticleCandidate | Wording, has_new_number: Callable[[], bool], words_only: bool
    ) -> bool:
        """Whether an update has said what a candidate of an article says; see
        `tidings.following.systems.tidings.candidates`."""
        import numpy as np

        common, limits = self.topic.common | self._query, self._limits
        emitted, casualties = self._emitted_stems, self.casualties
        is_old = np.array(self._emitted_times, dtype=np.int64) < self._now - KEEP_S
        return repeats(candidate, emitted, is_old, common, casualties, limits, has_new_number, words_only)

    def pass_time(self, now: int) -> None:
        """Let what was emitted count less, now that it is `now`: from 28 days after the first update half in 16 days.

        The learned curve of `emitted` knows events of ten days or so and some tens of updates. In a story of months the
        plain count would leave that range, and silence the follower for good.
        """
        self._now, count = now, self.emitted_count
        if not count:
            self._emitted_now = 0.0
            return
        passed_s = now - self.first_time - FRESH_S
        if passed_s > 0:
            passed_s = max(0, min(passed_s, now - self.emitted_time))
            count *= 0.5 ** min(64.0, passed_s / EMITTED_HALF_LIFE_S)
        self._emitted_now = min(self._most_emitted, count)

    def emit(self, candidate: Candidate | ArticleCandidate | Wording) -> None:
        """Note that the candidate was emitted."""
        self.has_changed = True
        self._keep_emitted(candidate.stems, candidate.norm, self._now)
        for kind, value in candidate.casualties.items():
            self.casualties[kind] = max(value, self.casualties.get(kind, 0))
        if not self.emitted_count:
            self.first_time = self._now
        self.emitted_count = self._emitted_now = min(self._most_emitted, self._emitted_now + 1.0)
        self.emitted_time = self._now

    def _is_of_interest(self, document: ReadDocument) -> bool:
        interest, stems, is_whole = self._interest, document.stems, document.is_whole
        if interest is not None and not is_whole:
            interest = interest.pooled
        if interest is None or not interest.alone.isdisjoint(stems):
            return True
        found = interest.find(stems)
        if not interest.alone.isdisjoint(found):
            return True
        if is_whole and is_learned(self.learned, stems):
            return True
        return len(found) >= interest.need and any(
            interest.met_by(sentence.stems) for sentence in document.sentences
        )

    def _unseen(self, document: ReadDocument) -> Sequence[ReadSentence]:
        """The sentences of a document whose length can be looked at, but for those of a text that was considered."""
        limits = self._limits
        fitting, marks = document.fitting(limits.min_words, limits.max_words, limits.max_sentences)
        if marks and len(self.seen) + len(marks) <= self._most_seen and self._seen_set.isdisjoint(marks):
            self.has_changed = True
            self.seen.extend(marks)
            self._seen_set.update(marks)
            return fitting
        return [sentence for sentence in fitting if self._is_new(sentence.mark)]

    def _is_new(self, mark: int) -> bool:
        if mark in self._seen_set:
            return False
        if len(self.seen) == self.seen.maxlen:
            self._seen_set.discard(self.seen[0])
        self.has_changed = True
        self.seen.append(mark)
        self._seen_set.add(mark)
        return True

    def _learn(self, sentence: ReadSentence, asked: frozenset[str]) -> None:
        weighed = sentence.weighed or self._reader.weighed(sentence)
        stems = weighed.stems
        held = asked if asked <= stems.keys() else asked.intersection(stems)
        if stems and len(held) >= self._need:
            self._remember(sentence, weighed)

    def _candidate(self, read: ReadSentence, weighed: WeighedText, overlap: int) -> Candidate:
        import numpy as np

        reader, sentence = self._reader, read.sentence
        looks = reader.looks(sentence.text, weighed)
        stems, mass, norm = weighed.stems, weighed.mass, weighed.norm
        count = len(stems)
        casualties, highest = casualties_of(sentence.text, weighed), self.casualties
        rise = any(value > highest.get(kind, 0) for kind, value in casualties.items())
        features = (
            *(looks.first if self._wants is None else (*PACED_LENGTH, *looks.first[2:])),
            overlap,
            overlap / max(1, len(self._query)),
            overlap / count,
            log1p(max(0, sentence.index)),
            looks.ends_well,
            looks.commas,
            looks.signs,
            looks.speaks_to_reader,
            mass / count,
            *self._stream.against(reader.places(weighed), read.held),
            *self._stream.familiarity(stems, looks.names, read.others),
            *self._against_emitted(weighed, read.held_emitted),
            rise,
            bool(casualties) and not rise,
        )
        return Candidate(stems, norm, casualties, np.array(features, dtype=float))

    def _against_emitted(self, weighed: WeighedText, known: Pairs) -> list[float]:
        postings, norms, stems, mass = self._emitted_stems, self._norms, weighed.stems, weighed.mass
        if not norms:
            return [self._emitted_now, 0.0, 0.0, 0.0, 0.0, mass, len(weighed.numbers)]
        few = postings.pairs(stems, known, _shared)
        if few is not None:
            cosines: Any = [product / norm for (product, _, _), norm in zip(few, norms, strict=True)]
            contained = max([shared for _, shared, _ in few])
            covered: Collection[str] = few[0][2] if len(few) == 1 else set().union(*[one[2] for one in few])
        else:
            import numpy as np

            row, _, weight = postings.meet(stems)
            cosines = np.bincount(row, weights=weight * weight, minlength=len(norms)) / np.array(norms)
            contained = float(np.maximum.reduce(np.bincount(row, weights=weight, minlength=1)))
            covered = [stem for stem in stems if stem in postings]
        uncovered, numbers = mass, len(weighed.numbers)
        if covered:
            uncovered = sum([weight for stem, weight in stems.items() if stem not in covered])
            numbers = sum([stem not in covered for stem in weighed.numbers])
        nearest = _top(cosines, weighed.norm)
        return [
            self._emitted_now,
            max(nearest),
            (nearest[0] + nearest[1] + nearest[2]) / 3,
            contained / mass,
            1.0 - uncovered / mass,
            uncovered,
            numbers,
        ]

    def _remember(self, read: ReadSentence, weighed: WeighedText) -> None:
        self._stream.add(weighed.stems, self._reader.kept_places(weighed), read.others)

    def _keep_emitted(self, stems: Mapping[str, float], norm: float, time: int) -> None:
        slot = self._emitted_slot
        if len(self.emitted) < self._limits.max_kept:
            self._norms.append(norm)
            self._emitted_times.append(time)
        else:
            self._emitted_stems.remove_oldest(self.emitted.popleft().split())
            self._norms[slot], self._emitted_times[slot] = norm, time
        self.emitted.append(" ".join(stems))
        self._emitted_stems.add(slot, stems)
        self._emitted_slot = (slot + 1) % self._limits.max_kept

    @property
    def emitted_times(self) -> list[int]:
        """When each of `emitted` was."""
        return self._emitted_times[self._emitted_slot :] + self._emitted_times[: self._emitted_slot]

    def parts(self) -> tuple[list[str], int, list[int], list[str], float, dict[str, int], int, int]:
        """What `restore` takes."""
        return (
            self._stream.remembered,
            self._stream.slot,
            list(self.seen),
            list(self.emitted),
            self.emitted_count,
            self.casualties,
            self.emitted_time,
            self.first_time,
        )

    def restore(
        self,
        remembered: list[str],
        slot: int,
        seen: list[int],
        emitted: list[str],
        emitted_count: float,
        casualties: dict[str, int],
        emitted_time: int,
        first_time: int,
        openings: dict[str, float] | None = None,
        times: Sequence[int] = (),
    ) -> None:
        """Become what these describe: the attributes of the same names.

        Without `times`, those of what was emitted, all is as recent as the last of it.
        """
        self.forget()
        self.openings = Openings(openings)
        self._stream.restore(remembered, slot, self._reader.weigh)
        self.seen.extend(seen)
        self._seen_set = set(self.seen)
        for text, time in zip(emitted, times or [emitted_time] * len(emitted), strict=True):
            stems = self._reader.weigh(text.split())
            self._keep_emitted(stems, norm_of(stems), time)
        self.emitted_count, self.emitted_time, self.first_time = emitted_count, emitted_time, first_time
        self._emitted_now, self._now = emitted_count, emitted_time
        self.casualties = dict(casualties)


def _shared(weights: Mapping[str, float], stems: Mapping[str, float]) -> tuple[float, float, Collection[str]]:
    """The sums of squares and of weights of the stems that are among others; and these."""
    shared: Collection[str] = weights.keys() & stems.keys()
    squares = total = 0.0
    for stem in shared if len(shared) <= ANY_ORDER else [stem for stem in weights if stem in shared]:
        weight = weights[stem]
        squares += weight * weight
        total += weight
    return squares, total, shared


def _top(cosines: Any, norm: float) -> list[float]:
    """The three highest, or as many as there are and zeros, divided by a length."""
    count = len(cosines)
    if count > _TOP:
        import numpy as np

        cosines = np.array(cosines)
        cosines.partition(count - _TOP)
        cosines = cosines[count - _TOP :].tolist()
    return [*(float(cosine) / norm for cosine in cosines), 0.0, 0.0][:_TOP]
