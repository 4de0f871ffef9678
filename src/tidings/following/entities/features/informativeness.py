"""Informativeness: what of an entity differs from the day before, in contexts that share words or nearly do.

One of four ways to hold a context against those of the day before:

I(m, c) = Σ over c' of s(c, c') κ(c'), c' the contexts that the entity had on the day before, κ the confidence of their
documents made to sum to 1 over them; 1 where the entity had none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np

from tidings.following.entities.features.day_facts import DayFacts, in_order_of_appearance, mixture, per_group
from tidings.following.entities.features.salience import in_titles
from tidings.following.entities.features.table import Array, FeatureTable
from tidings.following.entities.features.word_facts import news_terms

LEAST = 0.9
"""Jaro-Winkler similarity below which two words have nothing in common."""
_BEGINNING = 4
_MOST_ALIKE = 12
"""Words of one beginning that a word is compared with."""
_MOST_COMPARED = 5_000
"""Pairs that are compared at once, after which no more are; hostile text has millions."""


@lru_cache(maxsize=1 << 16)
def jaro_winkler(one: str, other: str) -> float:
    """Jaro's similarity of two words, raised for a common beginning of up to four letters (Winkler 1990); 0 to 1.

    >>> round(jaro_winkler("martha", "marhta"), 4), round(jaro_winkler("dixon", "dicksonx"), 4)
    (0.9611, 0.8133)
    >>> jaro_winkler("same", "same"), jaro_winkler("", "other")
    (1.0, 0.0)
    """
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    window = max(0, max(len(one), len(other)) // 2 - 1)
    taken = [False] * len(other)
    matched: list[str] = []
    for at, letter in enumerate(one):
        for place in range(max(0, at - window), min(len(other), at + window + 1)):
            if not taken[place] and other[place] == letter:
                taken[place] = True
                matched.append(letter)
                break
    if not matched:
        return 0.0
    second = [letter for letter, is_taken in zip(other, taken, strict=True) if is_taken]
    swapped = sum(a != b for a, b in zip(matched, second, strict=True)) / 2
    m = len(matched)
    jaro = (m / len(one) + m / len(other) + (m - swapped) / m) / 3
    prefix = 0
    for a, b in zip(one[:4], other[:4], strict=False):
        if a != b:
            break
        prefix += 1
    return jaro + prefix * 0.1 * (1 - jaro)


def near_pairs(ours: Sequence[str], theirs: Iterable[str]) -> list[tuple[int, str, float]]:
    """(number of one of `ours`, one of `theirs`, similarity) of all that differ and are at least `LEAST` alike.

    Only words that begin alike in four letters are compared.

    >>> [(number, word) for number, word, _ in near_pairs(["tsarnaev", "boston"], ["tsarnayev", "baston"])]
    [(0, 'tsarnayev')]
    """
    beginnings: dict[str, list[str]] = defaultdict(list)
    for word in theirs:
        if len(word) > _BEGINNING:
            beginnings[word[:_BEGINNING]].append(word)
    pairs = []
    compared = 0
    for number, word in enumerate(ours):
        if len(word) <= _BEGINNING or compared >= _MOST_COMPARED:
            continue
        for other in beginnings.get(word[:_BEGINNING], ())[:_MOST_ALIKE]:
            if other != word:
                compared += 1
                similarity = jaro_winkler(word, other)
                if similarity >= LEAST:
                    pairs.append((number, other, similarity))
    return pairs


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
        self.new = np.array([not day.memory.before.contexts.get(entity.id) for entity in day.entities], bool)
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
        self._concatenate(day, before, today, earlier)

    def _topics(self, day: DayFacts, before: _Before) -> tuple[Array, Array]:
        model = day.topics
        today = model.counts(day.c_sentence, day.words.buckets(day.term_stems)[day.c_term], day.sentences)
        return today, model.counts(before.sentence, day.words.buckets(before.stems), before.count)

    def _concatenate(self, day: DayFacts, before: _Before, today: Array, earlier: Array) -> None:
        entities, sentences = day.places
        now = np.zeros((len(day.entities), today.shape[1]))
        np.add.at(now, entities, today[sentences])
        then = np.zeros_like(now)
        for number, entity in enumerate(day.entities):
            if not self.new[number]:
                then[number] = earlier[day.memory.before.contexts[entity.id]].sum(axis=0)
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
    contexts = [day.memory.before.contexts.get(entity.id, []) for entity in day.entities]
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
        shared = np.minimum(_sum(best[local], row, size), np.minimum.outer(distinct, self._their_distinct))
        union = np.add.outer(distinct, self._their_distinct) - shared
        jaccard = shared / np.maximum(union, 1)
        cosine = _sum(counts[local] * times, row, size)
        cosine = cosine / np.maximum(np.multiply.outer(norm, self._their_norm), 1e-9)
        prior = self._prior[term[chosen]]
        own = per_group(row, size, (count + prior) * np.log1p(count / np.maximum(prior, 1e-12)))
        mu = self._mu
        divergence = (own[:, None] - _sum(logs[local] * times, row, size) - self._their_base) / (length + mu)[
            :, None
        ]
        divergence += np.log(before.length + mu) - np.log(length + mu)[:, None]
        return jaccard, np.minimum(cosine, 1.0), np.maximum(divergence, 0.0)

    def _add_near(self, best: Array, terms: Array) -> None:
        stems = self._day.words.stems
        ours = [stems[number] for number in self._day.term_stems[terms]]
        for row, stem, similarity in near_pairs(ours, self._columns):
            where = self._columns[stem]
            best[row, where] = np.maximum(best[row, where], similarity)


def _sum(rows: Array, groups: Array, count: int) -> Array:
    """The sum of rows over groups, which stand in order; rows of zeros for groups without any."""
    total = np.zeros((count, rows.shape[1]), rows.dtype)
    if len(rows):
        present, starts = np.unique(groups, return_index=True)
        total[present] = np.add.reduceat(rows, starts, axis=0)
    return total


INFORMATIVENESS = FeatureTable()
_enter = INFORMATIVENESS.enter
_CONTEXT, _LABEL = "informativeness, context level", "informativeness, label level"


def companions(day: DayFacts) -> list[set[int]]:
    """For each entity the ids of those beside it in a sentence of the day."""
    made = day.made.get("companions")
    if isinstance(made, list):
        return made
    entities, sentences = day.places
    order = np.argsort(sentences, kind="stable")
    groups = np.split(entities[order], np.unique(sentences[order], return_index=True)[1][1:])
    beside: list[set[int]] = [set() for _ in day.entities]
    for group in groups:
        places = group.tolist()[:MOST_BESIDE]
        ids = [day.entities[place].id for place in places]
        for place, own in zip(places, ids, strict=True):
            if len(beside[place]) < MOST_COMPANIONS:
                beside[place].update(entity_id for entity_id in ids if entity_id != own)
    day.made["companions"] = beside
    return beside


MOST_BESIDE = 60
"""Entities of one sentence that are looked at as beside each other."""
MOST_COMPANIONS = 200
"""Companions of an entity after which no sentence adds more."""


def _of_labels(day: DayFacts, which: int) -> Array:
    labels = day.memory.before.labels
    ids = [day.entities[place].id for place in day.l_entity.tolist()]
    none = (0, 0)
    return np.array(
        [
            labels.get(entity_id, {}).get(text, none)[which]
            for entity_id, text in zip(ids, day.label_texts, strict=True)
        ],
        float,
    )


@_enter("tf_before", "informativeness", "label", _LABEL, "PTf", origin="paper")
def tf_before(day: DayFacts) -> Array:
    """Mentions of the day before that read as the label."""
    return _of_labels(day, 0)


@_enter("df_before", "informativeness", "label", _LABEL, "Pdf", origin="paper")
def df_before(day: DayFacts) -> Array:
    """Documents of the day before with a mention that reads as the label."""
    return _of_labels(day, 1)


@_enter("beside_before", "informativeness", "label", _LABEL, "CoEntE", origin="paper")
def beside_before(day: DayFacts) -> Array:
    """Entities that stood beside the entity in a sentence of the day before."""
    before = day.memory.before.companions
    return np.array([len(before.get(entity.id, ())) for entity in day.entities], float)[day.l_entity]


@_enter("cti", "informativeness", "context", _CONTEXT, "CTI", origin="reconstructed")
def cti(day: DayFacts) -> Array:
    """Mean of 1 - soft Jaccard over the entity's contexts of the day before, weighted by their documents' confidence;
    1 for an entity that had none. Words count as alike by Jaro-Winkler similarity from .9 on, where the paper takes
    named entities' similarity (NESim)."""
    contrast = contrast_of(day)
    return contrast.at_mentions(day, contrast.words)


@_enter("topic_diversity", "informativeness", "context", _CONTEXT, "TDiv", origin="reconstructed")
def topic_diversity(day: DayFacts) -> Array:
    """Mean Euclidean distance of the contexts' topic shares, over √2, weighted in the same way; 1 for a new entity.
    Latent Dirichlet allocation with 8 topics, learned online from the event's days up to this one."""
    contrast = contrast_of(day)
    return contrast.at_mentions(day, contrast.topics)


@_enter("topic_diversity_all", "informativeness", "label", _LABEL, "TDiv", origin="reconstructed")
def topic_diversity_all(day: DayFacts) -> Array:
    """The same distance between all the entity's contexts of the day, put together, and all of the day before."""
    return contrast_of(day).entity_topics[day.l_entity]


@_enter("cosine_before", "informativeness", "context", _CONTEXT, "CosSim", origin="reconstructed")
def cosine_before(day: DayFacts) -> Array:
    """Mean cosine of the stems' counts with the entity's contexts of the day before, weighted in the same way; 0 for a
    new entity."""
    contrast = contrast_of(day)
    return contrast.at_mentions(day, contrast.cosines)


@_enter("divergence_before", "informativeness", "context", _CONTEXT, "DisSim", origin="reconstructed")
def divergence_before(day: DayFacts) -> Array:
    """Mean of 1 - exp(-KL(c || c')), weighted in the same way; 1 for a new entity. Dirichlet smoothing with the stems
    of both days, and their mean context length as its parameter."""
    contrast = contrast_of(day)
    return contrast.at_mentions(day, contrast.divergences)


@_enter("companions_differ", "informativeness", "label", _LABEL, "EntDif", origin="reconstructed")
def companions_differ(day: DayFacts) -> Array:
    """1 - |A ∩ B| / |A ∪ B|, A and B the entities beside it on the day and on the day before; 1 for a new entity, 0
    where it stood alone on both days."""
    before = day.memory.before
    values = []
    for entity, now in zip(day.entities, companions(day), strict=True):
        then = set(before.companions.get(entity.id, ()))
        both = now | then
        new = entity.id not in before.contexts
        values.append(1.0 if new else 1 - len(now & then) / len(both) if both else 0.0)
    return np.array(values, float)[day.l_entity]


@_enter("title_before", "informativeness", "label", _LABEL, "TITLEP", origin="paper")
def title_before(day: DayFacts) -> Array:
    """1 if the label is in the title of a document of the day before."""
    return in_titles(day, day.memory.before.titles)


@_enter("news_share_before", "informativeness", "label", _LABEL, "NewsFracP", origin="reconstructed")
def news_share_before(day: DayFacts) -> Array:
    """News-specific terms among the terms of the entity's contexts of the day before; 0 for a new entity."""
    before, terms = day.memory.before, news_terms()
    news = [sum(stem in terms for stem in stems) for stems in before.sentences]
    values = []
    for entity in day.entities:
        contexts = before.contexts.get(entity.id, [])
        size = sum(len(before.sentences[number]) for number in contexts)
        values.append(sum(news[number] for number in contexts) / size if size else 0.0)
    return np.array(values, float)[day.l_entity]
