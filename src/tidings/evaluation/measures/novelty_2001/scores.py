"""Runs against sentences that judges linked to the events of topics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tidings.core import Judgments, Run, SentenceLinks, UsageError
from tidings.evaluation.measures.ids import EventIds
from tidings.evaluation.measures.measure import Measure
from tidings.evaluation.measures.novelty_2001.curves import (
    Point,
    Topic,
    curve,
    interpolated,
    point_at,
    ranking,
)
from tidings.evaluation.measures.novelty_2001.info import INFO
from tidings.evaluation.measures.scores import RunScores, assemble

__all__ = ["Prepared", "links_of", "prepare"]


@dataclass(slots=True)
class Prepared:
    """Topics made ready; scores any number of runs. A run's ranking is that of its confidences."""

    topics: dict[str, Topic]

    @property
    def ids(self) -> EventIds:
        """The events that runs may tell of."""
        return EventIds(self.topics)

    def score(self, run: Run, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; means go over all topics.

        Raises:
            UnknownEventError: the run tells of a topic that has no links.
        """
        wanted = tuple(map(Measure, INFO)) if measures is None else tuple(measures)
        ranked = self._ranked(run)
        per_event = {
            name: _values(topic, ranked.get(name, []), wanted) for name, topic in self.topics.items()
        }
        return assemble(run.team, run.name, wanted, per_event, ranked)

    def curve(self, run: Run, topic_id: str) -> list[Point]:
        """The points of the run's ranking on one topic, one after each sentence."""
        return curve(self.topics[topic_id], self._ranked(run).get(topic_id, []))

    def curve_values(self, run: Run) -> dict[str, list[dict[str, float]]]:
        """For each topic, the measures by name after each sentence of the run's ranking: nu-, u- and n-curves."""
        ranked = self._ranked(run)
        return {
            name: [_point_values(point) for point in curve(topic, ranked.get(name, []))]
            for name, topic in self.topics.items()
        }

    def _ranked(self, run: Run) -> dict[str, list[str]]:
        updates_by_topic = self.ids.split(run, run.updates)
        return {topic: ranking(updates) for topic, updates in updates_by_topic.items()}


def _values(topic: Topic, ranked: Sequence[str], wanted: Iterable[Measure]) -> dict[Measure, float]:
    points: dict[int | None, Point] = {}
    values: dict[Measure, float] = {}
    for measure in wanted:
        if measure.name == "nu-11pt":
            levels = interpolated(curve(topic, ranked))
            values[measure] = sum(precision for _, precision in levels) / len(levels)
            continue
        if measure.at not in points:
            points[measure.at] = point_at(topic, ranked, measure.at)
        value = _value(points[measure.at], topic, measure.name)
        if value is not None:
            values[measure] = value
    return values


def _value(point: Point, topic: Topic, name: str) -> float | None:
    if name == "size":
        return point.retrieved / topic.sentences if topic.sentences else None
    return _point_values(point)[name]


def _point_values(point: Point) -> dict[str, float]:
    return {
        "sentences": float(point.retrieved),
        "nu-P": point.precision,
        "nu-R": point.recall,
        "u-P": point.useful_precision,
        "u-R": point.useful_recall,
        "n-P": point.novel_precision,
        "n-R": point.recall,
    }


def prepare(links: Iterable[SentenceLinks]) -> Prepared:
    """Make linked sentences ready, once for many runs.

    Raises:
        UsageError: no topic has a linked sentence.
    """
    topics = {}
    for one in links:
        events_of: dict[str, list[str]] = {}
        for event, sentence in one.links:
            events_of.setdefault(sentence, []).append(event)
        if events_of:
            topics[one.topic_id] = Topic(
                one.topic_id,
                tuple(dict.fromkeys(event for event, _ in one.links)),
                {sentence: tuple(dict.fromkeys(events)) for sentence, events in events_of.items()},
                len(set(one.sentences)),
            )
    if not topics:
        raise UsageError(
            "found no sentence that is linked to an event, expected some; nothing can be scored without"
        )
    return Prepared(topics)


def links_of(judgments: Judgments) -> list[SentenceLinks]:
    """Judgments of another kind as links: a cluster is an event of its topic; without clusters, a nugget is."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    for cluster in judgments.clusters:
        pairs.setdefault(cluster.event_id, []).extend((cluster.id, update) for update in cluster.update_ids)
    if not judgments.clusters:
        for match in judgments.matches:
            pairs.setdefault(match.event_id, []).append((match.nugget_id, match.update_id))
    pool: dict[str, list[str]] = {}
    for update in judgments.pool:
        pool.setdefault(update.event_id, []).append(update.id)
    return [
        SentenceLinks(topic, tuple(links), tuple(dict.fromkeys(pool.get(topic, ()))))
        for topic, links in pairs.items()
    ]
