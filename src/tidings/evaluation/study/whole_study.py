"""The whole study of a doubly judged collection, as one value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations
from math import isnan, sqrt

from msgspec import Struct

from tidings.core import Run
from tidings.evaluation.clustering import by_event
from tidings.evaluation.judgment_agreement import clusters_alike
from tidings.evaluation.measures.agreement import (
    Normaliser,
    adjusted_mutual_information,
    adjusted_rand,
    mean_of_defined,
)
from tidings.evaluation.measures.projection import RULES, project
from tidings.evaluation.study.categories import CategoryTable
from tidings.evaluation.study.collection import Collection, Counts, Topic, counts_of
from tidings.evaluation.study.score_agreement import (
    METRICS,
    Correlation,
    Pairs,
    TopicDisagreement,
    correlations,
    disagreements,
    pairs_by_topic,
    value_runs,
)

_KINDS = {"extraction": "nuggets", "matching": "nuggets", "relevance": "clusters", "clusters": "clusters"}


class TaskEffort(Struct, frozen=True):
    """Seconds that a task took: observed in the log (a lower bound) and estimated; and how much was judged in them."""

    task: str
    kind: str
    observed_s: float
    estimated_s: float
    assessments: int
    people: int


class EffortComparison(Struct, frozen=True):
    """All tasks of both kinds, and how many times the nuggets took what the clusters did (estimated); 0: not known."""

    tasks: tuple[TaskEffort, ...]

    def seconds(self, kind: str) -> float:
        """The estimated seconds of `nuggets` or of `clusters`."""
        return sum(task.estimated_s for task in self.tasks if task.kind == kind)

    @property
    def ratio(self) -> float:
        """Nuggets' time over clusters' time; 0 where one of them is not known."""
        clusters = self.seconds("clusters")
        return self.seconds("nuggets") / clusters if clusters else 0.0


def compare_effort(tasks: Iterable[TaskEffort]) -> EffortComparison | None:
    """What there is of tasks that make nuggets or clusters; None where there is none.

    >>> taken = [("extraction", 300.0), ("matching", 600.0), ("clusters", 200.0), ("entities", 50.0)]
    >>> compared = compare_effort(TaskEffort(task, "", 0.0, seconds, 1, 1) for task, seconds in taken)
    >>> [(one.task, one.kind) for one in compared.tasks], compared.ratio
    ([('extraction', 'nuggets'), ('matching', 'nuggets'), ('clusters', 'clusters')], 4.5)
    """
    kept = tuple(
        TaskEffort(
            task.task, _KINDS[task.task], task.observed_s, task.estimated_s, task.assessments, task.people
        )
        for task in tasks
        if task.task in _KINDS
    )
    return EffortComparison(kept) if kept else None


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
                    mean_of_defined([ari for ari, _ in of_topic]),
                    mean_of_defined([ami for _, ami in of_topic]),
                )
            )
        aris = [mean_of_defined([figures[topic][seed][0] for topic in topics]) for seed in range(seeds)]
        amis = [mean_of_defined([figures[topic][seed][1] for topic in topics]) for seed in range(seeds)]
        rules.append(
            Likeness(
                rule, "clusters", mean_of_defined(aris), mean_of_defined(amis), _spread(aris), _spread(amis)
            )
        )
    between = []
    for one, other in combinations(RULES, 2):
        pairs = [
            _alike(made[one][0].get(topic, {}), made[other][0].get(topic, {}), normaliser) for topic in topics
        ]
        between.append(
            Likeness(
                one,
                other,
                mean_of_defined([ari for ari, _ in pairs]),
                mean_of_defined([ami for _, ami in pairs]),
            )
        )
    return ProjectionStudy(tuple(rules), tuple(by_topic), tuple(between), normaliser, seeds)


def _alike(one: Labels, other: Labels, normaliser: Normaliser) -> tuple[float, float]:
    ami = partial(adjusted_mutual_information, average=normaliser)
    return clusters_alike(one, other, adjusted_rand), clusters_alike(one, other, ami)


def _spread(values: Sequence[float]) -> float:
    # The standard deviation of a sample; 0 for one.
    defined = [value for value in values if not isnan(value)]
    if len(defined) < 2:
        return 0.0
    mean = sum(defined) / len(defined)
    return sqrt(sum((value - mean) ** 2 for value in defined) / (len(defined) - 1))


class Agreement(Struct, frozen=True):
    """How often pairs of runs agree by one metric, over all topics.

    Args:
        metric: EG or C.
        pairs: of runs, each topic's own.
        agree: pairs that both kinds of judgments order alike.
        disagree: pairs that they order in opposite ways.
        tied_once: pairs that only one of them tells apart.
        tied_twice: pairs that neither tells apart.
        topics_above: topics on which more than 80 % of the pairs that both tell apart agree.
        topics: topics with such pairs.
    """

    metric: str
    pairs: int
    agree: int
    disagree: int
    tied_once: int
    tied_twice: int
    topics_above: int
    topics: int

    @property
    def share(self) -> float:
        """Agreeing pairs among those that both kinds tell apart, 0 to 1 (0 where there is none)."""
        return self.agree / max(1, self.agree + self.disagree)

    @property
    def share_of_all(self) -> float:
        """Agreeing pairs among all, 0 to 1 (0 where there is none)."""
        return self.agree / max(1, self.pairs)


class Study(Struct, frozen=True):
    """All seven parts; None or empty where there is nothing that a part could be made of.

    `verbosity`: expected gain is over the updates' verbosity instead of their number.
    """

    name: str
    topics: tuple[Topic, ...]
    left_out: tuple[tuple[str, str], ...]
    silver: str
    runs: tuple[str, ...]
    counts: tuple[Counts, ...]
    categories: CategoryTable | None
    projections: ProjectionStudy
    correlations: tuple[Correlation, ...]
    pairs: tuple[Pairs, ...]
    agreement: tuple[Agreement, ...]
    effort: EffortComparison | None
    disagreements: tuple[TopicDisagreement, ...]
    verbosity: bool = False


def make_study(
    collection: Collection,
    runs: Sequence[Run] = (),
    *,
    categories: CategoryTable | None = None,
    effort: EffortComparison | None = None,
    seeds: int = 10,
    normaliser: Normaliser = "max",
    verbosity: bool = False,
) -> Study:
    """Everything that the study says of a collection and of runs that are scored by it.

    Args:
        collection: of `collect`.
        runs: scored by both kinds of judgments; without any, the parts on scores are empty.
        categories: of one topic's nuggets and clusters.
        effort: what judging took.
        seeds: how often lots are drawn in projections.
        normaliser: of adjusted mutual information.
        verbosity: divide expected gain by the updates' V(u), as the study says in section 4.3 that it did once more.

    Raises:
        UnknownEventError: a run has an event that is not among the judgments.
    """
    valued = value_runs(collection, runs, verbosity=verbosity)
    pairs = pairs_by_topic(collection, valued) if valued else []
    return Study(
        name=collection.judgments.name,
        topics=collection.topics,
        left_out=collection.left_out,
        silver=collection.silver,
        runs=tuple(run.name for run in valued),
        counts=counts_of(collection),
        categories=categories,
        projections=study_projections(collection, seeds, normaliser),
        correlations=tuple(correlations(collection, valued)) if valued else (),
        pairs=tuple(pairs),
        agreement=tuple(_agreement(metric, pairs) for metric in METRICS) if valued else (),
        effort=effort,
        disagreements=disagreements(collection, valued, pairs, verbosity=verbosity) if valued else (),
        verbosity=verbosity,
    )


def _agreement(metric: str, pairs: Sequence[Pairs]) -> Agreement:
    of_metric = [pair for pair in pairs if pair.metric == metric]
    told_apart = [pair for pair in of_metric if pair.agree + pair.disagree]
    return Agreement(
        metric,
        sum(pair.pairs for pair in of_metric),
        sum(pair.agree for pair in of_metric),
        sum(pair.disagree for pair in of_metric),
        sum(pair.tied_once for pair in of_metric),
        sum(pair.tied_twice for pair in of_metric),
        sum(pair.share > 0.8 for pair in told_apart),
        len(told_apart),
    )
