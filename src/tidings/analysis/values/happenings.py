"""Kinds of happenings: words by which news calls the same one, such as `storm` and `superstorm`; what is relevant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tidings.core import Event, Sentence, data_beside, shared_analyzer

_DATA = data_beside(__file__)
KINDS: list[str] = _DATA["kinds"]
"""Groups of words; the words of a group may stand for each other."""


@lru_cache(maxsize=1)
def _groups() -> tuple[tuple[str, ...], ...]:
    stem = shared_analyzer().stem
    return tuple(tuple(stem(word) for word in words.split()) for words in KINDS)


def synonyms(own: Iterable[str]) -> dict[str, str]:
    """Stem → which of an event's own stems it may stand for.

    >>> synonyms(["hurrican", "isaac"])["storm"]
    'hurrican'
    >>> synonyms(["isaac"])
    {}
    """
    stems = frozenset(own)
    found: dict[str, str] = {}
    for group in _groups():
        bases = [stem for stem in group if stem in stems]
        for stem in group if bases else ():
            if stem not in stems:
                found.setdefault(stem, bases[0])
    return found


@lru_cache(maxsize=1)
def happenings() -> frozenset[str]:
    """The stems of all words for something that happens.

    >>> "storm" in happenings(), "ferri" in happenings()
    (True, False)
    """
    stem = shared_analyzer().stem
    return frozenset(stem(word) for words in (*KINDS, _DATA["of_any"]) for word in words.split())


_DISEASES: list[str] = _DATA["diseases"]
_DISEASE = re.compile(rf"\b(?:{'|'.join(' '.join(_DISEASES).split())})\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _diseases() -> dict[str, int]:
    stem = shared_analyzer().stem
    return {stem(word): kind for kind, words in enumerate(_DISEASES) for word in words.split()}


def is_another_disease(text: str, low: int, end: int, high: int, own: frozenset[str]) -> bool:
    """Whether the clause text[low:high] counts, up to `end`, the victims of another disease than an event's own one.

    >>> said = "The measles outbreak has killed 6,045 people, far more than Ebola"
    >>> is_another_disease(said, 0, 46, len(said), frozenset(["ebola"]))
    True
    >>> is_another_disease(said, 0, 46, len(said), frozenset(["flood"]))
    False
    """
    kinds, stem = _diseases(), shared_analyzer().stem
    of_event = {kinds[word] for word in own if word in kinds}
    if not of_event:
        return False
    before = [match.group() for match in _DISEASE.finditer(text, low, end)]
    behind = _DISEASE.search(text, end, high)
    named = before[-1] if before else behind.group() if behind else ""
    return bool(named) and kinds[stem(named.lower())] not in of_event


@lru_cache(maxsize=1)
def _sorts() -> dict[str, str]:
    stem = shared_analyzer().stem
    return {stem(word): sort for sort, words in _DATA["sorts"].items() for word in words.split()}


@lru_cache(maxsize=1)
def mishaps() -> frozenset[str]:
    """The stems of words for what nature, accidents and diseases do: who tells of one names it.

    >>> "tsunami" in mishaps(), "famin" in mishaps(), "impeach" in mishaps()
    (True, True, False)
    """
    violence = {stem for stem, sort in _sorts().items() if sort == _VIOLENCE}
    return frozenset().union(_diseases(), *(group for group in _groups() if violence.isdisjoint(group)))


@lru_cache(maxsize=1)
def _harmless() -> frozenset[str]:
    return frozenset(shared_analyzer().stems(_HARMLESS))


_VIOLENCE = "violence"
_HARMLESS: str = _DATA["harmless"]["words"]
_THERE = re.compile(
    rf"\b(?:at|during|outside|near|over|in) (?:[\w'’-]+ ){{0,4}}(?:{'|'.join(_HARMLESS.split())})\b",
    re.IGNORECASE,
)


def is_of_another_sort(clause: str, title: str, own: frozenset[str]) -> bool:
    """Whether a clause counts whom a thing of another sort than an event harmed, by its words or else the title's.

    Accidents and nature cause each other (a train strikes a landslide): only violence is of another sort than these. Of
    an event that harms nobody, such as talks, all are counted of something else but for those who were harmed there.

    >>> protests = "A rights group has reported 6,221 deaths of protesters"
    >>> [is_of_another_sort(protests, "", frozenset([own])) for own in ("talk", "protest", "avalanch", "train")]
    [True, False, True, False]
    >>> is_of_another_sort("A bomb killed five at the peace talks", "", frozenset(["talk"]))
    False
    >>> is_of_another_sort("14 people died", "Wedding guests drown in boat accident", frozenset(["attack"]))
    True
    >>> is_of_another_sort("The train struck a landslide, killing three", "", frozenset(["train", "derail"]))
    False
    """
    stems_of, sorts = shared_analyzer().stems, _sorts()
    of_event = {sorts[stem] for stem in own if stem in sorts}
    if of_event:
        named = {sorts[stem] for stem in stems_of(clause) if stem in sorts} or {
            sorts[stem] for stem in stems_of(title) if stem in sorts
        }
        return bool(named) and named.isdisjoint(of_event) and _VIOLENCE in named | of_event
    is_harmless = not own.isdisjoint(_harmless()) and own.isdisjoint(happenings())
    return is_harmless and _THERE.search(clause) is None


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
