"""The whole study of a doubly judged collection, as one value."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tidings.core import Run
from tidings.evaluation.measures.agreement import Normaliser
from tidings.evaluation.study.categories import CategoryTable
from tidings.evaluation.study.causes import TopicDisagreement, disagreements
from tidings.evaluation.study.collection import Collection, Counts, Topic, counts_of
from tidings.evaluation.study.effort import EffortComparison
from tidings.evaluation.study.projections import ProjectionStudy, study_projections
from tidings.evaluation.study.scores import (
    METRICS,
    Correlation,
    Pairs,
    correlations,
    pairs_by_topic,
    value_runs,
)

__all__ = ["Agreement", "Study", "make_study"]


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
    """All seven parts; None or empty where there is nothing that a part could be made of."""

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


def make_study(
    collection: Collection,
    runs: Sequence[Run] = (),
    *,
    categories: CategoryTable | None = None,
    effort: EffortComparison | None = None,
    seeds: int = 10,
    normaliser: Normaliser = "max",
) -> Study:
    """Everything that the study says of a collection and of runs that are scored by it.

    Args:
        collection: of `collect`.
        runs: scored by both kinds of judgments; without any, the parts on scores are empty.
        categories: of one topic's nuggets and clusters.
        effort: what judging took.
        seeds: how often lots are drawn in projections.
        normaliser: of adjusted mutual information.

    Raises:
        UnknownEventError: a run tells of an event that is not among the judgments.
    """
    valued = value_runs(collection, runs)
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
        disagreements=disagreements(collection, valued, pairs) if valued else (),
    )


def _agreement(metric: str, pairs: Sequence[Pairs]) -> Agreement:
    of_metric = [one for one in pairs if one.metric == metric]
    told_apart = [one for one in of_metric if one.agree + one.disagree]
    return Agreement(
        metric,
        sum(one.pairs for one in of_metric),
        sum(one.agree for one in of_metric),
        sum(one.disagree for one in of_metric),
        sum(one.tied_once for one in of_metric),
        sum(one.tied_twice for one in of_metric),
        sum(one.share > 0.8 for one in told_apart),
        len(told_apart),
    )
