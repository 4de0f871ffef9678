"""Which updates make nuggets and clusters disagree on a topic: those without which fewer pairs of runs would.

For each judged update that a run tells, the scores of all runs are computed again as if nobody had judged it; what it
causes is how many disagreeing pairs there are fewer then. It is a difference for one update at a time: the figures of
several do not add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tidings.core import Judgments
from tidings.evaluation.study.collection import Collection
from tidings.evaluation.study.scores import METRICS, Pairs, RunValues

__all__ = ["Cause", "TopicDisagreement", "disagreements"]

Units = Mapping[str, frozenset[str]]
"""Update to the nuggets, or the clusters, that it tells."""

_TINY = 1e-12


class Cause(Struct, frozen=True):
    """An update and what it causes.

    Args:
        update: its id.
        text: what it says.
        nuggets: texts of the nuggets that it tells.
        clusters: labels of the clusters that it is in.
        runs: how many runs tell it.
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
) -> tuple[TopicDisagreement, ...]:
    """The topics on which most pairs of runs disagree, the greatest share first, and the updates that cause most of it.

    Args:
        collection: judged both ways.
        runs: their scores.
        pairs: of `pairs_by_topic`.
        topics: how many to look into; those without a disagreeing pair are none.
        updates: how many to name for each; by the disagreeing pairs of both metrics together.
    """
    by_topic: dict[str, dict[str, Pairs]] = {}
    for one in pairs:
        by_topic.setdefault(one.topic, {})[one.metric] = one
    worst = sorted(
        (topic for topic in collection.topics if any(one.disagree for one in by_topic[topic.id].values())),
        key=lambda topic: (-_disagreeing(by_topic[topic.id].values()), topic.id),
    )[:topics]
    return tuple(
        TopicDisagreement(
            topic.id,
            topic.title,
            {metric: one.disagree for metric, one in by_topic[topic.id].items()},
            {metric: one.share for metric, one in by_topic[topic.id].items()},
            _causes(collection.judgments, topic.id, [run for run in runs if topic.id in run.told], updates),
        )
        for topic in worst
    )


def _disagreeing(pairs: object) -> float:
    all_pairs: list[Pairs] = list(pairs)  # type: ignore[call-overload]
    return sum(one.disagree for one in all_pairs) / max(1, sum(one.agree + one.disagree for one in all_pairs))


def _causes(judged: Judgments, topic: str, runs: Sequence[RunValues], most: int) -> tuple[Cause, ...]:
    nuggets = {one.id: one.text for one in judged.nuggets if one.event_id == topic}
    clusters = {one.id: one.label or one.id for one in judged.clusters if one.event_id == topic}
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
    told = [run.told[topic] for run in runs]
    tables = [_Table(told, units, total) for units, total in zip((matched, grouped), totals, strict=True)]
    whole = {metric: _count(*(table.values(metric) for table in tables)) for metric in METRICS}
    for update in sorted({update for of_run in told for update in of_run}):
        for metric in METRICS:
            without = _count(*(table.values(metric, update) for table in tables))
            fewer.setdefault(update, {})[metric] = whole[metric] - without
    texts = {row.id: row.text for row in judged.pool if row.event_id == topic}
    ranked = sorted(fewer, key=lambda update: (-sum(fewer[update].values()), update))
    return tuple(
        Cause(
            update,
            texts.get(update, ""),
            tuple(nuggets[one] for one in sorted(matched.get(update, ()))),
            tuple(clusters[one] for one in sorted(grouped.get(update, ()))),
            sum(update in of_run for of_run in told),
            fewer[update],
        )
        for update in ranked[:most]
        if sum(fewer[update].values()) > 0
    )


class _Table:
    # Gains of all runs by one kind of judgments, and how they change when an update is taken away.

    def __init__(self, told: Sequence[Sequence[str]], units: Mapping[str, set[str]], total: int) -> None:
        self.told, self.units, self.total = [Counter(of_run) for of_run in told], units, total
        self.kept = np.array([len(of_run) for of_run in told], dtype=float)
        self.tellers = [
            Counter(unit for update in of_run for unit in units.get(update, ())) for of_run in self.told
        ]
        self.gain = np.array([len(counted) for counted in self.tellers], dtype=float)

    def values(self, metric: str, without: str = "") -> NDArray[np.float64]:
        """EG or C of each run, if nobody had judged the update `without`."""
        kept, gain = self.kept, self.gain
        if without:
            kept, gain = kept.copy(), gain.copy()
            for place, of_run in enumerate(self.told):
                if without in of_run:
                    kept[place] -= of_run[without]
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
