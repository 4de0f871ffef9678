"""What a project's judgments add up to, as the records that scorers read."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from tidings.annotation.desk.exchange.clusters import decided_clusters
from tidings.annotation.desk.exchange.day_entities import export_entities
from tidings.annotation.desk.exchange.decided import decided
from tidings.annotation.desk.exchange.origins import (
    TopicOrigin,
    files_origin,
    in_turns,
    listed_first,
    topic_origin,
)
from tidings.annotation.desk.exchange.spans import with_byte_spans
from tidings.annotation.store import Desk
from tidings.core import (
    SHARED,
    Cluster,
    DeskTopic,
    EntityGrade,
    JudgedObject,
    Judgments,
    Match,
    Nugget,
    PooledUpdate,
    Project,
    UsageError,
    ValueUpdate,
    bare_event_id,
    judge_layer,
)

__all__ = ["JUDGING_UPDATES", "decided", "export_judgments", "layer_of"]

JUDGING_UPDATES = ("matches", "relevance", "membership")
"""Kinds of objects that are judgments of an update, and have its id."""


def layer_of(desk: Desk, project: Project, judge: str) -> str:
    """The layer of what somebody judged alone, by the account's name; UsageError where nobody of the name judges."""
    members = {member.name: member.account_id for member in desk.projects.members(project.id)}
    if judge in members:
        return judge_layer(members[judge])
    account = desk.accounts.find(judge)
    if account is None:
        listed = ", ".join(members) or "none"
        raise UsageError(
            f"found no judge named {judge} in the project {project.name}, expected one of: {listed}"
        )
    return judge_layer(account.id)


class _Parts(Struct):
    # One topic's rows.

    nuggets: list[Nugget] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    pool: list[PooledUpdate] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    entities: list[EntityGrade] = field(default_factory=list)
    values: list[ValueUpdate] = field(default_factory=list)


def export_judgments(
    desk: Desk,
    project: Project,
    *,
    layer: str | None = None,
    judged_only: bool = False,
    byte_spans: bool | None = None,
) -> Judgments:
    """A project's events, pool and judgments.

    Args:
        desk: where they are.
        project: of which project.
        layer: only what was judged in this layer (and what is shared); None takes what counts.
        judged_only: leave updates out of the pool that nobody (in `layer`: not that judge) has judged.
        byte_spans: whether matches' offsets count bytes, as the official scorers of TREC files take them; None: where
            files of TREC's were imported. What such files listed comes back as it stood there.
    """
    files = files_origin(desk, project)
    in_bytes = files.byte_spans if byte_spans is None else byte_spans
    made = desk.log.first_entries(project.id, "nugget")
    topics = desk.projects.topics(project.id)
    parts: dict[str, _Parts] = {}
    grades = _entities(desk, project, layer)
    for topic in topics:
        origin = topic_origin(desk, project, topic.number)
        rows = _rows(desk, project, topic, origin, made, layer, judged_only)
        if in_bytes:
            texts = {row.id: row.text for row in reversed(rows.pool)}  # of a row that comes twice the first
            rows.matches = with_byte_spans(rows.matches, texts, set(origin.spans))
        rows.entities = listed_first(
            grades.get(topic.event.id, []), origin.entities, lambda grade: (grade.date, grade.entity)
        )
        parts[bare_event_id(topic.event.id)] = rows

    def table(name: str) -> tuple[Any, ...]:
        by_topic = {bare: getattr(one, name) for bare, one in parts.items()}
        return tuple(in_turns(by_topic, files.turns.get(name, [])))

    return Judgments(
        name=project.name,
        events=tuple(topic.event for topic in topics),
        nuggets=table("nuggets"),
        matches=table("matches"),
        pool=table("pool"),
        clusters=table("clusters"),
        entities=table("entities"),
        values=table("values"),
        duplicates=files.duplicates,
        pool_headless=files.pool_headless,
        pool_whole=files.pool_whole and not judged_only,
        byte_spans=in_bytes,
    )


def _entities(desk: Desk, project: Project, layer: str | None) -> dict[str, list[EntityGrade]]:
    grades: dict[str, list[EntityGrade]] = {}
    for grade in export_entities(desk, project, layer=layer):
        grades.setdefault(grade.event_id, []).append(grade)
    return grades


def _rows(
    desk: Desk,
    project: Project,
    topic: DeskTopic,
    origin: TopicOrigin,
    made: dict[tuple[int, str], int],
    layer: str | None,
    judged_only: bool,
) -> _Parts:
    event_id = topic.event.id
    objects = [
        one
        for one in desk.log.objects(project.id, topic.number)
        if layer is None or one.layer in (layer, SHARED)
    ]
    chosen = {
        kind: decided([one for one in objects if one.kind == kind]) for kind in ("nugget", *JUDGING_UPDATES)
    }
    items = desk.projects.items(project.id, topic.number, "update")
    judged = {name for kind in JUDGING_UPDATES for name in chosen[kind]}
    pool = [
        msgspec.convert(item.content, PooledUpdate) for item in items if not judged_only or item.id in judged
    ]
    places = {item.id: place for place, item in enumerate(items)}
    for place, row in origin.rows if not judged_only else ():
        pool.insert(place, row)

    nuggets = sorted(chosen["nugget"].values(), key=lambda one: made.get((topic.number, one.id), 0))
    matched = sorted(chosen["matches"].values(), key=lambda one: (places.get(one.id, len(places)), one.id))
    return _Parts(
        nuggets=listed_first(
            [_nugget(event_id, one) for one in nuggets], origin.nuggets, lambda nugget: nugget.id
        ),
        matches=listed_first(
            [match for one in matched for match in _matches(event_id, one)],
            origin.matches,
            lambda match: (match.update_id, match.nugget_id, match.start, match.end),
        ),
        pool=pool,
        clusters=_clusters(decided_clusters(event_id, objects, items), origin),
        values=origin.values,
    )


def _nugget(event_id: str, one: JudgedObject) -> Nugget:
    value = one.value
    length = value.get("listed_length", 0)
    return Nugget(event_id, one.id, value["time"], value["importance"], value["text"], length)


def _matches(event_id: str, one: JudgedObject) -> list[Match]:
    return [
        Match(event_id, one.id, match["nugget"], match["start"], match["end"], match["automatic"])
        for match in one.value["matches"]
    ]


def _clusters(clusters: list[Cluster], origin: TopicOrigin) -> list[Cluster]:
    listed = dict(origin.clusters)
    made = [
        replace(one, update_ids=tuple(listed_first(one.update_ids, listed.get(one.id, ()), str)))
        for one in clusters
    ]
    return listed_first(made, listed, lambda cluster: cluster.id)
