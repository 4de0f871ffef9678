"""The page on which pooled updates are matched to nuggets, and what its script asks for and sends."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from tidings.annotation.desk.operations.matches import Span, match_update
from tidings.annotation.desk.pools import topic_pool
from tidings.annotation.pages.acts import ActBody, Acted, ItemId, may_do, perform
from tidings.annotation.pages.matching import MatchingDesk
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import Claim, ObjectView
from tidings.core import FINAL, Change
from tidings.evaluation import Strategy
from tidings.web import page

__all__ = ["router"]

router = APIRouter()
_API = "/api/projects/{project}/topics/{topic}/matching"
_TASK = "matching"
_AROUND = 40

Judge = Annotated[int, Query(ge=0, le=2**31 - 1)]


class SpanBody(BaseModel):
    """A nugget that the update tells in its characters start..end."""

    model_config = ConfigDict(extra="forbid")

    nugget: ItemId
    start: Annotated[int, Field(ge=0, le=2**31)]
    end: Annotated[int, Field(ge=0, le=2**31)]


class MatchBody(ActBody):
    """All that an update tells; nothing, where the list is empty.

    `expected` is the version that the page showed; where the page has sent another act of the same update that it has
    no answer to yet, `after` is the key of that one. `decided` says that a decision is made anew.
    """

    update: ItemId
    matches: Annotated[list[SpanBody], Field(max_length=300)]
    expected: Annotated[int, Field(ge=0, le=2**53)] = 0
    after: Annotated[str, Field(max_length=100)] = ""
    decided: bool = False


class TakeBody(BaseModel):
    """Updates in the order in which the page would judge them."""

    model_config = ConfigDict(extra="forbid")

    updates: Annotated[list[ItemId], Field(max_length=50)]


class Taken(BaseModel):
    """The one of them that is kept for the visitor; none, where all have gone to others."""

    update: str | None


@router.get("/projects/{project}/topics/{topic}/matching", include_in_schema=False)
def matching_page(
    request: Request, place: InTopic, at: Annotated[str, Query(max_length=300)] = "", judge: Judge = 0
) -> Response:
    """The page, at the update `at` or at the first that is not judged; a lead may look at another's with `judge`."""
    desk = _desk(place, judge)
    first = desk.place(at)
    low, high = max(first - _AROUND, 0), first + _AROUND
    members = place.desk.projects.members(place.project.id) if place.leads else []
    data = {
        "api": f"/api{place.path}",
        "topic": f"{place.project.id}-{place.topic.number}-{place.visitor.account.id}",
        "count": len(desk.pool.candidates),
        "at": first,
        "low": low,
        "rows": desk.rows(low, high),
        "states": desk.states(low, high),
        "nuggets": desk.nuggets(),
        "leads": place.leads,
        "looking": desk.account_id != place.visitor.account.id,
        "shared": desk.is_shared(),
        "judges": place.project.judges,
    }
    return page(
        request, "matching.html.j2", place=place, data=data, members=members, judge=desk.account_id, desk=desk
    )


@router.get(_API + "/updates", tags=[_TASK])
def updates(
    place: InTopic,
    start: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    count: Annotated[int, Query(ge=1, le=2000)] = 1000,
) -> list[list[Any]]:
    """Updates of the pool in time order, each once for its exact copies: id, text, time, source, ids of its copies."""
    return _desk(place).rows(start, start + count)


@router.get(_API + "/states", tags=[_TASK])
def states(place: InTopic, judge: Judge = 0) -> dict[str, Any]:
    """What is judged, by the number of the update in time order, and which updates have gone to enough others."""
    desk = _desk(place, judge)
    return {"states": desk.states(), "gone": desk.gone(), "mine": desk.kept()}


@router.get(_API + "/nuggets", tags=[_TASK])
def nuggets(place: InTopic) -> list[dict[str, Any]]:
    """The nuggets as they are now."""
    return _desk(place).nuggets()


@router.get(_API + "/hints", tags=[_TASK])
def hints(place: InTopic, update: Annotated[str, Query(max_length=300)]) -> dict[str, Any]:
    """Nuggets that an update is likely to tell, and what was judged of those that are nearly the same."""
    desk = _desk(place)
    if desk.pool.of(update) is None:
        raise HTTPException(404, "no such update")
    return {"likely": desk.likely(update), "near": desk.near(update)}


@router.get(_API + "/order", tags=[_TASK])
def order(place: InTopic, by: Strategy = "yield") -> list[int]:
    """Numbers of the updates that are not judged, the one to be judged next first."""
    return _desk(place).order(by)


@router.post(_API + "/take", tags=[_TASK])
def take(place: InTopic, body: TakeBody) -> Taken:
    """Keep the first of these updates for the visitor that has not gone to as many others as are to judge it."""
    desk = _desk(place)
    names = [found.id for one in body.updates if (found := desk.pool.of(one)) is not None]
    return Taken(update=desk.take(names))


@router.post(_API, tags=[_TASK])
def match(place: InTopic, body: MatchBody) -> Acted:
    """Say what an update tells, for all its exact copies; 409 where it is not as it was shown."""
    if body.decided and not place.leads:
        raise HTTPException(403, "this is decided: only those who lead the project may change it")
    pool = topic_pool(place.desk, place.project.id, place.topic.number, place.last_update)
    candidate = pool.of(body.update)
    if candidate is None:
        raise HTTPException(404, "no such update")
    texts = {one: pool.updates[one].text for one in candidate.copies}
    spans = [Span(one.nugget, one.start, one.end) for one in body.matches]
    layer = place.visitor.layer
    expected = _expected(place, body, FINAL if body.decided else layer)

    def make(view: ObjectView) -> list[Change]:
        return match_update(view, layer, texts, body.update, spans, expected, decided=body.decided)

    claim = None if body.decided else Claim(_TASK, candidate.id, place.project.judges)
    judged = pool.updates[body.update].text
    return perform(
        place, body, "match" if spans else "match-nothing", make, task=_TASK, judged=judged, claim=claim
    )


def _desk(place: TopicPlace, judge: int = 0) -> MatchingDesk:
    may_do(place, _TASK)
    own = place.visitor.account.id
    if judge not in (0, own):
        if not place.leads:
            raise HTTPException(403, "only those who lead the project may look at what others judged")
        members = place.desk.projects.members(place.project.id)
        if judge not in {one.account_id for one in members}:
            raise HTTPException(404, "no such member of the project")
    pool = topic_pool(place.desk, place.project.id, place.topic.number, place.last_update)
    return MatchingDesk(place.desk, place.project, place.topic, judge or own, pool)


def _expected(place: TopicPlace, body: MatchBody, layer: str) -> int:
    """The version that the page's act before this one gave the update; where there was none, what the page showed."""
    if not body.after:
        return body.expected
    own = place.visitor.account.id
    entries = place.desk.log.act(place.project.id, body.after)
    seqs = [
        entry.seq
        for entry in entries
        if (entry.layer, entry.kind, entry.object_id, entry.account_id)
        == (layer, "matches", body.update, own)
    ]
    return seqs[-1] if seqs else body.expected
