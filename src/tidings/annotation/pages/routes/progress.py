"""How far the judging is, and what the pooled runs score with the judgments so far."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from tidings.annotation.desk.progress import progress_of
from tidings.annotation.desk.run_scores import MEASURES, RULES, ScoreCache
from tidings.annotation.pages.acts import plain
from tidings.annotation.pages.visits import InProject
from tidings.core import FINAL, SHARED, TASKS
from tidings.web import page

__all__ = ["router"]

router = APIRouter(tags=["progress"])
_SCORES = ScoreCache()
_CALLED = {FINAL: "decided", SHARED: "all together"}


@router.get("/projects/{project}/progress", include_in_schema=False)
def progress_page(request: Request, place: InProject) -> Response:
    """Each task of each topic: judged, by whom, left. The scores come when they are made."""
    titles = {task.id: task.title for task in TASKS}
    rows: dict[str, list[object]] = {}
    for one in progress_of(place.desk, place.project):
        by = ", ".join(f"{_CALLED.get(name, name)} {count:,}" for name, count in one.by.items())
        rows.setdefault(one.title, []).append((titles[one.task], one, by))
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


@router.get("/api/projects/{project}/progress")
def progress(place: InProject) -> list[dict[str, object]]:
    """Of each topic and task how many items there are, are judged, decided and left, and who judged how many."""
    found: list[dict[str, object]] = plain(progress_of(place.desk, place.project))
    return found


@router.get("/api/projects/{project}/scores")
def scores(place: InProject) -> list[dict[str, object]]:
    """The pooled runs with their scores so far, and how many of their updates are judged, waiting and not pooled."""
    found: list[dict[str, object]] = plain(_SCORES.get(place.desk, place.project))
    return found
