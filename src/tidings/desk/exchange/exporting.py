"""What a project's judgments add up to, as the records that scorers read."""

from __future__ import annotations

import msgspec

from tidings.desk.exchange.clusters import decided_clusters
from tidings.records import Cluster, Judgments, Match, Nugget, PooledUpdate
from tidings.records.assessment import FINAL, SHARED, JudgedObject, Project
from tidings.store.desk import Desk

__all__ = ["decided", "export_judgments"]


def decided(objects: list[JudgedObject]) -> dict[str, JudgedObject]:
    """The judgment that counts of each object of one kind and topic: the final one; else the first judge's.

    >>> own = JudgedObject(1, "judge-2", "matches", "d-0", 5, {"matches": []})
    >>> final = JudgedObject(1, "final", "matches", "d-0", 9, None)
    >>> decided([own])["d-0"].version
    5
    """
    order = {SHARED: 0, FINAL: 1}
    chosen: dict[str, JudgedObject] = {}
    for one in sorted(objects, key=lambda one: (order.get(one.layer, 2), one.version)):
        if one.value is not None:
            chosen.setdefault(one.id, one)
    return chosen


def export_judgments(desk: Desk, project: Project) -> Judgments:
    """A project's events, pool and judgments."""
    nuggets: list[Nugget] = []
    matches: list[Match] = []
    pool: list[PooledUpdate] = []
    clusters: list[Cluster] = []
    topics = desk.projects.topics(project.id)
    for topic in topics:
        event_id = topic.event.id
        updates = desk.projects.items(project.id, topic.number, "update")
        pool += [msgspec.convert(item.content, PooledUpdate) for item in updates]
        objects = desk.log.objects(project.id, topic.number)
        of_kind = {
            kind: decided([one for one in objects if one.kind == kind]) for kind in ("nugget", "matches")
        }
        for nugget_id, one in of_kind["nugget"].items():
            value = one.value
            nuggets.append(
                Nugget(
                    event_id,
                    nugget_id,
                    value["time"],
                    value["importance"],
                    value["text"],
                    value.get("listed_length", 0),
                )
            )
        for update_id, one in of_kind["matches"].items():
            matches += [
                Match(event_id, update_id, m["nugget"], m["start"], m["end"], m["automatic"])
                for m in one.value["matches"]
            ]
        clusters += decided_clusters(event_id, objects, updates)
    return Judgments(
        name=project.name,
        events=tuple(topic.event for topic in topics),
        nuggets=tuple(nuggets),
        matches=tuple(matches),
        pool=tuple(pool),
        clusters=tuple(clusters),
    )
