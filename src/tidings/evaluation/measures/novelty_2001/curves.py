"""Recall and precision of events down a ranking of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tidings.core import Update

__all__ = ["Point", "Topic", "curve", "interpolated", "point_at", "ranking"]


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic's links.

    Attributes:
        events: its events, e_1 to e_E.
        useful: sentence id to the events it tells of; off-event sentences are not in it.
        sentences: how many sentences the topic has; 0 where that is not known.
    """

    id: str
    events: tuple[str, ...]
    useful: Mapping[str, tuple[str, ...]]
    sentences: int = 0


@dataclass(frozen=True, slots=True)
class Point:
    """What the first `retrieved` sentences of a ranking tell.

    Attributes:
        retrieved: S_r; a sentence that is repeated counts each time.
        events: how many events are told, the sum of I(r(e_i) > 0).
        useful: how many different on-event sentences were retrieved.
    """

    retrieved: int
    events: int
    useful: int
    of_events: int
    of_useful: int

    @property
    def recall(self) -> float:
        """nu-recall, and n-recall: the share of the topic's events that are told."""
        return _ratio(self.events, self.of_events)

    @property
    def precision(self) -> float:
        """nu-precision: events told for each sentence retrieved."""
        return _ratio(self.events, self.retrieved)

    @property
    def useful_recall(self) -> float:
        """u-recall: the share of the on-event sentences that were retrieved."""
        return _ratio(self.useful, self.of_useful)

    @property
    def useful_precision(self) -> float:
        """u-precision: the share of the retrieved sentences that are on-event."""
        return _ratio(self.useful, self.retrieved)

    @property
    def novel_precision(self) -> float:
        """n-precision: events told for each on-event sentence retrieved."""
        return _ratio(self.events, self.useful)


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
        points.append(Point(retrieved, len(events), len(useful), of_events, of_useful))
    return points


def point_at(topic: Topic, ranked: Sequence[str], rank: int | None = None) -> Point:
    """The point after the first `rank` sentences, or after all."""
    taken = ranked if rank is None else ranked[:rank]
    useful = topic.useful.keys() & set(taken)
    events = {event for sentence in useful for event in topic.useful[sentence]}
    return Point(len(taken), len(events), len(useful), len(topic.events), len(topic.useful))


def interpolated(points: Iterable[Point], levels: int = 11) -> list[tuple[float, float]]:
    """(recall level, interpolated nu-precision): the best precision at that nu-recall or a higher one, 0 where none is.

    >>> interpolated([Point(1, 1, 1, 2, 4), Point(4, 2, 2, 2, 4)], levels=3)
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
