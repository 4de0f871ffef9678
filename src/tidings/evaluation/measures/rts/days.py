"""One topic, day by day: which tweets a run told, what each earned, and what the day had to offer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tidings.evaluation.measures.rts.judged import TopicJudgments
from tidings.evaluation.measures.rts.rules import Mode, Rules

__all__ = ["Day", "ScoredTweet", "digest_days", "push_days"]

Status = Literal["new", "repeated", "irrelevant", "unjudged"]
_DIGEST_LENGTH = 100


class ScoredTweet(NamedTuple):
    """One tweet of a run.

    `status`: new (the first of its cluster), repeated (its cluster was told before), irrelevant (judged, of no cluster
    that day), unjudged (nobody looked at it). `latency_s` is the time from the posting of the first
    tweet of its cluster to the push.
    """

    tweet: str
    time: int
    status: Status
    cluster: str
    gain: float
    latency_s: int | None


@dataclass(slots=True)
class Day:
    """One day of one topic.

    Attributes:
        day: YYYYMMDD, UTC.
        silent: there was nothing to tell.
        emitted: how many tweets the run told that count.
        gain: sum of gains of the first ten, or their discounted sum (DCG) in a digest.
        best: Z, the most that ten tweets could have earned (a digest: the ideal DCG).
        pain: tweets told that earned nothing.
        tweets: each of them; on a silent day the official scripts do not look at any.
    """

    day: str
    silent: bool
    emitted: int
    gain: float
    best: float
    pain: int
    tweets: list[ScoredTweet]


def push_days(
    topic: TopicJudgments,
    lists: dict[int, list[tuple[str, int]]],
    times: Mapping[str, int],
    rules: Rules,
    mode: Mode,
) -> list[Day]:
    """Scenario A: `lists` holds the (tweet, push time) pairs of each day; `times` when judged tweets were posted."""
    days: list[Day] = []
    emitted_clusters: set[str] = set()
    for number, name in enumerate(rules.calendar()):
        listed = lists.get(number, ())
        open_best, silent = _offer(topic, number, emitted_clusters, mode)
        if silent and mode == "official":
            days.append(Day(name, True, len(listed), 0.0, 0.0, len(listed), []))
            continue
        scored: list[ScoredTweet] = []
        for tweet, time in listed:
            one = _tell(topic, number, tweet, time, emitted_clusters)
            if one.status == "new":
                one = _pay(one, open_best, times, rules, mode)
            scored.append(one)
        gain = sum(one.gain for one in scored[: rules.daily])
        best = sum(sorted(open_best.values(), reverse=True)[: rules.daily])
        days.append(Day(name, silent, len(scored), gain, best, sum(one.gain <= 0 for one in scored), scored))
    return days


def _pay(
    one: ScoredTweet, best: dict[str, float], posted: Mapping[str, int], rules: Rules, mode: Mode
) -> ScoredTweet:
    gain = best.get(one.cluster, one.gain) if rules.cluster_gain and mode == "official" else one.gain
    if rules.latency_discount:
        minutes = (one.time - posted[one.tweet]) // 60
        if mode == "guideline":
            minutes = max(0, minutes)
        gain *= max(0.0, (100 - minutes) / 100)
    return one._replace(gain=gain)


def digest_days(
    topic: TopicJudgments, lists: dict[int, list[tuple[str, int]]], rules: Rules, mode: Mode
) -> list[Day]:
    """Scenario B: `lists` holds the (tweet, 0) pairs of each day by rank."""
    days: list[Day] = []
    emitted_clusters: set[str] = set()
    for number, name in enumerate(rules.calendar()):
        listed: Sequence[tuple[str, int]] = lists.get(number, ())
        if mode == "guideline":
            listed = listed[:_DIGEST_LENGTH]
        open_best, silent = _offer(topic, number, emitted_clusters, mode)
        if silent and mode == "official":
            days.append(Day(name, True, len(listed), 0.0, 0.0, len(listed), []))
            continue
        scored: list[ScoredTweet] = []
        for tweet, time in listed:
            one = _tell(topic, number, tweet, time, emitted_clusters)._replace(latency_s=None)
            if one.status == "new" and rules.cluster_gain and mode == "official":
                one = one._replace(gain=open_best.get(one.cluster, one.gain))
            scored.append(one)
        gain = _discounted([one.gain for one in scored[: rules.daily]])
        best = _discounted(sorted(open_best.values(), reverse=True)[: rules.daily])
        days.append(Day(name, silent, len(scored), gain, best, sum(one.gain <= 0 for one in scored), scored))
    return days


def _offer(
    topic: TopicJudgments, number: int, emitted_clusters: set[str], mode: Mode
) -> tuple[dict[str, float], bool]:
    # What can be earned: officially, clusters that this very run has told before are no longer there.
    best = topic.best[number]
    if mode == "official" and emitted_clusters:
        best = {cluster: gain for cluster, gain in best.items() if cluster not in emitted_clusters}
    return best, not best


def _tell(
    topic: TopicJudgments, number: int, tweet: str, time: int, emitted_clusters: set[str]
) -> ScoredTweet:
    cluster = topic.cluster_of[number].get(tweet)
    if cluster is None:
        return ScoredTweet(tweet, time, "irrelevant" if tweet in topic.grades else "unjudged", "", 0.0, None)
    if cluster in emitted_clusters:
        return ScoredTweet(tweet, time, "repeated", cluster, 0.0, None)
    emitted_clusters.add(cluster)
    latency = max(0, time - topic.first_time[cluster])
    return ScoredTweet(tweet, time, "new", cluster, topic.gains[tweet], latency)


def _discounted(gains: Sequence[float]) -> float:
    return sum((math.pow(2, gain) - 1) / math.log2(rank + 2) for rank, gain in enumerate(gains))
