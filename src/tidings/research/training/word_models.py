"""Word models from judged events, learned so that no event is scored by words that it gave itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tidings.core import shared_analyzer
from tidings.following import WordModels
from tidings.research.training.labelled_events import JudgedEvent

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["learn_words", "words_without"]


@dataclass(eq=False)
class _Counted:
    kind: str
    sentences: int = 0
    text: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    news: Counter[str] = field(default_factory=Counter)


def learn_words(events: Sequence[JudgedEvent], language: str = "english") -> WordModels:
    """The word models of all these events."""
    return _models([_count(event, language) for event in events], [None])[0]


def words_without(events: Sequence[JudgedEvent], language: str = "english") -> list[WordModels]:
    """For each event the word models of all others: what a trainer computes that event's features with.

    A model that had seen an event's own words would look far better on it than on events to come.
    """
    return _models([_count(event, language) for event in events], range(len(events)))


@lru_cache(maxsize=64)
def _count(event: JudgedEvent, language: str) -> _Counted:
    # Only judged sentences, each text once: a mixed stream would count every pool for every event.
    stems_of = shared_analyzer(language).stems
    counted = _Counted(event.event.type or "other")
    texts: set[str] = set()
    for sentence, _ in event.sentences:
        if sentence.text in texts or not event.is_judged(sentence):
            continue
        texts.add(sentence.text)
        stems = stems_of(sentence.text)[:300]
        counted.sentences += 1
        counted.text.update(stems)
        counted.documents.update(set(stems))
        if event.nuggets_of(sentence):
            counted.news.update(stems)
    return counted


def _models(parts: Sequence[_Counted], without: Sequence[int | None]) -> list[WordModels]:
    # One table of terms for all; leaving an event out is taking its counts away.
    import numpy as np

    total: Counter[str] = Counter()
    for part in parts:
        total.update(part.text)
    terms = WordModels.choose(total)
    place = {term: row for row, term in enumerate(terms)}
    kinds = sorted({part.kind for part in parts})
    own: list[ndarray[Any, Any]] = []
    for part in parts:
        table = np.zeros((len(terms), 2 + len(kinds)), dtype=np.int32)
        for column, counted in ((0, part.text), (1, part.documents), (2 + kinds.index(part.kind), part.news)):
            for term, n in counted.items():
                row = place.get(term)
                if row is not None:
                    table[row, column] = n
        own.append(table)
    counts: ndarray[Any, Any] = np.stack(own).sum(axis=0, dtype=np.int32)
    sentences = sum(part.sentences for part in parts)
    return [
        WordModels(terms, kinds, counts, sentences)
        if left is None
        else WordModels(terms, kinds, counts - own[left], sentences - parts[left].sentences)
        for left in without
    ]
