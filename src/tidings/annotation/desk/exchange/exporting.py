"""What a project's judgments add up to, as the records that scorers read.

The files of real-time summarization and of tweet timelines:

| file | holds |
|---|---|
| clusters.json | by topic and cluster its description and its updates, the earliest first |
| qrels.txt | `topic Q0 update grade`: 0 not relevant, 1 relevant, 2 highly |
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from tidings.annotation.desk.exchange.day_entities import export_entities, judgments_that_count
from tidings.annotation.desk.exchange.origins import (
    TopicOrigin,
    files_origin,
    in_turns,
    listed_first,
    topic_origin,
)
from tidings.annotation.desk.operations.clusters import CLUSTER, MEMBERSHIP, RELEVANCE
from tidings.annotation.desk.pools import known_time
from tidings.annotation.store import Desk
from tidings.core import (
    FINAL,
    SHARED,
    Cluster,
    DeskItem,
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
    layer_account,
)
from tidings.evaluation import write_qrels, write_tweet_clusters


def clusters_that_count(
    event_id: str, objects: Iterable[JudgedObject], updates: Sequence[DeskItem] = ()
) -> list[Cluster]:
    """The clusters of a topic that count: final ones, and what one judge has made of the rest.

    A clustering is one person's whole: where several judged a topic and nothing is final, that of the judge who placed
    most updates counts, of equal ones that of who began first; never a mixture. Of what one judge made, clusters
    without members are left out.

    Args:
        event_id: of the topic.
        objects: of the topic; those of other kinds are left aside.
        updates: its items, for the order of members, which is by time and then as they were added; members that are no
            item come last, as final ones were given.

    Returns:
        By number and name; those without a number (imported ones) first, as they were imported.
    """
    clusters = [judged for judged in objects if judged.value is not None and judged.kind == CLUSTER]
    memberships = [judged for judged in objects if judged.value is not None and judged.kind == MEMBERSHIP]
    judge = _clustering_judge(memberships)
    chosen: dict[str, JudgedObject] = {}
    for judged in sorted(clusters, key=lambda cluster: (cluster.layer != FINAL, cluster.version)):
        if judged.layer in (FINAL, judge):
            chosen.setdefault(judged.id, judged)
    places = _places(updates)
    members: dict[str, list[JudgedObject]] = {cluster_id: [] for cluster_id in chosen}
    final = {member.id for member in memberships if member.layer == FINAL}
    for membership in memberships:
        counts = membership.layer == FINAL or (membership.layer == judge and membership.id not in final)
        if counts and membership.value["cluster"] in members:
            members[membership.value["cluster"]].append(membership)
    made = []
    for name, cluster in sorted(chosen.items(), key=lambda item: (_number(item[1]), item[1].version)):
        listed = sorted(members[name], key=lambda member: (places.get(member.id, (1, 0, 0)), member.version))
        if listed or cluster.layer == FINAL:
            made.append(
                Cluster(event_id, name, tuple(judged.id for judged in listed), cluster.value["label"])
            )
    return made


def _places(updates: Iterable[DeskItem]) -> dict[str, tuple[int, int, int]]:
    return {item.id: (0, known_time(item.time, item.id), item.number) for item in updates}


def _number(cluster: JudgedObject) -> int:
    number: int = cluster.value.get("number", 0)
    return number


def _clustering_judge(memberships: Iterable[JudgedObject]) -> str:
    """The layer of the judge who placed most; empty where none did."""
    placed: dict[str, int] = {}
    began: dict[str, int] = {}
    for member in memberships:
        if layer_account(member.layer) is not None:
            placed[member.layer] = placed.get(member.layer, 0) + 1
            began[member.layer] = min(began.get(member.layer, member.version), member.version)
    return min(placed, key=lambda layer: (-placed[layer], began[layer]), default="")


def relevance_grades(objects: Sequence[JudgedObject], updates: Sequence[DeskItem] = ()) -> dict[str, int]:
    """Update to its grade of relevance that counts: the final one, else the first judge's; updates by time.

    What nobody graded has the grade that its place says, as in Baruah, McCreadie and Lin (CIKM 2017): 1 in a cluster, 0
    where it was taken out of consideration.
    """
    graded = judgments_that_count(judged for judged in objects if judged.kind == RELEVANCE)
    memberships = [judged for judged in objects if judged.kind == MEMBERSHIP and judged.value is not None]
    layers = (FINAL, _clustering_judge(memberships))
    placed = judgments_that_count(member for member in memberships if member.layer in layers)
    chosen = {name: (int(member.value["cluster"] is not None), member) for name, member in placed.items()}
    chosen |= {name: (judged.value["grade"], judged) for name, judged in graded.items()}
    places = _places(updates)
    ordered = sorted(chosen, key=lambda name: (places.get(name, (1, 0, 0)), chosen[name][1].version))
    return {name: chosen[name][0] for name in ordered}


def write_cluster_files(
    desk: Desk, project: Project, folder: str | Path, *, layer: str | None = None
) -> list[Path]:
    """Write clusters.json and qrels.txt into a folder that is there, each where the project has any of it.

    With `layer` only what was judged in that layer.

    Returns:
        The files that were written.
    """
    clusters: list[Cluster] = []
    grades: dict[str, dict[str, int]] = {}
    for topic in desk.projects.topics(project.id):
        updates = desk.projects.items(project.id, topic.number, "update")
        objects = desk.log.objects(project.id, topic.number, layer=layer)
        clusters += clusters_that_count(topic.event.id, objects, updates)
        if of_topic := relevance_grades(objects, updates):
            grades[topic.event.id] = of_topic
    written = []
    if clusters:
        written.append(Path(folder) / "clusters.json")
        write_tweet_clusters(written[-1], clusters)
    if grades:
        written.append(Path(folder) / "qrels.txt")
        write_qrels(written[-1], grades)
    return written


def byte_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The offsets in the text's UTF-8 bytes of the characters from `start` up to `end`.

    >>> byte_span("Núñez was there", 6, 9), byte_span("plain", 1, 3)
    ((8, 11), (1, 3))
    """
    if text.isascii():
        return start, end
    first = len(text[:start].encode("utf-8", "surrogateescape"))
    return first, first + len(text[start:end].encode("utf-8", "surrogateescape")) + max(
        0, end - max(len(text), start)
    )


def with_byte_spans(
    matches: list[Match], texts: dict[str, str], listed: Collection[tuple[str, int, int]]
) -> list[Match]:
    """Matches with offsets in bytes; those that a TREC file listed so keep what it said."""
    from msgspec.structs import replace

    made = []
    for match in matches:
        text = texts.get(match.update_id, "")
        if not text.isascii() and (match.update_id, match.start, match.end) not in listed:
            start, end = byte_span(text, match.start, match.end)
            match = replace(match, start=start, end=end)  # noqa: PLW2901 - the same match, in other units
        made.append(match)
    return made


JUDGING_UPDATES = ("matches", "relevance", "membership")
"""Kinds of objects that are judgments of an update, and have its id."""


def layer_of(desk: Desk, project: Project, judge: str) -> str:
    """The layer of what someone judged alone, by the account's name; UsageError where nobody of the name judges."""
    members = {member.name: member.account_id for member in desk.projects.members(project.id)}
    if judge in members:
        return judge_layer(members[judge])
    account = desk.accounts.find(judge)
    if account is None:
        listed = ", ".join(members) or "none"
        raise UsageError(f"no judge named {judge} in the project {project.name}, which has: {listed}")
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
        by_topic = {bare: getattr(part, name) for bare, part in parts.items()}
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
        judged
        for judged in desk.log.objects(project.id, topic.number)
        if layer is None or judged.layer in (layer, SHARED)
    ]
    chosen = {
        kind: judgments_that_count([judged for judged in objects if judged.kind == kind])
        for kind in ("nugget", *JUDGING_UPDATES)
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
    matched = sorted(
        chosen["matches"].values(), key=lambda match: (places.get(match.id, len(places)), match.id)
    )
    return _Parts(
        nuggets=listed_first(
            [_nugget(event_id, nugget) for nugget in nuggets], origin.nuggets, lambda nugget: nugget.id
        ),
        matches=listed_first(
            [match for judged in matched for match in _matches(event_id, judged)],
            origin.matches,
            lambda match: (match.update_id, match.nugget_id, match.start, match.end),
        ),
        pool=pool,
        clusters=_clusters(clusters_that_count(event_id, objects, items), origin),
        values=origin.values,
    )


def _nugget(event_id: str, judged: JudgedObject) -> Nugget:
    value = judged.value
    length = value.get("listed_length", 0)
    return Nugget(event_id, judged.id, value["time"], value["importance"], value["text"], length)


def _matches(event_id: str, judged: JudgedObject) -> list[Match]:
    return [
        Match(event_id, judged.id, match["nugget"], match["start"], match["end"], match["automatic"])
        for match in judged.value["matches"]
    ]


def _clusters(clusters: list[Cluster], origin: TopicOrigin) -> list[Cluster]:
    listed = dict(origin.clusters)
    made = [
        replace(cluster, update_ids=tuple(listed_first(cluster.update_ids, listed.get(cluster.id, ()), str)))
        for cluster in clusters
    ]
    return listed_first(made, listed, lambda cluster: cluster.id)
