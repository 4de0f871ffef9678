"""Tweet timelines (Microblog 2014): how many clusters of tweets a timeline covers, and how briefly.

The timeline of a topic is a set of tweets: order and repetitions do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tidings.core import Cluster, Run, UsageError
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import RunScores, assemble

if TYPE_CHECKING:
    from tidings.evaluation.formats.tweets import TweetJudgments

Mode = Literal["official", "guideline"]
MEASURES = ("cP", "cR", "cRw", "F1", "F1w", "cPw")
INFO = read_infos("ttg")


@dataclass(frozen=True, slots=True)
class ClusterHit:
    """One cluster of a topic, its weight, and the tweets of the run that cover it (none: missed)."""

    cluster: Cluster
    weight: int
    told_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Clusters with their weights, by topic; scores any number of runs."""

    mode: Mode
    topics: dict[str, list[tuple[Cluster, int]]]

    def score(self, run: Run, measures: Iterable[Measure] | None = None) -> RunScores:
        """Score one run; a topic that it is silent about is worth nothing. Means go over all topics."""
        wanted = tuple(measures) if measures is not None else tuple(map(Measure, MEASURES))
        tweets = _tweets(run)
        per_event = {
            topic: _values(clusters, tweets.get(topic, {}), wanted, self.mode)
            for topic, clusters in self.topics.items()
        }
        return assemble(run.team, run.name, wanted, per_event, sorted(tweets), silence=False)

    def explain(self, run: Run, topic: str) -> list[ClusterHit]:
        """Each cluster of a topic, and which tweets of the run tell it.

        Raises:
            UsageError: the topic was not judged.
        """
        if topic not in self.topics:
            raise UsageError(f"topic {topic!r} was not judged; judged are {', '.join(self.topics)}")
        tweets = _tweets(run).get(topic, {})
        return [
            ClusterHit(cluster, weight, tuple(tweet for tweet in tweets if tweet in cluster.update_ids))
            for cluster, weight in self.topics[topic]
        ]


def prepare(judgments: TweetJudgments, mode: Mode = "official") -> Prepared:
    """Weigh the clusters, once for many runs.

    Raises:
        UsageError: there are no clusters, or one holds a tweet that the qrels do not list.
    """
    if mode not in ("official", "guideline"):
        raise UsageError(f"unknown mode {mode!r} (expected official or guideline)")
    topics: dict[str, list[tuple[Cluster, int]]] = {}
    for cluster in judgments.clusters:
        labels = judgments.grades.get(cluster.event_id, {})
        for tweet in cluster.update_ids:
            if tweet not in labels:
                raise UsageError(
                    f"{judgments.name}: tweet {tweet} is in cluster {cluster.id} of topic {cluster.event_id} but "
                    "not in the qrels; give files of the same year"
                )
        weight = sum(labels[tweet] for tweet in cluster.update_ids)
        topics.setdefault(cluster.event_id, []).append((cluster, weight))
    if not topics:
        raise UsageError(f"{judgments.name}: no clusters, so nothing can be scored")
    return Prepared(mode, {topic: topics[topic] for topic in sorted(topics)})


def _tweets(run: Run) -> dict[str, dict[str, None]]:
    tweets: dict[str, dict[str, None]] = {}
    for update in run.updates:
        tweets.setdefault(update.event_id, {})[update.doc_id] = None
    return tweets


def _values(
    clusters: list[tuple[Cluster, int]], tweets: Mapping[str, None], wanted: tuple[Measure, ...], mode: Mode
) -> dict[Measure, float]:
    hit = [weight for cluster, weight in clusters if not tweets.keys().isdisjoint(cluster.update_ids)]
    W, all_weights = sum(hit), sum(weight for _, weight in clusters)
    precision, recall = _ratio(len(hit), len(tweets)), _ratio(len(hit), len(clusters))
    weighted, weighted_recall = _ratio(W, len(tweets) - len(hit) + W), _ratio(W, all_weights)
    values = {
        "cP": precision,
        "cR": recall,
        "cPw": weighted,
        "cRw": weighted_recall,
        "F1": _harmonic(precision, recall),
        "F1w": _harmonic(weighted if mode == "official" else precision, weighted_recall),
    }
    return {measure: values[measure.name] for measure in wanted}


def _ratio(above: float, below: float) -> float:
    return above / below if below else 0.0


def _harmonic(one: float, other: float) -> float:
    return _ratio(2 * one * other, one + other)
