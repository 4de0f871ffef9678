"""Judgments of tweets made ready: what each day of each topic had to offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tidings.core import Cluster, UsageError
from tidings.evaluation.measures.rts.rules import Mode, Rules

__all__ = ["TopicJudgments", "Tweets", "prepare_topics"]


class Tweets(Protocol):
    """Judgments of tweets, as `tidings.evaluation.formats.tweets.rts.read_tweet_judgments` reads them."""

    @property
    def name(self) -> str:
        """Where they come from."""

    @property
    def grades(self) -> Mapping[str, Mapping[str, int]]:
        """Topic to tweet to label."""

    @property
    def clusters(self) -> Iterable[Cluster]:
        """Tweets that say the same, the earliest first."""

    @property
    def days(self) -> Mapping[str, str]:
        """Tweet to the day of its posting, YYYYMMDD."""

    @property
    def times(self) -> Mapping[str, int]:
        """Tweet to the second of its posting."""


@dataclass(slots=True)
class TopicJudgments:
    """One topic.

    Attributes:
        grades: tweet to label: all that were judged.
        gains: tweet to gain, for tweets of clusters.
        cluster_of: for each day of the evaluation, tweet posted on it to its cluster.
        best: for each day, cluster to the greatest gain of its tweets of that day; in guideline mode only clusters that
            are worth something, so that a day is silent when there is none.
        first_time: cluster to the second in which its first tweet was posted.
    """

    id: str
    grades: Mapping[str, int]
    gains: dict[str, float] = field(default_factory=dict)
    cluster_of: list[dict[str, str]] = field(default_factory=list)
    best: list[dict[str, float]] = field(default_factory=list)
    first_time: dict[str, int] = field(default_factory=dict)


def prepare_topics(tweets: Tweets, rules: Rules, mode: Mode) -> dict[str, TopicJudgments]:
    """Each judged topic, sorted by name as the official scripts print them.

    Raises:
        UsageError: nothing was judged; no judged tweet is of the evaluation's days; or a cluster holds a tweet
            without label or day, or is of no judged topic.
    """
    if not tweets.grades:
        raise UsageError(
            f"{tweets.name}: found no judged topic, expected some; nothing can be scored without"
        )
    number = {day: at for at, day in enumerate(rules.calendar())}
    posted = sorted(set(tweets.days.values()))
    if posted and number.keys().isdisjoint(posted):
        raise UsageError(
            f"{tweets.name}: found tweets of {posted[0]} to {posted[-1]}, expected some of {min(number)} to "
            f"{max(number)}, the days of {rules.name}; these are judgments of another year: give its --rules"
        )
    topics = {
        topic: TopicJudgments(
            topic, tweets.grades[topic], cluster_of=[{} for _ in number], best=[{} for _ in number]
        )
        for topic in sorted(tweets.grades)
    }
    for cluster in tweets.clusters:
        topic = topics.get(cluster.event_id)
        if topic is None:
            raise UsageError(
                f"{tweets.name}: found clusters of topic {cluster.event_id}, which the qrels do not judge; "
                "give qrels and clusters of the same year"
            )
        for tweet in cluster.update_ids:
            _add(topic, cluster.id, tweet, tweets, number, rules, mode)
        if cluster.update_ids:
            topic.first_time[cluster.id] = tweets.times[cluster.update_ids[0]]
    return topics


def _add(
    topic: TopicJudgments,
    cluster: str,
    tweet: str,
    tweets: Tweets,
    number: dict[str, int],
    rules: Rules,
    mode: Mode,
) -> None:
    label, day = topic.grades.get(tweet), tweets.days.get(tweet)
    if label is None or day is None:
        lacks = "qrels" if label is None else "table of days"
        raise UsageError(
            f"{tweets.name}: found tweet {tweet} in cluster {cluster} of topic {topic.id} but not in the {lacks}; "
            "give files of the same year"
        )
    gain = topic.gains[tweet] = rules.gain(label, mode)
    at = number.get(day)
    if at is None or (mode == "guideline" and gain <= 0):
        return
    topic.cluster_of[at][tweet] = cluster
    best = topic.best[at]
    best[cluster] = max(best.get(cluster, gain), gain)
