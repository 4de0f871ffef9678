"""The Relevance page: updates one at a time or as a list, each graded 0, 1 or 2."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from tidings.annotation.desk.operations.clusters import RELEVANCE, grade
from tidings.annotation.desk.operations.entities import CLAIMED
from tidings.annotation.desk.queue import assign
from tidings.annotation.pages.acts import Acted, Body, ItemId, Taken, doing, perform
from tidings.annotation.pages.routes.clusters import (
    UpdateBody,
    placing_of,
    pool_rows,
    relevance_state,
)
from tidings.annotation.pages.visits import InTopic, TopicPlace
from tidings.annotation.store import Choice, Claim, Standing
from tidings.web import page

relevance_router = APIRouter(tags=[RELEVANCE])
_API = "/api/projects/{project}/topics/{topic}/relevance"
Grading = Annotated[TopicPlace, doing(RELEVANCE)]


class GradeBody(UpdateBody):
    """A grade: 0 not relevant, 1 relevant, 2 highly relevant; None takes it away."""

    grade: Annotated[int, Field(ge=0, le=2)] | None


class TakeBody(Body):
    """What the page has at hand already: another one is wanted."""

    besides: Annotated[list[ItemId], Field(default_factory=list, max_length=50)]


@relevance_router.get("/projects/{project}/topics/{topic}/relevance", include_in_schema=False)
def relevance_page(request: Request, place: Grading) -> Response:
    """The page."""
    return page(
        request,
        "relevance.html.j2",
        place=place,
        data={"api": f"/api{place.path}", "layer": place.layer},
        clusters="clusters" in place.project.tasks,
    )


@relevance_router.get(f"{_API}/updates", response_class=Response)
def updates(place: Grading) -> Response:
    """The pool: id, time, text and exact copies of each update, by time."""
    return pool_rows(place)


@relevance_router.get(_API)
def state(place: Grading) -> dict[str, Any]:
    """How the visitor's grades stand."""
    return relevance_state(place)


@relevance_router.post(f"{_API}/take")
def take(place: Grading, body: TakeBody) -> Taken:
    """The visitor's next update by time: one that they have and did not judge, else the first that may go to them."""
    order = [update.id for update in place.pool.candidates if update.id not in body.besides]
    limit, now = place.project.judges, int(place.desk.clock())

    def choose(standing: Standing) -> Choice | None:
        return assign(order, standing, place.account_id, limit=limit, now=now)

    taken = place.desk.claims.take(
        place.project.id, place.topic.number, CLAIMED[RELEVANCE], place.account_id, choose
    )
    return Taken(update=taken)


@relevance_router.post(f"{_API}/grade")
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
