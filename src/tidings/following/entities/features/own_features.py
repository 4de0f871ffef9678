"""Features that tidings adds: how much of the day is about an entity, whether it is new, and what its contexts add."""

from __future__ import annotations

import numpy as np

from tidings.analysis import Gazetteers, gazetteers
from tidings.following.entities.features.day_facts import DayFacts, Earlier, per_group
from tidings.following.entities.features.informativeness import contrast_of
from tidings.following.entities.features.salience import query_overlap
from tidings.following.entities.features.table import Array, FeatureTable

OWN_SALIENCE = FeatureTable()
_enter_salience = OWN_SALIENCE.enter
_SALIENCE = "ours: salience"
_BANDS, _ROWS = 3, 3  # keys of a sentence, and min-hashes of each key


def distinctness(day: DayFacts) -> Array:
    """For each sentence about 1 / (sentences of the day that say nearly the same, itself included).

    Sentences are put together by three keys of three min-hashes each; the mean over the keys is taken.
    """
    made = day.made.get("distinctness")
    if isinstance(made, np.ndarray):
        return made
    share = np.ones(day.sentences)
    with_terms, starts = np.unique(day.c_sentence, return_index=True)
    if len(with_terms):
        names = day.words.hashes(day.term_stems)
        total = np.zeros(len(with_terms))
        for band in range(_BANDS):
            keys: Array = np.zeros(len(with_terms), np.uint64)
            for row in range(_ROWS):
                mixed = _mix(names, band * _ROWS + row + 1)
                keys = _mix(keys, 7) ^ np.minimum.reduceat(mixed[day.c_term], starts)
            _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
            total += 1 / counts[place]
        share[with_terms] = total / _BANDS
    day.made["distinctness"] = share
    return share


def _mix(values: Array, seed: int) -> Array:
    """Numbers of 64 bits stirred, another way for each seed (the last steps of splitmix64)."""
    x = values + np.uint64((seed * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _count(day: DayFacts) -> int:
    return len(day.entities)


def _over_places(day: DayFacts, values: Array) -> Array:
    """The sum of sentences' values over the sentences of each entity."""
    entities, sentences = day.places
    return per_group(entities, _count(day), values[sentences])


def _most_of_places(day: DayFacts, values: Array) -> Array:
    entities, sentences = day.places
    most = np.zeros(_count(day))
    np.maximum.at(most, entities, values[sentences])
    return most


@_enter_salience("mentions", "salience", "entity", _SALIENCE)
def mentions(day: DayFacts) -> Array:
    """Mentions of the entity under all its labels, pronouns too."""
    return per_group(day.m_entity, _count(day))


@_enter_salience("documents", "salience", "entity", _SALIENCE)
def documents(day: DayFacts) -> Array:
    """Documents of the day that mention the entity under any label."""
    return per_group(day.in_documents[0], _count(day))


@_enter_salience("confidence", "salience", "entity", _SALIENCE)
def confidence(day: DayFacts) -> Array:
    """The confidence of those documents, added up."""
    entities, numbers = day.in_documents
    return per_group(entities, _count(day), day.confidence[numbers])


@_enter_salience("contexts", "salience", "entity", _SALIENCE)
def contexts(day: DayFacts) -> Array:
    """Sentences of the day that mention the entity."""
    return per_group(day.places[0], _count(day))


@_enter_salience("distinct_contexts", "salience", "entity", _SALIENCE)
def distinct_contexts(day: DayFacts) -> Array:
    """The same, with each sentence counting 1 / (sentences of the day that say nearly the same)."""
    return _over_places(day, distinctness(day))


@_enter_salience("query_sum", "salience", "entity", _SALIENCE)
def query_sum(day: DayFacts) -> Array:
    """The share of the query's stems in each distinct context, added up."""
    return _over_places(day, query_overlap(day) * distinctness(day))


@_enter_salience("query_most", "salience", "entity", _SALIENCE)
def query_most(day: DayFacts) -> Array:
    """The greatest share of the query's stems in one context."""
    return _most_of_places(day, query_overlap(day))


def _day_weight(day: DayFacts) -> Array:
    """For each sentence the mean share of its terms among the terms of the whole day, by documents that have them."""
    keys = np.unique(day.c_document * max(1, day.terms) + day.c_term)
    spread = per_group(keys % max(1, day.terms), day.terms) / max(1, len(day.confidence))
    return day.over_terms(spread[day.c_term])


@_enter_salience("day_sum", "salience", "entity", _SALIENCE)
def day_sum(day: DayFacts) -> Array:
    """The mean share of the day's documents that have a context's terms, added up over distinct contexts."""
    return _over_places(day, _day_weight(day) * distinctness(day))


@_enter_salience("day_most", "salience", "entity", _SALIENCE)
def day_most(day: DayFacts) -> Array:
    """The greatest such mean of one context."""
    return _most_of_places(day, _day_weight(day))


@_enter_salience("headline_share", "salience", "entity", _SALIENCE)
def headline_share(day: DayFacts) -> Array:
    """The share of the day's documents whose title has one of the entity's labels."""
    titles = day.titles
    labels: dict[int, list[str]] = {}
    for place, label in zip(day.l_entity.tolist(), day.padded_labels, strict=True):
        if label.strip():
            labels.setdefault(place, []).append(label)
    joined = "\n".join(titles)
    share = np.zeros(_count(day))
    for place, texts in labels.items():
        if any(text in joined for text in texts):
            share[place] = sum(any(text in title for text in texts) for title in titles) / len(titles)
    return share


def _first_places(day: DayFacts) -> tuple[Array, Array, Array]:
    """(entity, document, sentence index) of the first context of each entity in each document."""
    entities, numbers = day.in_documents
    count = max(1, len(day.confidence))
    keys = entities * count + numbers
    first = np.full(len(keys), np.inf)
    at = np.searchsorted(keys, day.m_entity * count + day.m_document)
    np.minimum.at(first, at, day.s_index[day.m_sentence])
    return entities, numbers, first


@_enter_salience("lead_share", "salience", "entity", _SALIENCE)
def lead_share(day: DayFacts) -> Array:
    """The share of the day's documents that mention the entity in their first sentence."""
    entities, _, first = _first_places(day)
    return per_group(entities[first < 1], _count(day)) / max(1, len(day.confidence))


@_enter_salience("early", "salience", "entity", _SALIENCE)
def early(day: DayFacts) -> Array:
    """1 / (1 + the number of the first context in a document), added up over documents by their confidence."""
    entities, numbers, first = _first_places(day)
    return per_group(entities, _count(day), day.confidence[numbers] / (1 + first))


def _first_words(day: DayFacts) -> tuple[Array, Array, Array]:
    """(entity, document, tokens of the document before the first mention), for each entity in each document."""
    entities, numbers = day.in_documents
    count = max(1, len(day.confidence))
    starts = day.s_start[day.m_sentence] + day.m_start
    begun = day.s_start[np.array(day.first_sentence, np.int64)] if day.first_sentence else starts
    first = np.full(len(entities), np.inf)
    at = np.searchsorted(entities * count + numbers, day.m_entity * count + day.m_document)
    np.minimum.at(first, at, (starts - begun[day.m_document]).astype(float))
    return entities, numbers, first


@_enter_salience("words_before", "salience", "entity", _SALIENCE)
def words_before(day: DayFacts) -> Array:
    """log(1 + tokens before the first mention), the least of any document."""
    entities, _, first = _first_words(day)
    least = np.full(_count(day), np.inf)
    np.minimum.at(least, entities, np.log1p(first))
    return least


@_enter_salience("early_words", "salience", "entity", _SALIENCE)
def early_words(day: DayFacts) -> Array:
    """10 / (10 + tokens before the first mention in a document), added up over documents by their confidence."""
    entities, numbers, first = _first_words(day)
    return per_group(entities, _count(day), day.confidence[numbers] * 10 / (10 + first))


@_enter_salience("walk", "salience", "entity", _SALIENCE)
def walk(day: DayFacts) -> Array:
    """How often a walk is at the entity that goes from an entity to one of its sentences, more often to a distinct one,
    and on to any entity in it; 15 steps, each of which starts again with probability .15; times the entities."""
    entities, sentences = day.places
    count = _count(day)
    weights = distinctness(day)[sentences]
    leave = weights / per_group(entities, count, weights)[entities]
    arrive = 1 / per_group(sentences, day.sentences)[sentences]
    share = np.full(count, 1 / max(1, count))
    for _ in range(15):
        there = per_group(sentences, day.sentences, share[entities] * leave)
        share = 0.15 / max(1, count) + 0.85 * per_group(entities, count, there[sentences] * arrive)
    return share * count


@_enter_salience("spread", "salience", "entity", _SALIENCE)
def spread_in_document(day: DayFacts) -> Array:
    """Sentences from the first to the last mention, as a share of the document, the greatest of any document."""
    entities, numbers, first = _first_places(day)
    count = max(1, len(day.confidence))
    last = np.full(len(entities), -1.0)
    at = np.searchsorted(entities * count + numbers, day.m_entity * count + day.m_document)
    np.maximum.at(last, at, day.s_index[day.m_sentence])
    longest = np.ones(count)
    np.maximum.at(longest, day.s_document, day.s_index + 1)
    most = np.zeros(_count(day))
    np.maximum.at(most, entities, (last - first) / longest[numbers])
    return most


def _token(day: DayFacts, offset: int, name: str) -> Array:
    """For each mention, whether the token before (-1) or behind (0) it is of a kind."""
    at = day.s_start[day.m_sentence] + (day.m_end if offset == 0 else day.m_start - 1)
    inside = (at >= day.s_start[day.m_sentence]) & (at < day.s_start[day.m_sentence + 1])
    values = np.zeros(len(at))
    values[inside] = day.fact(name)[at[inside]]
    return values


def _mean(day: DayFacts, values: Array) -> Array:
    return per_group(day.m_entity, _count(day), values) / np.maximum(mentions(day), 1)


@_enter_salience("subjects", "salience", "entity", _SALIENCE)
def subjects(day: DayFacts) -> Array:
    """Mentions with a verb right behind and no preposition before: most are subjects."""
    return per_group(day.m_entity, _count(day), _token(day, 0, "verb") * (1 - _token(day, -1, "preposition")))


@_enter_salience("subject_share", "salience", "entity", _SALIENCE)
def subject_share(day: DayFacts) -> Array:
    """The share of such mentions among all of the entity."""
    return subjects(day) / np.maximum(mentions(day), 1)


@_enter_salience("preposition_share", "salience", "entity", _SALIENCE)
def preposition_share(day: DayFacts) -> Array:
    """The share of mentions right behind a preposition."""
    return _mean(day, _token(day, -1, "preposition"))


@_enter_salience("opens_share", "salience", "entity", _SALIENCE)
def opens_share(day: DayFacts) -> Array:
    """The share of mentions that open their sentence."""
    return _mean(day, (day.m_start == 0).astype(float))


def _at_first(day: DayFacts, values: Array) -> Array:
    """The mean over documents of a value of the first mention in each."""
    entities, _ = day.in_documents
    count = max(1, len(day.confidence))
    starts = day.s_start[day.m_sentence] + day.m_start
    keys = day.m_entity * count + day.m_document
    order = np.lexsort((starts, keys))
    _, first = np.unique(keys[order], return_index=True)
    return per_group(entities, _count(day), values[order][first]) / np.maximum(documents(day), 1)


@_enter_salience("first_subject", "salience", "entity", _SALIENCE)
def first_subject(day: DayFacts) -> Array:
    """The share of the entity's documents whose first mention of it is a subject, as above."""
    return _at_first(day, _token(day, 0, "verb") * (1 - _token(day, -1, "preposition")))


@_enter_salience("first_preposition", "salience", "entity", _SALIENCE)
def first_preposition(day: DayFacts) -> Array:
    """The share of the entity's documents whose first mention of it is right behind a preposition."""
    return _at_first(day, _token(day, -1, "preposition"))


@_enter_salience("source_share", "salience", "entity", _SALIENCE)
def source_share(day: DayFacts) -> Array:
    """The share of mentions with a word of saying right before or behind: a speaker or listener."""
    return _mean(day, np.maximum(_token(day, 0, "saying"), _token(day, -1, "saying")))


@_enter_salience("country", "salience", "entity", _SALIENCE)
def country(day: DayFacts) -> Array:
    """1 for a country, by the list of countries' names."""
    names = gazetteers()
    return np.array([_is_country(names, entity.name) for entity in day.entities], float)


def _is_country(names: Gazetteers, name: str) -> bool:
    words = name.lower().removeprefix("the ").split()
    if len(words) == 1:
        return "country" in names.words.get(words[0], ())
    return set(names.phrase_marks(words)) == {"B-country", "I-country"}


@_enter_salience("name_words", "salience", "entity", _SALIENCE)
def name_words(day: DayFacts) -> Array:
    """Words of the entity's name."""
    return np.array([len(entity.name.split()) for entity in day.entities], float)


@_enter_salience("labels", "salience", "entity", _SALIENCE)
def labels_of(day: DayFacts) -> Array:
    """Labels under which the entity is mentioned."""
    return per_group(day.l_entity, _count(day))


@_enter_salience("person", "salience", "entity", _SALIENCE)
def person(day: DayFacts) -> Array:
    """1 for a person."""
    return np.array([entity.type == "PER" for entity in day.entities], float)


@_enter_salience("organization", "salience", "entity", _SALIENCE)
def organization(day: DayFacts) -> Array:
    """1 for an organization."""
    return np.array([entity.type == "ORG" for entity in day.entities], float)


@_enter_salience("in_query", "salience", "entity", _SALIENCE)
def in_query(day: DayFacts) -> Array:
    """1 if the event's own query names the entity."""
    return np.array([entity.in_query for entity in day.entities], float)


@_enter_salience("companions", "salience", "entity", _SALIENCE)
def companion_count(day: DayFacts) -> Array:
    """Other entities in the entity's contexts, each context's counted by itself."""
    _, sentences = day.places
    beside = per_group(sentences, day.sentences) - 1
    return _over_places(day, beside)


@_enter_salience("figures", "salience", "entity", _SALIENCE)
def figures(day: DayFacts) -> Array:
    """Distinct contexts that state a figure."""
    return _over_places(day, (day.sentence_sum("figure") > 0) * distinctness(day))


@_enter_salience("news_sum", "salience", "entity", _SALIENCE)
def news_sum(day: DayFacts) -> Array:
    """News-specific terms in the distinct contexts, added up."""
    return _over_places(day, day.sentence_sum("news") * distinctness(day))


OWN_INFORMATIVENESS = FeatureTable()
_enter = OWN_INFORMATIVENESS.enter
_GROUP = "ours: informativeness"
_LONG_AGO = 10.0
"""Days of news after which an entity is as good as new."""


def _earlier(day: DayFacts) -> list[Earlier | None]:
    return [day.memory.entities.get(entity.id) for entity in day.entities]


@_enter("first_named", "informativeness", "entity", _GROUP)
def first_named(day: DayFacts) -> Array:
    """1 where no earlier day of the event named the entity."""
    return np.array([entity is None for entity in _earlier(day)], float)


@_enter("not_before", "informativeness", "entity", _GROUP)
def not_before(day: DayFacts) -> Array:
    """1 if the day before did not name the entity."""
    before = day.memory.before.contexts
    return np.array([entity.id not in before for entity in day.entities], float)


@_enter("days_since", "informativeness", "entity", _GROUP)
def days_since(day: DayFacts) -> Array:
    """Days of news since the entity was last named, 10 at most and for a new one."""
    days = day.memory.days
    return np.array(
        [_LONG_AGO if earlier is None else min(_LONG_AGO, days - earlier.last) for earlier in _earlier(day)]
    )


@_enter("days_named", "informativeness", "entity", _GROUP)
def days_named(day: DayFacts) -> Array:
    """The share of the earlier days of news that named the entity."""
    days = max(1, day.memory.days)
    return np.array([0.0 if entity is None else entity.days / days for entity in _earlier(day)])


@_enter("rarity", "informativeness", "entity", _GROUP)
def rarity(day: DayFacts) -> Array:
    """log((1 + documents of earlier days) / (1 + those of them that named the entity))."""
    total = 1 + day.memory.documents
    own = np.array([1.0 + (entity.documents if entity else 0) for entity in _earlier(day)])
    ratio: Array = np.log(total / own)
    return ratio


@_enter("documents_rarity", "informativeness", "entity", _GROUP)
def documents_rarity(day: DayFacts) -> Array:
    """Documents of the day that mention the entity, times (0.1 + rarity)."""
    return documents(day) * (0.1 + rarity(day))


@_enter("burst", "informativeness", "entity", _GROUP)
def burst(day: DayFacts) -> Array:
    """log((.05 + share of the day's documents) / (.05 + mean share on the last five days of news))."""
    days = day.memory.days
    spans = max(1, min(5, days))
    past = np.array(
        [
            0.0 if entity is None else sum(share for at, share in entity.latest if at >= days - 5) / spans
            for entity in _earlier(day)
        ]
    )
    today = documents(day) / max(1, len(day.confidence))
    ratio: Array = np.log((0.05 + today) / (0.05 + past))
    return ratio


@_enter("rise", "informativeness", "entity", _GROUP)
def rise(day: DayFacts) -> Array:
    """Contexts of the day less those of the day before."""
    before = day.memory.before.contexts
    change: Array = contexts(day) - np.array(
        [len(before.get(entity.id, ())) for entity in day.entities], float
    )
    return change


@_enter("fresh_sum", "informativeness", "entity", _GROUP)
def fresh_sum(day: DayFacts) -> Array:
    """1 - the greatest soft Jaccard of a context with any sentence of the day before, added up over distinct
    contexts."""
    entities, sentences = day.places
    values = contrast_of(day).fresh * distinctness(day)
    return per_group(entities, len(day.entities), values[sentences])


@_enter("fresh_most", "informativeness", "entity", _GROUP)
def fresh_most(day: DayFacts) -> Array:
    """The same of the context that is least like the day before."""
    entities, sentences = day.places
    most = np.zeros(len(day.entities))
    np.maximum.at(most, entities, contrast_of(day).fresh[sentences])
    return most


@_enter("change_sum", "informativeness", "entity", _GROUP)
def change_sum(day: DayFacts) -> Array:
    """CTI, added up over the entity's distinct contexts."""
    entities, sentences = day.places
    return per_group(entities, len(day.entities), contrast_of(day).words * distinctness(day)[sentences])
