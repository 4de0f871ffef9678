"""How far a project's judges agree, and where they do not."""

from __future__ import annotations

from math import isnan
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from tidings.annotation.desk.agreement import agreement_of
from tidings.annotation.desk.contested import contested_of
from tidings.annotation.pages.visits import LeadOf
from tidings.core import TASKS
from tidings.web import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

_A_PAGE = 100
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


@router.get("/projects/{project}/agreement")
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
        one for one in contested_of(desk, project) if task in ("", one.task) and not (still and one.decided)
    ]
    names = {0: "all topics"} | {one.number: one.event.title or one.event.id for one in topics}
    return page(
        request,
        "agreement.html.j2",
        place=place,
        rows=[(one, [_shown(getattr(one, name)) for name, _ in _MEASURES]) for one in figures],
        measures=[title for _, title in _MEASURES],
        names=names,
        titles={one.id: one.title for one in TASKS},
        tasks=[one for one in TASKS if one.id in project.tasks],
        contested=contested[skip : skip + _A_PAGE],
        number=len(contested),
        skip=skip,
        a_page=_A_PAGE,
        task=task,
        still=still,
    )


def _shown(value: float) -> str:
    """A figure, or a dash where there was nothing to agree on.

    >>> _shown(0.5), _shown(-1e-9), _shown(float("nan"))
    ('0.500', '0.000', '–')
    """
    return "–" if isnan(value) else f"{round(value, 3) + 0.0:.3f}"
