"""Sparse vectors of stems, weighted by how rare these are, and how far documents and sentences are about an event.

The heads (title and first sentences) of the documents that hold much of the query give the words that the query lacks
("swine flu" to "H1N1"). Both together are the topic; a document is as much about the event as the sentence of its head
that is nearest to the topic.

A word of the query is not the event: "california avalanche" asks for no other news of California. Documents whose heads
hold the core of the query (all of up to three words, three quarters of more) are about it; any other one must be like
them beside the query's words, as half of them are (with most of the query, half as much).

Terms are always visited in one order, that in which a vector's stems first occur, so that sums are the same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log, sqrt

from tidings.core import Vector


def unit(vector: Mapping[str, float]) -> Vector:
    """The vector at Euclidean length 1; empty where all its weights are 0."""
    length = sqrt(sum(weight * weight for weight in vector.values()))
    return {stem: weight / length for stem, weight in vector.items()} if length else {}


def dot(vector: Vector, other: Vector) -> float:
    """The sum of products, the cosine of unit vectors; the shorter vector is walked through.

    >>> dot({"a": 0.6, "b": 0.8}, {"b": 1.0})
    0.8
    """
    if len(vector) > len(other):
        vector, other = other, vector
    get = other.get
    total = 0.0
    for stem, weight in vector.items():
        other_weight = get(stem)
        if other_weight is not None:
            total += weight * other_weight
    return total


def add(total: Vector, vector: Vector, factor: float = 1.0) -> None:
    """Add `factor` times a vector to a running total."""
    get = total.get
    for stem, weight in vector.items():
        total[stem] = get(stem, 0.0) + factor * weight


def mean_of(vectors: Iterable[Vector], factors: Iterable[float] | None = None) -> Vector:
    """The direction of the weighted sum, at length 1; empty for no vectors.

    >>> mean_of([{"a": 1.0}, {"b": 1.0}, {"b": 1.0}], [1.0, 0.5, 0.5])["a"] == mean_of([{"a": 1.0}, {"b": 1.0}])["b"]
    True
    """
    total: Vector = {}
    if factors is None:
        for vector in vectors:
            add(total, vector)
    else:
        for vector, factor in zip(vectors, factors, strict=True):
            add(total, vector, factor)
    return unit(total)


class Rarity:
    """How rare stems are among texts: idf = ln((1 + N) / (1 + n)) + 1, for a stem that n of N texts hold.

    >>> rarity = Rarity([("oil", "leak"), ("oil", "rig")])
    >>> rarity.of("oil") < rarity.of("rig") < rarity.of("seal")
    True
    >>> sorted(rarity.vector(("oil", "rig", "rig")))
    ['oil', 'rig']
    """

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        counts: Counter[str] = Counter()
        number = 0
        for stems in texts:
            counts.update(dict.fromkeys(stems, 1))
            number += 1
        self._idf = {stem: log((1 + number) / (1 + count)) + 1 for stem, count in counts.items()}
        self._unseen = log(1 + number) + 1

    def of(self, stem: str) -> float:
        """The idf of a stem; of one that no text holds, the largest there is."""
        return self._idf.get(stem, self._unseen)

    def vector(self, stems: Iterable[str]) -> Vector:
        """tf · idf of a text's stems, at Euclidean length 1."""
        get, unseen = self._idf.get, self._unseen
        return unit({stem: count * get(stem, unseen) for stem, count in Counter(stems).items()})


HEAD_SENTENCES = 6
"""Sentences of a document that are its head."""

_WORDS_ADDED = 20
_SEED_SHARE = 0.5
_LEAST_SEED_SHARE = 0.35
_FEWEST_SEEDS = 3
_OF_SHARE = 0.5
_NEAR = 0.25
"""Cosine to the topic from which on a sentence counts as fully about it."""
_TOP_SHARE = 0.9  # the quantile from which a sentence is as relevant as can be

_ALL_OF, _FEWEST_TOGETHER = 3, 2
_CORE_SHARE, _MOSTLY, _LEAST_LIKE, _MOST_LIKE = 0.5, 0.5, 0.15, 0.3
"""The share of the core's documents that are less alike than others must be, how much less of those that hold most of
the query, and between what."""


def core_of(words: int) -> int:
    """How many of a query's words a document must hold: all of up to three, three quarters of more.

    >>> [core_of(words) for words in (1, 3, 4, 8)]
    [1, 3, 3, 6]
    """
    return words if words <= _ALL_OF else -(-3 * words // 4)


Stems = Sequence[str]


class Relevance:
    """What an event is about, learned from its query and the heads of documents, each a list of stems of sentences.

    >>> heads = [[("haiti", "quak", "kill")], [("quak", "aid", "haiti")], [("oil", "price")]]
    >>> relevance = Relevance(("haiti", "earthquak"), heads)
    >>> [round(relevance.of_document(head), 2) for head in heads]
    [1.0, 1.0, 0.0]
    >>> Relevance((), heads).of_document(heads[2])
    1.0

    Args:
        query: the stems of the event's query; none makes every document relevant.
        heads: for each document the stems of the sentences of its head.
    """

    def __init__(self, query: Stems, heads: Sequence[Sequence[Stems]]) -> None:
        self._wanted = dict.fromkeys(query)
        self._rarity = Rarity({stem for sentence in head for stem in sentence} for head in heads)
        self.topic: Vector = {}
        self._full = 1.0
        if not self._wanted:
            return
        seeds = self._seeds(heads)
        if seeds:
            self.topic = self._topic_of(seeds)
        values = sorted(self._nearest(head) for head in seeds)
        self._full = values[int(_TOP_SHARE * (len(values) - 1))] if values else 1.0

    def _share(self, head: Sequence[Stems]) -> float:
        # How many of the query's stems a head holds.
        stems = {stem for sentence in head for stem in sentence}
        return sum(stem in stems for stem in self._wanted) / len(self._wanted)

    def _seeds(self, heads: Sequence[Sequence[Stems]]) -> list[Sequence[Stems]]:
        # Those that hold at least half of the query; where these are few, a third.
        shares = [self._share(head) for head in heads]
        many = sum(share >= _SEED_SHARE for share in shares) >= _FEWEST_SEEDS
        enough = _SEED_SHARE if many else _LEAST_SEED_SHARE
        return [head for head, share in zip(heads, shares, strict=True) if share >= enough]

    def _topic_of(self, seeds: Sequence[Sequence[Stems]]) -> Vector:
        own = unit({stem: self._rarity.of(stem) for stem in self._wanted})
        beside = mean_of(
            self._rarity.vector(sentence)
            for head in seeds
            for sentence in head
            if not self._wanted.keys().isdisjoint(sentence)
        )
        likeliest = sorted(beside.items(), key=lambda item: (-item[1], item[0]))[:_WORDS_ADDED]
        topic = dict(own)
        add(topic, unit(dict(likeliest)))
        return unit(topic)

    def _nearest(self, head: Sequence[Stems]) -> float:
        return max((dot(self._rarity.vector(sentence), self.topic) for sentence in head), default=0.0)

    def of_document(self, head: Sequence[Stems]) -> float:
        """How far a document is about the event, 0 to 1, by the stems of the sentences of its head."""
        if not self._wanted:
            return 1.0
        if not self.topic or not self._full:
            return 0.0
        near = min(1.0, self._nearest(head) / self._full)
        return max(near, _OF_SHARE * self._share(head))

    def of_event(
        self, heads: Sequence[Sequence[Stems]], places: Sequence[int], languages: Sequence[str] = ()
    ) -> list[int]:
        """Of the places of documents that hold some of the query those of documents that are about the event.

        Where these are half of all documents in their `languages`, the stream is about the event, and all stay. Where
        none holds the core, so many words of a query of three or more will do as some document holds, but two.

        >>> words = [("avalanch", "california", "skier"), ("california", "law"), ("avalanch", "skier")]
        >>> heads = [[words[0]], [words[1]], [words[2]], [words[0]], *[[("vote",)]] * 5]
        >>> Relevance(("california", "avalanch"), heads).of_event(heads, range(4))
        [0, 2, 3]
        """
        theirs = {languages[place] for place in places} if languages else set()
        if 2 * len(places) >= (sum(code in theirs for code in languages) or len(heads)):
            return list(places)
        stems = {place: {stem for sentence in heads[place] for stem in sentence} for place in places}
        held = {place: len(self._wanted.keys() & own) for place, own in stems.items()}
        need = core_of(len(self._wanted))
        if need > _FEWEST_TOGETHER:
            need = max(_FEWEST_TOGETHER, min(need, max(held.values(), default=0)))
        core = [place for place in places if held[place] >= need]
        if not core or len(core) == len(places):
            return list(places)
        beside = {
            place: self._rarity.vector(stem for stem in sorted(own) if stem not in self._wanted)
            for place, own in stems.items()
        }
        centre: Vector = {}
        for place in core:
            add(centre, beside[place])
        likeness = sorted(self._to_others(beside[place], centre) for place in core)
        usual = likeness[int(_CORE_SHARE * (len(likeness) - 1))] if len(core) > 1 else _MOST_LIKE
        level = min(max(usual, _LEAST_LIKE), _MOST_LIKE)
        whole = unit(centre)
        return [
            place
            for place in places
            if held[place] >= need
            or dot(beside[place], whole) >= level * (_MOSTLY if 2 * held[place] > len(self._wanted) else 1.0)
        ]

    @staticmethod
    def _to_others(own: Vector, total: Vector) -> float:
        # The cosine to the mean of the others, without the one itself.
        others = dict(total)
        add(others, own, -1.0)
        return dot(unit(others), own)

    def of_sentence(self, stems: Stems) -> float:
        """How far a sentence is about the event, 0 to 1."""
        if not self._wanted:
            return 1.0
        return min(1.0, dot(self._rarity.vector(stems), self.topic) / _NEAR)
