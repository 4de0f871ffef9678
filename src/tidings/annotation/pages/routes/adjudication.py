"""How far a project's judges agree, and what they see differently, decided by those who lead."""

from __future__ import annotations

from math import isnan
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import Field

from tidings.annotation.desk.disagreements import agreement_of, clusterings, contested_of
from tidings.annotation.desk.operations import adjudication as operations
from tidings.annotation.desk.queue import task_named
from tidings.annotation.pages.acts import (
    ActBody,
    Acted,
    Changes,
    ItemId,
    Version,
    act_route,
    may_do,
    perform,
    plain,
)
from tidings.annotation.pages.visits import LeadInTopic, LeadOf, TopicPlace
from tidings.annotation.tasks import TASKS, Task
from tidings.core import SHARED, JudgedObject
from tidings.web import page

adjudication_router = APIRouter(tags=["adjudication"])
_API = "/api/projects/{project}/topics/{topic}/adjudication"
_CARDS = 300  # open questions on a page

TaskWord = Annotated[str, Field(max_length=40)]
AccountId = Annotated[int, Field(ge=0, le=2**31 - 1)]
Chosen = Annotated[int, Query(ge=0, le=2**31 - 1)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]


class DecideBody(ActBody):
    """What an object is decided as, and the versions of the judges' answers that were shown, by account."""

    task: TaskWord
    kind: TaskWord
    id: ItemId
    value: dict[str, Any]
    seen: Annotated[dict[AccountId, Version], Field(max_length=100)]
    expected: Version = 0


class AgreedBody(ActBody):
    """Make final what is agreed on in a task; `count` is how many objects the page said that there are."""

    task: TaskWord
    count: Count


class ClustersBody(ActBody):
    """Make final what two judges put into the same clusters, or all that the first one did."""

    one: AccountId
    other: AccountId
    count: Count
    whole: bool = False


class MembershipBody(ActBody):
    """Put an update where one of two judges did (`chosen`); 0: it is not relevant."""

    one: AccountId
    other: AccountId
    update: ItemId
    chosen: AccountId


@adjudication_router.get("/projects/{project}/topics/{topic}/adjudication", include_in_schema=False)
def adjudication_page(
    request: Request,
    place: LeadInTopic,
    task: Annotated[str, Query(max_length=40)] = "",
    one: Chosen = 0,
    other: Chosen = 0,
) -> Response:
    """The disagreements of a task of the topic; of clusters those of two judges."""
    objects = place.objects()
    tasks = [found for found in TASKS if found.id in place.project.tasks and operations.adjudicable(found)]
    if not tasks:
        raise HTTPException(404, "This project has no task to adjudicate.")
    chosen = next((found for found in tasks if found.id == task), None)
    if task and chosen is None:
        raise HTTPException(404, "There is no such task.")
    counts = {found.id: _open(place, found, objects) for found in tasks}
    chosen = chosen or next((found for found in tasks if counts[found.id]), tasks[0])
    context: dict[str, Any] = {
        "task": chosen,
        "tasks": tasks,
        "counts": counts,
        "clusters": None,
        "people": [],
        "waiting": 0,
    }
    data: dict[str, Any] = {"project": place.project.id, "topic": place.topic.number, "task": chosen.id}
    if chosen.id == "clusters":
        made = clusterings(objects)
        names = {account.id: account.name for account in place.desk.accounts.all()}
        context["people"] = [(it.account_id, names.get(it.account_id, "?")) for it in made]
        if len(made) > 1:
            first = next((it for it in made if it.account_id == one), made[0])
            second = next(
                (it for it in made if it.account_id == other and it is not first),
                next(it for it in made if it is not first),
            )
            found = operations.cluster_adjudication(
                place.desk, place.project, place.topic, objects, first, second
            )
            context["clusters"] = found
            data |= {"one": first.account_id, "other": second.account_id, "whole": found.whole}
            data |= {"agreed": found.agreed, "cards": found.cards[:_CARDS]}
        else:
            data |= {"agreed": 0, "cards": []}
    else:
        listed = operations.to_decide(place.desk, place.project, place.topic, chosen, objects)
        context["waiting"] = listed.waiting
        data |= {
            "agreed": listed.agreed,
            "cards": listed.cards[:_CARDS],
            "choices": _choices(chosen, objects),
        }
    return page(request, "adjudication.html.j2", place=place, data=data, shown=_CARDS, **context)


@act_route(adjudication_router, _API, "adjudicate", task=None)
def decide(place: LeadInTopic, body: DecideBody) -> Changes:
    """Decide an object, and exact copies of its update with it (leads)."""
    task = _task(place, body.task)
    if body.kind not in task.kinds:
        raise HTTPException(422, f"{task.title} does not judge objects of kind {body.kind}")
    return operations.decide(
        body.kind,
        body.id,
        body.value,
        seen=body.seen,
        expected=body.expected,
        copies=_copies(place, body.id) if task.unit == "update" else None,
    )


@act_route(adjudication_router, f"{_API}/agreed", "adjudicate-agreed", task=None)
def decide_agreed(place: LeadInTopic, body: AgreedBody) -> Changes:
    """Make final all that the judges of a task agree on (leads); 409 where that are not as many as were shown."""
    task = _task(place, body.task)
    return operations.decide_agreed(_judges(place), task.kinds, body.count, asked=place.project.judges)


@adjudication_router.post(f"{_API}/clusters")
def decide_clusters(place: LeadInTopic, body: ClustersBody) -> Acted:
    """Make final what two judges put into the same clusters, or one judge's clusters as they are (leads)."""
    make = operations.agreed_clusters(_judges(place), body.one, body.other, body.count, whole=body.whole)
    operation = "adjudicate-clusters" if body.whole else "adjudicate-agreed"
    return perform(place, body, operation, make, task="clusters")


@act_route(adjudication_router, f"{_API}/membership", "adjudicate", task="clusters")
def decide_membership(place: LeadInTopic, body: MembershipBody) -> Changes:
    """Put an update, and its exact copies, where one of two judges did (leads)."""
    copies = _copies(place, body.update)
    return operations.decide_membership(
        _judges(place), body.one, body.other, body.update, body.chosen, copies
    )


def _task(place: TopicPlace, word: str) -> Task:
    found = task_named(word)
    if found is None or not operations.adjudicable(found):
        raise HTTPException(404, "There is no such task.")
    may_do(place, word)
    return found


def _judges(place: TopicPlace) -> list[int]:
    return operations.judges_of(place.objects())


def _copies(place: TopicPlace, update: str) -> dict[str, str]:
    pool = place.pool
    candidate = pool.of(update)
    return {} if candidate is None else {copy: pool.updates[copy].text for copy in candidate.copies}


def _open(place: TopicPlace, task: Task, objects: list[JudgedObject]) -> int:
    """How many disagreements of a task are not decided."""
    if task.id == "clusters":
        made = clusterings(objects)
        if len(made) < 2:
            return 0
        found = operations.cluster_adjudication(
            place.desk, place.project, place.topic, objects, made[0], made[1]
        )
        return len(found.cards)
    return len(operations.to_decide(place.desk, place.project, place.topic, task, objects).cards)


def _choices(task: Task, objects: list[JudgedObject]) -> list[dict[str, str]]:
    """What can be linked: the nuggets, or the merged events."""
    kind = {"matching": "nugget", "linking": "merged-event"}.get(task.id, "")
    return [
        {"id": judged.id, "text": str(plain(judged.value).get("text", judged.id))}
        for judged in objects
        if judged.layer == SHARED and judged.kind == kind
    ]


agreement_router = APIRouter(include_in_schema=False)

_A_PAGE = 100  # disagreements
_MEASURES = (
    ("same", "same"),
    ("cohen", "Cohen’s κ"),
    ("fleiss", "Fleiss’ κ"),
    ("alpha", "α"),
    ("links", "links F"),
    ("spans", "spans F"),
    ("ari", "ARI"),
    ("ami", "AMI"),
    ("ratio", "2001 ratio"),
)


@agreement_router.get("/projects/{project}/agreement")
def agreement_page(
    request: Request,
    place: LeadOf,
    task: Annotated[str, Query(max_length=40)] = "",
    still: Annotated[str, Query(max_length=4)] = "",
    skip: Annotated[int, Query(ge=0, le=10**7)] = 0,
) -> Response:
    """Figures by task and topic, and the list of disagreements, each with a link to where it is decided."""
    desk, project = place.desk, place.project
    topics = desk.projects.topics(project.id)
    figures = agreement_of(
        {topic.number: desk.log.objects(project.id, topic.number) for topic in topics}, project.tasks
    )
    contested = [
        judged
        for judged in contested_of(desk, project)
        if task in ("", judged.task) and not (still and judged.decided)
    ]
    names = {0: "all topics"} | {topic.number: topic.event.title or topic.event.id for topic in topics}
    return page(
        request,
        "agreement.html.j2",
        place=place,
        rows=[(row, [_format_figure(getattr(row, name)) for name, _ in _MEASURES]) for row in figures],
        measures=[title for _, title in _MEASURES],
        names=names,
        titles={task.id: task.title for task in TASKS},
        tasks=[task for task in TASKS if task.id in project.tasks],
        contested=contested[skip : skip + _A_PAGE],
        number=len(contested),
        skip=skip,
        a_page=_A_PAGE,
        task=task,
        still=still,
    )


def _format_figure(value: float) -> str:
    """A figure, or a dash where there was nothing to agree on.

    >>> _format_figure(0.5), _format_figure(-1e-9), _format_figure(float("nan"))
    ('0.500', '0.000', '–')
    """
    return "–" if isnan(value) else f"{round(value, 3) + 0.0:.3f}"
