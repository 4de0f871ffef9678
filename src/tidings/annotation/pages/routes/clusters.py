"""The Clusters page: updates in time order on the left, clusters on the right, and what is done with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from tidings.annotation.desk.likeness import likeness_in
from tidings.annotation.desk.operations import clusters as operations
from tidings.annotation.desk.operations.clusters import CLUSTER, MEMBERSHIP, Placing
from tidings.annotation.desk.pools import TopicPool
from tidings.annotation.pages.acts import ActBody, Acted, ItemId, may_do, perform
from tidings.annotation.pages.clustering import (
    DEFAULT_CHARS,
    cluster_state,
    pool_of,
    pool_rows,
    topic_claim,
    topic_has_gone,
)
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import ObjectView
from tidings.core import FINAL, Change
from tidings.evaluation import Candidate
from tidings.web import page

__all__ = ["UpdateBody", "placing_of", "router", "update_of"]

router = APIRouter()
_TASK = "clusters"
_API = "/api/projects/{project}/topics/{topic}/clusters"

Version = Annotated[int, Field(ge=0, le=2**53)]
Name = Annotated[str, Field(max_length=2_000)]
NewId = Annotated[str, Field(min_length=4, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class _Expecting(ActBody):
    """What the page showed.

    `expected` is the version of the object, 0 for none. `after` is the key of the page's own last act on it, where
    that was not answered when this one was made; it counts instead.
    """

    expected: Version = 0
    after: Annotated[str, Field(max_length=100)] = ""


class UpdateBody(_Expecting):
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


class RenameBody(_Expecting):
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


@router.get("/projects/{project}/topics/{topic}/clusters", include_in_schema=False)
def clusters_page(request: Request, place: InTopic) -> Response:
    """The page."""
    may_do(place, _TASK)
    return page(
        request,
        "clusters.html.j2",
        place=place,
        data={"api": f"/api{place.path}", "layer": place.visitor.layer, "default_chars": DEFAULT_CHARS},
        gone=topic_has_gone(place, _TASK),
        relevance="relevance" in place.project.tasks,
    )


@router.get(f"{_API}/updates", tags=[_TASK], response_class=Response)
def updates(place: InTopic) -> Response:
    """The pool: id, time, text and exact copies of each update, by time."""
    may_do(place, _TASK)
    return pool_rows(place)


@router.get(_API, tags=[_TASK])
def state(place: InTopic) -> dict[str, Any]:
    """How the visitor's clusters stand: clusters, the place of each update, and grades of relevance."""
    may_do(place, _TASK)
    return cluster_state(place)


@router.get(f"{_API}/alike", tags=[_TASK])
def alike(place: InTopic, cluster: Annotated[ItemId, Query()]) -> list[Scored]:
    """All updates, those most like a cluster's description first."""
    may_do(place, _TASK)
    ask = (place.project.id, place.topic.number)
    for layer in (place.visitor.layer, FINAL):
        found = place.desk.log.object(*ask, layer, CLUSTER, cluster)
        if found is not None and found.value is not None:
            ranked = likeness_in(pool_of(place)).to_text(found.value["label"])
            return [Scored(id=name, score=score) for name, score in ranked]
    raise HTTPException(404, "no such cluster")


@router.get(f"{_API}/near", tags=[_TASK])
def near(place: InTopic, update: Annotated[ItemId, Query()]) -> list[Scored]:
    """Updates like this one, most alike first: the cluster of the first that is in one is likely its cluster too."""
    may_do(place, _TASK)
    pool = pool_of(place)
    head = update_of(pool, update)
    return [Scored(id=name, score=score) for name, score in likeness_in(pool).to_update(head.id, head.text)]


@router.post(f"{_API}/new", tags=[_TASK])
def new(place: InTopic, body: NewBody) -> Acted:
    """Make a cluster of an update."""
    label = body.label or update_of(pool_of(place), body.update).text[:DEFAULT_CHARS]
    return _act_on_update(
        place,
        body,
        "new-cluster",
        lambda view, placing: operations.make_cluster(view, placing, body.cluster, label, body.number),
    )


@router.post(f"{_API}/add", tags=[_TASK])
def add(place: InTopic, body: AddBody) -> Acted:
    """Put an update into a cluster, out of whichever it was in."""
    return _act_on_update(
        place, body, "add", lambda view, placing: operations.place(view, placing, body.cluster)
    )


@router.post(f"{_API}/remove", tags=[_TASK])
def remove(place: InTopic, body: UpdateBody) -> Acted:
    """Mark an update as not relevant."""
    return _act_on_update(place, body, "remove", operations.remove)


@router.post(f"{_API}/put-back", tags=[_TASK])
def put_back(place: InTopic, body: UpdateBody) -> Acted:
    """Take an update out of its cluster, or back into consideration: it is to be placed again."""
    return _act_on_update(place, body, "put-back", operations.put_back)


@router.post(f"{_API}/rename", tags=[_TASK])
def rename(place: InTopic, body: RenameBody) -> Acted:
    """Describe a cluster in other words."""
    expected = _expected(place, body, CLUSTER, body.cluster)
    layer = place.visitor.layer
    return _act(
        place,
        body,
        "rename-cluster",
        lambda view: operations.rename(view, layer, body.cluster, body.label, expected),
    )


@router.post(f"{_API}/merge", tags=[_TASK])
def merge(place: InTopic, body: MergeBody) -> Acted:
    """Put all of a cluster into another one, and the cluster away."""
    layer = place.visitor.layer
    return _act(
        place, body, "merge-clusters", lambda view: operations.merged(view, layer, body.cluster, body.into)
    )


@router.post(f"{_API}/empty", tags=[_TASK])
def empty(place: InTopic, body: ClusterBody) -> Acted:
    """Put a cluster away; its updates are to be placed again."""
    layer = place.visitor.layer
    return _act(place, body, "empty-cluster", lambda view: operations.emptied(view, layer, body.cluster))


def update_of(pool: TopicPool, update: str) -> Candidate:
    """The update that stands for this one and its copies; 404 where the pool has none."""
    head = pool.of(update)
    if head is None:
        raise HTTPException(404, "no such update")
    return head


def placing_of(place: TopicPlace, body: UpdateBody, kind: str) -> tuple[Candidate, Placing]:
    """The update of an act, and what is to be placed."""
    head = update_of(pool_of(place), body.update)
    expected = _expected(place, body, kind, head.id)
    return head, Placing(place.visitor.layer, head.id, head.copies[1:], expected)


def _expected(place: TopicPlace, body: _Expecting, kind: str, object_id: str) -> int:
    if not body.after:
        return body.expected
    for entry in place.desk.log.act(place.project.id, body.after):
        if (entry.layer, entry.kind, entry.object_id) == (place.visitor.layer, kind, object_id):
            return entry.seq
    return -1


def _act_on_update(
    place: TopicPlace,
    body: UpdateBody,
    operation: str,
    make: Callable[[ObjectView, Placing], list[Change]],
) -> Acted:
    head, placing = placing_of(place, body, MEMBERSHIP)
    return _act(place, body, operation, lambda view: make(view, placing), judged=head.text)


def _act(
    place: TopicPlace,
    body: ActBody,
    operation: str,
    make: Callable[[ObjectView], list[Change]],
    judged: str = "",
) -> Acted:
    claim = topic_claim(place, _TASK)
    return perform(place, body, operation, make, task=_TASK, judged=judged, claim=claim)
