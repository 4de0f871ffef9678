"""How like the nuggets are to the clusters, if each update has one nugget only: the study's Table 3."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isnan, nan, sqrt

from msgspec import Struct

from tidings.evaluation.clustering.agreement import by_event
from tidings.evaluation.measures.agreement import Normaliser, adjusted_mutual_information, adjusted_rand
from tidings.evaluation.measures.projection import RULES
from tidings.evaluation.study.collection import Collection
from tidings.evaluation.study.projection import project

__all__ = ["Likeness", "ProjectionStudy", "TopicLikeness", "study_projections"]

Labels = dict[str, str]
"""Update to cluster."""


class Likeness(Struct, frozen=True):
    """ARI and AMI of two ways of clustering: means over topics, with the deviation of that mean from seed to seed."""

    one: str
    other: str
    ari: float
    ami: float
    ari_spread: float = 0.0
    ami_spread: float = 0.0


class TopicLikeness(Struct, frozen=True):
    """ARI and AMI of one rule on one topic, means over seeds; `updates` are relevant both ways."""

    topic: str
    rule: str
    updates: int
    ari: float
    ami: float


class ProjectionStudy(Struct, frozen=True):
    """Each rule against the clusters, on each topic too, and the rules against each other (first seed)."""

    rules: tuple[Likeness, ...]
    topics: tuple[TopicLikeness, ...]
    between: tuple[Likeness, ...]
    normaliser: str
    seeds: int


def study_projections(
    collection: Collection, seeds: int = 10, normaliser: Normaliser = "max"
) -> ProjectionStudy:
    """Table 3, over the updates that are relevant both ways, each topic counting the same.

    Args:
        collection: judged both ways.
        seeds: how many times lots are drawn, with the seeds 0, 1, …
        normaliser: of AMI.
    """
    topics = [topic.id for topic in collection.topics]
    clusters = by_event(collection.judgments.clusters)
    made = {
        rule: [by_event(project(collection.judgments, rule, seed)) for seed in range(seeds)] for rule in RULES
    }
    by_topic: list[TopicLikeness] = []
    rules: list[Likeness] = []
    for rule in RULES:
        figures = {
            topic: [_alike(drawn.get(topic, {}), clusters.get(topic, {}), normaliser) for drawn in made[rule]]
            for topic in topics
        }
        for topic, of_topic in figures.items():
            both = len(made[rule][0].get(topic, {}).keys() & clusters.get(topic, {}).keys())
            by_topic.append(
                TopicLikeness(
                    topic,
                    rule,
                    both,
                    _mean([ari for ari, _ in of_topic]),
                    _mean([ami for _, ami in of_topic]),
                )
            )
        aris = [_mean([figures[topic][seed][0] for topic in topics]) for seed in range(seeds)]
        amis = [_mean([figures[topic][seed][1] for topic in topics]) for seed in range(seeds)]
        rules.append(Likeness(rule, "clusters", _mean(aris), _mean(amis), _spread(aris), _spread(amis)))
    between = []
    for one, other in combinations(RULES, 2):
        pairs = [
            _alike(made[one][0].get(topic, {}), made[other][0].get(topic, {}), normaliser) for topic in topics
        ]
        between.append(
            Likeness(one, other, _mean([ari for ari, _ in pairs]), _mean([ami for _, ami in pairs]))
        )
    return ProjectionStudy(tuple(rules), tuple(by_topic), tuple(between), normaliser, seeds)


def _alike(one: Labels, other: Labels, normaliser: Normaliser) -> tuple[float, float]:
    both = sorted(one.keys() & other.keys())
    first, second = [one[update] for update in both], [other[update] for update in both]
    return adjusted_rand(first, second), adjusted_mutual_information(first, second, normaliser)


def _mean(values: Sequence[float]) -> float:
    defined = [value for value in values if not isnan(value)]
    return sum(defined) / len(defined) if defined else nan


def _spread(values: Sequence[float]) -> float:
    # The standard deviation of a sample; 0 for one.
    defined = [value for value in values if not isnan(value)]
    if len(defined) < 2:
        return 0.0
    mean = sum(defined) / len(defined)
    return sqrt(sum((value - mean) ** 2 for value in defined) / (len(defined) - 1))
