"""Word models from judged events, learned so that no event is scored by words that it gave itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tidings.systems.features import WordModels
from tidings.text import shared_analyzer
from tidings.training.judged import JudgedEvent

__all__ = ["learn_words", "words_without"]


@dataclass
class _Counted:
    kind: str
    sentences: int = 0
    text: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    news: Counter[str] = field(default_factory=Counter)


def learn_words(events: Sequence[JudgedEvent], language: str = "english") -> WordModels:
    """The word models of all these events."""
    return _join([_count(event, language) for event in events])


def words_without(events: Sequence[JudgedEvent], language: str = "english") -> list[WordModels]:
    """For each event the word models of all others: what a trainer computes that event's features with.

    A model that had seen an event's own words would look far better on it than on events to come.
    """
    counted = [_count(event, language) for event in events]
    return [_join(counted[:i] + counted[i + 1 :]) for i in range(len(counted))]


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


def _join(parts: Sequence[_Counted]) -> WordModels:
    text: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    news: dict[str, Counter[str]] = {}
    for part in parts:
        text.update(part.text)
        documents.update(part.documents)
        news.setdefault(part.kind, Counter()).update(part.news)
    return WordModels.from_counts(text, news, documents, sum(part.sentences for part in parts))
