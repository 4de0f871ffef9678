"""A day of an event as arrays: its sentences, tokens, mentions and labels, each by number."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tidings.following.entities.event_days import EventDay
from tidings.following.entities.features.memory import Memory
from tidings.following.entities.features.query import QueryTerms
from tidings.following.entities.features.table import Array
from tidings.following.entities.features.topics import TopicModel
from tidings.following.entities.features.word_facts import FACTS, WordTable

__all__ = ["DayFacts", "label_words", "padded_words", "per_group"]


def per_group(groups: Array, count: int, weights: Array | None = None) -> Array:
    """The sum of `weights` (of ones) over each of `count` groups, as floats."""
    total: Array = np.bincount(groups, weights=weights, minlength=count).astype(float)
    return total


def label_words(label: str) -> str:
    """A label as labels are compared: in small letters, single blanks.

    >>> label_words(" Hosni  Mubarak ")
    'hosni mubarak'
    """
    return " ".join(label.lower().split())


def in_order_of_appearance(numbers: Array) -> tuple[Array, Array]:
    """The different numbers in the order in which they first come, and of each number where it stands among these.

    Sums over terms then do not hang on what was read on earlier days, to the last digit.

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
        for place, one in enumerate(self.entities):
            named = any(mention.how != "pronoun" for mention in one.mentions)
            for mention in one.mentions:
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
    """A title, or a label to be looked for in one: words in small letters, a blank around each.

    >>> padded_words("O’Neill leaves U.S.: why?"), padded_words("O'Neill") in padded_words("Mr. O’Neill's leave")
    (' o neill leaves u.s why ', True)
    """
    letters = "".join(c if c.isalnum() or c in ".-&" else " " for c in text.lower())
    return f" {' '.join(filter(None, (word.strip('.-') for word in letters.split())))} "
