"""The documents of a day while it lasts: at most so many, the best by the event's query, and only so much of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Analyzer, Event, Sentence, bare_event_id, shared_analyzer
from tidings.following.entities.days.retrieval import Statistics, bm25, ranked_documents

__all__ = ["OpenDay", "OpenDocument", "query_stems"]

MOST_DOCUMENTS = 300
"""Documents of a day that are kept until it ends; beyond them those that the query alone finds worst are let go."""
MOST_SENTENCES = 25
"""Sentences of a document that are kept, title included: news says first what matters."""
MOST_CHARACTERS = 2_000
"""Characters of a sentence that are kept."""
_NEED = 2


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
        for sentence in sentences:
            text = sentence.text[:MOST_CHARACTERS]
            stems += event.analyzer.stems(text)
            if len(document.sentences) < MOST_SENTENCES:
                document.sentences.append(sentence if text == sentence.text else replace(sentence, text=text))
        frequencies = document.frequencies
        counts = Counter(stems)
        seen.count(stems, new=[stem for stem in counts if stem not in frequencies], first=is_new)
        for stem, count in counts.items():
            frequencies[stem] = frequencies.get(stem, 0) + count
        was_about = document.about
        document.about = was_about or event.speaks_of(sentences, frequencies)
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
        for score, number in ranked_documents([one.frequencies for one in candidates], event.stems, seen):
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

    def speaks_of(self, sentences: Sequence[Sentence], frequencies: dict[str, int]) -> bool:
        """Whether one of the sentences was pooled for this event, or two stems of its query occur (or its only one)."""
        if any(self._id in map(bare_event_id, sentence.events or ()) for sentence in sentences):
            return True
        return sum(stem in frequencies for stem in self.stems) >= self._need


def query_stems(event: Event, analyzer: Analyzer) -> tuple[str, ...]:
    """The different stems of the title and the query, in order.

    >>> query_stems(Event(id="1", title="Ferry fire", query="ferry burning"), shared_analyzer())
    ('ferri', 'fire', 'burn')
    """
    return tuple(dict.fromkeys((*analyzer.stems(event.title), *analyzer.stems(event.query))))


def _repeats(title: str, text: str) -> bool:
    return text.casefold().startswith(title.casefold())
