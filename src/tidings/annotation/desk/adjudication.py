"""What a lead is shown to decide of a task of a topic: the disagreements, and how much is agreed."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

from msgspec import Struct

from tidings.annotation.desk.corrections import names_of, text_of
from tidings.annotation.desk.disagreements import (
    ITEM_KINDS,
    Clustering,
    Judged,
    align,
    apart,
    compare_objects,
    final_ids,
)
from tidings.annotation.desk.operations.adjudication import put_together
from tidings.annotation.desk.pools import topic_pool
from tidings.annotation.desk.showing import in_words, item_link
from tidings.annotation.store import Desk
from tidings.core import FINAL, SHARED, DeskTopic, JudgedObject, Project, Task, layer_account

_UPDATE_KINDS = ("matches", "relevance", "membership")


_ON = {
    ("matches", "relevance"): "does it tell a nugget?",
    ("matches", "link"): "which nuggets it tells",
    ("matches", "span"): "which words tell them",
    ("links", "relevance"): "does it tell of an event?",
    ("links", "link"): "which events it tells of",
}
"""On what judges differ, in the words of what they judge; a grade of relevance is something else."""


class Adjudication(Struct, frozen=True):
    """The disagreements of a task, as the page shows them, how many objects judges agree on, and how many wait."""

    cards: list[dict[str, Any]]
    agreed: int
    waiting: int


class ClusterAdjudication(Struct, frozen=True):
    """Two judges' clusters.

    Args:
        cards: the updates that they put elsewhere.
        agreed: how many updates are in aligned clusters, and not decided.
        whole: how many the first judge placed, and not decided.
        pairs: clusters of the first and the second judge that are aligned, by label, with how many updates they share.
        pairs_together: pairs of updates that both put together.
        pairs_apart: pairs of updates that only one of them put together.
    """

    cards: list[dict[str, Any]]
    agreed: int
    whole: int
    pairs: list[tuple[str, str, int]]
    pairs_together: int
    pairs_apart: int


def adjudicable(task: Task) -> bool:
    """Whether a task's judgments are decided item by item, or as clusters."""
    return any(kind in (*ITEM_KINDS, "membership") for kind in task.kinds)


def judges_of(objects: list[JudgedObject]) -> list[int]:
    """The accounts that have judged anything."""
    return sorted({account for judged in objects if (account := layer_account(judged.layer)) is not None})


def to_decide(
    desk: Desk, project: Project, topic: DeskTopic, task: Task, objects: list[JudgedObject]
) -> Adjudication:
    """The disagreements of a task that is judged item by item, each update once for its exact copies."""
    kinds = tuple(kind for kind in task.kinds if kind in ITEM_KINDS)
    compared = compare_objects(objects, kinds=kinds, judges=project.judges)
    names = names_of(desk, project.id, topic.number, (SHARED, FINAL))
    people = {account.id: account.name for account in desk.accounts.all()}
    order = (
        {item.id: item.number for item in desk.projects.items(project.id, topic.number, task.unit)}
        if task.unit
        else {}
    )
    contested = sorted(compared.contested, key=lambda judged: (order.get(judged.id, 0), judged.id))
    shown: set[tuple[str, str]] = set()
    cards = []
    for one in contested:
        first = (one.kind, _first_copy(desk, project, topic, one.kind, one.id))
        if first not in shown:
            shown.add(first)
            cards.append(_card(desk, project, topic, one, names, people))
    return Adjudication(cards, len(compared.agreed), compared.waiting)


def _first_copy(desk: Desk, project: Project, topic: DeskTopic, kind: str, object_id: str) -> str:
    if kind not in _UPDATE_KINDS:
        return object_id
    candidate = topic_pool(desk, project.id, topic.number).of(object_id)
    return object_id if candidate is None else candidate.id


def _card(
    desk: Desk, project: Project, topic: DeskTopic, one: Judged, names: dict[str, str], people: dict[int, str]
) -> dict[str, Any]:
    text = text_of(desk, project.id, topic.number, one.kind, one.id)
    return {
        "kind": one.kind,
        "id": one.id,
        "sort": _ON.get((one.kind, one.sort), one.sort),
        "text": text,
        "link": item_link(project.id, topic.number, one.kind, one.id),
        "answers": [
            {
                "account": answer.account_id,
                "name": people.get(answer.account_id, "?"),
                "version": answer.version,
                "value": answer.value,
                "words": in_words(one.kind, answer.value, names, text),
            }
            for answer in one.answers
        ],
        "both": put_together(one.kind, [answer.value for answer in one.answers]),
    }


def cluster_adjudication(
    desk: Desk,
    project: Project,
    topic: DeskTopic,
    objects: list[JudgedObject],
    one: Clustering,
    other: Clustering,
) -> ClusterAdjudication:
    """Where two judges' clusters differ, what they agree on, and which of their clusters are the same."""
    decided = {it.id for it in objects if it.layer == FINAL and it.kind == "membership"}
    people = {account.id: account.name for account in desk.accounts.all()}
    texts = {
        item.id: str(item.content.get("text", ""))
        for item in desk.projects.items(project.id, topic.number, "update")
    }
    aligned, ids = align(one, other), final_ids(one, other)
    cards, shown = [], set()
    different = apart(one, other)
    for placed in different:
        first = _first_copy(desk, project, topic, "membership", placed.update)
        if placed.update in decided or first in shown:
            continue
        shown.add(first)
        cards.append(
            {
                "kind": "membership",
                "id": placed.update,
                "sort": "cluster",
                "text": texts.get(placed.update, ""),
                "link": item_link(project.id, topic.number, "membership", placed.update),
                "answers": [
                    {
                        "account": side.account_id,
                        "name": people.get(side.account_id, "?"),
                        "words": ["not relevant" if cluster is None else side.labels.get(cluster, cluster)],
                        "cluster": None if cluster is None else ids.get((side.account_id, cluster), cluster),
                        "with": [texts.get(update, update) for update in together[:5]],
                        "more": max(0, len(together) - 5),
                    }
                    for side, cluster, together in (
                        (one, placed.one, placed.together_one),
                        (other, placed.other, placed.together_other),
                    )
                ],
            }
        )
    both = one.cluster_of.keys() & other.cluster_of.keys()
    elsewhere = {placed.update for placed in different}
    together, separate = _pairs(one, other, sorted(both))
    return ClusterAdjudication(
        cards,
        agreed=sum(update not in decided and update not in elsewhere for update in both),
        whole=sum(update not in decided for update in one.cluster_of),
        pairs=[
            (
                one.labels.get(mine, mine),
                other.labels.get(theirs, theirs),
                len(set(one.members(mine)) & set(other.members(theirs))),
            )
            for theirs, mine in sorted(aligned.items(), key=lambda pair: one.labels.get(pair[1], ""))
        ],
        pairs_together=together,
        pairs_apart=separate,
    )


def _pairs(one: Clustering, other: Clustering, updates: list[str]) -> tuple[int, int]:
    """Pairs of updates that both judges put together, and that only one of them did.

    >>> first = Clustering(1, {}, {"a": "x", "b": "x", "c": None, "d": None})
    >>> _pairs(first, Clustering(2, {}, {"a": "y", "b": "y", "c": "y", "d": None}), ["a", "b", "c", "d"])
    (1, 2)
    """

    def of(labels: list[Any]) -> int:
        return sum(comb(count, 2) for label, count in Counter(labels).items() if None not in label)

    first = of([(one.cluster_of[update],) for update in updates])
    second = of([(other.cluster_of[update],) for update in updates])
    shared = of([(one.cluster_of[update], other.cluster_of[update]) for update in updates])
    return shared, first + second - 2 * shared
