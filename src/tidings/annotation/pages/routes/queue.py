"""The first page with one's projects, each project's page, and the item that goes next to whoever asks."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

from tidings.annotation.desk.queue import assigned_to, queue_of, take_next, task_named
from tidings.annotation.pages.acts import may_do
from tidings.annotation.pages.visits import InProject, InTopic, desk_of
from tidings.annotation.tasks import TASKS, Task
from tidings.web import SignedInVisitor, page

projects_router = APIRouter(include_in_schema=False)


@projects_router.get("/")
def home(request: Request, visitor: SignedInVisitor) -> Response:
    """One's projects."""
    projects = desk_of(request).projects.of_account(visitor.account.id)
    return page(request, "home.html.j2", projects=projects)


@projects_router.get("/projects/{project}")
def project_page(request: Request, place: InProject) -> Response:
    """A project: what there is to do in each topic."""
    projects = place.desk.projects
    given = assigned_to(place.desk, place.project.id)
    topics = projects.topics(place.project.id)
    tasks = [task for task in TASKS if task.id in place.project.tasks]
    queues = {
        (topic.number, task.id): queue_of(
            place.desk, place.project, topic, task, place.account_id, given.get((topic.number, task.id), ())
        )
        for topic in topics
        for task in tasks
    }
    return page(
        request,
        "project.html.j2",
        place=place,
        topics=topics,
        tasks=tasks,
        queues=queues,
        items=projects.count_items(place.project.id),
        judged=place.desk.log.count_objects(place.project.id),
        members=projects.members(place.project.id),
    )


queue_router = APIRouter()

TaskWord = Annotated[str, Query(max_length=40)]


class NextItem(BaseModel):
    """The visitor's next item of a task; None, with nothing left, where there is none."""

    task: str
    item: str | None
    left: int


@queue_router.get("/api/projects/{project}/topics/{topic}/next", tags=["queues"])
def next_item(place: InTopic, task: TaskWord) -> NextItem:
    """The visitor's next item of a task: one that they have and did not judge, else the first that may go to them.

    It is theirs from now on. Of a task that is done topic by topic it is `topic`, where they may do this one.
    """
    found = _task(task)
    may_do(place, found.id)
    item = take_next(place.desk, place.project, place.topic.number, found, place.account_id)
    queue = queue_of(
        place.desk, place.project, place.topic, found, place.account_id, place.assigned_to(found.id)
    )
    return NextItem(task=found.id, item=item, left=queue.left)


@queue_router.get("/projects/{project}/next/{task}", include_in_schema=False)
def next_topic(place: InProject, task: str) -> Response:
    """To the first topic in which the visitor has something to do of a task; to the project where there is none."""
    found, desk, project, account = _task(task), place.desk, place.project, place.account_id
    assigned = assigned_to(desk, project.id)
    for topic in desk.projects.topics(project.id) if task in project.tasks else ():
        given = assigned.get((topic.number, task), ())
        if queue_of(desk, project, topic, found, account, given).left:
            take_next(desk, project, topic.number, found, account)
            return RedirectResponse(f"/projects/{project.id}/topics/{topic.number}/{task}", status_code=303)
    return RedirectResponse(f"/projects/{project.id}#done", status_code=303)


def _task(word: str) -> Task:
    found = task_named(word)
    if found is None:
        raise HTTPException(404, "There is no such task.")
    return found
