"""How far the judging is, what the pooled runs score with the judgments so far, and how long judging took.

The effort is everyone's for those who lead, one's own for others.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from fastapi import APIRouter, Request, Response
from msgspec import Struct

from tidings.annotation.desk.effort import Effort, EffortLog, EffortReport, WorkSession, sum_up
from tidings.annotation.desk.progress import MEASURES, RULES, ScoreCache, progress_of
from tidings.annotation.pages.acts import plain
from tidings.annotation.pages.visits import InProject, ProjectPlace
from tidings.annotation.tasks import TASKS
from tidings.core import FINAL, SHARED, Clock, duration_words
from tidings.web import page

WIDTH, HEIGHT = 640, 150  # of the chart, in pixels
_MOST_DAYS = 31  # of the chart
_SHADES = 6  # of tasks in the style sheet


class Bar(Struct, frozen=True):
    """A box of the chart: `shade` numbers its task's colour, `words` say it for those who point at it."""

    x: float
    y: float
    width: float
    height: float
    shade: int
    words: str


class EffortChart(Struct, frozen=True):
    """Minutes of work by day (UTC), a colour for each task; `labels` are (x, text) below, `key` (shade, task)."""

    bars: tuple[Bar, ...]
    labels: tuple[tuple[float, str], ...]
    key: tuple[tuple[int, str], ...]
    top_minutes: int
    words: str


def effort_chart(sessions: Iterable[WorkSession]) -> EffortChart | None:
    """The last month of work, at most 31 days; None where there was none.

    A session counts for the day on which it began.

    >>> chart = effort_chart([WorkSession("a", 0, 60_000, 2, {"matching": 120.0})])
    >>> chart.key, chart.top_minutes, chart.labels[0][1]
    (((0, 'Matches'),), 2, '1 Jan')
    """
    clock = Clock()
    minutes: dict[date, dict[str, float]] = {}
    for session in sessions:
        worked = minutes.setdefault(clock.at(session.start_ms // 1000).date(), {})
        for task, seconds in session.seconds.items():
            worked[task] = worked.get(task, 0.0) + seconds / 60
    if not any(sum(worked.values()) for worked in minutes.values()):
        return None
    last = max(minutes)
    first = max(min(minutes), last - timedelta(days=_MOST_DAYS - 1))
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    titles = {task.id: task.title for task in TASKS}
    present = [task for task in [*titles, ""] if any(minutes.get(day, {}).get(task, 0) > 0 for day in days)]
    shade = {task: min(number, _SHADES - 1) for number, task in enumerate(present)}
    top = max(sum(minutes.get(day, {}).values()) for day in days)
    step = WIDTH / len(days)
    thick = min(step * 0.7, 48.0)
    bars: list[Bar] = []
    labels: list[tuple[float, str]] = []
    for number, day in enumerate(days):
        x = number * step + (step - thick) / 2
        y = float(HEIGHT)
        for task in present:
            of_task = minutes.get(day, {}).get(task, 0.0)
            if of_task > 0:
                height = of_task / top * HEIGHT
                y -= height
                words = f"{day.day} {day:%b}, {titles.get(task, 'other')}: {of_task:.0f} min"
                bars.append(
                    Bar(round(x, 1), round(y, 1), round(thick, 1), round(height, 1), shade[task], words)
                )
        if number % max(1, len(days) // 8) == 0:
            labels.append((round(x + thick / 2, 1), f"{day.day} {day:%b}"))
    in_all = sum(sum(worked.values()) for worked in minutes.values())
    return EffortChart(
        tuple(bars),
        tuple(labels),
        tuple((shade[task], titles.get(task, "Other")) for task in present),
        round(top),
        f"{in_all:.0f} minutes of work on {len(minutes)} days, at most {top:.0f} on one day.",
    )


effort_router = APIRouter(tags=["effort"])
_LOG = EffortLog()
_SESSIONS_SHOWN = 50  # the latest


def _report(place: ProjectPlace) -> EffortReport:
    return _LOG.report(place.desk, place.project, None if place.leads else place.account_id)


@effort_router.get("/projects/{project}/effort", include_in_schema=False)
def effort_page(request: Request, place: InProject) -> Response:
    """Time by task, person and topic, and the sessions that it was counted from."""
    report = _report(place)
    topics = {
        topic.number: topic.event.title or topic.event.id
        for topic in place.desk.projects.topics(place.project.id)
    }
    titles = {task.id: task.title for task in TASKS}
    return page(
        request,
        "effort.html.j2",
        place=place,
        tables=[
            ("By task", [(titles.get(row.task, "Other"), row) for row in _by(report, "task")]),
            ("By person", [(row.person, row) for row in _by(report, "person")]),
            ("By topic", [(topics.get(row.topic, "The project"), row) for row in _by(report, "topic")]),
        ],
        rows=[
            (row.person, topics.get(row.topic, "The project"), titles.get(row.task, "Other"), row)
            for row in report.rows
        ],
        whole=sum_up(report.rows),
        sessions=report.sessions[: -_SESSIONS_SHOWN - 1 : -1],
        chart=effort_chart(report.sessions),
        size=(WIDTH, HEIGHT),
        titles=titles,
        duration=lambda seconds: duration_words(round(seconds)),
    )


def _by(report: EffortReport, name: str) -> list[Effort]:
    return sum_up(report.rows, name)


@effort_router.get("/api/projects/{project}/effort")
def effort(place: InProject) -> dict[str, object]:
    """Effort for each person, topic and task, and the sessions: everyone's for leads, one's own for others."""
    report: dict[str, object] = plain(_report(place))
    return report


progress_router = APIRouter(tags=["progress"])
_SCORES = ScoreCache()
_CALLED = {FINAL: "decided", SHARED: "all together"}


@progress_router.get("/projects/{project}/progress", include_in_schema=False)
def progress_page(request: Request, place: InProject) -> Response:
    """Each task of each topic: judged, by whom, left. The scores come when they are made."""
    titles = {task.id: task.title for task in TASKS}
    rows: dict[str, list[object]] = {}
    for progress in progress_of(place.desk, place.project):
        by = ", ".join(f"{_CALLED.get(name, name)} {count:,}" for name, count in progress.by.items())
        rows.setdefault(progress.title, []).append((titles[progress.task], progress, by))
    runs = place.desk.projects.count_items(place.project.id).get((0, "run"), 0)
    return page(
        request,
        "progress.html.j2",
        place=place,
        topics=rows,
        runs=runs,
        measures=MEASURES,
        rules=RULES,
        data={"api": f"/api/projects/{place.project.id}/scores", "measures": MEASURES, "runs": runs},
    )


@progress_router.get("/api/projects/{project}/progress")
def progress(place: InProject) -> list[dict[str, object]]:
    """Of each topic and task how many items there are, are judged, decided and left, and who judged how many."""
    found: list[dict[str, object]] = plain(progress_of(place.desk, place.project))
    return found


@progress_router.get("/api/projects/{project}/scores")
def scores(place: InProject) -> list[dict[str, object]]:
    """The pooled runs with their scores so far, and how many of their updates are judged, waiting and not pooled."""
    found: list[dict[str, object]] = plain(_SCORES.get(place.desk, place.project))
    return found
