"""Salience features that tidings adds: how much of the day is about an entity, and in which role it stands there."""

from __future__ import annotations

import numpy as np

from tidings.analysis import Gazetteers, gazetteers
from tidings.following.entities.features.day_facts import DayFacts, per_group
from tidings.following.entities.features.salience import query_overlap
from tidings.following.entities.features.table import Array, FeatureTable

__all__ = ["OWN_SALIENCE", "distinctness"]

OWN_SALIENCE = FeatureTable()
_enter = OWN_SALIENCE.enter
_GROUP = "ours: salience"
_BANDS, _ROWS = 3, 3


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
                mixed = _mixed(names, band * _ROWS + row + 1)
                keys = _mixed(keys, 7) ^ np.minimum.reduceat(mixed[day.c_term], starts)
            _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
            total += 1 / counts[place]
        share[with_terms] = total / _BANDS
    day.made["distinctness"] = share
    return share


def _mixed(values: Array, seed: int) -> Array:
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


@_enter("mentions", "salience", "entity", _GROUP)
def mentions(day: DayFacts) -> Array:
    """Mentions of the entity under all its labels, pronouns too."""
    return per_group(day.m_entity, _count(day))


@_enter("documents", "salience", "entity", _GROUP)
def documents(day: DayFacts) -> Array:
    """Documents of the day that mention the entity under any label."""
    return per_group(day.in_documents[0], _count(day))


@_enter("confidence", "salience", "entity", _GROUP)
def confidence(day: DayFacts) -> Array:
    """The confidence of those documents, added up."""
    entities, numbers = day.in_documents
    return per_group(entities, _count(day), day.confidence[numbers])


@_enter("contexts", "salience", "entity", _GROUP)
def contexts(day: DayFacts) -> Array:
    """Sentences of the day that mention the entity."""
    return per_group(day.places[0], _count(day))


@_enter("distinct_contexts", "salience", "entity", _GROUP)
def distinct_contexts(day: DayFacts) -> Array:
    """The same, with each sentence counting 1 / (sentences of the day that say nearly the same)."""
    return _over_places(day, distinctness(day))


@_enter("query_sum", "salience", "entity", _GROUP)
def query_sum(day: DayFacts) -> Array:
    """The share of the query's stems in each distinct context, added up."""
    return _over_places(day, query_overlap(day) * distinctness(day))


@_enter("query_most", "salience", "entity", _GROUP)
def query_most(day: DayFacts) -> Array:
    """The greatest share of the query's stems in one context."""
    return _most_of_places(day, query_overlap(day))


def _day_weight(day: DayFacts) -> Array:
    """For each sentence the mean share of its terms among the terms of the whole day, by documents that have them."""
    keys = np.unique(day.c_document * max(1, day.terms) + day.c_term)
    spread = per_group(keys % max(1, day.terms), day.terms) / max(1, len(day.confidence))
    return day.over_terms(spread[day.c_term])


@_enter("day_sum", "salience", "entity", _GROUP)
def day_sum(day: DayFacts) -> Array:
    """The mean share of the day's documents that have a context's terms, added up over distinct contexts."""
    return _over_places(day, _day_weight(day) * distinctness(day))


@_enter("day_most", "salience", "entity", _GROUP)
def day_most(day: DayFacts) -> Array:
    """The greatest such mean of one context."""
    return _most_of_places(day, _day_weight(day))


@_enter("headline_share", "salience", "entity", _GROUP)
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


@_enter("lead_share", "salience", "entity", _GROUP)
def lead_share(day: DayFacts) -> Array:
    """The share of the day's documents that mention the entity in their first sentence."""
    entities, _, first = _first_places(day)
    return per_group(entities[first < 1], _count(day)) / max(1, len(day.confidence))


@_enter("early", "salience", "entity", _GROUP)
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


@_enter("words_before", "salience", "entity", _GROUP)
def words_before(day: DayFacts) -> Array:
    """log(1 + tokens before the first mention), the least of any document."""
    entities, _, first = _first_words(day)
    least = np.full(_count(day), np.inf)
    np.minimum.at(least, entities, np.log1p(first))
    return least


@_enter("early_words", "salience", "entity", _GROUP)
def early_words(day: DayFacts) -> Array:
    """10 / (10 + tokens before the first mention in a document), added up over documents by their confidence."""
    entities, numbers, first = _first_words(day)
    return per_group(entities, _count(day), day.confidence[numbers] * 10 / (10 + first))


@_enter("walk", "salience", "entity", _GROUP)
def walk(day: DayFacts) -> Array:
    """How often a walk is at the entity that goes from an entity to one of its sentences, more often to a distinct one,
    and on to any entity in it; 15 steps, each of which starts anew with probability .15; times the entities."""
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


@_enter("spread", "salience", "entity", _GROUP)
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


@_enter("subjects", "salience", "entity", _GROUP)
def subjects(day: DayFacts) -> Array:
    """Mentions with a verb right behind and no preposition before: most are subjects."""
    return per_group(day.m_entity, _count(day), _token(day, 0, "verb") * (1 - _token(day, -1, "preposition")))


@_enter("subject_share", "salience", "entity", _GROUP)
def subject_share(day: DayFacts) -> Array:
    """The share of such mentions among all of the entity."""
    return subjects(day) / np.maximum(mentions(day), 1)


@_enter("preposition_share", "salience", "entity", _GROUP)
def preposition_share(day: DayFacts) -> Array:
    """The share of mentions right behind a preposition."""
    return _mean(day, _token(day, -1, "preposition"))


@_enter("opens_share", "salience", "entity", _GROUP)
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


@_enter("first_subject", "salience", "entity", _GROUP)
def first_subject(day: DayFacts) -> Array:
    """The share of the entity's documents whose first mention of it is a subject, as above."""
    return _at_first(day, _token(day, 0, "verb") * (1 - _token(day, -1, "preposition")))


@_enter("first_preposition", "salience", "entity", _GROUP)
def first_preposition(day: DayFacts) -> Array:
    """The share of the entity's documents whose first mention of it stands behind a preposition."""
    return _at_first(day, _token(day, -1, "preposition"))


@_enter("source_share", "salience", "entity", _GROUP)
def source_share(day: DayFacts) -> Array:
    """The share of mentions with a word of saying right before or behind: who speaks, or is told."""
    return _mean(day, np.maximum(_token(day, 0, "saying"), _token(day, -1, "saying")))


@_enter("country", "salience", "entity", _GROUP)
def country(day: DayFacts) -> Array:
    """1 for a country, by the list of countries' names."""
    names = gazetteers()
    return np.array([_is_country(names, one.name) for one in day.entities], float)


def _is_country(names: Gazetteers, name: str) -> bool:
    words = name.lower().removeprefix("the ").split()
    if len(words) == 1:
        return "country" in names.words.get(words[0], ())
    return set(names.phrase_marks(words)) == {"B-country", "I-country"}


@_enter("name_words", "salience", "entity", _GROUP)
def name_words(day: DayFacts) -> Array:
    """Words of the entity's name."""
    return np.array([len(one.name.split()) for one in day.entities], float)


@_enter("labels", "salience", "entity", _GROUP)
def labels_of(day: DayFacts) -> Array:
    """Labels under which the entity is mentioned."""
    return per_group(day.l_entity, _count(day))


@_enter("person", "salience", "entity", _GROUP)
def person(day: DayFacts) -> Array:
    """1 for a person."""
    return np.array([one.type == "PER" for one in day.entities], float)


@_enter("organization", "salience", "entity", _GROUP)
def organization(day: DayFacts) -> Array:
    """1 for an organization."""
    return np.array([one.type == "ORG" for one in day.entities], float)


@_enter("in_query", "salience", "entity", _GROUP)
def in_query(day: DayFacts) -> Array:
    """1 where the event's own query names the entity."""
    return np.array([one.in_query for one in day.entities], float)


@_enter("companions", "salience", "entity", _GROUP)
def companion_count(day: DayFacts) -> Array:
    """Other entities in the entity's contexts, each context's counted by itself."""
    _, sentences = day.places
    beside = per_group(sentences, day.sentences) - 1
    return _over_places(day, beside)


@_enter("figures", "salience", "entity", _GROUP)
def figures(day: DayFacts) -> Array:
    """Distinct contexts that state a figure."""
    return _over_places(day, (day.sentence_sum("figure") > 0) * distinctness(day))


@_enter("news_sum", "salience", "entity", _GROUP)
def news_sum(day: DayFacts) -> Array:
    """News-specific terms in the distinct contexts, added up."""
    return _over_places(day, day.sentence_sum("news") * distinctness(day))
