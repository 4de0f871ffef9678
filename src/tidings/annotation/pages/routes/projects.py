"""The first page, with one's projects, and each project's page, with its topics and tasks."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from tidings.annotation.desk.queue import assigned_to, queue_of
from tidings.annotation.pages.visits import InProject, desk_of
from tidings.core import TASKS
from tidings.web import SignedInVisitor, page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request, visitor: SignedInVisitor) -> Response:
    """One's projects."""
    projects = desk_of(request).projects.of_account(visitor.account.id)
    return page(request, "home.html.j2", projects=projects)


@router.get("/projects/{project}")
def project_page(request: Request, place: InProject) -> Response:
    """A project: what there is to do in each topic."""
    projects = place.desk.projects
    given = assigned_to(place.desk, place.project.id)
    topics = projects.topics(place.project.id)
    tasks = [task for task in TASKS if task.id in place.project.tasks]
    account = place.visitor.account.id
    queues = {
        (topic.number, task.id): queue_of(
            place.desk, place.project, topic, task, account, given.get((topic.number, task.id), frozenset())
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
