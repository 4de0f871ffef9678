"""Salience: frequencies, where contexts stand, how long and how central they are, how they relate to the query."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tidings.following.entities.features.day_facts import DayFacts, per_group
from tidings.following.entities.features.table import Array, FeatureTable

JUMP = 0.15
"""d, the chance of going on from any sentence."""
_ROUNDS = 25
_MOST = 400
"""Sentences of a document that are ranked; those behind them have the least score."""


def centrality(sentences: Array, terms: Array, weights: Array, count: int) -> Array:
    """The continuous LexRank of each of `count` sentences of one document, times their number (so 1 on average).

    p = d / N + (1 - d) Σ_v w_uv / Σ_z w_zv p(v), with w the cosine of tf·idf vectors, d = .15, 25 rounds (Erkan and
    Radev 2004). The vectors come as (sentence, term, weight), each pair once.

    >>> centrality(np.array([0, 1, 2]), np.array([0, 0, 1]), np.ones(3), 3).round(3).tolist()
    [1.0, 1.0, 1.0]
    >>> centrality(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), np.ones(4), 3).round(2).tolist()
    [0.9, 1.21, 0.9]
    """
    size = min(count, _MOST)
    near = sentences < size
    rows, columns, values = sentences[near], terms[near], weights[near]
    distinct, local = np.unique(columns, return_inverse=True)
    vectors = np.zeros((size, max(1, len(distinct))))
    vectors[rows, local] = values
    length = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    vectors /= np.maximum(length, 1e-12)
    likeness = vectors @ vectors.T
    empty = length[:, 0] == 0
    likeness[empty, empty] = 1.0
    moves = likeness / likeness.sum(axis=0, keepdims=True)
    scores = np.full(size, 1.0 / size)
    for _ in range(_ROUNDS):
        scores = JUMP / size + (1 - JUMP) * (moves @ scores)
    full = np.full(count, scores.min() * size)
    full[:size] = scores * size
    return full


SALIENCE = FeatureTable()
_enter = SALIENCE.enter


@_enter("tf", "salience", "label", "frequency", "Tf", origin="paper")
def tf(day: DayFacts) -> Array:
    """Mentions of the day that read as the label."""
    return per_group(day.m_label[day.m_label >= 0], len(day.label_texts))


@_enter("df", "salience", "label", "frequency", "Df", origin="paper")
def df(day: DayFacts) -> Array:
    """Documents of the day with a mention that reads as the label."""
    named = day.m_label >= 0
    count = max(1, len(day.confidence))
    pairs = np.unique(day.m_label[named] * count + day.m_document[named])
    return per_group(pairs // count, len(day.label_texts))


@_enter("word_offset", "salience", "context", "context importance", "WO", origin="paper")
def word_offset(day: DayFacts) -> Array:
    """Tokens of the context before the mention."""
    return day.m_start.astype(float)


@_enter("sentence_offset", "salience", "context", "context importance", "SO", origin="paper")
def sentence_offset(day: DayFacts) -> Array:
    """The number of the context in its document, from 0."""
    return day.at_mentions(day.s_index)


@_enter("length", "salience", "context", "context importance", "SentLen", origin="paper")
def length(day: DayFacts) -> Array:
    """Words of the context."""
    return day.at_mentions(day.s_words)


@_enter("length_no_stop", "salience", "context", "context importance", "SentLen", origin="paper")
def length_no_stop(day: DayFacts) -> Array:
    """Words of the context that are no stop words."""
    return day.at_mentions(day.s_terms)


@_enter("longer_5", "salience", "context", "context importance", "Sent-5", origin="paper")
def longer_5(day: DayFacts) -> Array:
    """1 if the context has more than 5 words."""
    return day.at_mentions((day.s_words > 5).astype(float))


@_enter("longer_10", "salience", "context", "context importance", "Sent-10", origin="paper")
def longer_10(day: DayFacts) -> Array:
    """1 if the context has more than 10 words."""
    return day.at_mentions((day.s_words > 10).astype(float))


@_enter("longer_5_no_stop", "salience", "context", "context importance", "Sent-5", origin="paper")
def longer_5_no_stop(day: DayFacts) -> Array:
    """1 if the context has more than 5 words that are no stop words."""
    return day.at_mentions((day.s_terms > 5).astype(float))


@_enter("longer_10_no_stop", "salience", "context", "context importance", "Sent-10", origin="paper")
def longer_10_no_stop(day: DayFacts) -> Array:
    """1 if the context has more than 10 words that are no stop words."""
    return day.at_mentions((day.s_terms > 10).astype(float))


@_enter("first_1", "salience", "context", "context importance", "1-Sent", origin="paper")
def first_1(day: DayFacts) -> Array:
    """1 if the context is the first sentence of its document."""
    return day.at_mentions((day.s_index < 1).astype(float))


@_enter("first_3", "salience", "context", "context importance", "2-Sent", origin="paper")
def first_3(day: DayFacts) -> Array:
    """1 if the context is among the first 3 sentences of its document."""
    return day.at_mentions((day.s_index < 3).astype(float))


@_enter("first_5", "salience", "context", "context importance", "3-Sent", origin="paper")
def first_5(day: DayFacts) -> Array:
    """1 if the context is among the first 5 sentences of its document."""
    return day.at_mentions((day.s_index < 5).astype(float))


@_enter("title", "salience", "label", "context importance", "TITLE", origin="paper")
def title(day: DayFacts) -> Array:
    """1 if the label is in the title of a document of the day."""
    return in_titles(day, set(day.titles))


def in_titles(day: DayFacts, titles: Iterable[str]) -> Array:
    """For each label whether it stands in one of these titles; a label of marks alone stands in none."""
    joined = "\n".join(titles)
    return np.array([bool(label.strip()) and label in joined for label in day.padded_labels], float)


@_enter("entities_beside", "salience", "context", "context importance", "CoEntM", origin="paper")
def entities_beside(day: DayFacts) -> Array:
    """Other entities of the day in the context."""
    _, sentences = day.places
    return day.at_mentions(per_group(sentences, day.sentences)) - 1


@_enter("sum_basic", "salience", "context", "context importance", "Sum-B", origin="reconstructed")
def sum_basic(day: DayFacts) -> Array:
    """Mean of p(w) over the context's terms, p(w) = n(w) / N in its document: the score of SumBasic's first round."""
    return day.at_mentions(day.over_terms(day.term_share))


@_enter("centrality", "salience", "context", "context importance", "PR", origin="reconstructed")
def sentence_centrality(day: DayFacts) -> Array:
    """PageRank of the context among its document's sentences by cosine of tf·idf (continuous LexRank, d = .15), times
    the number of sentences."""
    sentence, term, count = day.sentence_terms
    idf = np.log(day.sentences / np.maximum(per_group(term, day.terms), 1)) + 1e-3
    weights = count * idf[term]
    scores = np.ones(day.sentences)
    for number, first in enumerate(day.first_sentence):
        size = len(day.day.documents[number].sentences)
        if size > 1:  # one alone has 1
            low, high = np.searchsorted(sentence, (first, first + size))
            scores[first : first + size] = centrality(
                sentence[low:high] - first, term[low:high], weights[low:high], size
            )
    return day.at_mentions(scores)


@_enter("part_of_speech", "salience", "context", "context importance", "POS", origin="reconstructed")
def part_of_speech(day: DayFacts) -> Array:
    """1 where a proper noun makes the mention, 0.5 where an adjective does (a demonym), 0 for a pronoun. The paper does
    not say how tags become numbers."""
    worth = {"name": 1.0, "demonym": 0.5}
    return np.array(
        [worth.get(mention.how, 0.0) for entity in day.entities for mention in entity.mentions], float
    )


@_enter("news_share", "salience", "label", "context importance", "NewsFrac", origin="reconstructed")
def news_share(day: DayFacts) -> Array:
    """News-specific terms among the terms of the label's contexts. The list of terms is tidings' own:
    stems that news uses far more than other text."""
    named = day.m_label >= 0
    news = day.sentence_sum("news")[day.m_sentence[named]]
    labels = day.m_label[named]
    terms = day.s_terms[day.m_sentence[named]]
    count = len(day.label_texts)
    return per_group(labels, count, news) / np.maximum(per_group(labels, count, terms), 1)


def _strengths(day: DayFacts) -> tuple[Array, Array]:
    """The strongest good (1 to 5) and bad feeling (-5 to -1) of each sentence."""
    ends = (np.ones(day.sentences), np.ones(day.sentences))
    for side, column in zip(ends, ("positive", "negative"), strict=True):
        np.maximum.at(side, day.t_sentence, day.fact(column))
    return ends[0], -ends[1]


@_enter("attitude", "salience", "context", "human-perceived", "Att", origin="reconstructed")
def attitude(day: DayFacts) -> Array:
    """p + n, where p (1 to 5) is the strength of the best word of the context and n (-5 to -1) of the worst, by a small
    list of words of tidings' own after the scale of SentiStrength."""
    p, n = _strengths(day)
    return day.at_mentions(p + n)


@_enter("sentimentality", "salience", "context", "human-perceived", "Sent", origin="reconstructed")
def sentimentality(day: DayFacts) -> Array:
    """p - n - 2, p and n as in `attitude`."""
    p, n = _strengths(day)
    return day.at_mentions(p - n - 2)


def _words_and_syllables(day: DayFacts) -> tuple[Array, Array, Array]:
    words = np.maximum(day.s_words, 1)
    return words, day.sentence_sum("syllables") / words, day.sentence_sum("complex") / words


@_enter("flesch", "salience", "context", "human-perceived", "Read-1", origin="paper")
def flesch(day: DayFacts) -> Array:
    """206.835 - 1.015 W - 84.6 (syllables / W), W the context's words."""
    words, beats, _ = _words_and_syllables(day)
    return day.at_mentions(206.835 - 1.015 * words - 84.6 * beats)


@_enter("fog", "salience", "context", "human-perceived", "Read-2", origin="paper")
def fog(day: DayFacts) -> Array:
    """0.4 (W + 100 · the share of words of three syllables or more)."""
    words, _, complex_share = _words_and_syllables(day)
    return day.at_mentions(0.4 * (words + 100 * complex_share))


@_enter("kincaid", "salience", "context", "human-perceived", "Read-3", origin="paper")
def kincaid(day: DayFacts) -> Array:
    """0.39 W + 11.8 (syllables / W) - 15.59."""
    words, beats, _ = _words_and_syllables(day)
    return day.at_mentions(0.39 * words + 11.8 * beats - 15.59)


def _is_asked(day: DayFacts) -> Array:
    """Whether each of the day's terms is in the (expanded) query."""
    numbers = day.words.stem_numbers(day.query.all)
    return np.isin(day.term_stems, numbers)


@_enter("query_words", "salience", "context", "query", "Uni", origin="reconstructed")
def query_words(day: DayFacts) -> Array:
    """The share of the expanded query's stems that the context has."""
    return day.at_mentions(query_overlap(day))


def query_overlap(day: DayFacts) -> Array:
    """For each sentence, the share of the expanded query's stems in it."""
    sentence, term, _ = day.sentence_terms
    asked = _is_asked(day)[term]
    return per_group(sentence[asked], day.sentences) / max(1, len(day.query.all))


def _pairs_of_query(day: DayFacts, wanted: set[tuple[str, str]], gap: int) -> Array:
    shares = np.zeros(day.sentences)
    if not wanted:
        return shares
    own = np.isin(day.term_stems, day.words.stem_numbers(day.query.own))[day.c_term]
    place = np.arange(len(own)) - np.searchsorted(day.c_sentence, day.c_sentence)
    stems = day.words.stems
    rows = zip(
        day.c_sentence[own].tolist(),
        place[own].tolist(),
        day.term_stems[day.c_term[own]].tolist(),
        strict=True,
    )
    met: dict[int, set[tuple[str, str]]] = {}
    recent: list[tuple[int, int, str]] = []
    for sentence, at, number in rows:
        stem = stems[number]
        recent = [document for document in recent if document[0] == sentence and at - document[1] <= gap + 1]
        for _, _, earlier in recent:
            if (earlier, stem) in wanted:
                met.setdefault(sentence, set()).add((earlier, stem))
        recent.append((sentence, at, stem))
    for sentence, pairs in met.items():
        shares[sentence] = len(pairs) / len(wanted)
    return shares


@_enter("query_pairs", "salience", "context", "query", "Bi", origin="reconstructed")
def query_pairs(day: DayFacts) -> Array:
    """The share of the query's pairs of neighboring stems (no stop words) that are also neighbors in the context."""
    return day.at_mentions(_pairs_of_query(day, day.query.pairs, 0))


@_enter("query_gapped", "salience", "context", "query", "Bi4", origin="reconstructed")
def query_gapped(day: DayFacts) -> Array:
    """The same of pairs with at most 4 stems between them."""
    return day.at_mentions(_pairs_of_query(day, day.query.gapped, 4))


@_enter("sum_focus", "salience", "context", "query", "Sum-F", origin="reconstructed")
def sum_focus(day: DayFacts) -> Array:
    """Mean of .1 p(w) in the document + .9 p(w) in the expanded query over the context's terms (SumFocus,
    lambda .9)."""
    asked = _is_asked(day) / max(1, len(day.query.all))
    return day.at_mentions(day.over_terms(0.1 * day.term_share + 0.9 * asked[day.c_term]))
