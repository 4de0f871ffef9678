"""The Relevance page: updates one at a time or as a list, each graded 0, 1 or 2."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from tidings.annotation.desk.operations.clusters import RELEVANCE, grade
from tidings.annotation.desk.queue import assign
from tidings.annotation.pages.acts import Acted, ItemId, may_do, perform
from tidings.annotation.pages.routes.clusters import (
    UpdateBody,
    placing_of,
    pool_of,
    pool_rows,
    relevance_state,
)
from tidings.annotation.pages.visits import InTopic
from tidings.annotation.store import Choice, Claim, Standing
from tidings.core import TASKS
from tidings.web import page

relevance_router = APIRouter()
_API = "/api/projects/{project}/topics/{topic}/relevance"
_TASK = next(task for task in TASKS if task.id == RELEVANCE)


class GradeBody(UpdateBody):
    """A grade: 0 not relevant, 1 relevant, 2 highly relevant; None takes it away."""

    grade: Annotated[int, Field(ge=0, le=2)] | None


class TakeBody(BaseModel):
    """What the page has at hand already: another one is wanted."""

    model_config = ConfigDict(extra="forbid")

    besides: Annotated[list[ItemId], Field(max_length=50)] = []


class Taken(BaseModel):
    """The update that is the visitor's to judge; None where nothing is left for them."""

    update: str | None


@relevance_router.get("/projects/{project}/topics/{topic}/relevance", include_in_schema=False)
def relevance_page(request: Request, place: InTopic) -> Response:
    """The page."""
    may_do(place, RELEVANCE)
    return page(
        request,
        "relevance.html.j2",
        place=place,
        data={"api": f"/api{place.path}", "layer": place.visitor.layer},
        clusters="clusters" in place.project.tasks,
    )


@relevance_router.get(f"{_API}/updates", tags=[RELEVANCE], response_class=Response)
def updates(place: InTopic) -> Response:
    """The pool: id, time, text and exact copies of each update, by time."""
    may_do(place, RELEVANCE)
    return pool_rows(place)


@relevance_router.get(_API, tags=[RELEVANCE])
def state(place: InTopic) -> dict[str, Any]:
    """How the visitor's grades stand."""
    may_do(place, RELEVANCE)
    return relevance_state(place)


@relevance_router.post(f"{_API}/take", tags=[RELEVANCE])
def take(place: InTopic, body: TakeBody) -> Taken:
    """The visitor's next update by time: one that they have and did not judge, else the first that may go to them."""
    may_do(place, RELEVANCE)
    order = [one.id for one in pool_of(place).candidates if one.id not in body.besides]
    desk, limit, now = place.desk, place.project.judges, int(place.desk.clock())

    def choose(standing: Standing) -> Choice | None:
        return assign(order, standing, place.visitor.account.id, limit=limit, now=now)

    account = place.visitor.account.id
    return Taken(update=desk.claims.take(place.project.id, place.topic.number, _TASK, account, choose))


@relevance_router.post(f"{_API}/grade", tags=[RELEVANCE])
def give_grade(place: InTopic, body: GradeBody) -> Acted:
    """Grade an update and its exact copies."""
    head, placing = placing_of(place, body, RELEVANCE)
    claim = Claim(RELEVANCE, head.id, place.project.judges)
    return perform(
        place,
        body,
        "grade-relevance",
        lambda view: grade(view, placing, body.grade),
        task=RELEVANCE,
        judged=head.text,
        claim=claim,
    )
