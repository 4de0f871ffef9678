"""Today's contexts of an entity against those of the day before: four ways in which sentences differ.

I(m, c) = Σ over c' of s(c, c') κ(c'), c' the contexts that the entity had on the day before, κ the confidence of their
documents made to sum to 1 over them; 1 where the entity had none.
"""

from __future__ import annotations

import numpy as np

from tidings.following.entities.features.day_facts import DayFacts, in_order_of_appearance, per_group
from tidings.following.entities.features.near_words import near_pairs
from tidings.following.entities.features.table import Array
from tidings.following.entities.features.topics import mixture

__all__ = ["Contrast", "contrast_of"]

_TOGETHER = 256
"""Sentences that are compared at once."""


class _Before:
    """The sentences of the day before in the numbers of today: terms beyond today's follow those of today."""

    def __init__(self, day: DayFacts) -> None:
        before = day.memory.before
        lengths = [len(stems) for stems in before.sentences]
        self.count = len(lengths)
        self.sentence = np.repeat(np.arange(self.count), lengths)
        stems = np.array(
            day.words.stem_numbers(stem for sentence in before.sentences for stem in sentence), np.int64
        )
        self.stems = stems
        both = np.concatenate(
            (
                day.term_stems.astype(np.int64),
                in_order_of_appearance(stems[~np.isin(stems, day.term_stems)])[0],
            )
        )
        order = np.argsort(both, kind="stable")
        self.term = order[np.searchsorted(both, stems, sorter=order)] if len(stems) else stems
        self.vocabulary = both
        self.terms = len(both)
        keys, counts = np.unique(self.sentence * max(1, self.terms) + self.term, return_counts=True)
        self.pair_sentence = keys // max(1, self.terms)
        self.pair_term = keys % max(1, self.terms)
        self.pair_count = counts.astype(float)
        self.length = np.array(lengths, float)
        self.confidence = np.array(before.confidence, float)


class Contrast:
    """The means over contexts of the day before, for each place (entity, sentence) of today; `new` entities have 1.

    `fresh` is for each sentence 1 - its greatest soft Jaccard with any sentence of the day before.
    """

    def __init__(self, day: DayFacts) -> None:
        entities, sentences = day.places
        self.new = np.array([not day.memory.before.contexts.get(one.id) for one in day.entities], bool)
        count = len(entities)
        self.words = np.ones(count)
        self.topics = np.ones(count)
        self.cosines = np.zeros(count)
        self.divergences = np.ones(count)
        self.entity_topics = np.ones(len(day.entities))
        self.fresh = np.ones(day.sentences)
        before = _Before(day)
        if not before.count or not count:
            return
        place, theirs, weights = _pairs(day, before)
        ours = sentences[place]
        values = np.zeros((4, len(place)))
        order = np.argsort(ours, kind="stable")
        distinct = np.unique(sentences)
        today, earlier = self._topics(day, before)
        values[1] = _distance(mixture(today)[ours], mixture(earlier)[theirs])
        likeness = _Likeness(day, before)
        for begin in range(0, len(distinct), _TOGETHER):
            block = distinct[begin : begin + _TOGETHER]
            shared, cosine, divergence = likeness.of(block)
            self.fresh[block] = 1 - shared.max(axis=1)
            low, high = np.searchsorted(ours[order], (block[0], block[-1] + 1))
            chosen = order[low:high]
            rows = np.searchsorted(block, ours[chosen])
            values[0, chosen] = 1 - shared[rows, theirs[chosen]]
            values[2, chosen] = cosine[rows, theirs[chosen]]
            values[3, chosen] = 1 - np.exp(-divergence[rows, theirs[chosen]])
        old = np.unique(place)
        for target, row in zip(
            (self.words, self.topics, self.cosines, self.divergences), values, strict=True
        ):
            target[old] = per_group(place, count, row * weights)[old]
        self._concatenated(day, before, today, earlier)

    def _topics(self, day: DayFacts, before: _Before) -> tuple[Array, Array]:
        model = day.topics
        today = model.counts(day.c_sentence, day.words.buckets(day.term_stems)[day.c_term], day.sentences)
        return today, model.counts(before.sentence, day.words.buckets(before.stems), before.count)

    def _concatenated(self, day: DayFacts, before: _Before, today: Array, earlier: Array) -> None:
        entities, sentences = day.places
        now = np.zeros((len(day.entities), today.shape[1]))
        np.add.at(now, entities, today[sentences])
        then = np.zeros_like(now)
        for number, one in enumerate(day.entities):
            if not self.new[number]:
                then[number] = earlier[day.memory.before.contexts[one.id]].sum(axis=0)
        distance = _distance(mixture(now), mixture(then))
        self.entity_topics = np.where(self.new, 1.0, distance)

    def at_mentions(self, day: DayFacts, values: Array) -> Array:
        """Values of places, taken to the mentions there."""
        entities, sentences = day.places
        keys = entities * max(1, day.sentences) + sentences
        taken: Array = values[np.searchsorted(keys, day.m_entity * max(1, day.sentences) + day.m_sentence)]
        return taken


def contrast_of(day: DayFacts) -> Contrast:
    """The contrast of a day with the one before it, made once."""
    made = day.made.get("contrast")
    if not isinstance(made, Contrast):
        made = day.made["contrast"] = Contrast(day)
    return made


def _pairs(day: DayFacts, before: _Before) -> tuple[Array, Array, Array]:
    """(place, sentence of the day before, weight) for all that have to be compared."""
    entities, _ = day.places
    contexts = [day.memory.before.contexts.get(one.id, []) for one in day.entities]
    sizes = np.array([len(own) for own in contexts], np.int64)
    flat = np.array([number for own in contexts for number in own], np.int64)
    weight = before.confidence[flat] + 1e-9
    owner = np.repeat(np.arange(len(contexts)), sizes)
    weight = weight / per_group(owner, len(contexts), weight)[owner]
    starts = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    repeats = sizes[entities]
    place = np.repeat(np.arange(len(entities)), repeats)
    begun = np.cumsum(repeats) - repeats
    at = starts[entities][place] + np.arange(len(place)) - begun[place]
    return place, flat[at], weight[at]


def _distance(one: Array, other: Array) -> Array:
    distance: Array = np.sqrt(((one - other) ** 2).sum(axis=-1) / 2)
    return distance


class _Likeness:
    """Soft Jaccard, cosine and divergence of today's sentences and those of the day before, block by block."""

    def __init__(self, day: DayFacts, before: _Before) -> None:
        self._day = day
        self._before = before
        everything = np.concatenate((day.c_term, before.term))
        self._share = per_group(everything, before.terms) / max(1, len(everything))
        self._mu = max(1.0, len(everything) / max(1, day.sentences + before.count))
        prior = self._mu * self._share
        self._their_logs = np.log1p(before.pair_count / prior[before.pair_term])
        self._their_base = per_group(
            before.pair_sentence, before.count, self._their_logs * prior[before.pair_term]
        )
        self._their_distinct = per_group(before.pair_sentence, before.count)
        self._their_norm = np.sqrt(per_group(before.pair_sentence, before.count, before.pair_count**2))
        self._prior = prior
        self._columns: dict[str, list[int]] = {}
        for term, sentence in zip(before.pair_term.tolist(), before.pair_sentence.tolist(), strict=True):
            self._columns.setdefault(day.words.stems[before.vocabulary[term]], []).append(sentence)

    def of(self, block: Array) -> tuple[Array, Array, Array]:
        """Three arrays (sentences of the block, sentences of the day before)."""
        day, before = self._day, self._before
        sentence, term, count = day.sentence_terms
        chosen = np.flatnonzero(np.isin(sentence, block))
        terms, local = np.unique(term[chosen], return_inverse=True)
        row = np.searchsorted(block, sentence[chosen])
        count = count[chosen]
        times = count.astype(np.float32)[:, None]
        # Of each term of the block (rows) what the sentences of the day before (columns) have of it.
        at = np.searchsorted(terms, before.pair_term)
        at[at == len(terms)] = 0
        here = terms[at] == before.pair_term if len(terms) else np.zeros(len(at), bool)
        cells = at[here] * before.count + before.pair_sentence[here]
        shape = (len(terms), before.count)

        def spread(values: Array) -> Array:
            filled = np.zeros(shape, np.float32)
            filled.ravel()[cells] = values[here]
            return filled

        counts, logs = spread(before.pair_count), spread(self._their_logs)
        best = np.minimum(counts, np.float32(1))
        self._add_near(best, terms)
        size = len(block)
        distinct = per_group(row, size)
        norm = np.sqrt(per_group(row, size, count**2))
        length = per_group(row, size, count)
        shared = np.minimum(_summed(best[local], row, size), np.minimum.outer(distinct, self._their_distinct))
        union = np.add.outer(distinct, self._their_distinct) - shared
        jaccard = shared / np.maximum(union, 1)
        cosine = _summed(counts[local] * times, row, size)
        cosine = cosine / np.maximum(np.multiply.outer(norm, self._their_norm), 1e-9)
        prior = self._prior[term[chosen]]
        own = per_group(row, size, (count + prior) * np.log1p(count / np.maximum(prior, 1e-12)))
        mu = self._mu
        divergence = (own[:, None] - _summed(logs[local] * times, row, size) - self._their_base) / (
            length + mu
        )[:, None]
        divergence += np.log(before.length + mu) - np.log(length + mu)[:, None]
        return jaccard, np.minimum(cosine, 1.0), np.maximum(divergence, 0.0)

    def _add_near(self, best: Array, terms: Array) -> None:
        stems = self._day.words.stems
        ours = [stems[number] for number in self._day.term_stems[terms]]
        for row, stem, similarity in near_pairs(ours, self._columns):
            where = self._columns[stem]
            best[row, where] = np.maximum(best[row, where], similarity)


def _summed(rows: Array, groups: Array, count: int) -> Array:
    """The sum of rows over groups, which stand in order; rows of zeros for groups without any."""
    total = np.zeros((count, rows.shape[1]), rows.dtype)
    if len(rows):
        present, starts = np.unique(groups, return_index=True)
        total[present] = np.add.reduceat(rows, starts, axis=0)
    return total
