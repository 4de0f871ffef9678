"""What the pages of clusters and of relevance are given: the pool, and what the visitor may see of the judgments."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from fastapi import Response

from tidings.annotation.desk.operations.clusters import MEMBERSHIP, numbered
from tidings.annotation.desk.operations.relevance import RELEVANCE
from tidings.annotation.desk.pools import TopicPool, topic_pool
from tidings.annotation.pages.visits import TopicPlace
from tidings.annotation.store import WHOLE_TOPIC, Claim
from tidings.core import FINAL, JudgedObject

__all__ = [
    "DEFAULT_CHARS",
    "cluster_state",
    "pool_of",
    "pool_rows",
    "relevance_state",
    "topic_claim",
    "topic_has_gone",
]

DEFAULT_CHARS = 300
"""So much of an update's text is its cluster's first name."""


class _Shown:
    """The objects of a visitor's layer and the final one."""

    def __init__(self, place: TopicPlace) -> None:
        self._place = place
        self._read: dict[tuple[str, str], list[JudgedObject]] = {}

    def get(self, layer: str, kind: str, object_id: str, /) -> JudgedObject | None:
        return next((one for one in self.all(layer, kind) if one.id == object_id), None)

    def some(self, layer: str, kind: str, ids: Collection[str], /) -> dict[str, JudgedObject]:
        return {one.id: one for one in self.all(layer, kind) if one.id in ids}

    def all(self, layer: str, kind: str, /) -> list[JudgedObject]:
        if (layer, kind) not in self._read:
            self._read[layer, kind] = self._place.desk.log.objects(
                self._place.project.id, self._place.topic.number, layer=layer, kind=kind
            )
        return self._read[layer, kind]

    def of_updates(self, layer: str, kind: str) -> dict[str, tuple[JudgedObject, bool]]:
        """By update its object and whether it is final; the final one where there are both."""
        shown = {one.id: (one, False) for one in self.all(layer, kind)}
        shown.update({one.id: (one, True) for one in self.all(FINAL, kind)})
        return shown


def pool_of(place: TopicPlace) -> TopicPool:
    """The pool of the place's topic."""
    return topic_pool(place.desk, place.project.id, place.topic.number, place.last_update)


_written: WeakKeyDictionary[TopicPool, bytes] = WeakKeyDictionary()


def pool_rows(place: TopicPlace) -> Response:
    """The updates that are judged, as JSON: [id, time, text, ids of its exact copies] of each."""
    pool = pool_of(place)
    made = _written.get(pool)
    if made is None:
        rows = [(one.id, pool.time(one), one.text, one.copies[1:]) for one in pool.candidates]
        made = _written[pool] = msgspec.json.encode(rows)
    return Response(made, media_type="application/json")


def _is_head(pool: TopicPool, update: str) -> bool:
    head = pool.of(update)
    return head is not None and head.id == update


def cluster_state(place: TopicPlace) -> dict[str, Any]:
    """How the visitor's clusters stand: `clusters`, `members` and `grades` by update, and whether there is room."""
    shown, layer = _Shown(place), place.visitor.layer
    pool, clusters = pool_of(place), numbered(shown, layer)
    members = {}
    for update, (one, final) in shown.of_updates(layer, MEMBERSHIP).items():
        cluster = one.value["cluster"]
        if _is_head(pool, update) and (cluster is None or cluster in clusters):
            members[update] = [cluster, one.version, final]
    grades = None
    if "relevance" in place.project.tasks:
        graded = shown.of_updates(layer, RELEVANCE)
        grades = {name: one.value["grade"] for name, (one, _) in graded.items() if _is_head(pool, name)}
    return {
        "clusters": [{"id": name, **one} for name, one in clusters.items()],
        "members": members,
        "grades": grades,
    }


def relevance_state(place: TopicPlace) -> dict[str, Any]:
    """How the visitor's grades stand: `grades` by update, and which updates have `gone` to as many as are asked."""
    shown, layer, account = _Shown(place), place.visitor.layer, place.visitor.account.id
    pool = pool_of(place)
    grades = {
        name: [one.value["grade"], one.version, final]
        for name, (one, final) in shown.of_updates(layer, RELEVANCE).items()
        if _is_head(pool, name)
    }
    holders = place.desk.claims.holders(place.project.id, place.topic.number, RELEVANCE)
    gone = [
        name
        for name, accounts in holders.items()
        if account not in accounts and len(accounts) >= place.project.judges and name not in grades
    ]
    mine = [name for name, accounts in holders.items() if account in accounts and name not in grades]
    return {"grades": grades, "gone": gone, "mine": mine}


def topic_claim(place: TopicPlace, task: str) -> Claim | None:
    """The claim of an act in a task that is done topic by topic; none for one to whom the topic was assigned."""
    if place.visitor.account.id in place.assigned_to(task):
        return None
    return Claim(task, WHOLE_TOPIC, place.project.judges)


def topic_has_gone(place: TopicPlace, task: str) -> bool:
    """Whether as many others as are asked have begun the topic, so that the visitor's acts would be refused."""
    claim = topic_claim(place, task)
    if claim is None:
        return False
    holders = place.desk.claims.holders(place.project.id, place.topic.number, task).get(WHOLE_TOPIC, ())
    return place.visitor.account.id not in holders and len(holders) >= claim.limit
