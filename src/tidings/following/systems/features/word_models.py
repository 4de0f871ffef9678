"""What words say about happenings: a small thesaurus, and unigram models of kinds of event and of all text.

It stands where the published systems ask WordNet for synonyms, hypernyms and hyponyms of the query. Every list is
English and holds plain words; who uses it stems them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tidings.core import data_beside, shared_analyzer

if TYPE_CHECKING:
    from numpy import ndarray


class Expansion(Struct, frozen=True):
    """Stems around a query: the query's own, words of the same meaning, of a wider and of a narrower one."""

    query: frozenset[str]
    synonyms: frozenset[str]
    broader: frozenset[str]
    narrower: frozenset[str]


_THESAURUS = data_beside(__file__)

KINDS: tuple[str, ...] = tuple(_THESAURUS["kinds"])
"""The kinds of event that have an entry."""


@lru_cache(maxsize=512)
def expand(query: str, title: str, kind: str, language: str = "english") -> Expansion:
    """The stems of the query (of the title where it has none) and of the entries that belong to it.

    An entry belongs to an event whose type it is, or whose query or title holds its name or one of its synonyms.
    The four sets have no stem in common.

    >>> found = expand("ferry fire", "", "accident")
    >>> sorted(found.query), "blaze" in found.synonyms, "captain" in found.narrower
    (['ferri', 'fire'], True, True)
    """
    stems_of = shared_analyzer(language).stems
    own = frozenset(stems_of(query)) or frozenset(stems_of(title))
    near = own | frozenset(stems_of(title))
    same: set[str] = set()
    wider: set[str] = set()
    narrower: set[str] = set()
    kind = _THESAURUS["aliases"].get(kind, kind)
    for name, entry in _THESAURUS["kinds"].items():
        called = frozenset(stems_of(f"{name} {entry['same']}"))
        if name != kind and called.isdisjoint(near):
            continue
        same |= called
        wider.update(stems_of(entry["wider"]))
        narrower.update(stems_of(entry["narrower"]))
    same -= own
    wider -= own | same
    narrower -= own | same | wider
    return Expansion(own, frozenset(same), frozenset(wider), frozenset(narrower))


MOST_TERMS = 12_000
"""Terms that a model keeps; the rarest go."""

_PRIOR_EVENT = 2_000.0  # pseudo-counts from the background to all events, and from all events to one kind
_PRIOR_KIND = 1_000.0


class WordScores:
    """Natural logs of P(stem) for one kind of event, for all events and for all text; and the idf of each stem."""

    def __init__(
        self,
        logs: Mapping[str, tuple[float, float, float]],
        unknown: tuple[float, float, float],
        idf: Mapping[str, float],
    ) -> None:
        self.logs = logs
        self.unknown = unknown
        self.idf = idf


class WordModels:
    """Counts of stems: in all pooled sentences, and in those that were news, by kind of event.

    P(w | text) is additive (half a count for each known stem and for all unknown ones together); P(w | event) has the
    text as Dirichlet prior (2,000 words), P(w | kind) has the event model as prior (1,000 words). idf(w) is
    log((N+1)/(n+1/2)) / log(2(N+1)) for n of N sentences that hold w, within 0..1; 1 for unknown stems.

    >>> models = WordModels.from_counts(Counter(fire=4, port=4), {"accident": Counter(fire=3)}, Counter(fire=2), 8)
    >>> scores = models.scores("accident")
    >>> scores.logs["fire"][0] > scores.logs["fire"][2] > scores.unknown[2]
    True
    """

    def __init__(self, terms: list[str], kinds: list[str], counts: ndarray[Any, Any], sentences: int) -> None:
        self.terms = terms
        self.kinds = kinds
        self.counts = (
            counts  # one row for each term: in text, sentences with it, then one column for each kind
        )
        self.sentences = sentences

    @staticmethod
    def choose(text: Counter[str]) -> list[str]:
        """The terms that a model keeps: the most frequent of all text, in alphabetical order."""
        return sorted(sorted(text, key=lambda term: (-text[term], term))[:MOST_TERMS])

    @classmethod
    def from_counts(
        cls,
        text: Counter[str],
        news: Mapping[str, Counter[str]],
        documents: Counter[str],
        sentences: int,
    ) -> WordModels:
        """From counts of stems in all text, in the news of each kind, and of sentences that hold each stem."""
        import numpy as np

        terms = cls.choose(text)
        kinds = sorted(news)
        columns = [text, documents, *(news[kind] for kind in kinds)]
        counts = np.array([[column[term] for column in columns] for term in terms], dtype=np.int32)
        return cls(terms, kinds, counts.reshape(len(terms), len(columns)), sentences)

    def trimmed(self, most: int) -> WordModels:
        """The same models with their `most` frequent terms alone; the others are unknown to them."""
        import numpy as np

        order = np.sort(np.argsort(-self.counts[:, 0], kind="stable")[:most])
        return WordModels([self.terms[i] for i in order], self.kinds, self.counts[order], self.sentences)

    def export(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """(arrays, settings) that `read` makes the same models of."""
        return {"word_counts": self.counts}, {
            "words": " ".join(self.terms),
            "word_kinds": self.kinds,
            "word_sentences": self.sentences,
        }

    @classmethod
    def read(cls, arrays: Mapping[str, Any], settings: Mapping[str, Any]) -> WordModels:
        """From what `export` gave; a ValueError where the table does not fit the terms and kinds."""
        terms, kinds = str(settings["words"]).split(), list(settings["word_kinds"])
        counts = arrays["word_counts"]
        if counts.shape != (len(terms), 2 + len(kinds)) or (counts.size and counts.min() < 0):
            raise ValueError(
                f"word_counts of shape {counts.shape} for {len(terms)} terms, {len(kinds)} kinds"
            )
        return cls(terms, kinds, counts, int(settings["word_sentences"]))

    def scores(self, kind: str) -> WordScores:
        """The log probabilities for an event of this kind; an unknown kind has the model of all events."""
        return _scores(self, kind)


@lru_cache(maxsize=16)
def _scores(models: WordModels, kind: str) -> WordScores:
    counts = models.counts.astype(float)
    text, documents, news = counts[:, 0], counts[:, 1], counts[:, 2:]
    unit = text.sum() + 0.5 * (len(text) + 1)
    background = (text + 0.5) / unit
    event = news.sum(axis=1)
    of_event = (event + _PRIOR_EVENT * background) / (event.sum() + _PRIOR_EVENT)
    own = news[:, models.kinds.index(kind)] if kind in models.kinds else 0.0 * event
    of_kind = (own + _PRIOR_KIND * of_event) / (own.sum() + _PRIOR_KIND)
    rest = 0.5 / unit
    rest_event = rest * _PRIOR_EVENT / (event.sum() + _PRIOR_EVENT)
    rest_kind = rest_event * _PRIOR_KIND / (own.sum() + _PRIOR_KIND)
    total = models.sentences + 1.0
    logs = {
        term: (log(a), log(b), log(c))
        for term, a, b, c in zip(
            models.terms, of_kind.tolist(), of_event.tolist(), background.tolist(), strict=True
        )
    }
    idf = {
        term: max(0.0, log(total / (n + 0.5)) / log(2.0 * total))
        for term, n in zip(models.terms, documents.tolist(), strict=True)
    }
    return WordScores(logs, (log(rest_kind), log(rest_event), log(rest)), idf)
