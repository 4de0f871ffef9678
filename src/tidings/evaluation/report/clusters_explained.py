"""Why a run of tweets scored what it scored on a topic, as tables: clusters with what told them, tweets with gains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tidings.core import Cell, Cluster, Run, Table, clean

if TYPE_CHECKING:
    from tidings.evaluation.measures.rts import TopicDays
    from tidings.evaluation.measures.ttg import ClusterHit

__all__ = ["Sections", "days_sections", "timeline_sections"]

Sections = list[tuple[str, Table]]
"""Titles with their tables."""


def days_sections(
    run: Run, clusters: Sequence[Cluster], outcome: TopicDays, how: str
) -> tuple[str, Sections]:
    """A line that names the run and the topic, and tables of its days, clusters and tweets.

    Args:
        run: the run that is explained.
        clusters: those of the topic.
        outcome: what the run earned on each day.
        how: the rules and the mode, in words.
    """
    days = outcome.days
    rows: list[tuple[Cell, ...]] = [
        (day.day, "silent" if day.silent else "", day.emitted, day.gain, day.best, day.pain) for day in days
    ]
    tweets = [(day.day, tweet) for day in days for tweet in day.tweets]
    first = {tweet.cluster: (day, tweet) for day, tweet in reversed(tweets) if tweet.status == "new"}
    of_clusters: list[tuple[Cell, ...]] = []
    for cluster in clusters:
        if cluster.id in first:
            day, tweet = first[cluster.id]
            late = "" if tweet.latency_s is None else tweet.latency_s
            of_clusters.append((cluster.id, "told", day, tweet.tweet, tweet.gain, late, cluster.label))
        else:
            of_clusters.append((cluster.id, "missed", "", "", 0.0, "", cluster.label))
    of_clusters.sort(key=lambda row: (row[1] == "told", str(row[2])))
    listed: list[tuple[Cell, ...]] = [
        (
            day,
            tweet.tweet,
            tweet.status,
            tweet.cluster,
            tweet.gain,
            "" if tweet.latency_s is None else tweet.latency_s,
        )
        for day, tweet in tweets
    ]
    heads = ("cluster", "", "day", "told by", "gain", "latency_s", "label")
    return f"{_title(run, outcome.topic)}: {len(first)} of {len(clusters)} clusters told ({how})", [
        ("Days", Table(("day", "", "told", "gain", "Z", "earned nothing"), tuple(rows))),
        ("Clusters, the missed ones first", Table(heads, tuple(of_clusters))),
        (
            "Tweets told",
            Table(("day", "tweet", "what it was", "cluster", "gain", "latency_s"), tuple(listed)),
        ),
    ]


def timeline_sections(run: Run, topic: str, hits: Sequence[ClusterHit], how: str) -> tuple[str, Sections]:
    """A line that names the run and the topic, and tables of its clusters and of the tweets of none."""
    rows: list[tuple[Cell, ...]] = [
        (
            hit.cluster.id,
            "told" if hit.told_by else "missed",
            hit.weight,
            len(hit.told_by),
            hit.told_by[0] if hit.told_by else "",
            hit.cluster.label,
        )
        for hit in sorted(hits, key=lambda hit: (bool(hit.told_by), -hit.weight))
    ]
    heads = ("cluster", "", "weight", "tweets", "first of them", "label")
    earning = {tweet for hit in hits for tweet in hit.told_by}
    wasted = [
        update.doc_id for update in run.updates if update.event_id == topic and update.doc_id not in earning
    ]
    count = sum(1 for hit in hits if hit.told_by)
    return f"{_title(run, topic)}: {count} of {len(hits)} clusters told ({how})", [
        ("Clusters, the missed ones first", Table(heads, tuple(rows))),
        ("Tweets of no cluster", Table(("tweet",), tuple((tweet,) for tweet in dict.fromkeys(wasted)))),
    ]


def _title(run: Run, topic: str) -> str:
    return clean(f"{run.team} {run.name}".strip() + f" on {topic}")
