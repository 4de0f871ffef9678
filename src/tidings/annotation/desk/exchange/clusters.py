"""Clusters and grades of relevance in and out: the files of real-time summarization and of tweet timelines.

| file | holds |
|---|---|
| clusters.json | by topic and cluster its description and its updates, the earliest first |
| qrels.txt | `topic Q0 update grade`: 0 not relevant, 1 relevant, 2 highly |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tidings.annotation.desk.operations.clusters import CLUSTER, MEMBERSHIP
from tidings.annotation.desk.operations.relevance import RELEVANCE
from tidings.annotation.desk.pools import known_time
from tidings.annotation.store import Desk
from tidings.core import FINAL, Cluster, DeskItem, JudgedObject, Project, layer_account
from tidings.evaluation import write_qrels, write_tweet_clusters

__all__ = ["decided_clusters", "decided_grades", "write_cluster_files"]


def decided_clusters(
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
    clusters = [one for one in objects if one.value is not None and one.kind == CLUSTER]
    memberships = [one for one in objects if one.value is not None and one.kind == MEMBERSHIP]
    judge = _clustering_judge(memberships)
    chosen: dict[str, JudgedObject] = {}
    for one in sorted(clusters, key=lambda one: (one.layer != FINAL, one.version)):
        if one.layer in (FINAL, judge):
            chosen.setdefault(one.id, one)
    places = _places(updates)
    members: dict[str, list[JudgedObject]] = {one: [] for one in chosen}
    final = {one.id for one in memberships if one.layer == FINAL}
    for one in memberships:
        counts = one.layer == FINAL or (one.layer == judge and one.id not in final)
        if counts and one.value["cluster"] in members:
            members[one.value["cluster"]].append(one)
    made = []
    for name, cluster in sorted(chosen.items(), key=lambda item: (_number(item[1]), item[1].version)):
        listed = sorted(members[name], key=lambda one: (places.get(one.id, (1, 0, 0)), one.version))
        if listed or cluster.layer == FINAL:
            made.append(Cluster(event_id, name, tuple(one.id for one in listed), cluster.value["label"]))
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
    for one in memberships:
        if layer_account(one.layer) is not None:
            placed[one.layer] = placed.get(one.layer, 0) + 1
            began[one.layer] = min(began.get(one.layer, one.version), one.version)
    return min(placed, key=lambda layer: (-placed[layer], began[layer]), default="")


def decided_grades(objects: Sequence[JudgedObject], updates: Sequence[DeskItem] = ()) -> dict[str, int]:
    """Update to its grade of relevance that counts: the final one, else the first judge's; updates by time.

    What nobody graded has the grade that its place says, as in Baruah, McCreadie and Lin (CIKM 2017): 1 in a cluster, 0
    where it was taken out of consideration.
    """
    chosen: dict[str, tuple[int, JudgedObject]] = {}
    for one in sorted(objects, key=lambda one: (one.layer != FINAL, one.version)):
        if one.kind == RELEVANCE and one.value is not None:
            chosen.setdefault(one.id, (one.value["grade"], one))
    memberships = [one for one in objects if one.kind == MEMBERSHIP and one.value is not None]
    judge = _clustering_judge(memberships)
    for one in sorted(memberships, key=lambda one: (one.layer != FINAL, one.version)):
        if one.layer in (FINAL, judge):
            chosen.setdefault(one.id, (int(one.value["cluster"] is not None), one))
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
        clusters += decided_clusters(topic.event.id, objects, updates)
        if of_topic := decided_grades(objects, updates):
            grades[topic.event.id] = of_topic
    written = []
    if clusters:
        written.append(Path(folder) / "clusters.json")
        write_tweet_clusters(written[-1], clusters)
    if grades:
        written.append(Path(folder) / "qrels.txt")
        write_qrels(written[-1], grades)
    return written
