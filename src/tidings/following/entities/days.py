"""A stream of an event as days: the best documents of each, and who and where they name, under ids that last.

Statistics of words are those of the stream so far, never of what comes later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, groupby
from math import log
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Analyzer, Event, Sentence, bare_event_id, shared_analyzer
from tidings.following.entities.book import EntityBook, Remembered, in_day
from tidings.following.entities.event_days import DayDocument, EntityMention, EventDay
from tidings.following.entities.naming import named_in

if TYPE_CHECKING:
    from tidings.analysis import Recogniser

EXPANSION_TERMS = 30
"""Words that widen the query, as in the paper."""
_K1, _B = 1.2, 0.75
_FEEDBACK = 10
"""Documents that the query alone finds best, from which it is widened."""
_EXPANSION_WEIGHT = 0.5
"""What all words of the expansion count together, beside 1 for all words of the query."""
MOST_STEMS = 100_000
"""Stems whose frequencies are remembered; those of a single document are forgotten first."""

Frequencies = Mapping[str, int]


class Statistics(Struct):
    """How often the stream has used each stem so far: in how many documents, and how many times.

    >>> seen = Statistics()
    >>> seen.count(["storm", "coast", "storm"], new=["storm", "coast"], first=True)
    >>> seen.documents, seen.length, seen.document_counts["storm"], seen.term_counts["storm"]
    (1, 3, 1, 2)
    """

    documents: int = 0
    length: int = 0
    document_counts: dict[str, int] = {}
    term_counts: dict[str, int] = {}

    def count(self, stems: Iterable[str], *, new: Iterable[str], first: bool) -> None:
        """Count a document, or more of it.

        Args:
            stems: all that it says.
            new: each different one that was not yet counted for this document, once.
            first: whether the document is counted for the first time.
        """
        if first:
            self.documents += 1
        terms, documents = self.term_counts, self.document_counts
        for stem in stems:
            terms[stem] = terms.get(stem, 0) + 1
            self.length += 1
        for stem in new:
            documents[stem] = documents.get(stem, 0) + 1
        if len(documents) > MOST_STEMS:
            self._forget_rare()

    def _forget_rare(self) -> None:
        least = 1
        while len(self.document_counts) > MOST_STEMS * 3 // 4:
            kept = [stem for stem, count in self.document_counts.items() if count > least]
            self.document_counts = {stem: self.document_counts[stem] for stem in kept}
            self.term_counts = {stem: self.term_counts[stem] for stem in kept}
            least *= 2

    def idf(self, stem: str) -> float:
        """log(1 + (N − n + ½) / (n + ½)) of N documents, n of which hold the stem; above 0."""
        holding = self.document_counts.get(stem, 0)
        return log(1.0 + (max(self.documents - holding, 0) + 0.5) / (holding + 0.5))


def bm25(weights: Mapping[str, float], frequencies: Frequencies, length: int, seen: Statistics) -> float:
    """Σ w · idf · f (k₁ + 1) / (f + k₁ (1 − b + b · length / mean)) over the weighted stems, 0 where none occurs.

    k₁ = 1.2 and b = .75 (Robertson and Zaragoza 2009).

    >>> seen = Statistics()
    >>> seen.count(["storm", "coast"], new=["storm", "coast"], first=True)
    >>> bm25({"storm": 1.0}, {"storm": 2}, 2, seen) > bm25({"storm": 1.0}, {"storm": 1}, 2, seen) > 0
    True
    """
    mean = seen.length / seen.documents if seen.documents else 1.0
    norm = _K1 * (1.0 - _B + _B * length / max(mean, 1.0))
    total = 0.0
    for stem, weight in weights.items():
        frequency = frequencies.get(stem, 0)
        if frequency:
            total += weight * seen.idf(stem) * frequency * (_K1 + 1.0) / (frequency + norm)
    return total


def expansion_terms(
    best: Sequence[Frequencies], seen: Statistics, query: Iterable[str], most: int = EXPANSION_TERMS
) -> dict[str, float]:
    """The stems that set documents apart from the stream so far, with weights that sum to 1.

    The weight of a stem is its share of the Kullback-Leibler divergence, P(w|best) · log(P(w|best) / P(w|stream)).
    Stems of the query, of a single character, of digits alone, and of only one document (where there are more) are
    left out.

    >>> seen = Statistics()
    >>> for text in (["storm", "coast"], ["storm", "coast", "ferri"], ["bank", "ferri"], ["bank", "vote"]):
    ...     seen.count(text, new=text, first=True)
    >>> expansion_terms([{"storm": 1, "coast": 1}, {"storm": 1, "coast": 1, "ferri": 1}], seen, ["storm"])
    {'coast': 1.0}
    """
    size = sum(sum(frequencies.values()) for frequencies in best)
    leave, need = frozenset(query), min(2, len(best))
    shares: dict[str, float] = {}
    for stem, holding in Counter(chain.from_iterable(best)).items():
        if holding < need or stem in leave or len(stem) < 2 or stem.isdigit():
            continue
        count = sum(frequencies.get(stem, 0) for frequencies in best)
        share = count / size
        divergence = share * log(share * seen.length / max(seen.term_counts.get(stem, 0), count))
        if divergence > 0:
            shares[stem] = divergence
    chosen = sorted(shares, key=lambda stem: (-shares[stem], stem))[:most]
    total = sum(shares[stem] for stem in chosen)
    return {stem: shares[stem] / total for stem in chosen}


def ranked_documents(
    documents: Sequence[Frequencies], query: Iterable[str], seen: Statistics
) -> list[tuple[float, int]]:
    """(score, number) of each document, best first, equal ones in their order.

    The query's words count 1 together; those of the expansion, from the ten documents that the query alone finds best,
    half as much together.
    """
    stems = sorted(set(query))
    weights = dict.fromkeys(stems, 1.0 / max(len(stems), 1))
    lengths = [sum(frequencies.values()) for frequencies in documents]
    scores = [
        bm25(weights, frequencies, length, seen)
        for frequencies, length in zip(documents, lengths, strict=True)
    ]
    order = sorted(range(len(documents)), key=lambda number: (-scores[number], number))
    best = [documents[number] for number in order[:_FEEDBACK] if scores[number] > 0]
    wider = expansion_terms(best, seen, stems) if best else {}
    extra = {stem: _EXPANSION_WEIGHT * weight for stem, weight in wider.items()}
    totals = [
        score + bm25(extra, frequencies, length, seen)
        for score, frequencies, length in zip(scores, documents, lengths, strict=True)
    ]
    return sorted(((total, number) for number, total in enumerate(totals)), key=lambda one: (-one[0], one[1]))


MOST_DOCUMENTS = 300
"""Documents of a day that are kept until it ends; beyond them those that the query alone finds worst are let go."""
MOST_SENTENCES = 25
"""Sentences of a document that are kept, title included: news says first what matters."""
MOST_CHARACTERS = 2_000
"""Characters of a sentence that are kept."""
_NEED = 2
_LEAD = 4
"""The title and the first sentences of a document, which say what it is about."""


class OpenDocument(Struct):
    """What is kept of a document until its day ends; `frequencies` are of all that was offered of it."""

    id: str
    sentences: list[Sentence]
    frequencies: dict[str, int]
    score: float = 0.0
    about: bool = False


class OpenDay(Struct):
    """A day of which more may come: its date, how many documents about the event it had, and the best of them."""

    date: str
    count: int = 0
    documents: dict[str, OpenDocument] = {}

    def add(self, sentences: Sequence[Sentence], event: EventWords, seen: Statistics) -> None:
        """Add sentences of one document."""
        first = sentences[0]
        document = self.documents.get(first.doc_id)
        is_new = document is None
        if document is None:
            document = OpenDocument(first.doc_id, [], {})
            if first.title.strip():
                title = replace(first, index=-1, text=first.title.strip(), start=0)
                if not _repeats(title.text, first.text):
                    sentences = [title, *sentences]
        stems: list[str] = []
        said: list[tuple[str, ...]] = []
        for sentence in sentences:
            text = sentence.text[:MOST_CHARACTERS]
            said.append(event.analyzer.stems(text))
            stems += said[-1]
            if len(document.sentences) < MOST_SENTENCES:
                document.sentences.append(sentence if text == sentence.text else replace(sentence, text=text))
        frequencies = document.frequencies
        counts = Counter(stems)
        seen.count(stems, new=[stem for stem in counts if stem not in frequencies], first=is_new)
        for stem, count in counts.items():
            frequencies[stem] = frequencies.get(stem, 0) + count
        was_about = document.about
        document.about = was_about or event.speaks_of(sentences, said)
        if not document.about:
            return
        self.count += not was_about
        document.score = bm25(event.weights, frequencies, sum(frequencies.values()), seen)
        self.documents[document.id] = document
        if len(self.documents) > MOST_DOCUMENTS:
            order = enumerate(self.documents.values())
            worst = min(order, key=lambda one: (one[1].score, -one[0]))[1]
            del self.documents[worst.id]

    def best(
        self, documents: int, sentences: int, event: EventWords, seen: Statistics
    ) -> list[tuple[OpenDocument, float]]:
        """So many documents with their scores, best first, and more until so many sentences are among them.

        None that only repeats better ones' sentences.
        """
        candidates = list(self.documents.values())
        chosen: list[tuple[OpenDocument, float]] = []
        said: set[str] = set()
        for score, number in ranked_documents(
            [candidate.frequencies for candidate in candidates], event.stems, seen
        ):
            texts = {sentence.text for sentence in candidates[number].sentences}
            if texts <= said:
                continue
            said |= texts
            chosen.append((candidates[number], score))
            if len(chosen) >= documents and len(said) >= sentences:
                break
        return chosen


class EventWords:
    """The stems of an event's title and query, and whether a document speaks of the event."""

    def __init__(self, event: Event, language: str = "english") -> None:
        self.event = event
        self.analyzer: Analyzer = shared_analyzer(language)
        self.stems = query_stems(event, self.analyzer)
        self.weights = dict.fromkeys(self.stems, 1.0 / max(len(self.stems), 1))
        self._id = bare_event_id(event.id)
        self._need = min(_NEED, len(self.stems))
        self._different = frozenset(self.stems)

    def speaks_of(self, sentences: Sequence[Sentence], said: Sequence[Sequence[str]]) -> bool:
        """Whether one was pooled for this event, or title and lead hold two stems of its query (or its only one)."""
        if any(self._id in map(bare_event_id, sentence.events or ()) for sentence in sentences):
            return True
        return len(self._different.intersection(chain.from_iterable(said[:_LEAD]))) >= self._need


def query_stems(event: Event, analyzer: Analyzer) -> tuple[str, ...]:
    """The different stems of the title and the query, in order.

    >>> query_stems(Event(id="1", title="Ferry fire", query="ferry burning"), shared_analyzer())
    ('ferri', 'fire', 'burn')
    """
    return tuple(dict.fromkeys((*analyzer.stems(event.title), *analyzer.stems(event.query))))


def _repeats(title: str, text: str) -> bool:
    return text.casefold().startswith(title.casefold())


DOCUMENTS_OF_A_DAY = 10
"""Documents of a day whose entities are looked for, as in the paper."""
SENTENCES_OF_A_DAY = 250
"""Sentences that ten articles hold: where the best documents hold fewer, as in a pool, more of them are looked at."""


_VERSION = 1  # of the state


class _State(msgspec.Struct, array_like=True):
    version: int
    day: OpenDay | None
    seen: Statistics
    entities: list[Remembered]
    order: list[tuple[int, str]]
    next_id: int


class EventDays:
    """Builds the days of an event as its sentences come in.

    A day (UTC) is closed when the time has passed into the next one. A day without a document about the event is none.
    Nothing in a day's record comes from after its end; who continues from `state()` goes on as if undisturbed.

    Args:
        event: whose title and query say what documents are about.
        documents: how many of a day's documents are looked at, the best.
        sentences: and how many more, until they hold so many different sentences; 0: none.
        finder: who finds names; the recogniser that comes with tidings unless given.
        language: of the stems, as Snowball names it.

    >>> event = Event(id="1", title="Ferry fire", query="ferry fire")
    >>> days = EventDays(event)
    >>> said = [Sentence("a", 0, "A ferry caught fire off Genoa, said Maria Rossi.", 60)]
    >>> days.add(said, 60)
    []
    >>> [day] = days.add([], 90_000)
    >>> day.date, [(one.id, one.name, one.type) for one in day.entities]
    ('1970-01-01', [(1, 'Maria Rossi', 'PER'), (2, 'Genoa', 'LOC')])
    """

    def __init__(
        self,
        event: Event,
        *,
        documents: int = DOCUMENTS_OF_A_DAY,
        sentences: int = SENTENCES_OF_A_DAY,
        finder: Recogniser | None = None,
        language: str = "english",
    ) -> None:
        self._documents, self._sentences = documents, sentences
        self._finder = finder
        self._words = EventWords(event, language)
        self._day: OpenDay | None = None
        self._seen = Statistics()
        self._book = EntityBook()

    def add(self, sentences: Sequence[Sentence], now: int) -> list[EventDay]:
        """Add what was published up to `now` (seconds UTC), which never falls; the days that have ended by then.

        Sentences of a day that was closed before count as of the day that is open.
        """
        closed: list[EventDay] = []
        for (date, _), own in groupby(
            sentences, key=lambda sentence: (_date(sentence.published_time), sentence.doc_id)
        ):
            if self._day is not None and date > self._day.date:
                closed += self._close(now)
            if self._day is None:
                self._day = OpenDay(date)
            self._day.add(list(own), self._words, self._seen)
        if self._day is not None and self._day.date < _date(now):
            closed += self._close(now)
        return closed

    def finish(self, now: int) -> list[EventDay]:
        """The day that is open, closed now, where it has news."""
        return self._close(now)

    def _close(self, now: int) -> list[EventDay]:
        day, self._day = self._day, None
        if day is None or not day.count:
            return []
        best = day.best(self._documents, self._sentences, self._words, self._seen)
        sentences = [sorted(document.sentences, key=lambda sentence: sentence.index) for document, _ in best]
        query = f"{self._words.event.title} {self._words.event.query}"
        kept = frozenset(query.lower().split())
        tokens, named = named_in(sentences, self._name_finder(), self._words.analyzer, kept, self._book)
        ids = self._book.place([bearer for bearer, _ in named], day.date)
        mentions: dict[int, list[EntityMention]] = {}
        for number, (_, own) in zip(ids, named, strict=True):
            mentions.setdefault(number, []).extend(own)
        total = sum(score for _, score in best)
        documents = tuple(
            DayDocument(tuple(own), texts, score / total if total else 1 / len(best))
            for own, texts, (_, score) in zip(sentences, tokens, best, strict=True)
        )
        entities = in_day(self._book, mentions, query)
        self._book.forget()
        frequencies = [document.frequencies for document, _ in best[: self._documents]]
        expansion = tuple(expansion_terms(frequencies, self._seen, self._words.stems))
        return [EventDay(day.date, now, documents, entities, day.count, expansion)]

    def _name_finder(self) -> Recogniser:
        if self._finder is None:
            from tidings.analysis import shipped_recogniser

            self._finder = shipped_recogniser()
        return self._finder

    def state(self) -> bytes:
        """Everything remembered, as msgpack."""
        book = self._book
        entities = list(book.entities.values())
        return msgspec.msgpack.encode(
            _State(_VERSION, self._day, self._seen, entities, book.order, book.next_id)
        )

    def restore(self, data: bytes) -> None:
        """Become the builder whose `state()` gave `data`.

        Raises:
            ValueError: it is no state of a builder of days.
        """
        try:
            state = msgspec.msgpack.decode(data, type=_State)
        except msgspec.MsgspecError as error:
            raise ValueError(f"found no state of a builder of days ({error})") from None
        if state.version != _VERSION:
            raise ValueError(f"a state of version {state.version} (expected {_VERSION})")
        self._day, self._seen = state.day, state.seen
        self._book.restore(state.entities, state.order, state.next_id)


def _date(time: int) -> str:
    return _date_of_day(time // 86_400)


@lru_cache(maxsize=64)
def _date_of_day(day: int) -> str:
    return datetime.fromtimestamp(day * 86_400, UTC).strftime("%Y-%m-%d")
