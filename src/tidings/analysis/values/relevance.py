"""Which sentences of a document may speak of an event: the gate before anything is read."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.analysis.values.happenings import synonyms
from tidings.core import Event, Sentence, shared_analyzer

__all__ = ["Relevance"]


class Relevance:
    """The words of an event, and what holds enough of them.

    The document must hold two of the stems of query and title, in its sentences or its title, and the sentence one,
    unless the document's title holds two. Another word for what happened (`storm` of a hurricane) stands for its stem,
    in a document that holds a stem itself.

    >>> relevance = Relevance(Event(id="e", title="Ferry fire of 2014", query="ferry fire port"))
    >>> sorted(relevance.stems), relevance.need, relevance.synonyms["blaze"]
    (['ferri', 'fire', 'port'], 2, 'fire')
    """

    def __init__(self, event: Event) -> None:
        stems_of = shared_analyzer().stems
        self.stems = frozenset(
            stem for stem in stems_of(f"{event.query} {event.title}") if not stem.isdigit()
        )
        self.synonyms = synonyms(self.stems)
        self.need = min(2, len(self.stems))
        self._words = {stem: stem for stem in self.stems} | self.synonyms

    def held(self, stems: Sequence[str]) -> frozenset[str]:
        """The event's own stems that these stems are, or stand for.

        >>> relevance = Relevance(Event(id="e", title="Ferry fire", query="ferry fire"))
        >>> sorted(relevance.held(["ferri", "blaze", "night"]))
        ['ferri', 'fire']
        """
        words = self._words
        return frozenset(words[stem] for stem in stems if stem in words)

    def relevant(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences of one document that pass, in order; none where the document does not."""
        if not sentences:
            return []
        stems_of, words, own = shared_analyzer().stems, self._words.keys(), self.stems
        titled = frozenset(stems_of(sentences[0].title)) if sentences[0].title else frozenset()
        held: set[str] = set(self.held(tuple(titled)))
        literal = not own.isdisjoint(titled)
        holding = []
        for sentence in sentences:
            stems = stems_of(sentence.text)
            if not words.isdisjoint(stems):
                held.update(self.held(stems))
                literal = literal or not own.isdisjoint(stems)
                holding.append(sentence)
        if not holding or not literal or len(held) < self.need:
            return []
        return list(sentences) if len(own & titled) >= max(2, self.need) else holding
