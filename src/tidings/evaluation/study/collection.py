"""A doubly judged collection: nuggets and clusters of the same topics under one set of ids, and its Table 1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import Cluster, Judgments, PooledUpdate, UsageError, bare_event_id
from tidings.evaluation.clustering import cluster_judgments
from tidings.evaluation.measures.projection import Rule, project

Silver = Rule | Literal["automatic"]
"""How clusters are made where people made none: a rule makes them of the nuggets, `automatic` of the updates' words."""

_TRACK = re.compile(r"^TS(\d\d)\.")
_SILVER_SEED = -1  # none that projections are drawn with


class Topic(Struct, frozen=True):
    """An event that is judged both ways; `group` is the year that scores are averaged over."""

    id: str
    title: str
    group: str


class Collection(Struct, frozen=True):
    """Topics judged both ways.

    Args:
        judgments: nuggets, matches and clusters of the topics under the nuggets' event ids; the pool is of updates
            that both kinds of judges saw.
        topics: those with nuggets, clusters and judged updates, by their numbers.
        left_out: topics of which one kind of judgments is missing, with what is missing.
        silver: how the clusters were made; empty where people made them.
    """

    judgments: Judgments
    topics: tuple[Topic, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    silver: str = ""

    @property
    def groups(self) -> dict[str, list[Topic]]:
        """The topics by group, in their order."""
        grouped: dict[str, list[Topic]] = {}
        for topic in self.topics:
            grouped.setdefault(topic.group, []).append(topic)
        return grouped


class Counts(Struct, frozen=True):
    """A row of Table 1: what a topic has. Relevant are updates matched to a nugget, or in a cluster."""

    topic: str
    updates: float
    nuggets: float
    clusters: float
    by_nuggets: float
    by_clusters: float


def collect(
    nuggets: Sequence[Judgments], clusters: Sequence[Judgments] = (), silver: Silver | None = None
) -> Collection:
    """Judgments of both kinds made one collection.

    Args:
        nuggets: judgments with nuggets, matches and pools, a year each perhaps.
        clusters: judgments with clusters of the same events; may be the same ones. Where they have pools of their own,
            only updates of both pools count as judged.
        silver: make clusters instead: out of the nuggets by a rule, or (`automatic`) of the updates that are matched to
            a nugget, by their words.

    Raises:
        UsageError: no topic is judged both ways.
    """
    events = {event.id: event for judged in nuggets for event in judged.events}
    ids = sorted({nugget.event_id for judged in nuggets for nugget in judged.nuggets}, key=_by_number)
    by_bare = {bare_event_id(event_id): event_id for event_id in ids}
    if silver is not None:
        made = [cluster for judged in nuggets for cluster in _make(judged, silver)]
        pools: list[PooledUpdate] = []
    else:
        made = [
            replace(cluster, event_id=by_bare[bare_event_id(cluster.event_id)])
            for judged in clusters
            for cluster in judged.clusters
            if bare_event_id(cluster.event_id) in by_bare
        ]
        pools = [row for judged in clusters for row in judged.pool]
    pool = _seen_by_both([row for judged in nuggets for row in judged.pool], pools)
    missing: list[tuple[str, str]] = []
    topics: list[Topic] = []
    judged_ids, clustered = {row.event_id for row in pool}, {cluster.event_id for cluster in made}
    for event_id in ids:
        lacks = [
            what
            for what, there in (("judged updates", judged_ids), ("clusters", clustered))
            if event_id not in there
        ]
        if lacks:
            missing.append((event_id, " and ".join(lacks)))
        else:
            event = events.get(event_id)
            group = _group(event_id, event.start_time if event else None)
            topics.append(Topic(event_id, event.title if event else event_id, group))
    names = ", ".join(dict.fromkeys(judged.name for judged in (*nuggets, *clusters)))
    if not topics:
        raise UsageError(
            f"{names}: no topic with nuggets, clusters and judged updates (expected at least one); name judgments "
            "with clusters of the same events, or give --silver"
        )
    kept = {topic.id for topic in topics}
    return Collection(
        Judgments(
            name=names,
            events=tuple(events[topic.id] for topic in topics if topic.id in events),
            nuggets=tuple(
                nugget for judged in nuggets for nugget in judged.nuggets if nugget.event_id in kept
            ),
            matches=tuple(match for judged in nuggets for match in judged.matches if match.event_id in kept),
            pool=tuple(row for row in pool if row.event_id in kept),
            clusters=tuple(cluster for cluster in made if cluster.event_id in kept),
        ),
        tuple(topics),
        tuple(missing),
        silver or "",
    )


def _make(judged: Judgments, silver: Silver) -> tuple[Cluster, ...]:
    if silver == "automatic":
        return cluster_judgments(judged, relevant=True)
    return project(judged, silver, _SILVER_SEED)


def _seen_by_both(pool: list[PooledUpdate], other: Iterable[PooledUpdate]) -> list[PooledUpdate]:
    seen: dict[str, set[str]] = {}
    for row in other:
        seen.setdefault(bare_event_id(row.event_id), set()).add(row.id)
    return [
        row
        for row in pool
        if bare_event_id(row.event_id) not in seen or row.id in seen[bare_event_id(row.event_id)]
    ]


def _by_number(event_id: str) -> tuple[object, ...]:
    # TS13.9 before TS13.10.
    parts = re.split(r"(\d+)", event_id)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts))


def _group(event_id: str, start: int | None) -> str:
    track = _TRACK.match(event_id)
    if track:
        return f"TS 20{track[1]}"
    return str(datetime.fromtimestamp(start, UTC).year) if start is not None else "all topics"


def counts_of(collection: Collection) -> tuple[Counts, ...]:
    """Table 1: a row for each topic.

    Updates are rows of the pool; by nuggets relevant are all updates that were matched, pooled or not: so the study
    counted them.
    """
    judged = collection.judgments
    updates = _count((row.event_id, number) for number, row in enumerate(judged.pool))
    nuggets = _count((nugget.event_id, nugget.id) for nugget in judged.nuggets)
    clusters = _count((cluster.event_id, cluster.id) for cluster in judged.clusters)
    matched = _count((match.event_id, match.update_id) for match in judged.matches)
    clustered = _count(
        (cluster.event_id, update) for cluster in judged.clusters for update in cluster.update_ids
    )
    return tuple(
        Counts(
            topic.id,
            *(counted.get(topic.id, 0) for counted in (updates, nuggets, clusters, matched, clustered)),
        )
        for topic in collection.topics
    )


def _count(pairs: Iterable[tuple[str, object]]) -> dict[str, int]:
    sets: dict[str, set[object]] = {}
    for event_id, pair in pairs:
        sets.setdefault(event_id, set()).add(pair)
    return {event_id: len(found) for event_id, found in sets.items()}


def middle(rows: Sequence[Counts]) -> tuple[Counts, Counts, Counts]:
    """The total, the mean and the median of some rows."""
    columns = [[getattr(row, name) for row in rows] for name in Counts.__struct_fields__[1:]]
    return (
        Counts("Total", *map(sum, columns)),
        Counts("Mean", *(sum(column) / len(column) for column in columns)),
        Counts("Median", *map(median, columns)),
    )
