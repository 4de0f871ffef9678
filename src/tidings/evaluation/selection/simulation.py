"""Judging a finished collection again in another order, its judgments being the assessor: what is found how soon.

A *course* is one such judging of one topic. What counts as found is what the judged updates hold: matches (an update
and a nugget), relevant updates, nuggets. An update and its exact copies are judged once and bring all that they hold.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import ceil, floor
from typing import Literal, get_args

from msgspec import Struct

from tidings.core import Event, Judgments, Nugget, PooledUpdate, bare_event_id
from tidings.evaluation.selection.pool_texts import PoolTexts
from tidings.evaluation.selection.prior import Prior
from tidings.evaluation.selection.selection import Selection
from tidings.evaluation.selection.strategies import UNLEARNED, Strategy

__all__ = [
    "FOUND",
    "Course",
    "Found",
    "JudgedTopic",
    "judged_topics",
    "one_queue",
    "share_needed",
    "simulate",
    "topic_selection",
]

Found = Literal["matches", "relevant", "nuggets"]
FOUND: tuple[Found, ...] = get_args(Found)
"""What is counted: distinct matches of all copies, relevant updates (copies as one), distinct nuggets."""


class JudgedTopic(Struct, frozen=True):
    """One topic of a finished collection; `matches` are the nuggets of each pooled update that has some."""

    event: Event
    pool: tuple[PooledUpdate, ...]
    nuggets: tuple[Nugget, ...]
    matches: Mapping[str, Collection[str]]


class Course(Struct, frozen=True):
    """What was found in one topic after each judgment: element k of each sequence is the count after k of them.

    Args:
        event_id: of the topic.
        by: the order.
        seed: of its lots.
        matches, relevant, nuggets: counts, from 0 to all that there are.
        promised: what the order expected of each update when it came, one less than counts.
    """

    event_id: str
    by: Strategy
    seed: int
    matches: tuple[int, ...]
    relevant: tuple[int, ...]
    nuggets: tuple[int, ...]
    promised: tuple[float, ...] = ()

    @property
    def judgments(self) -> int:
        """How many there are to make: updates of the pool, exact copies as one."""
        return len(self.matches) - 1

    def count(self, what: Found, share: float) -> int:
        """How many are found when at most that share (0..1) of the pool is judged."""
        counts: tuple[int, ...] = getattr(self, what)
        return counts[floor(share * self.judgments + 1e-9)]

    def found(self, what: Found, share: float) -> float:
        """The same as a share of all there are, 0..1.

        >>> course = Course("e", "time", 0, (0, 2, 2, 3, 4), (0, 1, 1, 2, 3), (0, 2, 2, 2, 2))
        >>> course.found("matches", 0.5), course.found("nuggets", 0.3), course.found("relevant", 1)
        (0.5, 1.0, 1.0)
        """
        counts: tuple[int, ...] = getattr(self, what)
        return self.count(what, share) / counts[-1]

    def needed(self, what: Found, share: float) -> float:
        """The share of the pool that must be judged until that share of all is found, 0..1.

        >>> Course("e", "time", 0, (0, 2, 2, 3, 4), (0, 1, 1, 2, 3), (0, 2, 2, 2, 2)).needed("matches", 0.75)
        0.75
        """
        counts: tuple[int, ...] = getattr(self, what)
        return bisect_left(counts, share * counts[-1] - 1e-9) / self.judgments


def judged_topics(judgments: Judgments) -> tuple[JudgedTopic, ...]:
    """The topics of a collection that have a pool with matches, in its order."""
    pools: dict[str, list[PooledUpdate]] = {}
    for row in judgments.pool:
        pools.setdefault(bare_event_id(row.event_id), []).append(row)
    nuggets: dict[str, list[Nugget]] = {}
    for nugget in judgments.nuggets:
        nuggets.setdefault(bare_event_id(nugget.event_id), []).append(nugget)
    matches: dict[str, dict[str, set[str]]] = {}
    for match in judgments.matches:
        of_topic = matches.setdefault(bare_event_id(match.event_id), {})
        of_topic.setdefault(match.update_id, set()).add(match.nugget_id)
    made = []
    for event in judgments.events:
        bare = bare_event_id(event.id)
        pool = pools.get(bare, [])
        pooled = {row.id for row in pool}
        own = {update: frozenset(told) for update, told in matches.get(bare, {}).items() if update in pooled}
        if own:
            made.append(JudgedTopic(event, tuple(pool), tuple(nuggets.get(bare, ())), own))
    return tuple(made)


def topic_selection(topic: JudgedTopic, nuggets: bool = True, prior: Prior | None = None) -> Selection:
    """A topic made ready for orders, with or without its list of nuggets."""
    words = f"{topic.event.query} {topic.event.title}"
    return Selection(PoolTexts(topic.pool), topic.nuggets if nuggets else (), words, prior)


def simulate(
    topic: JudgedTopic, selection: Selection, by: Strategy = "yield", seed: int = 0, most: int = 10
) -> Course:
    """Judge all updates of a topic in an order that is made anew after 1, 2, 3, … and at last `most` judgments.

    Args:
        topic: with the judgments that are asked.
        selection: of the same topic (`topic_selection`).
        by: the order.
        seed: of lots.
        most: how many are judged before the model is trained again; each time a tenth more than before.
    """
    held = [
        [topic.matches.get(copy, frozenset()) for copy in candidate.copies]
        for candidate in selection.texts.candidates
    ]
    number = {candidate.id: place for place, candidate in enumerate(selection.texts.candidates)}
    judged: dict[str, Collection[str]] = {}
    counts: dict[Found, list[int]] = {what: [0] for what in FOUND}
    promised: list[float] = []
    met: set[str] = set()
    size = 1
    while len(judged) < len(held):
        ranked = selection.order(judged, by, seed)
        for one in ranked if by in UNLEARNED else ranked[:size]:
            own = held[number[one.update_id]]
            told = frozenset().union(*own)
            judged[one.update_id] = told
            met |= told
            promised.append(one.expected)
            counts["matches"].append(counts["matches"][-1] + sum(map(len, own)))
            counts["relevant"].append(counts["relevant"][-1] + bool(told))
            counts["nuggets"].append(len(met))
        size = min(most, size + ceil(size / 10))
    matches, relevant, nuggets = (tuple(counts[what]) for what in FOUND)
    return Course(topic.event.id, by, seed, matches, relevant, nuggets, tuple(promised))


def share_needed(courses: Sequence[Course], what: Found, share: float) -> float:
    """The share of each topic's pool to be judged until that share of what all topics hold together is found."""
    total = sum(getattr(course, what)[-1] for course in courses)
    for percent in range(1001):
        if sum(course.count(what, percent / 1000) for course in courses) >= share * total - 1e-9:
            return percent / 1000
    return 1.0


def one_queue(courses: Sequence[Course]) -> tuple[int, ...]:
    """Matches found after each judgment when one queue serves all topics, the topic first whose next promises most.

    Each topic's own order stays; of equal promises the earlier topic comes first.

    >>> rich = Course("a", "yield", 0, (0, 3, 3), (0, 1, 1), (0, 1, 1), (2.5, 0.4))
    >>> poor = Course("b", "yield", 0, (0, 1, 1), (0, 1, 1), (0, 1, 1), (0.9, 0.2))
    >>> one_queue([poor, rich])
    (0, 3, 4, 4, 4)
    """
    waiting = [(-one.promised[0], number, 0) for number, one in enumerate(courses) if one.promised]
    heapify(waiting)
    found = [0]
    while waiting:
        _, number, place = heappop(waiting)
        own = courses[number]
        found.append(found[-1] + own.matches[place + 1] - own.matches[place])
        if place + 1 < own.judgments:
            heappush(waiting, (-own.promised[place + 1], number, place + 1))
    return tuple(found)
