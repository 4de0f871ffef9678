"""A day of an event as arrays, its topics learned day by day, and what is remembered of earlier days.

Topics are learned by online variational Bayes for latent Dirichlet allocation, after Hoffman, Blei and Bach (2010):
each day is one small batch, so that what is known of topics on a day comes from that day and those before it. Stems
are hashed to a fixed number of words, which bounds what is kept.
"""

from __future__ import annotations

from datetime import date
from functools import cached_property

import msgspec
import numpy as np
from msgspec import Struct, field

from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features.table import Array
from tidings.following.entities.features.word_facts import BUCKETS, FACTS, QueryTerms, WordTable

TOPICS = 8
"""K, the number of topics."""
_ALPHA = 1.0 / TOPICS  # prior of topics in a document (latent Dirichlet allocation)
_ETA = 0.05  # prior of words in a topic
_DELAY = 4.0  # with _FORGETTING, the rate of online learning (Hoffman and others, 2010)
_FORGETTING = 0.7
_ROUNDS = 5  # of inference for a document
_SEED = 20  # of the topics at the start


def digamma(values: Array) -> Array:
    """The logarithmic derivative of the gamma function for positive numbers, to some eight digits.

    >>> [round(float(value), 6) for value in digamma(np.array([1.0, 0.1, 30.0]))]
    [-0.577216, -10.423755, 3.384438]
    """
    x = np.asarray(values, float)
    # Four steps of psi(x) = psi(x + 1) - 1/x in one fraction, then the asymptotic series.
    y = x * (x + 3)
    total = -(2 * x + 3) * (2 * y + 2) / (y * (y + 2))
    x = x + 4
    inverse = 1 / (x * x)
    tail = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    series: Array = total + np.log(x) - 0.5 / x - tail
    return series


class TopicModel:
    """K topics over hashed words: `learn` a batch of documents, then `counts` of topics in any texts."""

    def __init__(self, state: bytes = b"", steps: int = 0) -> None:
        self.steps = steps
        if len(state) == 4 * TOPICS * BUCKETS:
            self._weights = np.frombuffer(state, "<f4").reshape(TOPICS, BUCKETS).astype(float)
        else:
            self._weights = _ETA * (0.5 + np.random.default_rng(_SEED).gamma(1.0, 0.5, (TOPICS, BUCKETS)))
            self._shorten()
        self._prepare()

    def _shorten(self) -> None:
        # What is kept has four bytes: a run that is resumed must go on from the same numbers.
        self._weights = np.frombuffer(self.state(), "<f4").reshape(TOPICS, BUCKETS).astype(float)

    def _prepare(self) -> None:
        self._beta = np.exp(
            digamma(self._weights) - digamma(self._weights.sum(axis=1, keepdims=True))
        ).T.copy()

    def state(self) -> bytes:
        """The topics as bytes, for `TopicModel(state, steps)`."""
        return self._weights.astype("<f4").tobytes()

    def learn(self, texts: Array, words: Array, count: int) -> None:
        """Take in `count` documents given as the pairs (document, hashed word) of their terms, by document."""
        self.steps += 1
        if len(words):
            _, shares = self._infer(texts, words, count)
            fresh = np.empty_like(self._weights)
            for topic in range(TOPICS):
                fresh[topic] = np.bincount(words, weights=shares[:, topic], minlength=BUCKETS)
            rate = (_DELAY + self.steps) ** -_FORGETTING
            self._weights = (1 - rate) * self._weights + rate * (_ETA + fresh * self.steps)
        self._shorten()
        self._prepare()

    def counts(self, texts: Array, words: Array, count: int) -> Array:
        """How many of each text's terms speak of each topic, (count, K), given pairs (text, hashed word) by text."""
        gamma, _ = self._infer(texts, words, count)
        return gamma - _ALPHA

    def _infer(self, texts: Array, words: Array, count: int) -> tuple[Array, Array]:
        # Texts stand in order: their terms are added up between borders.
        beta = self._beta[words] + 1e-100
        present, borders = np.unique(texts, return_index=True)
        gamma = np.full((count, TOPICS), _ALPHA)
        gamma += np.bincount(texts, minlength=count)[:, None] / TOPICS
        shares = np.zeros((len(words), TOPICS))
        for _ in range(_ROUNDS if len(words) else 0):
            # The normaliser of the digamma of a text is the same for all topics: it falls out of the shares.
            theta = np.exp(digamma(gamma))
            shares = theta[texts] * beta
            shares /= shares.sum(axis=1, keepdims=True)
            gamma[present] = _ALPHA + np.add.reduceat(shares, borders, axis=0)
        return gamma, shares


def mixture(counts: Array) -> Array:
    """The share of each topic, smoothed with the prior; rows sum to 1.

    >>> float(mixture(np.zeros((1, TOPICS)))[0, 0])
    0.125
    """
    smoothed = counts + _ALPHA
    shares: Array = smoothed / smoothed.sum(axis=1, keepdims=True)
    return shares


MOST_ENTITIES = 50_000
"""Entities whose counts are kept; those not named for longest go first."""

EARLIER_COUNTS = 5
"""Days of news whose document frequencies are kept of an entity."""


class DayBefore(Struct, kw_only=True):
    """The last day that had news: its contexts as stems, with their documents' confidence, and what entities had there.

    `contexts` leads from an entity's id to the numbers of its sentences, `companions` to the ids of the entities
    beside it, `labels` from its labels to (mentions, documents).
    """

    date: str = ""
    sentences: list[list[str]] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    contexts: dict[int, list[int]] = field(default_factory=dict)
    companions: dict[int, list[int]] = field(default_factory=dict)
    labels: dict[int, dict[str, tuple[int, int]]] = field(default_factory=dict)
    titles: list[str] = field(default_factory=list)


class Earlier(Struct):
    """An entity before today: first and last day's number and date, days, mentions, documents a day (latest last)."""

    first: int
    last: int
    last_date: str
    days: int = 0
    mentions: int = 0
    documents: int = 0
    latest: list[tuple[int, float]] = field(default_factory=list)


class Memory(Struct, kw_only=True):
    """All that is kept between days. `days` counts days of news, `documents` their documents."""

    days: int = 0
    documents: int = 0
    last_date: str = ""
    before: DayBefore = field(default_factory=DayBefore)
    entities: dict[int, Earlier] = field(default_factory=dict)
    topics: bytes = b""
    topic_steps: int = 0

    def name(self, entity: int, day: str, mentions: int, documents: int, share: float) -> None:
        """Take in that an entity was named on the day that is being closed, in so large a share of its documents."""
        counts = self.entities.pop(entity, None) or Earlier(self.days, self.days, day)
        counts.last, counts.last_date = self.days, day
        counts.days += 1
        counts.mentions += mentions
        counts.documents += documents
        counts.latest = [*counts.latest[1 - EARLIER_COUNTS :], (self.days, share)]
        self.entities[entity] = counts
        if len(self.entities) > MOST_ENTITIES:
            del self.entities[next(iter(self.entities))]

    def days_since(self, day: str) -> int:
        """Days from the last day of news to `day`; 0 before the first."""
        return day_difference(self.last_date, day) if self.last_date else 0

    def export(self) -> bytes:
        """As bytes that `read` makes the same memory of."""
        return msgspec.msgpack.encode(self)

    @classmethod
    def read(cls, data: bytes) -> Memory:
        """From what `export` gave.

        >>> Memory.read(Memory(days=3).export()).days
        3
        """
        return msgspec.msgpack.decode(data, type=cls)


def day_difference(named_entity: str, other: str) -> int:
    """Days from one date (YYYY-MM-DD) to another; 0 where one of them is no date.

    >>> day_difference("2013-04-30", "2013-05-02")
    2
    """
    try:
        return (date.fromisoformat(other) - date.fromisoformat(named_entity)).days
    except ValueError:
        return 0


def per_group(groups: Array, count: int, weights: Array | None = None) -> Array:
    """The sum of `weights` (of ones) over each of `count` groups, as floats."""
    total: Array = np.bincount(groups, weights=weights, minlength=count).astype(float)
    return total


def label_words(label: str) -> str:
    """A label as labels are compared: in lower case, single blanks.

    >>> label_words(" Hosni  Mubarak ")
    'hosni mubarak'
    """
    return " ".join(label.lower().split())


def in_order_of_appearance(numbers: Array) -> tuple[Array, Array]:
    """The different numbers in the order in which they first come, and of each number where it stands among these.

    Sums over terms then do not depend on what was read on earlier days, to the last digit.

    >>> [part.tolist() for part in in_order_of_appearance(np.array([7, 3, 7, 5]))]
    [[7, 3, 5], [0, 1, 0, 2]]
    """
    distinct, first, place = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return distinct[order], rank[place]


class DayFacts:
    """What features are computed from. Arrays of one length belong together, as their first letters say.

    Sentences: `s_document`, `s_index` (its number in its document). Tokens: `t_sentence`, `t_kind`. Terms, tokens that
    are words but no stop words: `c_sentence`, `c_term` (below `terms`, by `term_stems` the number of a stem). Mentions:
    `m_entity` (its place among the day's entities), `m_sentence`, `m_start`, `m_end` (tokens of the sentence),
    `m_label` (-1 for pronouns). Labels: `l_entity`, and `label_texts`. `confidence` is the documents'.
    """

    def __init__(
        self, day: EventDay, query: QueryTerms, words: WordTable, memory: Memory, topics: TopicModel
    ) -> None:
        self.day = day
        self.topics = topics
        self.made: dict[str, object] = {}
        self.words = words
        self.memory = memory
        self.query = query
        self.entities = day.entities
        self.confidence = np.array([max(0.0, document.confidence) for document in day.documents], float)
        self._add_sentences()
        self._add_mentions()

    def _add_sentences(self) -> None:
        documents: list[int] = []
        indexes: list[int] = []
        lengths: list[int] = []
        tokens: list[str] = []
        self.first_sentence: list[int] = []
        for number, document in enumerate(self.day.documents):
            self.first_sentence.append(len(documents))
            for sentence, own in zip(document.sentences, document.tokens, strict=True):
                documents.append(number)
                indexes.append(max(0, sentence.index))  # a title stands before the first, as -1
                lengths.append(len(own))
                tokens += own
        kinds = self.words.numbers(tokens)
        self.sentences = len(documents)
        self.s_document = np.array(documents, np.int64)
        self.s_index = np.array(indexes, float)
        self.s_tokens = np.array(lengths, np.int64)
        self.s_start = np.concatenate(([0], np.cumsum(self.s_tokens)))
        self.t_kind = np.array(kinds, np.int64)
        self.t_sentence = np.repeat(np.arange(self.sentences), self.s_tokens)
        stems = self.words.stem[self.t_kind]
        terms = stems > 0
        self.c_sentence = self.t_sentence[terms]
        self.term_stems, self.c_term = in_order_of_appearance(stems[terms])
        self.terms = len(self.term_stems)

    def _add_mentions(self) -> None:
        entity: list[int] = []
        sentence: list[int] = []
        start: list[int] = []
        end: list[int] = []
        label: list[int] = []
        labels: dict[tuple[int, str], int] = {}
        for place, named_entity in enumerate(self.entities):
            named = any(mention.how != "pronoun" for mention in named_entity.mentions)
            for mention in named_entity.mentions:
                entity.append(place)
                sentence.append(self.first_sentence[mention.document] + mention.sentence)
                start.append(mention.start)
                end.append(mention.end)
                if named and mention.how == "pronoun":
                    label.append(-1)
                else:
                    label.append(labels.setdefault((place, label_words(mention.label)), len(labels)))
        self.m_entity = np.array(entity, np.int64)
        self.m_sentence = np.array(sentence, np.int64)
        self.m_start = np.array(start, np.int64)
        self.m_end = np.array(end, np.int64)
        self.m_label = np.array(label, np.int64)
        self.m_document = self.s_document[self.m_sentence]
        self.l_entity = np.array([place for place, _ in labels], np.int64)
        self.label_texts = [text for _, text in labels]

    def fact(self, name: str) -> Array:
        """One column of `FACTS` for each token."""
        column: Array = self.words.facts[self.t_kind, FACTS.index(name)].astype(float)
        return column

    def sentence_sum(self, name: str) -> Array:
        """For each sentence the sum of a column of `FACTS` over its tokens."""
        return per_group(self.t_sentence, self.sentences, self.fact(name))

    @cached_property
    def label_counts(self) -> Array:
        """How many labels each entity has, at least 1."""
        counts: Array = np.maximum(per_group(self.l_entity, len(self.entities)), 1)
        return counts

    @cached_property
    def context_weights(self) -> tuple[Array, Array]:
        """What each mention counts, by its document, and the sum of those of each entity."""
        weights = self.confidence[self.m_document] + 1e-9
        return weights, np.maximum(per_group(self.m_entity, len(self.entities), weights), 1e-12)

    @cached_property
    def s_words(self) -> Array:
        """Words of each sentence, marks left out."""
        return self.sentence_sum("word")

    @cached_property
    def s_terms(self) -> Array:
        """Words of each sentence that are no stop words."""
        return per_group(self.c_sentence, self.sentences)

    @cached_property
    def c_document(self) -> Array:
        """The document of each term."""
        return self.s_document[self.c_sentence]

    @cached_property
    def term_share(self) -> Array:
        """For each term its share p(w) of the terms of its document."""
        keys = self.c_document * max(1, self.terms) + self.c_term
        _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
        sizes = per_group(self.c_document, len(self.confidence))
        share: Array = counts[place] / sizes[self.c_document]
        return share

    @cached_property
    def sentence_terms(self) -> tuple[Array, Array, Array]:
        """(sentence, term, count) of every term that a sentence has, each pair once, by sentence."""
        keys = self.c_sentence * max(1, self.terms) + self.c_term
        pairs, counts = np.unique(keys, return_counts=True)
        return pairs // max(1, self.terms), pairs % max(1, self.terms), counts.astype(float)

    @cached_property
    def places(self) -> tuple[Array, Array]:
        """(entity, sentence) of every sentence that mentions an entity, each pair once, by entity."""
        pairs = np.unique(self.m_entity * max(1, self.sentences) + self.m_sentence)
        return pairs // max(1, self.sentences), pairs % max(1, self.sentences)

    @cached_property
    def in_documents(self) -> tuple[Array, Array]:
        """(entity, document) of every document that mentions an entity, each pair once, by entity."""
        count = max(1, len(self.confidence))
        pairs = np.unique(self.m_entity * count + self.m_document)
        return pairs // count, pairs % count

    @cached_property
    def padded_labels(self) -> list[str]:
        """The labels as they are looked for in titles."""
        return [padded_words(text) for text in self.label_texts]

    @cached_property
    def titles(self) -> list[str]:
        """The documents' titles as labels are compared, with a blank at both ends."""
        return [padded_words(document.title) for document in self.day.documents]

    def over_terms(self, values: Array) -> Array:
        """For each sentence the mean of values of its terms; 0 where it has none."""
        total: Array = per_group(self.c_sentence, self.sentences, values) / np.maximum(self.s_terms, 1)
        return total

    def at_mentions(self, values: Array) -> Array:
        """Values of sentences, taken to the mentions in them."""
        taken: Array = values[self.m_sentence]
        return taken


def padded_words(text: str) -> str:
    """A title, or a label to be looked for in one: words in lower case, a blank around each.

    >>> padded_words("O’Neill leaves U.S.: why?"), padded_words("O'Neill") in padded_words("Mr. O’Neill's leave")
    (' o neill leaves u.s why ', True)
    """
    letters = "".join(c if c.isalnum() or c in ".-&" else " " for c in text.lower())
    return f" {' '.join(filter(None, (word.strip('.-') for word in letters.split())))} "
