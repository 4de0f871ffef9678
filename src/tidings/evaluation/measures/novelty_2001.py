"""The measures of UMass's temporal summaries (2001): useful and novel sentences over a ranking, and judges' agreement.

links ──prepare──▶ Prepared ──score(run)──▶ RunScores
                          └─curve(run, topic)──▶ points ──interpolated──▶ the graph of the paper
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from tidings.core import JudgedLink, Judgments, Run, SentenceLinks, Update, UsageError
from tidings.evaluation.measures.measure import Measure, read_infos
from tidings.evaluation.measures.run_scores import EventIds, RunScores, assemble


def event_agreement(first: Set[str], second: Set[str], verified: Set[str]) -> float:
    """Sentences that the third judge agreed upon, over those that either of the first two marked.

    1 where nobody marked anything. The paper does not say whether the third judge may add sentences; if one does, the
    ratio can exceed 1. Source: Khandelwal, Gupta and Allan 2001, section 3.2.

    >>> event_agreement({"a", "b"}, {"b", "c"}, {"b", "c"})
    0.6666666666666666
    """
    union = len(first | second)
    return len(verified) / union if union else float(not verified)


def topic_agreement(events: Iterable[float]) -> float:
    """The mean agreement over all events of a topic; of topics, over all of a table.

    >>> topic_agreement([1.0, 0.5])
    0.75
    """
    values = list(events)
    return math.fsum(values) / len(values) if values else 0.0


def agreements(links: Iterable[JudgedLink]) -> dict[str, dict[str, float]]:
    """The agreement of each event of each topic, in order of first appearance.

    >>> links = [JudgedLink("20021", "5", judge, "s1") for judge in (1, 2, 3)]
    >>> agreements([*links, JudgedLink("20021", "5", 2, "s2")])
    {'20021': {'5': 0.5}}
    """
    marked: dict[str, dict[str, tuple[set[str], set[str], set[str]]]] = {}
    for link in links:
        event = marked.setdefault(link.topic_id, {}).setdefault(link.event_id, (set(), set(), set()))
        event[link.judge - 1].add(link.sentence_id)
    return {
        topic: {event: event_agreement(*judged) for event, judged in events.items()}
        for topic, events in marked.items()
    }


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic's links.

    Attributes:
        events: its events, e_1 to e_E.
        useful: sentence id to the events it is about; off-event sentences are not in it. A sentence that tells of an
            event only together with others is in it, without that event.
        sentences: how many sentences the topic has; 0 where that is not known.
        groups: events of which sentences speak only together: an event is mentioned with the last of them.
    """

    id: str
    events: tuple[str, ...]
    useful: Mapping[str, tuple[str, ...]]
    sentences: int = 0
    groups: tuple[tuple[str, frozenset[str]], ...] = ()

    def mentioned(self, retrieved: Set[str]) -> set[str]:
        """The events that a set of sentences mentions: r(e_i) > 0, a group counting where it is whole.

        >>> topic = Topic("t", ("1", "2"), {"a": ("1",), "b": (), "c": ()}, groups=(("2", frozenset("bc")),))
        >>> sorted(topic.mentioned({"a", "b"})), sorted(topic.mentioned({"b", "c"}))
        (['1'], ['2'])
        """
        events = {event for sentence in retrieved for event in self.useful.get(sentence, ())}
        return events | {event for event, group in self.groups if group <= retrieved}


@dataclass(frozen=True, slots=True)
class Point:
    """What the first `retrieved` sentences of a ranking cover.

    Attributes:
        retrieved: S_r; a sentence that is repeated counts each time.
        events: how many events are covered, the sum of I(r(e_i) > 0).
        useful: how many different on-event sentences were retrieved.
    """

    retrieved: int
    events: int
    useful: int
    of_events: int
    of_useful: int

    @property
    def precision(self) -> float:
        """nu-precision: events covered for each sentence retrieved."""
        return _ratio(self.events, self.retrieved)

    def values(self) -> dict[str, float]:
        """The measures by name: of nu-, u- and n-, precision and recall."""
        recall = _ratio(self.events, self.of_events)
        return {
            "sentences": float(self.retrieved),
            "nu-P": self.precision,
            "nu-R": recall,
            "u-P": _ratio(self.useful, self.retrieved),
            "u-R": _ratio(self.useful, self.of_useful),
            "n-P": _ratio(self.events, self.useful),
            "n-R": recall,
        }


def ranking(updates: Iterable[Update]) -> list[str]:
    """Sentence ids by falling confidence; equal ones in order of time, then of the file.

    >>> ranking([Update("e", "d", 0, 5, 0.2), Update("e", "d", 1, 9, 0.7), Update("e", "d", 2, 1, 0.2)])
    ['d-1', 'd-2', 'd-0']
    """
    ordered = sorted(updates, key=lambda update: (-update.confidence, update.time))
    return [update.id for update in ordered]


def curve(topic: Topic, ranked: Sequence[str]) -> list[Point]:
    """A point after each sentence: the sweep of a threshold over the scores."""
    points = []
    events: set[str] = set()
    useful: set[str] = set()
    of_events, of_useful = len(topic.events), len(topic.useful)
    for retrieved, sentence in enumerate(ranked, start=1):
        sentence_events = topic.useful.get(sentence)
        if sentence_events is not None:
            events.update(sentence_events)
            useful.add(sentence)
            events.update(event for event, group in topic.groups if sentence in group and group <= useful)
        points.append(Point(retrieved, len(events), len(useful), of_events, of_useful))
    return points


def point_at(topic: Topic, ranked: Sequence[str], rank: int | None = None) -> Point:
    """The point after the first `rank` sentences, or after all."""
    taken = ranked if rank is None else ranked[:rank]
    useful = topic.useful.keys() & set(taken)
    return Point(len(taken), len(topic.mentioned(useful)), len(useful), len(topic.events), len(topic.useful))


def interpolate(points: Iterable[Point], levels: int = 11) -> list[tuple[float, float]]:
    """(recall level, interpolated nu-precision): the best precision at that nu-recall or a higher one, 0 where none is.

    >>> interpolate([Point(1, 1, 1, 2, 4), Point(4, 2, 2, 2, 4)], levels=3)
    [(0.0, 1.0), (0.5, 1.0), (1.0, 0.5)]
    """
    best: dict[int, float] = {}
    of_events = 0
    for point in points:
        of_events = point.of_events
        best[point.events] = max(best.get(point.events, 0.0), point.precision)
    best_points = []
    for level in range(levels):
        # In whole numbers, so that a level of exactly 3/10 is not missed: events * (levels - 1) >= level * E.
        reached = [
            precision for events, precision in best.items() if events * (levels - 1) >= level * of_events
        ]
        best_points.append((level / (levels - 1), max(reached, default=0.0)))
    return best_points


def _ratio(above: int, below: int) -> float:
    return above / below if below else 0.0


INFO = read_infos("novelty_2001")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Topics made ready; scores any number of runs. A run's ranking is that of its confidences."""

    topics: dict[str, Topic]

    @property
    def ids(self) -> EventIds:
        """The events that runs may cover."""
        return EventIds(self.topics)

    def score(self, run: Run, measures: Sequence[Measure] | None = None) -> RunScores:
        """Score one run; means go over all topics.

        Raises:
            UnknownEventError: the run has a topic without links.
        """
        wanted = tuple(map(Measure, INFO)) if measures is None else tuple(measures)
        ranked = self._rank(run)
        per_event = {
            name: _values(topic, ranked.get(name, []), wanted) for name, topic in self.topics.items()
        }
        return assemble(run.team, run.name, wanted, per_event, ranked)

    def curve(self, run: Run, topic_id: str) -> list[Point]:
        """The points of the run's ranking on one topic, one after each sentence."""
        return curve(self.topics[topic_id], self._rank(run).get(topic_id, []))

    def curve_values(self, run: Run) -> dict[str, list[dict[str, float]]]:
        """For each topic, the measures by name after each sentence of the run's ranking: nu-, u- and n-curves."""
        ranked = self._rank(run)
        return {
            name: [point.values() for point in curve(topic, ranked.get(name, []))]
            for name, topic in self.topics.items()
        }

    def _rank(self, run: Run) -> dict[str, list[str]]:
        updates_by_topic = self.ids.split(run, run.updates)
        return {topic: ranking(updates) for topic, updates in updates_by_topic.items()}


def _values(topic: Topic, ranked: Sequence[str], wanted: Iterable[Measure]) -> dict[Measure, float]:
    points: dict[int | None, Point] = {}
    values: dict[Measure, float] = {}
    for measure in wanted:
        if measure.name == "nu-11pt":
            levels = interpolate(curve(topic, ranked))
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
    return point.values()[name]


def prepare(links: Iterable[SentenceLinks], *, listed: bool = True) -> Prepared:
    """Make linked sentences ready, once for many runs; a topic without a linked sentence is left out.

    Args:
        links: the topics.
        listed: E counts all events that are listed for a topic ("the number of events in the topic", section 4 of the
            corpus paper), else those alone that a sentence is about.

    Raises:
        UsageError: no topic has a linked sentence.
    """
    topics = {}
    for topic in links:
        events_of: dict[str, list[str]] = {}
        for event, sentence in topic.links:
            events_of.setdefault(sentence, []).append(event)
        for _, group in topic.groups:
            for sentence in group:
                events_of.setdefault(sentence, [])
        if events_of:
            topics[topic.topic_id] = Topic(
                topic.topic_id,
                tuple(
                    dict.fromkeys(
                        [event for event, _ in (*topic.links, *topic.groups)]
                        + list(topic.events if listed else ())
                    )
                ),
                {sentence: tuple(dict.fromkeys(events)) for sentence, events in events_of.items()},
                len(set(topic.sentences)),
                tuple((event, frozenset(group)) for event, group in topic.groups),
            )
    if not topics:
        raise UsageError("no sentence is linked to an event, so nothing can be scored")
    return Prepared(topics)


def links_of(judgments: Judgments) -> list[SentenceLinks]:
    """Judgments of another kind as links: a cluster is an event of its topic; without clusters, a nugget is."""
    pairs: dict[str, list[tuple[str, str]]] = {}
    events: dict[str, list[str]] = {}
    for judged in judgments.clusters or judgments.nuggets:
        events.setdefault(judged.event_id, []).append(judged.id)
    for cluster in judgments.clusters:
        pairs.setdefault(cluster.event_id, []).extend((cluster.id, update) for update in cluster.update_ids)
    if not judgments.clusters:
        listed = {(nugget.event_id, nugget.id) for nugget in judgments.nuggets}
        for match in judgments.matches:
            if (match.event_id, match.nugget_id) not in listed:
                continue  # NIST's files hold a few, and the official scorers pass over them too
            pairs.setdefault(match.event_id, []).append((match.nugget_id, match.update_id))
    pool: dict[str, list[str]] = {}
    for update in judgments.pool:
        pool.setdefault(update.event_id, []).append(update.id)
    return [
        SentenceLinks(
            topic,
            tuple(links),
            tuple(dict.fromkeys(pool.get(topic, ()))),
            events=tuple(events.get(topic, ())),
        )
        for topic, links in pairs.items()
    ]
