"""What runs score by nuggets and by clusters, and whether the two agree: over a year, and pair by pair on a topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import nan

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tidings.core import Judgments, Run
from tidings.evaluation.measures.agreement import Line, kendall_tau_b, least_squares, pearson_r, sign
from tidings.evaluation.measures.clusters_2017 import prepare, verbosities
from tidings.evaluation.measures.run_scores import EventIds
from tidings.evaluation.study.collection import Collection

METRICS = ("EG", "C")
"""Expected gain and comprehensiveness, of each kind: `nuggets:EG` and so on."""


class RunValues(Struct, frozen=True):
    """What one run emitted, of judged updates, and scores, by topic.

    Args:
        name: team and name.
        emitted: topic to the ids of judged updates, each as often as it was emitted; none where the run is silent.
        values: topic to measure to value.
        groups: the years of the run.
    """

    name: str
    emitted: dict[str, tuple[str, ...]]
    values: dict[str, dict[str, float]]
    groups: tuple[str, ...]

    def mean(self, topics: Iterable[str], measure: str) -> float:
        """The mean of a measure over topics."""
        values = [self.values[topic][measure] for topic in topics]
        return sum(values) / len(values)


class Point(Struct, frozen=True):
    """A run by nuggets (`x`) and by clusters (`y`)."""

    run: str
    x: float
    y: float


class Correlation(Struct, frozen=True):
    """A plot of Figure 2: a metric over a year's topics, a point for each run."""

    group: str
    metric: str
    topics: int
    points: tuple[Point, ...]
    line: Line
    tau: float
    r: float


class Pairs(Struct, frozen=True):
    """A plot of Figure 3 or 4: all pairs of runs on one topic, by one metric.

    Args:
        topic: which.
        metric: EG or C.
        points: for each pair of runs, the earlier less the later, the differences by nuggets and by clusters, each
            divided by the greatest of the topic: within −1 to 1.
        agree: pairs that both kinds of judgments order alike.
        disagree: pairs that they order in opposite ways.
        tied_once: pairs that only one of them tells apart.
        tied_twice: pairs that neither tells apart.
        line: of least squares through the points and their mirror images, so that it does not matter which run of a
            pair is taken from which.
        tau: Kendall's of the runs.
    """

    topic: str
    metric: str
    points: tuple[tuple[float, float], ...]
    agree: int
    disagree: int
    tied_once: int
    tied_twice: int
    line: Line
    tau: float

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return self.agree + self.disagree + self.tied_once + self.tied_twice

    @property
    def share(self) -> float:
        """Agreeing pairs among those that both kinds tell apart, 0 to 1; nan where there is none."""
        told_apart = self.agree + self.disagree
        return self.agree / told_apart if told_apart else nan

    @property
    def share_of_all(self) -> float:
        """Agreeing pairs among all pairs, ties counting as not agreeing, 0 to 1; nan where there is none."""
        return self.agree / self.pairs if self.pairs else nan


def value_runs(collection: Collection, runs: Sequence[Run], *, verbosity: bool = False) -> list[RunValues]:
    """Each run's judged updates and scores on every topic of its years.

    With `verbosity`, expected gain is divided by the sum of the updates' V(u) instead of their number.

    Raises:
        UnknownEventError: a run has an event that neither the topics nor those left out hold.
    """
    prepared = prepare(collection.judgments, verbosity=verbosity)
    ids = EventIds([*prepared.events, *(event_id for event_id, _ in collection.left_out)])
    group_of = {topic.id: topic.group for topic in collection.topics}
    names: dict[str, int] = {}
    valued = []
    for run in runs:
        updates = ids.split(run, run.updates)
        groups = dict.fromkeys(group_of[event_id] for event_id in updates if event_id in group_of)
        name = f"{run.team}/{run.name}" if run.team else run.name
        names[name] = names.get(name, 0) + 1
        name += f" ({names[name]})" if names[name] > 1 else ""
        emitted: dict[str, tuple[str, ...]] = {}
        for topic in collection.topics:
            if topic.group in groups:
                judged = prepared.events[topic.id].judged
                emitted[topic.id] = tuple(
                    update.id for update in updates.get(topic.id, ()) if update.id in judged
                )
        values = {event_id: prepared.events[event_id].values(ids) for event_id, ids in emitted.items()}
        valued.append(RunValues(name, emitted, values, tuple(groups)))
    return valued


def correlations(collection: Collection, runs: Sequence[RunValues]) -> list[Correlation]:
    """Figure 2: for each year and metric, its runs' means over topics by nuggets against by clusters."""
    plots = []
    for metric in METRICS:
        for group, topics in collection.groups.items():
            ids = [topic.id for topic in topics]
            points = tuple(
                Point(run.name, run.mean(ids, f"nuggets:{metric}"), run.mean(ids, f"clusters:{metric}"))
                for run in runs
                if group in run.groups
            )
            x, y = [point.x for point in points], [point.y for point in points]
            plots.append(
                Correlation(
                    group,
                    metric,
                    len(ids),
                    points,
                    least_squares(x, y),
                    kendall_tau_b(x, y),
                    pearson_r(x, y),
                )
            )
    return plots


def pairs_by_topic(collection: Collection, runs: Sequence[RunValues]) -> list[Pairs]:
    """Figures 3 and 4: for each metric and topic all pairs of the runs of its year."""
    return [
        _pairs(topic.id, metric, [run.values[topic.id] for run in runs if topic.group in run.groups])
        for metric in METRICS
        for topic in collection.topics
    ]


def _pairs(topic: str, metric: str, values: Sequence[dict[str, float]]) -> Pairs:
    x, y = ([value[f"{kind}:{metric}"] for value in values] for kind in ("nuggets", "clusters"))
    differences = [(a - c, b - d) for (a, b), (c, d) in combinations(zip(x, y, strict=True), 2)]
    far_x, far_y = (max((abs(pair[at]) for pair in differences), default=0.0) or 1.0 for at in (0, 1))
    counts = {"agree": 0, "disagree": 0, "once": 0, "twice": 0}
    for across, up in differences:
        counts[agreement(sign(across), sign(up))] += 1
    points = [(across / far_x, up / far_y) for across, up in differences]
    both_ways = [*points, *((-across, -up) for across, up in points)]
    line = least_squares([across for across, _ in both_ways], [up for _, up in both_ways])
    tau = kendall_tau_b(x, y)
    return Pairs(
        topic,
        metric,
        tuple(points),
        counts["agree"],
        counts["disagree"],
        counts["once"],
        counts["twice"],
        line,
        tau,
    )


def agreement(first: int, second: int) -> str:
    """What two orders of a pair of runs are to each other: `agree`, `disagree`, or tied `once` or `twice`.

    >>> agreement(1, 1), agreement(1, -1), agreement(0, 1), agreement(0, 0)
    ('agree', 'disagree', 'once', 'twice')
    """
    if first and second:
        return "agree" if first == second else "disagree"
    return "once" if first or second else "twice"


_TINY = 1e-12  # a smaller difference is rounding, and counts as a tie


class Cause(Struct, frozen=True):
    """An update and what it causes.

    Args:
        update: its id.
        text: what it says.
        nuggets: texts of the nuggets that it covers.
        clusters: labels of the clusters that it is in.
        runs: how many runs emitted it.
        fewer: by metric, disagreeing pairs that there would be fewer if nobody had judged it; negative: more.
    """

    update: str
    text: str
    nuggets: tuple[str, ...]
    clusters: tuple[str, ...]
    runs: int
    fewer: dict[str, int]


class TopicDisagreement(Struct, frozen=True):
    """A topic: by metric its disagreeing pairs and how often pairs agree (share of those that both tell apart)."""

    topic: str
    title: str
    disagree: dict[str, int]
    share: dict[str, float]
    causes: tuple[Cause, ...]


def disagreements(
    collection: Collection,
    runs: Sequence[RunValues],
    pairs: Sequence[Pairs],
    topics: int = 5,
    updates: int = 10,
    *,
    verbosity: bool = False,
) -> tuple[TopicDisagreement, ...]:
    """The topics on which most pairs of runs disagree, the greatest share first, and the updates that cause most of it.

    Args:
        collection: judged both ways.
        runs: their scores.
        pairs: of `pairs_by_topic`.
        topics: how many to look into; those without a disagreeing pair are none.
        updates: how many to name for each; by the disagreeing pairs of both metrics together.
        verbosity: as for `value_runs`.
    """
    by_topic: dict[str, dict[str, Pairs]] = {}
    for pair in pairs:
        by_topic.setdefault(pair.topic, {})[pair.metric] = pair
    worst = sorted(
        (
            topic
            for topic in collection.topics
            if any(pairs.disagree for pairs in by_topic[topic.id].values())
        ),
        key=lambda topic: (-_disagreement(by_topic[topic.id].values()), topic.id),
    )[:topics]
    costs = verbosities(collection.judgments) if verbosity else {}
    return tuple(
        TopicDisagreement(
            topic.id,
            topic.title,
            {metric: pair.disagree for metric, pair in by_topic[topic.id].items()},
            {metric: pair.share for metric, pair in by_topic[topic.id].items()},
            _causes(
                collection.judgments,
                topic.id,
                [run.emitted[topic.id] for run in runs if topic.id in run.emitted],
                costs.get(topic.id, {}),
                updates,
            ),
        )
        for topic in worst
    )


def _disagreement(pairs: object) -> float:
    all_pairs: list[Pairs] = list(pairs)  # type: ignore[call-overload]
    return sum(pair.disagree for pair in all_pairs) / max(
        1, sum(pair.agree + pair.disagree for pair in all_pairs)
    )


def _causes(
    judged: Judgments, topic: str, emitted: Sequence[Sequence[str]], costs: Mapping[str, float], most: int
) -> tuple[Cause, ...]:
    nuggets = {nugget.id: nugget.text for nugget in judged.nuggets if nugget.event_id == topic}
    clusters = {
        cluster.id: cluster.label or cluster.id for cluster in judged.clusters if cluster.event_id == topic
    }
    matched: dict[str, set[str]] = {}
    for match in judged.matches:
        if match.event_id == topic and match.nugget_id in nuggets:
            matched.setdefault(match.update_id, set()).add(match.nugget_id)
    grouped: dict[str, set[str]] = {}
    for cluster in judged.clusters:
        if cluster.event_id == topic:
            for update in cluster.update_ids:
                grouped.setdefault(update, set()).add(cluster.id)
    fewer: dict[str, dict[str, int]] = {}
    totals = len(nuggets), len(clusters)
    tables = [
        _Table(emitted, units, total, costs) for units, total in zip((matched, grouped), totals, strict=True)
    ]
    whole = {metric: _count(*(table.values(metric) for table in tables)) for metric in METRICS}
    for update in sorted({update for of_run in emitted for update in of_run}):
        for metric in METRICS:
            without = _count(*(table.values(metric, update) for table in tables))
            fewer.setdefault(update, {})[metric] = whole[metric] - without
    texts = {row.id: row.text for row in judged.pool if row.event_id == topic}
    ranked = sorted(fewer, key=lambda update: (-sum(fewer[update].values()), update))
    return tuple(
        Cause(
            update,
            texts.get(update, ""),
            tuple(nuggets[nugget_id] for nugget_id in sorted(matched.get(update, ()))),
            tuple(clusters[cluster_id] for cluster_id in sorted(grouped.get(update, ()))),
            sum(update in of_run for of_run in emitted),
            fewer[update],
        )
        for update in ranked[:most]
        if sum(fewer[update].values()) > 0
    )


class _Table:
    # Gains of all runs by one kind of judgments, and how they change when an update is taken away.

    def __init__(
        self,
        emitted: Sequence[Sequence[str]],
        units: Mapping[str, set[str]],
        total: int,
        costs: Mapping[str, float],
    ) -> None:
        self.emitted, self.units, self.total = [Counter(of_run) for of_run in emitted], units, total
        self.costs = costs
        self.kept = np.array([sum(costs.get(update, 1.0) for update in of_run) for of_run in emitted])
        self.tellers = [
            Counter(unit for update in of_run for unit in units.get(update, ())) for of_run in self.emitted
        ]
        self.gain = np.array([len(counted) for counted in self.tellers], dtype=float)

    def values(self, metric: str, without: str = "") -> NDArray[np.float64]:
        """EG or C of each run, if nobody had judged the update `without`."""
        kept, gain = self.kept, self.gain
        if without:
            kept, gain = kept.copy(), gain.copy()
            for place, of_run in enumerate(self.emitted):
                if without in of_run:
                    kept[place] -= of_run[without] * self.costs.get(without, 1.0)
                    gain[place] -= sum(self.tellers[place][unit] == 1 for unit in self.units.get(without, ()))
        return gain / self.total if metric == "C" else gain / np.maximum(kept, 1.0)


def _count(one: NDArray[np.float64], other: NDArray[np.float64]) -> int:
    """How many pairs of runs are ordered in opposite ways."""
    product = _signs(one) * _signs(other)
    return int((product < 0).sum()) // 2


def _signs(values: NDArray[np.float64]) -> NDArray[np.float64]:
    differences = values[:, None] - values
    signs: NDArray[np.float64] = np.sign(differences) * (np.abs(differences) > _TINY)
    return signs
