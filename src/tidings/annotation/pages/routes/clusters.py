"""The Clusters page: updates in time order on the left, clusters on the right, and what is done with them.

What it and the page of relevance are given: the pool, and what the visitor may see of the judgments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any
from weakref import WeakKeyDictionary

import msgspec
from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from tidings.annotation.desk.operations import clusters as operations
from tidings.annotation.desk.operations.clusters import (
    CLUSTER,
    MEMBERSHIP,
    RELEVANCE,
    Placing,
    number_clusters,
)
from tidings.annotation.desk.pools import TopicPool, like_text, like_update
from tidings.annotation.pages.acts import (
    ActBody,
    Acted,
    ActOnShown,
    Changes,
    ItemId,
    act_route,
    doing,
    last_of_own,
    perform,
)
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import WHOLE_TOPIC, Claim, ObjectView
from tidings.core import FINAL, Change, JudgedObject
from tidings.evaluation import Candidate
from tidings.web import page

DEFAULT_CHARS = 300
"""So much of an update's text is its cluster's first name."""


class _Shown:
    """The objects of a visitor's layer and the final one."""

    def __init__(self, place: TopicPlace) -> None:
        self._place = place
        self._read: dict[tuple[str, str], list[JudgedObject]] = {}

    def get(self, layer: str, kind: str, object_id: str, /) -> JudgedObject | None:
        return self.some(layer, kind, [object_id]).get(object_id)

    def some(self, layer: str, kind: str, ids: Collection[str], /) -> dict[str, JudgedObject]:
        return {found.id: found for found in self.all(layer, kind) if found.id in ids}

    def all(self, layer: str, kind: str, /) -> list[JudgedObject]:
        if (layer, kind) not in self._read:
            self._read[layer, kind] = self._place.objects(layer, kind)
        return self._read[layer, kind]

    def of_updates(self, kind: str) -> dict[str, tuple[JudgedObject, bool]]:
        """By update, copies left out, its object and whether it is final; the final one where there are both."""
        shown = {own.id: (own, False) for own in self.all(self._place.layer, kind)}
        shown |= {final.id: (final, True) for final in self.all(FINAL, kind)}
        pool = self._place.pool
        return {update: found for update, found in shown.items() if _is_head(pool, update)}


_written: WeakKeyDictionary[TopicPool, bytes] = WeakKeyDictionary()


def pool_rows(place: TopicPlace) -> Response:
    """The updates that are judged, as JSON: [id, time, text, ids of its exact copies] of each."""
    pool = place.pool
    made = _written.get(pool)
    if made is None:
        rows = [(update.id, pool.time(update), update.text, update.copies[1:]) for update in pool.candidates]
        made = _written[pool] = msgspec.json.encode(rows)
    return Response(made, media_type="application/json")


def _is_head(pool: TopicPool, update: str) -> bool:
    head = pool.of(update)
    return head is not None and head.id == update


def cluster_state(place: TopicPlace) -> dict[str, Any]:
    """How the visitor's clusters stand: `clusters`, `members` and `grades` by update, and whether there is room."""
    shown = _Shown(place)
    clusters = number_clusters(shown, place.layer)
    members = {}
    for update, (judged, final) in shown.of_updates(MEMBERSHIP).items():
        cluster = judged.value["cluster"]
        if cluster is None or cluster in clusters:
            members[update] = [cluster, judged.version, final]
    grades = None
    if "relevance" in place.project.tasks:
        graded = shown.of_updates(RELEVANCE)
        grades = {update: judged.value["grade"] for update, (judged, _) in graded.items()}
    return {
        "clusters": [{"id": name, **cluster} for name, cluster in clusters.items()],
        "members": members,
        "grades": grades,
    }


def relevance_state(place: TopicPlace) -> dict[str, Any]:
    """How the visitor's grades stand: `grades` by update, and which updates have `gone` to as many as are asked."""
    account = place.account_id
    grades = {
        update: [judged.value["grade"], judged.version, final]
        for update, (judged, final) in _Shown(place).of_updates(RELEVANCE).items()
    }
    holders = place.desk.claims.holders(place.project.id, place.topic.number, RELEVANCE)
    gone = [
        name
        for name, accounts in holders.items()
        if account not in accounts and len(accounts) >= place.project.judges and name not in grades
    ]
    mine = [name for name, accounts in holders.items() if account in accounts and name not in grades]
    return {"grades": grades, "gone": gone, "mine": mine}


_TASK = "clusters"
clusters_router = APIRouter(tags=[_TASK])
Clustering = Annotated[TopicPlace, doing(_TASK)]


def topic_claim(place: TopicPlace, body: ActBody | None = None) -> Claim | None:
    """The claim of an act: clusters are made topic by topic; none for one to whom the topic was assigned."""
    if place.account_id in place.assigned_to(_TASK):
        return None
    return Claim(_TASK, WHOLE_TOPIC, place.project.judges)


def topic_has_gone(place: TopicPlace) -> bool:
    """Whether as many others as are asked have begun the topic, so that the visitor's acts would be refused."""
    claim = topic_claim(place)
    if claim is None:
        return False
    holders = place.desk.claims.holders(place.project.id, place.topic.number, _TASK).get(WHOLE_TOPIC, ())
    return place.account_id not in holders and len(holders) >= claim.limit


_API = "/api/projects/{project}/topics/{topic}/clusters"

Name = Annotated[str, Field(max_length=2_000)]
NewId = Annotated[str, Field(min_length=4, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class UpdateBody(ActOnShown):
    """An act on an update."""

    update: ItemId


class NewBody(UpdateBody):
    """A new cluster of an update; its id is made in the page. Without a label the update's text names it."""

    cluster: NewId
    label: Name = ""
    number: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class AddBody(UpdateBody):
    """Put an update into a cluster."""

    cluster: ItemId


class RenameBody(ActOnShown):
    """Describe a cluster in other words."""

    cluster: ItemId
    label: Name


class ClusterBody(ActBody):
    """An act on a whole cluster."""

    cluster: ItemId


class MergeBody(ClusterBody):
    """Put all of a cluster into another one."""

    into: ItemId


class Scored(BaseModel):
    """An id and how alike it is, 0..1."""

    id: str
    score: float


@clusters_router.get("/projects/{project}/topics/{topic}/clusters", include_in_schema=False)
def clusters_page(request: Request, place: Clustering) -> Response:
    """The page."""
    return page(
        request,
        "clusters.html.j2",
        place=place,
        data={"api": f"/api{place.path}", "layer": place.layer, "default_chars": DEFAULT_CHARS},
        gone=topic_has_gone(place),
        relevance="relevance" in place.project.tasks,
    )


@clusters_router.get(f"{_API}/updates", response_class=Response)
def updates(place: Clustering) -> Response:
    """The pool: id, time, text and exact copies of each update, by time."""
    return pool_rows(place)


@clusters_router.get(_API)
def state(place: Clustering) -> dict[str, Any]:
    """How the visitor's clusters stand: clusters, the place of each update, and grades of relevance."""
    return cluster_state(place)


@clusters_router.get(f"{_API}/alike")
def alike(place: Clustering, cluster: Annotated[ItemId, Query()]) -> list[Scored]:
    """All updates, those most like a cluster's description first."""
    found = place.object(place.layer, CLUSTER, cluster) or place.object(FINAL, CLUSTER, cluster)
    if found is None:
        raise HTTPException(404, "There is no such cluster.")
    ranked = like_text(place.pool, found.value["label"])
    return [Scored(id=name, score=score) for name, score in ranked]


@clusters_router.get(f"{_API}/near")
def near(place: Clustering, update: Annotated[ItemId, Query()]) -> list[Scored]:
    """Updates like this one, most alike first: the cluster of the first that is in one is likely its cluster too."""
    ranked = like_update(place.pool, update_of(place, update))
    return [Scored(id=name, score=score) for name, score in ranked]


@clusters_router.post(f"{_API}/new")
def new(place: InTopic, body: NewBody) -> Acted:
    """Make a cluster of an update."""
    label = body.label or update_of(place, body.update).text[:DEFAULT_CHARS]
    return _act_on_update(
        place,
        body,
        "new-cluster",
        lambda view, placing: operations.make_cluster(view, placing, body.cluster, label, body.number),
    )


@clusters_router.post(f"{_API}/add")
def add(place: InTopic, body: AddBody) -> Acted:
    """Put an update into a cluster, out of whichever it was in."""
    return _act_on_update(
        place, body, "add", lambda view, placing: operations.place(view, placing, body.cluster)
    )


@clusters_router.post(f"{_API}/remove")
def remove(place: InTopic, body: UpdateBody) -> Acted:
    """Mark an update as not relevant."""
    return _act_on_update(place, body, "remove", operations.remove)


@clusters_router.post(f"{_API}/put-back")
def put_back(place: InTopic, body: UpdateBody) -> Acted:
    """Take an update out of its cluster, or back into consideration: it is to be placed again."""
    return _act_on_update(place, body, "put-back", operations.put_back)


@act_route(clusters_router, f"{_API}/rename", "rename-cluster", task=_TASK, claim=topic_claim)
def rename(place: InTopic, body: RenameBody) -> Changes:
    """Describe a cluster in other words."""
    expected = _read_expected(place, body, CLUSTER, body.cluster)
    return lambda view: operations.rename(view, place.layer, body.cluster, body.label, expected)


@act_route(clusters_router, f"{_API}/merge", "merge-clusters", task=_TASK, claim=topic_claim)
def merge(place: InTopic, body: MergeBody) -> Changes:
    """Put all of a cluster into another one, and the cluster away."""
    return lambda view: operations.merge(view, place.layer, body.cluster, body.into)


@act_route(clusters_router, f"{_API}/empty", "empty-cluster", task=_TASK, claim=topic_claim)
def empty(place: InTopic, body: ClusterBody) -> Changes:
    """Put a cluster away; its updates are to be placed again."""
    return lambda view: operations.empty(view, place.layer, body.cluster)


def update_of(place: TopicPlace, update: str) -> Candidate:
    """The update that stands for this one and its copies; 404 where the pool has none."""
    head = place.pool.of(update)
    if head is None:
        raise HTTPException(404, "There is no such update.")
    return head


def placing_of(place: TopicPlace, body: UpdateBody, kind: str) -> tuple[Candidate, Placing]:
    """The update of an act, and what is to be placed."""
    head = update_of(place, body.update)
    expected = _read_expected(place, body, kind, head.id)
    return head, Placing(place.layer, head.id, head.copies[1:], expected)


def _read_expected(place: TopicPlace, body: ActOnShown, kind: str, object_id: str) -> int:
    if not body.after:
        return body.expected
    entry = last_of_own(place, body, place.layer, kind, object_id)
    return -1 if entry is None else entry.seq


def _act_on_update(
    place: TopicPlace,
    body: UpdateBody,
    operation: str,
    make: Callable[[ObjectView, Placing], list[Change]],
) -> Acted:
    head, placing = placing_of(place, body, MEMBERSHIP)
    claim = topic_claim(place)
    return perform(
        place, body, operation, lambda view: make(view, placing), task=_TASK, judged=head.text, claim=claim
    )
