"""What courses of judging add up to: over topics alike, over all together, and the worst topic."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from math import nan
from statistics import fmean

from msgspec import Struct

from tidings.evaluation.selection.simulation import Course, Found, one_queue, share_needed
from tidings.evaluation.selection.strategies import PROMISING, Strategy

__all__ = ["OrderSummary", "TopicSummary", "mean_curve", "summarise", "topic_summaries"]


class OrderSummary(Struct, frozen=True):
    """One order over all topics; shares are 0..1, means over topics and seeds unless said otherwise.

    Args:
        by: the order.
        seeds: how many courses of each topic.
        tenth, quarter, half: matches found when so much of each pool is judged.
        half_least: the topic with the least at one half.
        half_together: matches of all topics together at one half.
        half_seeds: least and most mean of a seed at one half.
        needed: of each pool, to be judged until the target is found.
        needed_most: the topic that needs most.
        needed_together: of each pool, until the target of all topics' matches together is found.
        queue_half, queue_needed: the same two where one queue serves all topics, the topic first whose next update
            promises most; nan for an order that goes by no promise.
        relevant, nuggets: relevant updates and nuggets found at one half.
        area: mean of the share found over all shares judged: 0.5 for lots, at most 1.
    """

    by: Strategy
    seeds: int
    tenth: float
    quarter: float
    half: float
    half_least: float
    half_together: float
    half_seeds: tuple[float, float]
    needed: float
    needed_most: float
    needed_together: float
    queue_half: float
    queue_needed: float
    relevant: float
    nuggets: float
    area: float


class TopicSummary(Struct, frozen=True):
    """One order on one topic, mean over seeds: matches found at one half, and the share judged until the target."""

    event_id: str
    by: Strategy
    updates: int
    matches: int
    half: float
    needed: float


def mean_curve(courses: Sequence[Course], what: Found = "matches", points: int = 100) -> list[float]:
    """The mean share found over courses at 0, 1/points, … 1 of the pool judged.

    >>> mean_curve([Course("e", "time", 0, (0, 2, 2, 3, 4), (0, 1, 1, 2, 3), (0, 2, 2, 2, 2))], points=4)
    [0.0, 0.5, 0.5, 0.75, 1.0]
    """
    return [fmean(one.found(what, place / points) for one in courses) for place in range(points + 1)]


def summarise(courses: Sequence[Course], target: float = 0.9) -> OrderSummary:
    """The courses of one order over the same topics, for each seed once."""
    by_seed: dict[int, list[Course]] = {}
    for one in courses:
        by_seed.setdefault(one.seed, []).append(one)
    halves = [fmean(one.found("matches", 0.5) for one in own) for own in by_seed.values()]
    topics = topic_summaries(courses, target)
    together = [
        sum(one.count("matches", 0.5) for one in own) / sum(one.matches[-1] for one in own)
        for own in by_seed.values()
    ]
    queue = one_queue(courses) if courses[0].by in PROMISING else ()
    return OrderSummary(
        by=courses[0].by,
        seeds=len(by_seed),
        tenth=fmean(one.found("matches", 0.1) for one in courses),
        quarter=fmean(one.found("matches", 0.25) for one in courses),
        half=fmean(halves),
        half_least=min(one.half for one in topics),
        half_together=fmean(together),
        half_seeds=(min(halves), max(halves)),
        needed=fmean(one.needed for one in topics),
        needed_most=max(one.needed for one in topics),
        needed_together=fmean(share_needed(own, "matches", target) for own in by_seed.values()),
        queue_half=queue[(len(queue) - 1) // 2] / queue[-1] if queue else nan,
        queue_needed=bisect_left(queue, target * queue[-1] - 1e-9) / (len(queue) - 1) if queue else nan,
        relevant=fmean(one.found("relevant", 0.5) for one in courses),
        nuggets=fmean(one.found("nuggets", 0.5) for one in courses),
        area=fmean(fmean(one.matches) / one.matches[-1] for one in courses),
    )


def topic_summaries(courses: Sequence[Course], target: float = 0.9) -> list[TopicSummary]:
    """The courses of one order, topic by topic in their order."""
    by_topic: dict[str, list[Course]] = {}
    for one in courses:
        by_topic.setdefault(one.event_id, []).append(one)
    return [
        TopicSummary(
            topic,
            own[0].by,
            own[0].judgments,
            own[0].matches[-1],
            fmean(one.found("matches", 0.5) for one in own),
            fmean(one.needed("matches", target) for one in own),
        )
        for topic, own in by_topic.items()
    ]
