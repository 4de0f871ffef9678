"""How long judging took: everybody's for those who lead, one's own for others."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from tidings.annotation.desk.effort import Effort, EffortReport, summed
from tidings.annotation.desk.effort_log import EffortLog
from tidings.annotation.pages.acts import plain
from tidings.annotation.pages.effort_chart import HEIGHT, WIDTH, effort_chart
from tidings.annotation.pages.visits import InProject, ProjectPlace
from tidings.core import TASKS, duration_words
from tidings.web import page

__all__ = ["router"]

router = APIRouter(tags=["effort"])
_LOG = EffortLog()
_SESSIONS_SHOWN = 50


def _report(place: ProjectPlace) -> EffortReport:
    return _LOG.report(place.desk, place.project, None if place.leads else place.visitor.account.id)


@router.get("/projects/{project}/effort", include_in_schema=False)
def effort_page(request: Request, place: InProject) -> Response:
    """Time by task, person and topic, and the sessions that it was counted from."""
    report = _report(place)
    topics = {
        one.number: one.event.title or one.event.id for one in place.desk.projects.topics(place.project.id)
    }
    titles = {task.id: task.title for task in TASKS}
    return page(
        request,
        "effort.html.j2",
        place=place,
        tables=[
            ("By task", [(titles.get(one.task, "Other"), one) for one in _by(report, "task")]),
            ("By person", [(one.person, one) for one in _by(report, "person")]),
            ("By topic", [(topics.get(one.topic, "The project"), one) for one in _by(report, "topic")]),
        ],
        rows=[
            (one.person, topics.get(one.topic, "The project"), titles.get(one.task, "Other"), one)
            for one in report.rows
        ],
        whole=summed(report.rows),
        sessions=report.sessions[: -_SESSIONS_SHOWN - 1 : -1],
        chart=effort_chart(report.sessions),
        size=(WIDTH, HEIGHT),
        titles=titles,
        duration=lambda seconds: duration_words(round(seconds)),
    )


def _by(report: EffortReport, name: str) -> list[Effort]:
    return summed(report.rows, name)


@router.get("/api/projects/{project}/effort")
def effort(place: InProject) -> dict[str, object]:
    """Effort for each person, topic and task, and the sessions: everybody's for leads, one's own for others."""
    report: dict[str, object] = plain(_report(place))
    return report
