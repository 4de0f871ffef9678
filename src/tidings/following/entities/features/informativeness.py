"""Informativeness: what of an entity differs from the day before."""

from __future__ import annotations

import numpy as np

from tidings.following.entities.features.contrast import contrast_of
from tidings.following.entities.features.day_facts import DayFacts
from tidings.following.entities.features.lexicons import news_terms
from tidings.following.entities.features.salience import in_titles
from tidings.following.entities.features.table import Array, FeatureTable

__all__ = ["INFORMATIVENESS", "companions"]

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
                beside[place].update(one for one in ids if one != own)
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
        [labels.get(one, {}).get(text, none)[which] for one, text in zip(ids, day.label_texts, strict=True)],
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
    return np.array([len(before.get(one.id, ())) for one in day.entities], float)[day.l_entity]


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
    for one, now in zip(day.entities, companions(day), strict=True):
        then = set(before.companions.get(one.id, ()))
        both = now | then
        new = one.id not in before.contexts
        values.append(1.0 if new else 1 - len(now & then) / len(both) if both else 0.0)
    return np.array(values, float)[day.l_entity]


@_enter("title_before", "informativeness", "label", _LABEL, "TITLEP", origin="paper")
def title_before(day: DayFacts) -> Array:
    """1 where the label stands in the title of a document of the day before."""
    return in_titles(day, day.memory.before.titles)


@_enter("news_share_before", "informativeness", "label", _LABEL, "NewsFracP", origin="reconstructed")
def news_share_before(day: DayFacts) -> Array:
    """News-specific terms among the terms of the entity's contexts of the day before; 0 for a new entity."""
    before, terms = day.memory.before, news_terms()
    news = [sum(stem in terms for stem in stems) for stems in before.sentences]
    values = []
    for one in day.entities:
        contexts = before.contexts.get(one.id, [])
        size = sum(len(before.sentences[number]) for number in contexts)
        values.append(sum(news[number] for number in contexts) / size if size else 0.0)
    return np.array(values, float)[day.l_entity]
