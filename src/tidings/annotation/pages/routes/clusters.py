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

from tidings.annotation.desk.likeness import likeness_in
from tidings.annotation.desk.operations import clusters as operations
from tidings.annotation.desk.operations.clusters import CLUSTER, MEMBERSHIP, RELEVANCE, Placing, numbered
from tidings.annotation.desk.pools import TopicPool, topic_pool
from tidings.annotation.pages.acts import ActBody, Acted, ItemId, may_do, perform
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


clusters_router = APIRouter()
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


@clusters_router.get("/projects/{project}/topics/{topic}/clusters", include_in_schema=False)
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


@clusters_router.get(f"{_API}/updates", tags=[_TASK], response_class=Response)
def updates(place: InTopic) -> Response:
    """The pool: id, time, text and exact copies of each update, by time."""
    may_do(place, _TASK)
    return pool_rows(place)


@clusters_router.get(_API, tags=[_TASK])
def state(place: InTopic) -> dict[str, Any]:
    """How the visitor's clusters stand: clusters, the place of each update, and grades of relevance."""
    may_do(place, _TASK)
    return cluster_state(place)


@clusters_router.get(f"{_API}/alike", tags=[_TASK])
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


@clusters_router.get(f"{_API}/near", tags=[_TASK])
def near(place: InTopic, update: Annotated[ItemId, Query()]) -> list[Scored]:
    """Updates like this one, most alike first: the cluster of the first that is in one is likely its cluster too."""
    may_do(place, _TASK)
    pool = pool_of(place)
    head = update_of(pool, update)
    return [Scored(id=name, score=score) for name, score in likeness_in(pool).to_update(head.id, head.text)]


@clusters_router.post(f"{_API}/new", tags=[_TASK])
def new(place: InTopic, body: NewBody) -> Acted:
    """Make a cluster of an update."""
    label = body.label or update_of(pool_of(place), body.update).text[:DEFAULT_CHARS]
    return _act_on_update(
        place,
        body,
        "new-cluster",
        lambda view, placing: operations.make_cluster(view, placing, body.cluster, label, body.number),
    )


@clusters_router.post(f"{_API}/add", tags=[_TASK])
def add(place: InTopic, body: AddBody) -> Acted:
    """Put an update into a cluster, out of whichever it was in."""
    return _act_on_update(
        place, body, "add", lambda view, placing: operations.place(view, placing, body.cluster)
    )


@clusters_router.post(f"{_API}/remove", tags=[_TASK])
def remove(place: InTopic, body: UpdateBody) -> Acted:
    """Mark an update as not relevant."""
    return _act_on_update(place, body, "remove", operations.remove)


@clusters_router.post(f"{_API}/put-back", tags=[_TASK])
def put_back(place: InTopic, body: UpdateBody) -> Acted:
    """Take an update out of its cluster, or back into consideration: it is to be placed again."""
    return _act_on_update(place, body, "put-back", operations.put_back)


@clusters_router.post(f"{_API}/rename", tags=[_TASK])
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


@clusters_router.post(f"{_API}/merge", tags=[_TASK])
def merge(place: InTopic, body: MergeBody) -> Acted:
    """Put all of a cluster into another one, and the cluster away."""
    layer = place.visitor.layer
    return _act(
        place, body, "merge-clusters", lambda view: operations.merged(view, layer, body.cluster, body.into)
    )


@clusters_router.post(f"{_API}/empty", tags=[_TASK])
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
